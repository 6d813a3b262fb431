/** The players: whose turn it is, scores, tiles left, clocks and what each did last. */

import { clockText, timeLeft } from "./clock.js";
import { element, setText } from "./dom.js";

const NOTE_MS = 3500;
const SAID_MS = 6000;
export const MARKS = ["◆", "⬤", "▲", "■"]; // sides are told apart by shape as well as by colour

export class Seats {
  /** opened(seat): somebody wants to know more of who sits there. */
  constructor(list, phrases, opened) {
    this.list = list;
    this.phrases = phrases;
    this.opened = opened;
    this.cards = [];
  }

  show(view, pending) {
    const order = inTurnFrom(view);
    if (this.cards.length !== order.length || this.me !== view.me) this.build(order, view.me);
    this.view = view;
    this.frozen = pending ? view.me : null;
    for (const seat of view.seats) this.fill(seat, view, pending);
  }

  build(order, me) {
    this.me = me;
    this.cards = [];
    const made = order.map((index) => {
      const part = (name, tag = "span", more = {}) => element(tag, { class: name, ...more });
      const card = {
        mark: part("mark", "span", { "aria-hidden": "true" }),
        name: part("name", "bdi"),
        score: part("tally", "b", { dir: "ltr" }),
        about: part("about"),
        backs: part("backs", "span", { "aria-hidden": "true" }),
        tiles: part("tiles"),
        note: part("did", "span", { dir: "ltr" }),
        said: part("said", "span", { "aria-hidden": "true", hidden: true }),
        clock: part("clock", "span", { dir: "ltr" }),
        bar: part("left", "i", { "aria-hidden": "true" }),
        state: part("vh"),
        menu: element("button", { type: "button", class: "menu", "aria-haspopup": "dialog", hidden: true, onclick: () => this.opened(index) }),
      };
      card.root = element("li", { class: "seat" }, card.mark, card.name, card.state, card.score, element("span", { class: "meta" }, card.about, card.backs, card.tiles, card.note, card.clock), card.said, card.menu, card.bar);
      this.cards[index] = card;
      return card.root;
    });
    this.list.replaceChildren(...made);
    this.list.dataset.count = String(order.length);
  }

  fill(seat, view, pending) {
    const card = this.cards[seat.seat];
    const say = (key, values) => this.phrases.say(key, values);
    const mine = seat.seat === view.me;
    const inTurn = view.turn === seat.seat && !(mine && pending);
    card.root.className = ["seat", inTurn && "turn", mine && "mine", seat.away && "away", !seat.name && "vacant", `side-${seat.side}`].filter(Boolean).join(" ");
    setText(card.mark, inTurn ? "▶" : MARKS[seat.side]);
    setText(card.name, seat.name || say("seat_free"));
    const score = view.scores[seat.side] ?? 0;
    if (this.scores?.[seat.side] !== undefined && this.scores[seat.side] !== score) restart(card.score, "bump");
    setText(card.score, String(score));
    if (seat.seat === view.seats.length - 1) this.scores = [...view.scores];
    setText(card.about, this.about(seat, view));
    const tiles = view.round ? (seat.tiles ?? 0) - (mine && pending ? 1 : 0) : 0;
    setText(card.tiles, view.round ? String(tiles) : "");
    card.tiles.title = view.round ? this.phrases.count("tiles", tiles) : "";
    showBacks(card.backs, tiles);
    card.menu.hidden = mine || !seat.player || seat.kind === "bot";
    card.menu.setAttribute("aria-label", card.menu.hidden ? "" : say("seat_menu", { name: seat.name }));
    setText(card.state, this.inWords(seat, view, tiles, inTurn, score));
  }

