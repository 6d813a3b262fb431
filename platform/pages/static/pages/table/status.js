/** What goes on, in a line of words: what to do now, what happened last, the time left, the state of the link. */

import { clockText, timeLeft } from "./clock.js";
import { element, setText } from "./dom.js";
import { turnLength } from "./seats.js";

export const LOW = 5000; // milliseconds left when the clock warns
const BROKEN = new Set(["reconnecting", "offline"]);
const BACK_MS = 2000;

export class Status {
  /** parts: {prompt, news, clock, seconds, bar, link, broken}. */
  constructor(parts, phrases, speech) {
    Object.assign(this, { parts, phrases, speech });
  }

  say(key, values) {
    return this.phrases.say(key, values);
  }

  tellNews(text, tone = "") {
    setText(this.parts.news, text);
    this.parts.news.dataset.tone = tone;
  }

  /** Something went against the player's wish: seen and heard. */
  complain(text) {
    this.tellNews(text, "refused");
    this.speech.tell(text);
  }

  prompt(text) {
    setText(this.parts.prompt, text);
  }

  /** Paints the clock of the turn; `frozen`: our move is on its way, so our clock stands still. */
  paintClock(view, now, { mine, frozen }) {
    const { clock, seconds, bar } = this.parts;
    const times = turnTimes(view, now);
    clock.hidden = times === null;
    if (!times || frozen) return times;
    setText(seconds, times.turn || !times.bank ? clockText(times.turn) : this.say("on_bank", { time: clockText(times.bank) }));
    clock.classList.toggle("low", mine && times.turn <= LOW);
    bar.style.scale = `${Math.min(1, times.turn / turnLength(view, view.turn))} 1`;
    return times;
  }

  /** name: connecting, live, slow, reconnecting, offline or closed; trip: the last round trip in ms, or null. */
  showLink(name, trip) {
    const before = this.parts.link.dataset.state;
    if (name === "live" && BROKEN.has(before)) return this.showBack(trip);
    if (name === "live" && before === "returned" && this.isBack) return;
    clearTimeout(this.isBack);
    this.isBack = null;
    this.paintLink(name, trip);
  }

  /** For two seconds it is said that the link is back. */
  showBack(trip) {
    this.paintLink("returned", trip);
    this.isBack = setTimeout(() => {
      this.isBack = null;
      this.paintLink("live", trip);
    }, BACK_MS);
  }

  paintLink(name, trip) {
    const measured = trip !== null && (name === "live" || name === "slow");
    this.parts.link.dataset.state = name;
    this.parts.link.replaceChildren(element("span", { class: "link-word", text: this.say(`link_${name}`) }), measured ? element("bdi", { text: ` ${Math.round(trip)} ms` }) : "");
    const broken = name === "reconnecting" || name === "offline";
    if (this.parts.broken.hidden !== broken) return;
    this.parts.broken.hidden = !broken;
    if (!broken) this.speech.tell(this.say("link_back"));
  }

  /** The banner of a broken link; left: what our own clock still has, or null when it is not our turn. */
  paintBroken(left) {
    if (this.parts.broken.hidden) return;
    setText(this.parts.broken, left === null ? this.say("broken") : this.say("broken_clock", { time: clockText(left) }));
  }
}

/** What is left of the turn that runs, or null. */
export function turnTimes(view, now) {
  const runs = view.status === "running" && view.deadline !== null && (view.phase === "play" || view.phase === "claims");
  if (!runs) return null;
  return timeLeft(view.deadline, view.turn === null ? 0 : view.seats[view.turn].bank_ms, now);
}

/** The sentence that says what the table waits for. */
export function promptFor(view, turn, phrases) {
  const say = (key, values) => phrases.say(key, values);
  if (view.phase !== "play" && view.phase !== "claims") return "";
  if (turn.pending) return say("prompt_sent");
  if (turn.calling) return say("call_ask");
  if (turn.confirming) return say("prompt_confirm", { tile: turn.confirming.play });
  if (turn.ahead) return say("prompt_ahead", { tile: turn.ahead.play });
  if (turn.picked) return say("prompt_end", { tile: turn.picked });
  if (view.phase === "claims") return say(view.claim ? "claim_ask" : "prompt_claims");
  if (turn.may("draw")) return say("prompt_draw");
  if (turn.may("pass")) return say("prompt_pass");
  if (turn.mine) return say(view.round?.line.length ? "prompt_mine" : "prompt_lead");
  return view.turn === null ? "" : say("prompt_theirs", { name: view.seats[view.turn].name });
}
