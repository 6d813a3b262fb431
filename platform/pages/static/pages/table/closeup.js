/** Large tiles: the line is seen from near, moved by hand, and a small map shows which part of it is seen. */

import { shape } from "./dom.js";

const NEAR = 46; // pixels of a pip square
const LOWEST = 180; // pixels: a felt that is lower has no room for a map
const STEP = 0.4; // of the felt, by one press of a key
const MOVED = 6; // pixels before a press is a pull

/** The camera near a point of the line (in half pip squares); a line that fits by itself is left in the middle. */
export function near(fit, focus, frame, bounds) {
  if (fit.scale >= NEAR || frame.height < LOWEST) return fit;
  const wanted = { scale: NEAR, x: frame.width / 2 - (focus[0] / 2) * NEAR, y: frame.top + (frame.height - frame.top) / 2 - (focus[1] / 2) * NEAR };
  return within(wanted, frame, bounds);
}

/** The line is never lost from sight: some of it stays where it can be seen. */
export function within({ scale, x, y }, frame, bounds) {
  const held = (offset, low, high, from, to) => {
    const [least, most] = [to - (high / 2) * scale, from - (low / 2) * scale];
    if (least > most) return (least + most) / 2;
    return Math.min(Math.max(offset, least), most);
  };
  const spare = scale;
  return {
    scale,
    x: held(x, bounds[0], bounds[2], spare, frame.width - spare),
    y: held(y, bounds[1], bounds[3], frame.top + spare, frame.height - spare),
  };
}

/** What the frame shows of the line, in half pip squares. */
export function seen({ scale, x, y }, frame) {
  return [(-x / scale) * 2, (-y / scale) * 2, ((frame.width - x) / scale) * 2, ((frame.height - y) / scale) * 2];
}

export class MiniMap {
  constructor() {
    this.tiles = shape("g");
    this.window = shape("rect", { class: "window" });
    this.picture = shape("svg", { class: "mini-map", "aria-hidden": "true", focusable: "false", hidden: "" }, this.tiles, this.window);
  }

  /** rects: the tiles; view: the part that is seen, or null when all of it is. */
  show(rects, bounds, view) {
    this.picture.toggleAttribute("hidden", view === null);
    if (view === null) return;
    const [left, top, right, bottom] = bounds;
    this.picture.setAttribute("viewBox", `${left - 2} ${top - 2} ${right - left + 4} ${bottom - top + 4}`);
    this.tiles.replaceChildren(...rects.map((rect) => box(shape("rect", { class: "at" }), rect)));
    box(this.window, [Math.max(view[0], left - 2), Math.max(view[1], top - 2), Math.min(view[2], right + 2), Math.min(view[3], bottom + 2)]);
  }
}

function box(node, [left, top, right, bottom]) {
  const values = { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
  for (const [name, value] of Object.entries(values)) node.setAttribute(name, value);
  return node;
}

/** Pulling with a finger or a mouse, and the arrow keys: shift(dx, dy) in pixels, if `isOn`. */
export function bindPull(root, isOn, shift) {
  root.addEventListener("pointerdown", (event) => {
    if (!isOn() || event.button !== 0 || event.target.closest("button")) return;
    let last = [event.clientX, event.clientY];
    let pulled = false;
    const move = (now) => {
      const [dx, dy] = [now.clientX - last[0], now.clientY - last[1]];
      if (!pulled && Math.hypot(dx, dy) < MOVED) return;
      pulled = true;
      last = [now.clientX, now.clientY];
      shift(dx, dy);
    };
    const end = () => root.removeEventListener("pointermove", move);
    root.addEventListener("pointermove", move);
    for (const kind of ["pointerup", "pointercancel", "pointerleave"]) root.addEventListener(kind, end, { once: true });
  });
  root.addEventListener("keydown", (event) => {
    const step = { ArrowRight: [-STEP, 0], ArrowLeft: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] }[event.key];
    if (!step || !isOn() || event.target !== root) return;
    event.preventDefault();
    shift(step[0] * root.clientWidth, step[1] * root.clientHeight);
  });
}
