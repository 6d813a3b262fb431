/** The live table: takes the server's views, shows them, and sends what the player does. */

import { chain } from "./chain.js";
import { clockText, timeLeft } from "./clock.js";
import { Connection } from "./connection.js";
import { element, setText } from "./dom.js";
import { Felt } from "./felt.js";
import { Hand } from "./hand.js";
import { listen } from "./keyboard.js";
import { Lobby } from "./lobby.js";
import { Log } from "./log.js";
import { tell } from "./news.js";
import { Preferences } from "./preferences.js";
import { Seats, sideName } from "./seats.js";
import { Sheet } from "./sheet.js";
import { Speech } from "./speech.js";
import { Phrases } from "./text.js";
import { paints } from "./tile.js";

const CALLS = [5, 10, 15, 20, 25, 30, 35];
const UNANSWERED = 2500; // milliseconds until a move without an answer is spoken of
const LOW = 5000;

class Table {
  constructor(root) {
    this.root = root;
    this.phrases = new Phrases(JSON.parse(document.getElementById("table-strings").textContent));
    this.preferences = new Preferences();
    this.preferences.bind(document);
    this.view = null;
    this.picked = null; // the tile whose ends are offered
    this.calling = null; // the play that waits for the player's call
    this.pending = null; // the play that waits for the server's word
    this.told = 0; // the last event told
    root.append(paints());
    this.makeParts();
    this.connect();
    this.listen();
    this.tick();
  }

  part(name) {
    return document.querySelector(`[data-part="${name}"]`);
  }

  say(key, values) {
    return this.phrases.say(key, values);
  }

  makeParts() {
    const { phrases } = this;
    this.felt = new Felt(this.part("felt"), phrases);
    this.seats = new Seats(this.part("seats"), phrases);
    this.log = new Log(this.part("log"), this.part("score-sheet"), phrases);
    this.speech = new Speech(this.part("polite"), this.part("assertive"));
    this.sheet = new Sheet(this.part("sheet"), phrases, {
      ready: () => this.connection.tell({ t: "ready" }),
      rematch: () => this.connection.request({ t: "rematch" }),
    });
    this.lobby = new Lobby(this.part("lobby"), phrases, { bots: (level) => this.connection.tell({ t: "bots", level }) });
    this.hand = new Hand(this.part("hand"), phrases, {
      pick: (tile) => this.pick(tile),
      dragStart: (tile) => this.startDrag(tile),
      dragMove: (x, y) => this.felt.nearest(x, y),
      dragEnd: (x, y, cancelled) => this.drop(x, y, cancelled),
    });
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.connection = new Connection(`${scheme}//${location.host}${this.root.dataset.socket}`, {
      state: (message) => this.receive(message),
      ack: () => {},
      refused: (message) => this.refuse(message),
      status: (name) => this.showLink(name),
      closed: (code) => this.close(code),
    });
    this.begin();
    this.connection.open();
    addEventListener("online", () => this.connection.hurry());
    addEventListener("offline", () => this.showLink("offline"));
    document.addEventListener("visibilitychange", () => document.hidden || this.connection.hurry());
  }

  /** The page brings the first view along, so that the table is seen before the socket opens. */
  begin() {
    const initial = document.getElementById("table-initial");
    if (!initial) return;
    const view = JSON.parse(initial.textContent);
    this.connection.seq = view.seq;
    this.connection.offset.guess(view.now, Date.now());
    this.receive({ events: [], view });
  }

  // What the server says

  receive({ events, view }) {
    const before = this.view;
    const news = events.filter(({ seq }) => seq > this.told);
    this.told = Math.max(this.told, view.seq, ...news.map(({ seq }) => seq));
    this.view = view;
    if (this.pending && (view.seq > this.pending.seq && !this.mayPlay(this.pending))) this.settle();
    if (!this.mine || !view.hand?.includes(this.picked)) this.unpick(false);
    if (this.calling && !this.mayPlay(this.calling)) this.calling = null;
    this.render();
    if (!before) this.recall();
    this.announce(news, before);
  }

  settle() {
    clearTimeout(this.pending.timer);
    this.pending = null;
  }