  about(seat, view) {
    const say = (key, values) => this.phrases.say(key, values);
    const parts = [];
    if (seat.seat === view.me) parts.push(say("you"));
    else if (view.partners && view.me !== null && seat.side === view.seats[view.me].side) parts.push(say("partner"));
    if ((seat.time_percent ?? 100) !== 100) parts.push(say("seat_time", { times: (seat.time_percent / 100).toLocaleString(document.documentElement.lang) }));
    if (seat.resigned) parts.push(say("seat_resigned"));
    else if (seat.away) parts.push(say("seat_away"));
    else if (seat.name && !seat.present && seat.kind !== "bot") parts.push(say("seat_absent"));
    else if (view.phase === "between" && seat.ready) parts.push(say("seat_ready"));
    else if (seat.kind === "bot") parts.push(seat.rating ? `≈ ${seat.rating} ${say("seat_bot")}` : say("seat_bot"));
    else if (seat.rating) parts.push(seat.provisional ? `${seat.rating}?` : String(seat.rating));
    else if (seat.kind === "guest") parts.push(say("seat_guest"));
    return parts.join(" · ");
  }

  inWords(seat, view, tiles, inTurn, score) {
    if (!seat.name) return "";
    const parts = [this.phrases.say("seat_points", { points: score })];
    if (view.round) parts.push(this.phrases.count("tiles", tiles));
    if (inTurn) parts.push(this.phrases.say("seat_turn"));
    return parts.join(", ");
  }

  /** A word on what a seat just did, for a moment. */
  note(seat, text, tone) {
    const card = this.cards[seat];
    if (!card || !text) return;
    setText(card.note, text);
    card.note.dataset.tone = tone;
    restart(card.note, "fresh");
    clearTimeout(card.timer);
    card.timer = setTimeout(() => {
      setText(card.note, "");
      card.note.classList.remove("fresh");
    }, NOTE_MS);
  }

  /** What a seat says, in place of what is known of it, for a while. */
  say(seat, text) {
    const { said } = this.cards[seat];
    said.classList.toggle("long", text.length > 24);
    said.title = text;
    setText(said, text);
    said.hidden = false;
    clearTimeout(said.timer);
    said.timer = setTimeout(() => (said.hidden = true), SAID_MS);
  }

  /** Paints the clocks; `now` is the server's time; the clock of a seat whose move is on its way stands still. */
  tick(now) {
    if (!this.view) return;
    for (const { seat, bank_ms: bank } of this.view.seats) {
      const card = this.cards[seat];
      if (seat === this.frozen) continue;
      const timed = this.view.status === "running" && this.view.turn === seat && this.view.deadline !== null && (this.view.phase === "play" || this.view.phase === "claims");
      const left = timed ? timeLeft(this.view.deadline, bank, now) : { turn: 0, bank };
      card.root.classList.toggle("low", timed && left.turn <= 5000);
      setText(card.clock, timed ? clockText(left.turn || left.bank) : bank ? `+${clockText(bank)}` : "");
      card.bar.style.scale = timed ? `${Math.min(1, left.turn / turnLength(this.view, seat))} 1` : "0 1";
    }
  }
}

/** The milliseconds that a seat has for a turn. */
export function turnLength(view, seat) {
  return view.turn_seconds * 10 * (view.seats[seat]?.time_percent ?? 100);
}

/** Seats in turn order, beginning after the viewer, so that the viewer comes last. */
export function inTurnFrom({ seats, me }) {
  const first = me === null || me === undefined ? 0 : me + 1;
  return seats.map((_, i) => (first + i) % seats.length);
}

/** The names of a side's one or two players. */
export function sideNames(view, side, phrases) {
  return view.seats.filter((seat) => seat.side === side).map(({ name }) => name || phrases.say("seat_free"));
}

/** "Marta", or "Marta & Ana" for a side of two. */
export function sideName(view, side, phrases) {
  const [one, two] = sideNames(view, side, phrases);
  return two === undefined ? one : phrases.say("two_names", { one, two });
}

function showBacks(parent, count) {
  while (parent.childElementCount > count) parent.lastElementChild.remove();
  while (parent.childElementCount < count) parent.append(element("i"));
}

function restart(node, name) {
  node.classList.remove(name);
  void node.offsetWidth; // lets the animation begin anew
  node.classList.add(name);
}
