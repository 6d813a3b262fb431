/** That the deal was fixed before play: the commitment, and the seed once the round is over. */

import { element, setText } from "./dom.js";

/** {number, id, commit, seed} of the round that the view shows; null before the first deal. */
export function proofOf({ round, history }) {
  if (!round?.deal) return null;
  const seed = history.findLast(({ deal }) => deal?.seed)?.deal.seed ?? null;
  return { number: round.number, id: round.deal.id, commit: round.deal.commit, seed };
}

export class Proof {
  constructor(part, phrases) {
    this.root = part("proof");
    this.words = part("proof-words");
    this.values = part("proof-values");
    this.phrases = phrases;
  }

  show(view) {
    const proof = proofOf(view);
    this.root.hidden = proof === null;
    if (!proof) return;
    setText(this.words, this.phrases.say(proof.seed ? "proof_over" : "proof_running", { n: proof.number }));
    const key = JSON.stringify(proof);
    if (key === this.key) return;
    this.key = key;
    const values = [["proof_deal", proof.id], ["proof_commit", proof.commit], ["proof_seed", proof.seed]];
    this.values.replaceChildren(
      ...values
        .filter(([, value]) => value)
        .map(([name, value]) =>
          element("div", {}, element("dt", { text: this.phrases.say(name) }), element("dd", {}, ...shortened(value))),
        ),
    );
  }
}

/** The beginning to compare at a glance; the whole to copy. */
function shortened(value) {
  return [element("details", {}, element("summary", { text: `${value.slice(0, 12)}…` }), element("code", { text: value }))];
}