  refuse({ id, code, detail }) {
    if (this.pending?.id !== id) {
      this.showNews(detail || this.say("refused"), "refused");
      this.speech.tell(detail || this.say("refused"));
      return;
    }
    const { action, tile } = this.pending;
    this.settle();
    if (code === "stale" && this.mine && this.mayPlay(action)) {
      this.send(action); // something else happened at the table meanwhile; the move is still good
      return;
    }
    this.render();
    this.showNews(detail || this.say("refused"), "refused");
    this.speech.tell(detail || this.say("refused"));
    if (tile) this.hand.focus(tile);
  }

  close(code) {
    this.showLink("closed");
    const key = `closed_${code}`;
    this.showNews(this.say(key in this.phrases.catalogue ? key : "closed_other"), "refused");
  }

  // What the player may do

  get mine() {
    return this.view !== null && this.view.me !== null && this.view.turn === this.view.me && this.view.legal !== null && !this.pending;
  }

  get plays() {
    return this.mine ? this.view.legal.filter(({ play }) => play) : [];
  }

  mayPlay({ play, at, action = { play, at } }) {
    if (this.view.turn !== this.view.me) return false;
    return (this.view.legal ?? []).some((each) => each.play === action.play && (each.at ?? null) === (action.at ?? null));
  }

  may(kind) {
    return this.mine && this.view.legal.some((each) => each[kind]);
  }

  get called() {
    return this.view.rules.count === "called";
  }

  // What the player does

  pick(tile) {
    if (this.picked === tile || this.calling) {
      const same = this.picked === tile;
      this.unpick();
      if (same) return;
    }
    const offers = this.plays.filter(({ play }) => play === tile);
    if (!offers.length) {
      if (this.mine) this.hint(this.say("unfit", { tile }));
      return;
    }
    if (offers.length === 1 && this.preferences.autoPlace) return this.choose(tile, offers[0]);
    this.offer(tile, offers);
    this.felt.focusOffer();
  }

  offer(tile, offers) {
    this.picked = tile;
    const shown = offers.map(({ at, pays }) => ({ at: at ?? null, pays: this.preferences.preview ? pays : 0 }));
    this.felt.offer(tile, shown, (offer) => this.choose(tile, offer));
    this.renderHand();
    this.renderStatus();
  }

  unpick(refocus = true) {
    const tile = this.picked;
    const had = this.felt.places.contains(document.activeElement);
    this.picked = null;
    this.calling = null;
    this.felt.clearOffers();
    if (!this.view) return;
    this.render();
    if (tile && (refocus || had)) this.hand.focus(tile);
  }

  startDrag(tile) {
    const offers = this.plays.filter(({ play }) => play === tile);
    if (!offers.length) return false;
    this.offer(tile, offers);
    return true;
  }

  drop(x, y, cancelled) {
    const offer = cancelled ? null : this.felt.nearest(x, y);
    const tile = this.picked;
    if (offer && tile) this.choose(tile, offer);
    else this.unpick();
  }

  choose(tile, { at }) {
    const action = at === null || at === undefined ? { play: tile } : { play: tile, at };
    this.picked = null;
    this.felt.clearOffers();
    if (!this.called) return this.send(action);
    this.calling = action;
    this.render();
    this.part("actions").querySelector("button")?.focus();
  }

  call(points) {
    const action = points === null ? this.calling : { ...this.calling, call: points };
    this.calling = null;
    this.send(action);
  }

  send(action) {
    const seq = this.connection.seq;
    const id = this.connection.request({ t: "act", seq, action });
    this.pending = { id, seq, action, tile: action.play, at: action.at ?? null };
    this.pending.timer = setTimeout(() => this.showNews(this.say("unanswered"), "refused"), UNANSWERED);
    this.render();
    if (document.activeElement === document.body || this.felt.places.contains(document.activeElement)) this.hand.focus();
  }

  claim(points) {
    this.connection.request({ t: "act", seq: this.connection.seq, action: { muggins: points } });
  }

  // Showing it

  get items() {
    const line = this.view.round?.line ?? [];
    const waiting = this.calling ? { tile: this.calling.play, at: this.calling.at ?? null } : this.pending?.tile ? this.pending : null;
    if (!waiting || line.some(({ tile }) => tile === waiting.tile)) return line;
    return [...line, { tile: waiting.tile, at: waiting.at, seat: this.view.me }];
  }

