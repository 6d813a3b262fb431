/** The live table: takes the server's views, shows them, and sends what the player does. */

import { Actions } from "./actions.js";
import { clockInWords, handInWords, scoresInWords } from "./answers.js";
import { Browse } from "./browse.js";
import { chain, openEnds } from "./chain.js";
import { Connection } from "./connection.js";
import { bindDialogs, bindMoves } from "./dialogs.js";
import { setText } from "./dom.js";
import { Felt } from "./felt.js";
import { Hand } from "./hand.js";
import { listen } from "./keyboard.js";
import { Lobby } from "./lobby.js";
import { Log } from "./log.js";
import { Muted } from "./muted.js";
import { tell } from "./news.js";
import { localPath } from "./paths.js";
import { Person } from "./person.js";
import { Preferences, keepAt } from "./preferences.js";
import { Proof } from "./proof.js";
import { Seats, sideName } from "./seats.js";
import { Sheet } from "./sheet.js";
import { Sound } from "./sound.js";
import { Speech } from "./speech.js";
import { LOW, Status, promptFor, turnTimes } from "./status.js";
import { Phrases } from "./text.js";
import { paints } from "./tile.js";
import { Turn } from "./turn.js";
import { Words } from "./words.js";

const TICK = 100;

const part = (name) => document.querySelector(`[data-part="${name}"]`);
const json = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

class Table {
  constructor(root) {
    this.root = root;
    this.phrases = new Phrases(json("table-strings"));
    this.preferences = this.prefer();
    this.sound = new Sound(this.preferences);
    this.view = null;
    this.told = 0; // the last event that was told
    root.append(paints());
    this.connection = this.connect();
    this.makeShown();
    this.makeTurn();
    this.applyPreferences();
    this.listen();
    this.begin(json("table-initial"));
    this.connection.open();
    setInterval(() => this.tick(), TICK);
  }

  say(key, values) {
    return this.phrases.say(key, values);
  }

  get called() {
    return this.view.rules.count === "called";
  }

  /** Whether every play of this player is asked about. */
  get asks() {
    const { confirm, buttons } = this.preferences;
    return this.called || (this.view.me !== null && (confirm || buttons));
  }

  get now() {
    return Date.now() + this.connection.offset.ahead;
  }

  prefer() {
    const kept = json("table-settings");
    const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
    const preferences = new Preferences(kept, {
      keep: kept && token ? keepAt(this.root.dataset.keeps, token) : () => {},
      changed: (name) => {
        this.applyPreferences();
        if (name.startsWith("sound")) this.sound.play(name);
      },
    });
    preferences.bind(document);
    return preferences;
  }

  applyPreferences() {
    const { still, coloured, large, confirm, buttons } = this.preferences;
    Object.assign(this.root.dataset, { still: String(still), coloured: String(coloured), asks: String(confirm || buttons) });
    this.felt.setLarge(large);
    if (this.view) this.render();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const connection = new Connection(`${scheme}//${location.host}${this.root.dataset.socket}`, {
      state: (message) => this.receive(message),
      ack: () => {},
      refused: (message) => this.turn.refuse(message),
      status: (name) => this.showLink(name),
      closed: (code) => this.close(code),
      watched: (n) => this.showWatched(n),
    });
    addEventListener("online", () => connection.hurry());
    addEventListener("offline", () => this.showLink("offline"));
    document.addEventListener("visibilitychange", () => document.hidden || connection.hurry());
    return connection;
  }

