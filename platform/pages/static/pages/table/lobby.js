/** A table that waits for its players: the link to share, the free seats, bots for the host, a seat for visitors. */

import { clockText } from "./clock.js";
import { bdi, element, setText } from "./dom.js";

export class Lobby {
  /** root holds the parts made by the template, by data-part; hooks: bots(level). */
  constructor(root, phrases, hooks) {
    this.root = root;
    this.phrases = phrases;
    const part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.parts = { seats: part("lobby-seats"), share: part("share"), link: part("link"), copy: part("copy"), bots: part("bots"), level: part("level"), join: part("join"), wait: part("wait"), lead: part("lead") };
    this.parts.link.value = location.href.split("#")[0];
    this.parts.link.addEventListener("focus", () => this.parts.link.select());
    this.parts.copy.addEventListener("click", () => this.copy());
    this.parts.bots.addEventListener("submit", (event) => {
      event.preventDefault();
      hooks.bots(this.parts.level.value);
    });
  }

  show(view) {
    this.root.hidden = view.phase !== "open";
    if (this.root.hidden) return;
    const free = view.seats.filter(({ kind }) => kind === "empty").length;
    const reserved = !free && view.seats.some(({ sat }) => !sat);
    setText(this.parts.lead, free ? this.phrases.count("waiting_for", free) : this.phrases.say(reserved ? "waiting_to_sit" : "starting"));
    this.parts.seats.replaceChildren(...view.seats.map((seat) => this.seat(seat, view)));
    this.parts.share.hidden = free === 0;
    this.parts.bots.hidden = !(view.host && free);
    this.parts.join.hidden = !view.can_join;
  }

  seat({ seat, side, name, kind, sat }, view) {
    const empty = kind === "empty";
    const state = empty ? "seat_free" : kind === "bot" ? "seat_bot" : sat ? "seat_sat" : "seat_not_yet";
    return element(
      "li",
      { class: empty ? "vacant" : sat || kind === "bot" ? "sat" : "" },
      element("span", { class: "mark", "aria-hidden": "true", text: empty ? "○" : sat || kind === "bot" ? "✓" : "…" }),
      empty ? null : bdi(name),
      element("span", { class: "about", text: [seat === view.me && this.phrases.say("you"), this.phrases.say(state), view.partners && this.phrases.say("team", { n: side + 1 })].filter(Boolean).join(" · ") }),
    );
  }

  async copy() {
    let done = true;
    try {
      await navigator.clipboard.writeText(this.parts.link.value);
    } catch {
      this.parts.link.select();
      done = document.execCommand("copy"); // pages without a secure origin have no clipboard of their own
    }
    setText(this.parts.copy, this.phrases.say(done ? "copied" : "copy_failed"));
    setTimeout(() => setText(this.parts.copy, this.phrases.say("copy")), 2500);
  }

  tick(view, now) {
    const waits = view.phase === "open" && view.deadline;
    this.parts.wait.hidden = !waits;
    if (waits) setText(this.parts.wait, this.phrases.say("sit_within", { time: clockText(Math.max(0, view.deadline - now)) }));
  }
}