  render() {
    const { view } = this;
    this.root.dataset.phase = view.phase;
    this.root.dataset.turn = view.status !== "running" || view.turn === null ? "none" : this.mine ? "mine" : "theirs";
    this.root.dataset.countMode = view.rules.count;
    this.root.dataset.role = view.me === null ? "watching" : "seated";
    this.renderHead();
    this.seats.show(view, this.pending !== null);
    this.renderFelt();
    this.renderHand();
    this.renderActions();
    this.renderStatus();
    this.sheet.show(view);
    this.lobby.show(view);
    this.log.showRounds(view);
    const away = view.me !== null && view.seats[view.me].away && view.status === "running";
    this.part("away").hidden = !away;
    this.part("resign").hidden = view.me === null || view.status !== "running" || view.seats[view.me].resigned;
    document.title = this.title;
  }

  get title() {
    const name = this.view.title || this.say(`game_${this.view.game}`);
    return this.mine ? this.say("title_turn", { title: name }) : name;
  }

  renderHead() {
    const { view } = this;
    setText(this.part("title"), view.title || this.say(`game_${view.game}`));
    const parts = [view.title && this.say(`game_${view.game}`), this.say("target", { target: view.target }), view.round && this.say("round", { n: view.round.number }), view.me === null && this.say("watching")];
    setText(this.part("about"), parts.filter(Boolean).join(" · "));
    this.part("leave-link").href = /^\/(?![/\\])/.test(view.back_url ?? "") ? view.back_url : "/";
  }

  renderFelt() {
    const { view } = this;
    const { items } = this;
    const line = view.round?.line ?? [];
    const scores = view.rules.multiple > 0;
    this.felt.show({
      round: view.round?.number ?? 0,
      items,
      spinner: view.rules.spinner,
      pendingFrom: line.length,
      counts: scores,
      mine: items.at(-1)?.seat === view.me,
    });
    const { total } = view.round ?? {};
    this.part("total").parentElement.hidden = !scores || total === undefined || total === null || !line.length;
    setText(this.part("total"), String(total ?? ""));
    this.part("boneyard").parentElement.hidden = !view.round;
    setText(this.part("boneyard"), String(view.round?.boneyard ?? ""));
    setText(this.part("line-words"), this.felt.describe());
  }

  renderHand() {
    const { view } = this;
    const list = this.part("hand");
    list.hidden = !view.hand || view.phase === "open";
    if (list.hidden) return;
    const held = this.calling?.play ?? this.pending?.tile;
    const playable = this.mine ? new Set(this.plays.map(({ play }) => play)) : null;
    this.hand.show({ tiles: view.hand.filter((tile) => tile !== held), playable, picked: this.picked });
  }

  renderActions() {
    const bar = this.part("actions");
    const key = JSON.stringify([this.calling, this.may("draw"), this.may("pass"), this.view.claim]);
    if (key === this.actionsKey) return;
    this.actionsKey = key;
    const button = (text, run, kind = "") => element("button", { type: "button", class: kind, text, onclick: run });
    const made = [];
    if (this.calling) {
      made.push(button(this.say("call_none"), () => this.call(null)));
      made.push(...CALLS.map((points) => button(String(points), () => this.call(points), "number")));
      made.push(button(this.say("cancel"), () => this.unpick(), "quiet"));
    } else {
      if (this.may("draw")) made.push(button(this.say("draw"), () => this.send({ draw: true }), "primary"));
      if (this.may("pass")) made.push(button(this.say("pass"), () => this.send({ pass: true }), "primary"));
      if (this.view.claim) {
        made.push(element("span", { class: "ask", text: this.say("claim_ask") }));
        made.push(...CALLS.map((points) => element("button", { type: "button", class: "number claim", text: String(points), "aria-label": this.say("claim", { points }), onclick: () => this.claim(points) })));
      }
    }
    bar.replaceChildren(...made);
    bar.hidden = !made.length; // where points are called its room is kept, so that the felt does not jump
  }

  renderStatus() {
    this.renderActions();
    setText(this.part("prompt"), this.prompt);
  }

  get prompt() {
    const { view } = this;
    if (view.phase === "open" || view.phase === "between" || view.phase === "over") return "";
    if (this.pending) return this.say("prompt_sent");
    if (this.calling) return this.say("call_ask");
    if (this.picked) return this.say("prompt_end", { tile: this.picked });
    if (view.phase === "claims") return this.say(view.claim ? "claim_ask" : "prompt_claims");
    if (this.mine) {
      if (this.may("draw")) return this.say("prompt_draw");
      if (this.may("pass")) return this.say("prompt_pass");
      return this.say(view.round?.line.length ? "prompt_mine" : "prompt_lead");
    }
    return view.turn === null ? "" : this.say("prompt_theirs", { name: view.seats[view.turn].name });
  }

