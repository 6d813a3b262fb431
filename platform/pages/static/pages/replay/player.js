/** A match played again on the table's own felt: stepped through, or running by itself. */

import { element, setText } from "../table/dom.js";
import { Felt } from "../table/felt.js";
import { MARKS } from "../table/seats.js";
import { paints, tilePicture } from "../table/tile.js";
import { indexOf, positions, stateAt } from "./positions.js";

const PACE = 1300;

export class Player {
  /** part(name) -> an element or null; hooks: shown(position, state, felt). */
  constructor(data, phrases, part, hooks = {}) {
    Object.assign(this, { data, phrases, part, hooks });
    this.all = positions(data);
    this.at = -1;
    this.running = null;
    part("felt").before(paints());
    this.felt = new Felt(part("felt"), phrases);
    this.bindControls();
  }

  get position() {
    return this.all[this.at];
  }

  say(key, values) {
    return this.phrases.say(key, values);
  }

  go(index) {
    const next = Math.min(Math.max(index, 0), this.all.length - 1);
    if (next === this.at) return;
    const forward = next === this.at + 1;
    this.at = next;
    const { position } = this;
    const state = stateAt(position);
    this.showFelt(state);
    if (forward && position.step?.score) this.felt.pop(position.step.score);
    this.showSeats(state);
    this.showBoneyard(state);
    this.showControls();
    this.hooks.shown?.(position, state, this.felt);
  }

  goTo(hash) {
    const index = indexOf(this.all, hash);
    if (index !== null) this.go(index);
    return index !== null;
  }

  showFelt({ items, ends, total }) {
    const { rules } = this.data;
    const counts = rules.multiple > 0;
    this.felt.show({ round: this.position.round.number, items, open: new Set(Object.keys(ends)), spinner: rules.spinner, pendingFrom: items.length, counts, mine: false });
    const label = this.part("total");
    if (label) {
      label.parentElement.hidden = !counts || !items.length;
      setText(label, String(total));
    }
    const words = this.part("line-words");
    if (words) setText(words, this.felt.describe());
  }

  showSeats({ hands, scores }) {
    const list = this.part("seats");
    if (!list) return;
    const { step } = this.position;
    list.replaceChildren(...this.data.seats.map(({ seat, side, name }) => {
      const acts = step?.seat === seat;
      return element(
        "li",
        { class: `seat-up side-${side}${acts ? " acts" : ""}` },
        element("span", { class: "mark", "aria-hidden": "true", text: acts ? "▶" : MARKS[side] }),
        element("bdi", { class: "name", text: name }),
        element("b", { class: "tally", dir: "ltr", text: String(scores[side]) }),
        list.dataset.hands === "no" ? null : this.hand(hands[seat]),
      );
    }));
  }

  hand(tiles) {
    const shown = [...tiles].sort((a, b) => (a.tile < b.tile ? 1 : -1));
    const words = shown.length ? this.say("hand_of", { tiles: shown.map(({ tile }) => tile.replace("-", " ")).join(", ") }) : this.say("hand_gone");
    return element("span", { class: "up", dir: "ltr" }, ...shown.map(({ tile, drawn }) => tilePicture(tile, drawn ? "was-drawn" : "")), element("span", { class: "vh", text: words }));
  }

  showBoneyard({ drawn }) {
    const list = this.part("boneyard");
    if (!list) return;
    const { round } = this.position;
    if (this.boneyardOf !== round.number) {
      this.boneyardOf = round.number;
      list.replaceChildren(...round.boneyard.map((tile) => element("li", {}, tilePicture(tile), element("span", { class: "vh" }))));
    }
    [...list.children].forEach((item, i) => {
      item.classList.toggle("gone", i < drawn);
      const tile = round.boneyard[i].replace("-", " ");
      setText(item.lastElementChild, i < drawn ? `${tile}, ${this.say("drawn")}` : tile);
    });
  }

  // Controls

  bindControls() {
    const goals = { first: () => 0, back: () => this.at - 1, next: () => this.at + 1, last: () => this.all.length - 1 };
    for (const button of document.querySelectorAll("[data-goes-to]")) {
      button.addEventListener("click", () => this.step(goals[button.dataset.goesTo]()));
    }
    this.part("play").addEventListener("click", () => this.toggle());
    const slider = this.part("slider");
    slider.max = String(this.all.length - 1);
    slider.addEventListener("input", () => this.step(Number(slider.value)));
    document.addEventListener("keydown", (event) => this.press(event, goals));
    document.addEventListener("visibilitychange", () => document.hidden && this.stop());
  }

  press(event, goals) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.closest?.("input, select, textarea, dialog[open]")) return;
    const goal = { Home: goals.first, ArrowLeft: goals.back, ArrowRight: goals.next, End: goals.last }[event.key];
    if (goal) this.step(goal());
    else if (event.key === " " && !event.target.closest?.("button, a, summary, [tabindex]:not(main)")) this.toggle();
    else return;
    event.preventDefault();
  }

  step(index) {
    this.stop();
    this.go(index);
  }

  toggle() {
    if (this.running) return this.stop();
    if (this.at >= this.all.length - 1) this.go(0);
    this.running = setInterval(() => {
      this.go(this.at + 1);
      if (this.at >= this.all.length - 1) this.stop();
    }, PACE);
    this.showControls();
  }

  stop() {
    clearInterval(this.running);
    this.running = null;
    this.showControls();
  }

  showControls() {
    const { step, round } = this.position ?? {};
    if (!round) return;
    const all = this.all.at(-1).step?.n ?? 0;
    const words = step ? this.say("step", { n: step.n, all }) : this.say("dealt", { n: round.number });
    const slider = this.part("slider");
    slider.value = String(this.at);
    slider.setAttribute("aria-valuetext", words);
    setText(this.part("where"), words);
    const play = this.part("play");
    play.setAttribute("aria-label", this.say(this.running ? "pause" : "play"));
    for (const icon of play.querySelectorAll("[data-shows]")) icon.hidden = (icon.dataset.shows === "pause") !== Boolean(this.running);
  }
}
