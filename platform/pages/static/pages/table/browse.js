/**
 * A spectator's way back through the round: an earlier position stays where it is while the play goes on, and even
 * when the next round begins, until the reader wants to see the table as it is now.
 */

import { setText } from "./dom.js";

export class Browse {
  /** changed(): another position is to be shown. */
  constructor(root, phrases, changed) {
    this.root = root;
    this.phrases = phrases;
    this.changed = changed;
    this.held = null; // {round, line, at}: the position that is looked at
    const press = { back: () => this.step(-1), on: () => this.step(1), live: () => this.release() };
    this.parts = Object.fromEntries([...root.querySelectorAll("[data-browse]")].map((node) => [node.dataset.browse, node]));
    for (const [name, run] of Object.entries(press)) this.parts[name].addEventListener("click", run);
  }

  /** The round's line as it is to be shown: {round, line}. */
  shown(view) {
    this.live = { round: view.round?.number ?? 0, line: view.round?.line ?? [] };
    const { held, live } = this;
    if (held && held.round === live.round) held.line = live.line;
    this.render(view);
    return held ? { round: held.round, line: held.line.slice(0, held.at) } : live;
  }

  get isLive() {
    return this.held === null;
  }

  step(by) {
    const { round, line } = this.held ?? this.live;
    const at = (this.held?.at ?? line.length) + by;
    if (at < 0 || at > line.length) return;
    this.held = at === line.length && round === this.live.round ? null : { round, line, at };
    this.changed();
  }

  release() {
    this.held = null;
    this.changed();
  }

  render(view) {
    this.root.hidden = view.me !== null || !["play", "claims"].includes(view.phase) || (!this.held && !this.live.line.length);
    if (this.root.hidden) return;
    const { held, live, parts } = this;
    const { line, at } = held ?? { line: live.line, at: live.line.length };
    setText(parts.at, this.phrases.say("browse_at", { n: at, all: line.length }));
    parts.back.disabled = at === 0;
    parts.on.disabled = at === line.length;
    parts.live.disabled = !held;
    parts.live.classList.toggle("primary", Boolean(held));
    setText(parts.live, this.news(held, live));
  }

  news(held, live) {
    if (!held) return this.phrases.say("browse_live");
    if (held.round !== live.round) return this.phrases.say("browse_round");
    return this.phrases.count("browse_more", live.line.length - held.at);
  }
}