  hint(text) {
    setText(this.part("prompt"), text);
    this.speech.tell(text);
  }

  showNews(text, tone = "") {
    const news = this.part("news");
    setText(news, text);
    news.dataset.tone = tone;
  }

  showLink(name) {
    const status = navigator.onLine === false && name !== "closed" ? "offline" : name;
    const chip = this.part("link-state");
    const trip = this.connection?.offset.trip;
    const measured = trip !== null && trip !== undefined && (status === "live" || status === "slow");
    chip.replaceChildren(element("span", { class: "link-word", text: this.say(`link_${status}`) }), measured ? ` ${Math.round(trip)} ms` : "");
    chip.dataset.state = status;
    const broken = status === "reconnecting" || status === "offline";
    const banner = this.part("broken");
    if (banner.hidden === broken) {
      banner.hidden = !broken;
      if (broken) this.broke = true;
      else if (this.broke) this.speech.tell(this.say("link_back"));
    }
    this.brokenTick();
  }

  brokenTick() {
    const banner = this.part("broken");
    if (banner.hidden) return;
    const left = this.view?.turn === this.view?.me && this.view?.deadline ? this.view.deadline - this.now : null;
    setText(banner, left === null ? this.say("broken") : this.say("broken_clock", { time: clockText(Math.max(0, left)) }));
  }

  // What happened

  context(view) {
    const links = chain(view.round?.line ?? [], view.rules.spinner);
    const inner = new Map(links.tiles.filter(({ at }) => at).map(({ tile, inner: pips }) => [tile, pips]));
    return {
      phrases: this.phrases,
      nameOf: (seat) => (seat === view.me ? this.say("you_name") : view.seats[seat].name),
      sideName: (side) => sideName(view, side, this.phrases),
      joined: (tile) => inner.get(tile) ?? null,
    };
  }

  /** After a reload the log begins with the tiles that lie. */
  recall() {
    const { round } = this.view;
    if (!round) return;
    const events = round.line.map(({ seat, tile, at, total, score }) => ({ kind: "played", seat, tile, end: at, total, score }));
    const context = this.context(this.view);
    this.log.add([{ kind: "round_started", number: round.number }, ...events].map((event) => tell(event, context)));
  }

  announce(events, before) {
    const context = this.context(this.view);
    const told = events.map((event) => tell(event, context)).filter(Boolean);
    if (told.length) {
      this.log.add(told);
      const last = told.filter(({ tone }) => tone !== "round").slice(-2);
      this.showNews((last.length ? last : told).map(({ text }) => text).join("  ·  "), last.at(-1)?.tone);
      this.speech.tell(told.map(({ heard }) => heard).join(" "));
    }
    for (const { seat, note, tone } of told) if (note) this.seats.note(seat, note, tone);
    const paid = told.findLast(({ points }) => points > 0);
    if (paid && this.felt.items.length) this.felt.pop(paid.points);
    const began = this.mine && !(before?.turn === this.view.turn && before?.round?.line.length === this.view.round?.line.length && before?.seq === this.view.seq) && before?.turn !== this.view.me;
    if (began) this.beginTurn();
  }

  beginTurn() {
    this.warned = false;
    const seconds = Math.ceil(Math.max(0, this.view.deadline - this.now) / 1000);
    this.speech.alert(this.view.deadline ? this.say("alert_turn", { n: seconds }) : this.say("alert_turn_untimed"));
  }

  // Time

  get now() {
    return Date.now() + this.connection.offset.ahead;
  }

  tick() {
    setInterval(() => {
      if (!this.view) return;
      const now = this.now;
      this.paintClock(now);
      this.seats.tick(now);
      this.sheet.tick(this.view, now);
      this.lobby.tick(this.view, now);
      this.brokenTick();
    }, 100);
  }