  makeShown() {
    const { phrases, connection } = this;
    this.felt = new Felt(part("felt"), phrases);
    this.person = new Person(part("person"), { hears: (who) => !this.words.muted.has(who), mute: (who, on) => this.words.mute(who, on) });
    this.seats = new Seats(part("seats"), phrases, (seat) => this.person.show(this.view, seat));
    this.browse = new Browse(part("browse"), phrases, () => this.renderFelt());
    this.log = new Log(part("log"), part("score-sheet"), phrases);
    this.proof = new Proof(part, phrases);
    this.speech = new Speech(part("polite"), part("assertive"));
    const names = ["prompt", "news", "clock", "seconds", "bar", "link", "broken"];
    this.status = new Status(Object.fromEntries(names.map((name) => [name, part(name)])), phrases, this.speech);
    this.sheet = new Sheet(part("sheet"), phrases, {
      ready: () => connection.tell({ t: "ready" }),
      rematch: () => connection.request({ t: "rematch" }),
    });
    const wordParts = { dialog: part("say"), opener: part("say-opener"), sentences: part("sentences"), reactions: part("reactions"), people: part("people"), write: part("write") };
    const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
    this.words = new Words(wordParts, phrases, new Muted(json("table-muted"), token), {
      say: (said) => connection.request({ t: "say", ...said }),
      told: (said) => this.hear(said),
    });
    part("hint-done").addEventListener("click", () => this.preferences.set("hinted", true));
    this.lobby = new Lobby(part("lobby"), phrases, { bots: (level) => connection.tell({ t: "bots", level }) });
  }

  makeTurn() {
    const { phrases, connection, felt, preferences } = this;
    this.hand = new Hand(part("hand"), phrases, {
      pick: (tile) => this.turn.pick(tile),
      dragStart: (tile) => this.turn.startDrag(tile),
      dragMove: (x, y) => felt.nearest(x, y),
      dragEnd: (x, y, cancelled) => this.turn.drop(x, y, cancelled),
    });
    this.turn = new Turn(
      { connection, felt, hand: this.hand, preferences },
      {
        changed: () => this.render(),
        hint: (key, values) => {
          this.status.prompt(this.say(key, values));
          this.speech.tell(this.say(key, values));
        },
        unanswered: () => this.status.complain(this.say("unanswered")),
        told: (detail) => this.status.complain(detail || this.say("refused")),
      },
    );
    this.actions = new Actions(part("actions"), phrases, {
      act: (action) => this.turn.send(action),
      call: (points) => this.turn.call(points),
      cancel: () => this.turn.cancel(),
      claim: (points) => this.turn.claim(points),
      confirm: () => this.turn.confirm(),
      choose: (offer) => this.turn.choose(this.turn.picked, offer),
    });
  }

  // What the server says

  /** The page brings the first view along, so that the table is seen before the socket opens. */
  begin(view) {
    if (!view) return;
    this.connection.seq = view.seq;
    this.connection.offset.guess(view.now, Date.now());
    this.receive({ events: [], view });
  }

  receive({ events, view }) {
    const before = this.view;
    const news = events.filter(({ seq }) => seq > this.told);
    this.told = Math.max(this.told, view.seq);
    this.view = view;
    this.turn.update(view);
    this.render();
    if (!before) this.log.recall(view, this.context);
    this.announce(news);
    this.words.show(view);
    if (this.turn.mine && before?.turn !== view.me) this.beginTurn();
    this.turn.playAhead();
  }

  close(code) {
    this.showLink("closed");
    const key = `closed_${code}`;
    this.status.complain(this.say(key in this.phrases.catalogue ? key : "closed_other"));
  }

  showLink(name) {
    const offline = navigator.onLine === false && name !== "closed";
    this.status.showLink(offline ? "offline" : name, this.connection?.offset.trip ?? null);
  }

  showWatched(n) {
    const node = part("watched");
    node.hidden = n === 0;
    node.title = this.phrases.count("watched", n);
    setText(part("watched-number"), String(n));
    setText(part("watched-words"), node.title);
  }

  // Showing it

  render() {
    const { view, turn } = this;
    Object.assign(this.root.dataset, {
      phase: view.phase,
      turn: view.status !== "running" || view.turn === null ? "none" : turn.mine ? "mine" : "theirs",
      countMode: view.rules.count,
    });
    this.renderHead();
    this.seats.show(view, turn.pending !== null);
    this.renderFelt();
    this.renderHand();
    this.renderActions();
    this.status.prompt(promptFor(view, turn, this.phrases));
    this.sheet.show(view);
    this.lobby.show(view);
    this.log.showRounds(view);
    this.proof.show(view);
    this.renderOwn();
  }

