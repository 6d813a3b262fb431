/** The felt: the line of tiles, its open ends, and the places where a picked tile may go. */

import { aim, project } from "./camera.js";
import { chain, countingEnds, isDouble, moves, pipsOf } from "./chain.js";
import { element, shape } from "./dom.js";
import { MiniMap, bindPull, near, seen, within } from "./closeup.js";
import { ENDS, Line, halves, layLine, reach, sideOf } from "./layout.js";
import { tileShape } from "./tile.js";

const RELAY = 1.4; // the box's shape must change this much before the line is laid anew for it
const LARGEST = 54; // pixels of a pip square
const POP_MS = 1900;
const TOUCH = 44;

export class Felt {
  constructor(root, phrases) {
    this.root = root;
    this.phrases = phrases;
    this.items = [];
    this.line = null;
    this.camera = null;
    this.grooves = shape("g", { class: "grooves" });
    this.tiles = shape("g", { class: "tiles" });
    this.shades = shape("g", { class: "ghost-tiles" });
    this.stage = shape("g", { class: "stage" }, this.grooves, this.tiles, this.shades);
    this.picture = shape("svg", { class: "line", "aria-hidden": "true", focusable: "false" }, this.stage);
    this.badges = element("div", { class: "badges", "aria-hidden": "true" });
    this.places = element("div", { class: "places", role: "group", "aria-label": phrases.say("choose_end") });
    this.pops = element("div", { class: "pops", "aria-hidden": "true" });
    this.map = new MiniMap();
    root.append(this.picture, this.badges, this.places, this.pops, this.map.picture);
    this.offers = [];
    this.large = false;
    this.ahead = null;
    bindPull(root, () => this.isNear, (dx, dy) => this.pull(dx, dy));
    new ResizeObserver(() => this.resize()).observe(root);
  }

  /** items: the round's line; open: the names of the ends that may be played on; pendingFrom: the index from which
   * tiles wait for the server's word; counts: whether badges show what the ends add, else the pips to match. */
  show({ round, items, open, spinner, pendingFrom, counts, mine }) {
    const fresh = round !== this.round || spinner !== this.spinner || !extend(items, this.items);
    if (fresh) this.line = null;
    const known = fresh ? 0 : this.items.length;
    Object.assign(this, { round, open, spinner, counts, items, pendingFrom });
    this.lay();
    this.draw(known, mine, fresh);
  }

  get box() {
    return { width: this.root.clientWidth || 360, height: Math.max(120, (this.root.clientHeight || 400) - this.top) };
  }

  get top() {
    return this.root.clientHeight < 300 ? 8 : 40; // the labels' strip; a low felt lets the line run beside them
  }

  lay() {
    if (!this.line) {
      this.shape = this.box;
      this.camera = this.fit = null;
      this.line = layLine(this.shape, moves(this.items), this.spinner);
      return;
    }
    for (const { tile, at } of this.items.slice(this.line.tiles.length)) {
      if (this.line.tiles.length) this.line.add(ENDS.indexOf(at), isDouble(tile));
      else this.line.lead(isDouble(tile));
    }
  }

  resize() {
    if (!this.line) return;
    const before = this.shape.width / this.shape.height;
    const now = this.box.width / this.box.height;
    if (Math.max(before / now, now / before) > RELAY && !this.offers.length) this.line = null;
    this.camera = this.fit = null;
    this.lay();
    this.draw(this.items.length, false, true);
    this.placeOffers();
  }

  draw(known, mine, cut) {
    const links = chain(this.items, this.spinner);
    this.links = links;
    const last = this.items.length - 1;
    this.tiles.replaceChildren(
      ...this.line.tiles.map((tile, index) => {
        const [a, b] = halves(tile).map(([x, y]) => [x / 2, y / 2]);
        const { inner, outer } = links.tiles[index];
        const kinds = [];
        if (index === links.spinnerAt) kinds.push("spinner");
        if (index === last) kinds.push("last");
        if (index >= this.pendingFrom) kinds.push("pending");
        if (index >= known && !cut) kinds.push(mine ? "arrives-up" : "arrives-down");
        return tileShape(inner, a, outer, b, kinds.join(" "));
      }),
    );
    this.grooves.replaceChildren(...this.arms().map((points) => shape("polyline", { class: "groove", points: points.join(" ") })));
    this.move(cut);
  }

  /** The path of each arm, so that neighbouring rows are never read as joined. */
  arms() {
    const paths = new Map();
    for (const tile of this.line.tiles) {
      if (tile.arm === null) continue;
      if (!paths.has(tile.arm)) paths.set(tile.arm, [tile.from.map((each) => each / 2).join(",")]);
      const centres = tile.isDouble ? [[(tile.rect[0] + tile.rect[2]) / 2, (tile.rect[1] + tile.rect[3]) / 2]] : halves(tile);
      paths.get(tile.arm).push(...centres.map(([x, y]) => `${x / 2},${y / 2}`));
    }
    return [...paths.values()];
  }