  paintClock(now) {
    const { view } = this;
    const timed = view.status === "running" && view.deadline !== null && (view.phase === "play" || view.phase === "claims");
    const clock = this.part("clock");
    clock.hidden = !timed;
    if (!timed) return;
    const bank = view.turn === null ? 0 : view.seats[view.turn].bank_ms;
    const { turn, bank: spare, over } = timeLeft(view.deadline, bank, now);
    if (over) this.nudge();
    if (this.pending) return; // our own clock stands still once the move is sent
    const low = this.mine && turn <= LOW;
    setText(this.part("seconds"), turn || !spare ? clockText(turn) : this.say("on_bank", { time: clockText(spare) }));
    clock.classList.toggle("low", low);
    this.part("time-bar").style.scale = `${Math.min(1, turn / (view.turn_seconds * 1000))} 1`;
    if (low && !this.warned && view.turn_seconds > 6) {
      this.warned = true;
      this.speech.alert(this.phrases.count("alert_low", Math.ceil(turn / 1000)));
    }
  }

  /** Our clock says the turn is over: the server looks at once, instead of at its next round. Once for each change. */
  nudge() {
    if (this.nudged === this.view.seq) return;
    this.nudged = this.view.seq;
    setTimeout(() => this.connection.tell({ t: "nudge", seq: this.connection.seq }), 150 + Math.random() * 350);
  }

  // Keys and dialogs

  listen() {
    const read = (text) => {
      this.speech.tell(text);
      this.showNews(text);
    };
    const whenSeen = (run) => () => (this.view ? run() : false);
    listen(
      {
        digit: (key) => this.pickAt(Number(key) - 1),
        e: whenSeen(() => read(this.felt.items.length ? this.say("line_ends", { ends: this.felt.endsInWords() }) : this.say("line_empty"))),
        h: whenSeen(() => read(this.handInWords())),
        s: whenSeen(() => read(this.scoresInWords())),
        c: whenSeen(() => read(this.clockInWords())),
        l: whenSeen(() => read(this.part("log").lastElementChild?.textContent ?? this.say("line_empty"))),
        "?": () => this.part("help").showModal(),
        Escape: () => (this.picked || this.calling ? this.unpick() : false),
      },
      () => this.preferences.keys,
    );
    this.felt.places.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.felt.focusOffer(step);
    });
    this.part("felt").addEventListener("click", (event) => event.target.closest("button") || (this.picked && this.unpick()));
    this.bindDialogs();
  }

  bindDialogs() {
    for (const opener of document.querySelectorAll("[data-opens]")) {
      opener.addEventListener("click", () => this.part(opener.dataset.opens).showModal());
    }
    this.part("resign-yes").addEventListener("click", () => this.connection.request({ t: "resign" }));
    this.part("im-back").addEventListener("click", () => this.connection.tell({ t: "back" }));
    const moves = this.part("moves-toggle");
    const side = this.part("side");
    const open = (shown) => {
      side.classList.toggle("open", shown);
      moves.setAttribute("aria-expanded", String(shown));
      if (shown) this.part("log").scrollTop = this.part("log").scrollHeight;
    };
    moves.addEventListener("click", () => open(!side.classList.contains("open")));
    this.part("side-close").addEventListener("click", () => {
      open(false);
      moves.focus();
    });
    side.addEventListener("keydown", (event) => event.key === "Escape" && side.classList.contains("open") && this.part("side-close").click());
  }

  pickAt(index) {
    const tile = this.view?.hand && this.hand.at(index);
    if (!tile) return false;
    this.hand.focus(tile);
    this.pick(tile);
    return true;
  }

  handInWords() {
    if (!this.view.hand?.length) return this.say("hand_none");
    const tiles = this.hand.order.map((tile) => tile.replace("-", " ")).join(", ");
    const fit = [...new Set(this.plays.map(({ play }) => play.replace("-", " ")))].join(", ");
    return fit ? this.say("hand_words_fit", { tiles, fit }) : this.say("hand_words", { tiles });
  }

  scoresInWords() {
    const scores = this.view.scores.map((points, side) => this.say("score_words", { name: sideName(this.view, side, this.phrases), points }));
    return `${scores.join(", ")}. ${this.say("target", { target: this.view.target })}.`;
  }

  clockInWords() {
    const { view } = this;
    if (!view.deadline || view.turn === null) return this.say("clock_none");
    const { turn, bank } = timeLeft(view.deadline, view.seats[view.turn].bank_ms, this.now);
    return this.say("clock_words", { n: Math.ceil((turn || bank) / 1000) });
  }
}

new Table(document.getElementById("table"));
