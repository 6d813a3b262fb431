/** The player's own tiles: one tab stop, arrows to move, Enter or a tap to pick, a drag to the felt as an extra. */

import { element } from "./dom.js";
import { tilePicture } from "./tile.js";

const DRAG_FROM = 8; // pixels before a press becomes a drag

export class Hand {
  /** hooks: pick(tile), dragStart(tile) -> may it move?, dragMove(x, y), dragEnd(x, y, cancelled). */
  constructor(list, phrases, hooks) {
    this.list = list;
    this.phrases = phrases;
    this.hooks = hooks;
    this.order = [];
    this.buttons = new Map();
    list.addEventListener("keydown", (event) => this.steer(event));
  }

  /** tiles: as the server has them; playable: those that may be played now, or null when it is not our turn;
   * ahead: the one that is chosen for our turn; mayAhead: whether one may be. */
  show({ tiles, playable, picked, ahead = null, mayAhead = false, sorted = false }) {
    const hadFocus = this.list.contains(document.activeElement);
    const had = this.order.length;
    this.order = this.order.filter((tile) => tiles.includes(tile));
    const drawn = tiles.filter((tile) => !this.order.includes(tile));
    this.order.push(...(had ? drawn : drawn.sort(byPips)));
    if (sorted) this.order.sort(byPips);
    for (const [tile, button] of this.buttons) {
      if (this.order.includes(tile)) continue;
      button.parentElement.remove();
      this.buttons.delete(tile);
    }
    for (const tile of this.order) {
      const button = this.buttons.get(tile) ?? this.make(tile, had > 0);
      const fits = playable === null || playable.has(tile);
      button.classList.toggle("fits", playable !== null && fits);
      button.classList.toggle("picked", tile === picked);
      button.classList.toggle("ahead", tile === ahead);
      button.setAttribute("aria-pressed", String(tile === picked || tile === ahead));
      button.setAttribute("aria-disabled", String(playable === null ? !mayAhead : !fits));
      button.setAttribute("aria-label", this.label(tile, fits));
    }
    if (sorted) this.arrange();
    this.list.classList.toggle("resting", playable === null);
    this.list.style.setProperty("--tiles", String(this.order.length));
    this.list.dataset.size = this.order.length > 14 ? "large" : this.order.length > 7 ? "middle" : "small";
    this.rove(this.current && this.order.includes(this.current) ? this.current : this.order.find((tile) => playable?.has(tile)) ?? this.order[0]);
    if (hadFocus && !this.list.contains(document.activeElement)) this.focus();
  }

  label(tile, fits) {
    return this.phrases.say(fits ? "hand_tile" : "hand_tile_unfit", { tile: tile.replace("-", " ") });
  }

  make(tile, drawn) {
    const button = element("button", { type: "button", class: drawn ? "own drawn" : "own" }, tilePicture(tile));
    button.addEventListener("click", () => {
      if (this.dragged) return;
      this.rove(tile);
      this.hooks.pick(tile);
    });
    button.addEventListener("focus", () => this.rove(tile));
    button.addEventListener("pointerdown", (event) => this.press(event, tile, button));
    this.buttons.set(tile, button);
    this.list.append(element("li", {}, button));
    return button;
  }

  /** The buttons in the order of the tiles; the focus stays where it is. */
  arrange() {
    this.order.forEach((tile, index) => {
      const item = this.buttons.get(tile).parentElement;
      if (this.list.children[index] === item) return;
      const had = item.contains(document.activeElement);
      this.list.insertBefore(item, this.list.children[index]);
      if (had) this.focus(tile);
    });
  }

  rove(tile) {
    this.current = tile;
    for (const [each, button] of this.buttons) button.tabIndex = each === tile ? 0 : -1;
  }

  focus(tile = this.current) {
    this.buttons.get(tile)?.focus();
  }

  at(index) {
    return this.order[index];
  }

  steer(event) {
    const now = this.order.indexOf(this.current);
    const rtl = getComputedStyle(this.list).direction === "rtl" ? -1 : 1;
    const to = { ArrowRight: now + rtl, ArrowLeft: now - rtl, Home: 0, End: this.order.length - 1 }[event.key];
    if (to === undefined || !this.order.length) return;
    event.preventDefault();
    this.focus(this.order[(to + this.order.length) % this.order.length]);
  }

  press(event, tile, button) {
    this.dragged = false;
    if (event.button !== 0) return;
    const start = [event.clientX, event.clientY];
    let dragging = false;
    const move = (now) => {
      const [dx, dy] = [now.clientX - start[0], now.clientY - start[1]];
      if (!dragging && Math.hypot(dx, dy) < DRAG_FROM) return;
      if (!dragging) {
        if (!this.hooks.dragStart(tile)) return finish();
        dragging = this.dragged = true;
        button.setPointerCapture(now.pointerId);
        button.classList.add("dragging");
      }
      button.style.translate = `${dx}px ${dy}px`;
      this.hooks.dragMove(now.clientX, now.clientY);
    };
    const finish = (end) => {
      button.removeEventListener("pointermove", move);
      button.removeEventListener("pointerup", finish);
      button.removeEventListener("pointercancel", finish);
      if (!dragging) return;
      button.classList.remove("dragging");
      button.style.translate = "";
      this.hooks.dragEnd(end.clientX, end.clientY, end.type === "pointercancel");
      setTimeout(() => (this.dragged = false)); // the click that follows the release is not a pick
    };
    button.addEventListener("pointermove", move);
    button.addEventListener("pointerup", finish);
    button.addEventListener("pointercancel", finish);
  }
}

function byPips(p, q) {
  const [a, b] = p.split("-");
  const [c, d] = q.split("-");
  return c - a || d - b;
}