  renderActions() {
    const { view, turn } = this;
    const places = this.preferences.buttons && turn.picked ? turn.offers : [];
    this.actions.show({
      calling: turn.calling,
      confirming: turn.confirming,
      places: places.map((offer) => ({ ...this.felt.inWords(turn.picked, offer), offer })),
      draw: turn.may("draw"),
      pass: turn.may("pass"),
      claim: view.claim,
      asks: this.asks && (view.phase === "play" || view.phase === "claims"),
    });
  }

  renderHead() {
    const { view } = this;
    const game = this.say(`game_${view.game}`);
    setText(part("title"), view.title || game);
    const about = [view.round && this.say("round", { n: view.round.number }), view.title && game, this.say("target", { target: view.target }), view.me === null && this.say("watching")];
    setText(part("about"), about.filter(Boolean).join(" · "));
    document.title = this.turn.mine ? this.say("title_turn", { title: view.title || game }) : view.title || game;
    part("leave-link").href = localPath(view.back_url);
  }

  renderFelt() {
    const { view } = this;
    const { laid } = this.turn;
    const { round, line } = this.browse.shown(view);
    const { isLive } = this.browse;
    const items = laid && !line.some(({ tile }) => tile === laid.tile) ? [...line, laid] : line;
    const scores = view.rules.multiple > 0 && !this.called; // who must call the points adds the ends up alone
    this.felt.show({
      round,
      items,
      open: isLive ? new Set(Object.keys(view.round?.ends ?? {})) : openEnds(line, view.rules),
      spinner: view.rules.spinner,
      pendingFrom: line.length,
      counts: scores,
      mine: items.at(-1)?.seat === view.me,
    });
    this.felt.showAhead(this.turn.ahead);
    showLabel(part("total"), scores && line.length ? line.at(-1).total : null);
    showLabel(part("boneyard"), view.round && isLive ? view.round.boneyard : null);
    setText(part("line-words"), this.felt.describe());
  }

  renderHand() {
    const { view, turn } = this;
    const list = part("hand");
    list.hidden = !view.hand || view.phase === "open";
    if (list.hidden) return;
    const tiles = view.hand.filter((tile) => tile !== turn.laid?.tile);
    const playable = turn.mine ? new Set(turn.plays.map(({ play }) => play)) : null;
    this.hand.show({ tiles, playable, picked: turn.picked, ahead: turn.ahead?.play, mayAhead: turn.mayAhead, sorted: this.preferences.sorted });
  }

  /** What concerns the viewer's own seat: away, resigning. */
  renderOwn() {
    const { view } = this;
    const mine = view.me === null ? null : view.seats[view.me];
    part("hint").hidden = !mine || this.preferences.hinted || view.phase !== "play" || view.round.number > 1 || this.turn.isChoosing;
    part("away").hidden = !(mine?.away && view.status === "running");
    part("resign").hidden = !mine || view.status !== "running" || mine.resigned;
  }

  // What happened

  get context() {
    const { view } = this;
    const links = chain(view.round?.line ?? [], view.rules.spinner);
    const withTotal = view.rules.multiple > 0 && !this.called;
    const inner = new Map(links.tiles.filter(({ at }) => at).map(({ tile, inner: pips }) => [tile, pips]));
    return {
      phrases: this.phrases,
      nameOf: (seat) => (seat === view.me ? this.say("you_name") : view.seats[seat].name),
      sideName: (side) => sideName(view, side, this.phrases),
      joined: (tile) => inner.get(tile) ?? null,
      withTotal,
    };
  }

  announce(events) {
    const told = events.map((event) => tell(event, this.context)).filter(Boolean);
    if (!told.length) return;
    this.log.add(told);
    const last = told.filter(({ tone }) => tone !== "round").slice(-2);
    this.status.tellNews((last.length ? last : told).map(({ text }) => text).join("  ·  "), last.at(-1)?.tone);
    this.speech.tell(told.map(({ heard }) => heard).join(" "));
    for (const { seat, note, tone } of told) if (note) this.seats.note(seat, note, tone);
    const paid = told.findLast(({ points }) => points > 0);
    if (paid) this.sound.play("soundScore");
    else if (events.some(({ kind }) => kind === "played")) this.sound.play("soundTile");
    if (paid && this.felt.items.length && this.browse.isLive) this.felt.pop(paid.points);
  }

