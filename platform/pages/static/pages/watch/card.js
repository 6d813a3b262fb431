/** A table as a small live picture: the line on the felt, the names and the scores below it. */

import { setText } from "../table/dom.js";
import { Felt } from "../table/felt.js";

export class Card {
  /** root: an element with parts "frame", "felt", "state" and [data-side] for each side. */
  constructor(root, phrases) {
    this.root = root;
    this.phrases = phrases;
    root.querySelector('[data-part="frame"]').hidden = false;
    this.felt = new Felt(root.querySelector('[data-part="felt"]'), phrases);
  }

  show({ round, line, ends, spinner, counts, seats, scores, turn, status, winner }) {
    const shown = this.felt.items.length;
    const same = this.round === round;
    this.round = round;
    this.felt.show({ round, items: line, open: new Set(Object.keys(ends)), spinner, pendingFrom: line.length, counts, mine: false });
    const paid = line.at(-1)?.score;
    if (same && line.length > shown && paid) this.felt.pop(paid);
    const acts = seats.find(({ seat }) => seat === turn)?.side;
    for (const node of this.root.querySelectorAll("[data-side]")) {
      const side = Number(node.dataset.side);
      setText(node.querySelector(".score"), String(scores[side] ?? "–"));
      node.classList.toggle("acts", side === acts);
      node.classList.toggle("won", side === winner);
    }
    this.tellState(status, winner, seats);
  }

  /** Who won stays to be read until the table is looked at or the page is left. */
  tellState(status, winner, seats) {
    const state = this.root.querySelector('[data-part="state"]');
    if (!state || status !== "finished") return;
    state.className = "chip";
    const names = seats.filter(({ side }) => side === winner).map(({ name }) => name);
    setText(state, names.length ? this.phrases.say("event_match_won", { name: names.join(" + ") }) : this.phrases.say("event_match_over"));
  }
}
