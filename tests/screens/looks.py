"""What is looked at on each screen, and what can be wrong with a text there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

LOOKS: Final = (
    ("phone-light", 390, 844, "light"),
    ("phone-dark", 390, 844, "dark"),
    ("desktop-light", 1280, 800, "light"),
    ("desktop-dark", 1280, 800, "dark"),
)

OVERLAPS: Final = """() => {
  const UNSEEN = ".vh, .skip, svg, .tabbar, .waiting, dialog:not([open]), [aria-hidden=true]";
  const seen = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !each.closest(UNSEEN) && !/SCRIPT|STYLE|OPTION|TITLE/.test(each.tagName);
  // Of a box that scrolls or ends in an ellipsis only what is inside is seen.
  const inside = (box, from) => {
    const part = { top: box.top, bottom: box.bottom, left: box.left, right: box.right };
    for (let each = from; each; each = each.parentElement) {
      if (getComputedStyle(each).overflow === "visible") continue;
      const edge = each.getBoundingClientRect();
      part.top = Math.max(part.top, edge.top);
      part.bottom = Math.min(part.bottom, edge.bottom);
      part.left = Math.max(part.left, edge.left);
      part.right = Math.min(part.right, edge.right);
    }
    return part;
  };
  const above = [...document.querySelectorAll("dialog[open], :popover-open")].pop();
  const texts = [];
  const walker = document.createTreeWalker(above ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const [text, parent] = [node.data.trim().slice(0, 40), node.parentElement];
    if (!text || !parent || !seen(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const whole of range.getClientRects()) {
      const box = inside(whole, parent);
      if (box.right > box.left + 2 && box.bottom > box.top + 2) texts.push({ box, text, parent });
    }
  }
  texts.sort((one, other) => one.box.top - other.box.top);
  const found = [];
  for (const [i, { box: a, text, parent }] of texts.entries()) {
    for (let j = i + 1; j < texts.length && texts[j].box.top < a.bottom; j += 1) {
      const b = texts[j].box;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (parent !== texts[j].parent && wide > 3 && high > 6) {
        found.push(`“${text}” lies over “${texts[j].text}”`);
      }
    }
  }
  return found.slice(0, 4);
}"""
"""Texts that lie one over the other by more than their lines' own height allows."""

CUT: Final = """() => {
  const cuts = (each) => {
    const { overflowX, textOverflow, clipPath } = getComputedStyle(each);
    return overflowX === "hidden" && textOverflow !== "ellipsis" && clipPath === "none"
      && each.scrollWidth > each.clientWidth + 2;
  };
  return [...document.querySelectorAll("main *, header *")]
    .filter((each) => each.children.length === 0 && each.textContent.trim())
    .filter((each) => each.checkVisibility() && !each.closest(".vh, svg") && cuts(each))
    .slice(0, 3).map((each) => `“${each.textContent.trim().slice(0, 40)}” is cut`);
}"""
"""Texts of which a part can't be read, and nothing says so."""

TORN: Final = r"""() => {
  const skipped = ".vh, svg, code, pre, .secret, [aria-hidden=true]";
  const word = /[\p{L}\p{N}]/u;
  const found = new Set();
  const at = (node, i) => {
    const range = document.createRange();
    range.setStart(node, i);
    range.setEnd(node, i + 1);
    return range.getBoundingClientRect();
  };
  const boxes = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()];
  };
  const texts = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), all = [];
    while (walker.nextNode()) if (walker.currentNode.data.trim()) all.push(walker.currentNode);
    return all;
  };
  const block = (each) => (getComputedStyle(each).display.startsWith("inline") ? block(each.parentElement) : each);
  for (const node of [...document.querySelectorAll("main, header, footer")].flatMap(texts)) {
    const parent = node.parentElement;
    if (!parent.checkVisibility() || parent.closest(skipped)) continue;
    if (boxes(node).length > 1) {
      for (let i = 1; i < node.data.length; i += 1) {
        if (!word.test(node.data[i - 1]) || !word.test(node.data[i])) continue;
        if (at(node, i).top > at(node, i - 1).bottom - 3) {
          found.add(`“${node.data.slice(Math.max(0, i - 12), i)}|${node.data.slice(i, i + 12)}” is broken inside a word`);
        }
      }
    }
    for (let i = node.data.indexOf("·"); i >= 0; i = node.data.indexOf("·", i + 1)) {
      const dot = at(node, i), middle = (dot.top + dot.bottom) / 2;
      const line = texts(block(parent)).flatMap(boxes).filter((box) => box.top < middle && box.bottom > middle && box.width > 1);
      const [before, after] = [line.some((box) => box.left < dot.left - 2), line.some((box) => box.right > dot.right + 2)];
      if (dot.width && !(before && after)) found.add(`“${node.data.trim().slice(0, 30)}” ${before ? "leaves a dot at its line's end" : "begins its line with a dot"}`);
    }
  }
  return [...found].slice(0, 4);
}"""  # noqa: E501
"""Words that are broken between two letters, and dots between facts that part nothing."""


def faults_on(page: Any, width: int) -> list[str]:
    """What lies over something else, is cut off, torn, or sticks out of the screen."""
    found = [each for script in (OVERLAPS, CUT, TORN) for each in page.evaluate(script)]
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        found.append(f"is {wide} pixels wide")
    return found


def take(page: Any, folder: Path, name: str, *, whole: bool = True) -> list[str]:
    """Screenshots of the page in each look; what is wrong with each."""
    faults = []
    for look, width, height, colours in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours)
        page.wait_for_timeout(60)
        faults += [f"{name} {look}: {each}" for each in faults_on(page, width)]
        shot = folder / f"{name}-{look}.png"
        shot.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=shot, full_page=whole)
    return faults


def file_name(path: str) -> str:
    """A page's address as the name of a file: "/@marta/edit" is "marta_edit"."""
    return re.sub(r"[^\w-]+", "_", path).strip("_") or "home"