  /** Somebody has said something: at their seat for a while, in the log, and aloud. */
  hear({ seat, text, heard }) {
    const name = this.context.nameOf(seat);
    this.seats.say(seat, text);
    this.log.add([{ text: this.say("said", { name, text }), tone: "said" }]);
    this.speech.tell(this.say("said", { name, text: heard }));
  }

  beginTurn() {
    this.warned = false;
    this.ticked = null;
    this.sound.play("soundTurn");
    this.sound.buzz();
    const { deadline } = this.view;
    const seconds = Math.ceil(Math.max(0, deadline - this.now) / 1000);
    this.speech.alert(deadline ? this.say("alert_turn", { n: seconds }) : this.say("alert_turn_untimed"));
  }

  // Time

  tick() {
    if (!this.view) return;
    const { view, now, turn } = this;
    const times = this.status.paintClock(view, now, { mine: turn.mine, frozen: turn.pending !== null });
    if (times?.over) this.nudge();
    if (times && turn.mine && times.turn <= LOW) {
      this.warn(times.turn);
      this.tickAloud(times.turn || times.bank);
    }
    this.seats.tick(now);
    this.sheet.tick(view, now);
    this.lobby.tick(view, now);
    this.status.paintBroken(view.me !== null && view.turn === view.me && times ? times.turn : null);
  }

  warn(left) {
    if (this.warned || this.view.turn_seconds * 1000 <= LOW) return;
    this.warned = true;
    this.speech.alert(this.phrases.count("alert_low", Math.ceil(left / 1000)));
  }

  /** One tick for each of the last seconds, of the bank too. */
  tickAloud(left) {
    const second = Math.ceil(left / 1000);
    if (second === this.ticked || left <= 0 || left > LOW) return;
    this.ticked = second;
    this.sound.play("soundLow");
  }

  /** Our clock says the turn is over: the server looks now instead of at its next round. Once for each change. */
  nudge() {
    const { seq } = this.view;
    if (this.nudged === seq) return;
    this.nudged = seq;
    setTimeout(() => this.connection.tell({ t: "nudge", seq }), 150 + Math.random() * 350);
  }

  // Keys, buttons, dialogs

  listen() {
    const read = (answer) => () => {
      if (!this.view) return false;
      const text = answer();
      this.speech.tell(text);
      this.status.tellNews(text);
      return true;
    };
    const { felt, phrases } = this;
    listen(
      {
        digit: (key) => this.pickAt(Number(key) - 1),
        e: read(() => (felt.items.length ? this.say("line_ends", { ends: felt.endsInWords() }) : this.say("line_empty"))),
        h: read(() => handInWords(this.hand.order, this.turn.plays, phrases)),
        s: read(() => scoresInWords(this.view, phrases)),
        c: read(() => clockInWords(this.view, this.now, phrases)),
        l: read(() => part("log").lastElementChild?.textContent ?? this.say("line_empty")),
        "[": () => neighbour("back"),
        "]": () => neighbour("next"),
        "?": () => part("help").showModal(),
        Escape: () => this.turn.isChoosing && this.turn.cancel(),
      },
      () => this.preferences.keys,
    );
    felt.listen(() => (this.turn.picked || this.turn.ahead) && this.turn.cancel());
    bindDialogs(part);
    bindMoves(part);
    part("resign-yes").addEventListener("click", () => this.connection.request({ t: "resign" }));
    part("im-back").addEventListener("click", () => this.connection.tell({ t: "back" }));
  }

  pickAt(index) {
    const tile = this.view?.hand && this.hand.at(index);
    if (!tile) return false;
    this.hand.focus(tile);
    this.turn.pick(tile);
    return true;
  }
}

/** To the table before or after this one in the event, where there is one. */
function neighbour(way) {
  const link = document.querySelector(`[data-neighbour="${way}"]`);
  link?.click();
  return link !== null;
}

function showLabel(node, value) {
  node.parentElement.hidden = value === null || value === undefined;
  setText(node, String(value ?? ""));
}

new Table(document.getElementById("table"));