  move(cut) {
    const laid = this.line.tiles.length > 0;
    const bounds = laid ? reach(this.line) : [-4, -4, 4, 4];
    const { frame } = this;
    if (!frame.width || !frame.height) return;
    this.fit = aim(cut ? null : this.fit, bounds, frame, laid ? this.line.bounds : bounds);
    this.camera = this.large && !this.offers.length ? near(this.fit, this.focusPoint, frame, bounds) : this.fit;
    this.isNear = this.camera !== this.fit;
    this.look(frame, bounds, cut);
    if (this.ahead) this.placeOffers();
  }

  /** Where the eye goes when the line is seen from near: to the last tile. */
  get focusPoint() {
    const [left, top, right, bottom] = this.line.tiles.at(-1)?.rect ?? [0, 0, 0, 0];
    return [(left + right) / 2, (top + bottom) / 2];
  }

  /** Large tiles or not: the whole line is seen again while a place is chosen, so that none is out of sight. */
  setLarge(large) {
    if (this.large === large) return;
    this.large = large;
    this.root.tabIndex = large ? 0 : -1;
    if (this.line) this.move(true);
  }

  pull(dx, dy) {
    const { frame } = this;
    const bounds = reach(this.line);
    const { scale, x, y } = this.camera;
    this.camera = within({ scale, x: x + dx, y: y + dy }, frame, bounds);
    this.look(frame, bounds, true);
  }

  get frame() {
    return { width: this.root.clientWidth, height: this.root.clientHeight, top: this.top, largest: LARGEST };
  }

  look(frame, bounds, cut) {
    const { scale, x, y } = this.camera;
    this.root.classList.toggle("cut", cut);
    this.root.classList.toggle("near-by", this.isNear);
    this.map.show(this.line.rects, bounds, this.isNear ? seen(this.camera, frame) : null);
    this.picture.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
    this.stage.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    this.showBadges();
  }

  showBadges() {
    const taken = new Set([...this.offers.map(({ at }) => at), this.aheadAt]);
    const shown = this.counts ? countingEnds(this.links) : this.openEnds.map(([name, { pips }]) => ({ name, counts: pips }));
    const badges = shown.filter(({ name }) => !taken.has(name)).map(({ name, counts }) => {
      const end = this.line.ends[ENDS.indexOf(name)];
      const badge = element("span", { class: "badge", text: String(counts), "data-end": name });
      const [dx, dy] = [[1, 0], [0, 1], [-1, 0], [0, -1]][end.heading];
      const gap = 15;
      badge.style.translate = `${this.camera.x + (end.x / 2) * this.camera.scale + dx * gap}px ${this.camera.y + (end.y / 2) * this.camera.scale + dy * gap}px`;
      return badge;
    });
    keep(this.badges, badges);
  }

  /** Where a picked tile may go: [{at, pays}], as buttons lying exactly where the tile will. */
  offer(tile, offers, choose) {
    this.offers = offers;
    this.offered = { tile, choose };
    if (this.large) this.move(false);
    this.placeOffers();
  }

  /** The play that is chosen ahead, as a shadow where it will lie: {play, at}, or null. */
  showAhead(ahead) {
    if (this.ahead === ahead) return;
    this.ahead = ahead;
    this.placeOffers();
  }

  /** The end at which the play chosen ahead would lie as things are, or null. */
  get aheadAt() {
    if (!this.ahead || this.offers.length) return null;
    const { play, at } = this.ahead;
    const fits = this.openEnds.filter(([name, { pips }]) => pipsOf(play).includes(pips) && (at === null || at === name));
    return fits.length ? fits[0][0] : null;
  }

  clearOffers() {
    if (!this.offers.length) return;
    this.offers = [];
    if (this.large) this.move(false);
    this.placeOffers();
  }

  /** Lays the buttons out anew, also when the felt changes its size: the focus stays where it is. */
  placeOffers() {
    const focused = [...this.places.children].indexOf(document.activeElement);
    this.shades.replaceChildren();
    this.places.replaceChildren();
    this.root.classList.toggle("choosing", this.offers.length > 0);
    if (!this.camera) return;
    for (const offer of this.offers) this.placeOffer(offer);
    if (this.aheadAt) this.shades.append(this.ghost(this.ahead.play, this.aheadAt).ghost);
    this.places.children[focused]?.focus({ preventScroll: true });
    this.showBadges();
  }

