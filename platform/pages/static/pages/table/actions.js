/** The buttons under the hand: draw, pass, the call of a play, the claim of points that another has missed. */

import { element } from "./dom.js";

const POINTS = [5, 10, 15, 20, 25, 30, 35]; // one play pays at most 35 (rules.md 5)

export class Actions {
  /** hooks: act(action), call(points or null), cancel(), claim(points), confirm(), choose(offer). */
  constructor(root, phrases, hooks) {
    Object.assign(this, { root, phrases, hooks });
  }

  show(state) {
    const key = JSON.stringify(state);
    if (key === this.key) return;
    this.key = key;
    const made = this.asked(state) ?? [...this.forced(state), ...(state.claim ? this.claims() : [])];
    this.root.replaceChildren(...made);
    this.root.hidden = !made.length && !state.asks; // where something is asked at every play its room is kept, so that the felt does not jump
    if (state.calling || state.confirming) made[0].focus();
  }

  /** What the player is asked for about a tile in the air, or null. */
  asked({ calling, confirming, places }) {
    if (calling) return this.calls();
    if (confirming) return [this.button("confirm", () => this.hooks.confirm(), "primary"), this.quit()];
    return places.length ? [...places.map((place) => this.place(place)), this.quit()] : null;
  }

  quit() {
    return this.button("cancel", () => this.hooks.cancel(), "quiet");
  }

  /** One of the places of the picked tile, as a button as large as a thumb. */
  place({ text, label, offer }) {
    return element("button", { type: "button", class: "primary wide", text, "aria-label": label, onclick: () => this.hooks.choose(offer) });
  }

  button(key, run, kind) {
    return element("button", { type: "button", class: kind, text: this.phrases.say(key), onclick: run });
  }

  forced({ draw, pass }) {
    return [
      draw && this.button("draw", () => this.hooks.act({ draw: true }), "primary"),
      pass && this.button("pass", () => this.hooks.act({ pass: true }), "primary"),
    ].filter(Boolean);
  }

  calls() {
    const number = (points) => element("button", { type: "button", class: "number", text: String(points), onclick: () => this.hooks.call(points) });
    return [this.button("call_none", () => this.hooks.call(null)), ...POINTS.map(number), this.quit()];
  }

  claims() {
    const number = (points) =>
      element("button", {
        type: "button",
        class: "number claim",
        text: String(points),
        "aria-label": this.phrases.say("claim", { points }),
        onclick: () => this.hooks.claim(points),
      });
    return [element("span", { class: "ask", text: this.phrases.say("claim_ask") }), ...POINTS.map(number)];
  }
}
