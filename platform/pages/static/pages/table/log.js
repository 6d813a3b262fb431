/** The moves of the rounds seen, and the scores round by round. */

import { bdi, element } from "./dom.js";
import { tell } from "./news.js";
import { unbroken } from "./text.js";
import { MARKS, sideName, sideNames } from "./seats.js";

export class Log {
  constructor(list, sheet, phrases) {
    this.list = list;
    this.sheet = sheet;
    this.phrases = phrases;
  }

  /** Lines of events that were told; kept to the end of the list unless the reader has scrolled up. */
  add(lines) {
    const following = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
    for (const { text, tone } of lines) this.list.append(element("li", { "data-tone": tone, text: unbroken(text) }));
    if (following) this.list.scrollTop = this.list.scrollHeight;
  }

  /** The log as far as the view tells it: how former rounds ended, and all of this one. */
  recall(view, context) {
    this.list.replaceChildren();
    this.add(recalled(view).map((event) => tell(event, context)).filter(Boolean));
  }

  /** The score after each round, a column for each side. */
  showRounds(view) {
    const key = JSON.stringify([view.rounds, view.scores, view.seats.map(({ name }) => name)]);
    if (key === this.key) return;
    this.key = key;
    const sides = view.scores.map((_, side) => side);
    const head = element("tr", {}, element("th", { scope: "col" }, element("span", { class: "vh", text: this.phrases.say("round_column") })), ...sides.map((side) => this.head(view, side)));
    const rows = view.rounds.map(({ number, scores }) => element("tr", {}, element("th", { scope: "row", text: String(number) }), ...scores.map((score) => element("td", { text: String(score) }))));
    const now = element("tr", { class: "now" }, element("th", { scope: "row", text: this.phrases.say("now_row") }), ...view.scores.map((score) => element("td", { text: String(score) })));
    const caption = element("caption", { text: this.phrases.say("score_sheet", { target: view.target }) });
    this.sheet.replaceChildren(caption, element("thead", {}, head), element("tbody", {}, ...rows, now));
  }

  /** A side's mark, and each of its players in a line of its own. */
  head(view, side) {
    const names = sideNames(view, side, this.phrases).map((name) => bdi(name));
    return element("th", { scope: "col", class: `side-${side}`, title: sideName(view, side, this.phrases) }, element("span", { class: "mark", "aria-hidden": "true", text: MARKS[side] }), ...names);
  }
}

/** The events behind a view, oldest first: two for each former round, and this round's from the line and its history. */
export function recalled({ round, rounds, history }) {
  if (!round) return [];
  const former = rounds.filter(({ number }) => number < round.number);
  const plays = round.line.map(({ at, ...placed }) => ({ ...placed, kind: "played", end: at }));
  return [
    ...former.flatMap((one) => [
      { kind: "round_started", number: one.number },
      { ...one, kind: "round_ended" },
    ]),
    { kind: "round_started", number: round.number },
    ...[...plays, ...history].sort((a, b) => a.seq - b.seq),
  ];
}