  placeOffer(offer) {
    const { tile, choose } = this.offered;
    const { rect, ghost, side, pips } = this.ghost(tile, offer.at);
    this.shades.append(ghost);
    const [x, y, width, height] = project(this.camera, rect);
    const words = { tile: tile.replace("-", " "), side: this.phrases.say(`side_${side}`), pips, points: offer.pays };
    const sentence = offer.at === null ? "place_lead" : offer.pays ? "place_scores" : "place";
    const button = element("button", {
      type: "button",
      class: offer.pays ? "spot pays" : "spot",
      "aria-label": this.phrases.say(sentence, words),
      onclick: () => choose(offer),
    });
    if (offer.pays) button.append(element("span", { class: "plus", text: `+${offer.pays}` }));
    button.dataset.at = offer.at ?? "";
    button.tabIndex = this.places.childElementCount ? -1 : 0;
    Object.assign(button.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    button.style.setProperty("--grow-x", `${Math.max(0, (TOUCH - width) / 2)}px`);
    button.style.setProperty("--grow-y", `${Math.max(0, (TOUCH - height) / 2)}px`);
    offer.centre = [x + width / 2, y + height / 2];
    this.places.append(button);
  }

  /** The tile as it would lie at an end. */
  ghost(tile, at) {
    const [high, low] = pipsOf(tile);
    if (at === null) {
      const lead = new Line(this.shape, this.spinner);
      lead.lead(high === low);
      const [a, b] = halves(lead.tiles[0]).map(([x, y]) => [x / 2, y / 2]);
      return { rect: lead.tiles[0].rect, ghost: tileShape(high, a, low, b, "ghost"), side: "middle", pips: "" };
    }
    const arm = ENDS.indexOf(at);
    const place = this.line.place(arm, high === low);
    const { pips } = this.links.ends.get(at);
    const [a, b] = halves({ rect: place.rect, heading: place.end.heading, isDouble: high === low }).map(([x, y]) => [x / 2, y / 2]);
    const outer = pips === high ? low : high;
    return { rect: place.rect, ghost: tileShape(pips, a, outer, b, "ghost"), side: sideOf(this.line, arm), pips };
  }

  /** The offer nearest to a point of the page, if it is near. */
  nearest(clientX, clientY) {
    const box = this.root.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    let best = null;
    let least = 90;
    for (const offer of this.offers) {
      const away = Math.hypot(offer.centre[0] - x, offer.centre[1] - y);
      if (away < least) [best, least] = [offer, away];
    }
    for (const button of this.places.children) button.classList.toggle("near", best !== null && button.dataset.at === (best.at ?? ""));
    return best;
  }

  /** Arrows move between the places; a tap beside them puts the tile back. */
  listen(putBack) {
    this.places.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.focusOffer(step);
    });
    this.root.addEventListener("click", (event) => event.target.closest("button") || putBack());
  }

  /** A place in words, for who reads it from a button of its own: {text, label}. */
  inWords(tile, { at, pays }) {
    const { side, pips } = this.ghost(tile, at);
    const values = { tile: tile.replace("-", " "), side: this.phrases.say(`side_${side}`), pips, points: pays };
    const end = this.phrases.say("end", values);
    return { text: pays ? `${end} · +${pays}` : end, label: this.phrases.say(pays ? "place_scores" : "place", values) };
  }

  focusOffer(step = 0) {
    const buttons = [...this.places.children];
    if (!buttons.length) return;
    const now = Math.max(0, buttons.indexOf(document.activeElement));
    buttons[(now + step + buttons.length) % buttons.length].focus();
  }

  /** The points that the last tile pays, rising from it. */
  pop(points) {
    const tile = this.line?.tiles.at(-1);
    if (!tile || !this.camera) return;
    const [x, y, width] = project(this.camera, tile.rect);
    const pop = element("span", { class: "pop", text: `+${points}` });
    const inside = Math.min(Math.max(x + width / 2, 48), this.root.clientWidth - 48);
    pop.style.translate = `${inside}px ${Math.max(y, 64)}px`;
    this.pops.replaceChildren(pop);
    setTimeout(() => pop.remove(), POP_MS);
  }

  get openEnds() {
    return [...this.links.ends].filter(([name]) => this.open.has(name));
  }

  /** The line in words. */
  describe() {
    const say = (key, values) => this.phrases.say(key, values);
    if (!this.items.length) return say("line_empty");
    const ends = this.endsInWords();
    const last = this.items.at(-1).tile.replace("-", " ");
    const tiles = this.phrases.count("line_tiles", this.items.length);
    return [tiles, say("line_ends", { ends }), say("line_last", { tile: last })].join(" ");
  }

  endsInWords() {
    return this.openEnds.map(([name, { pips, double }]) => {
      const side = sideOf(this.line, ENDS.indexOf(name));
      return this.phrases.say(double ? "end_double" : "end", { side: this.phrases.say(`side_${side}`), pips });
    }).join(", ");
  }
}

function extend(items, known) {
  return items.length >= known.length && known.every(({ tile, at }, i) => items[i].tile === tile && items[i].at === at);
}

/** Replaces the badges, moving those of the same end instead of making them anew, so that they glide with the line. */
function keep(parent, made) {
  const before = new Map([...parent.children].map((node) => [node.dataset.end, node]));
  for (const node of made) {
    const old = before.get(node.dataset.end);
    if (!old) {
      parent.append(node);
      continue;
    }
    old.textContent = node.textContent;
    old.style.translate = node.style.translate;
    before.delete(node.dataset.end);
  }
  for (const gone of before.values()) gone.remove();
}
