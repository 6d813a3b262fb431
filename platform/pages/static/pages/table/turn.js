/**
 * The player's own move: a tile is picked, its place chosen, confirmed or its points called where that is wanted, and
 * sent. While another is in turn a play can be chosen ahead.
 */

import { fitting, mayChoose, meant } from "./ahead.js";

const UNANSWERED = 2500; // milliseconds until a move without an answer is spoken of

export class Turn {
  /** parts: {connection, felt, hand, preferences}; hooks: changed(), hint(key, values), unanswered(), told(sentence). */
  constructor(parts, hooks) {
    Object.assign(this, parts);
    this.hooks = hooks;
    this.view = null;
    this.picked = null; // the tile whose places are offered
    this.offers = []; // those places
    this.offeredOn = 0; // how many tiles lay when they were offered ahead of our turn
    this.calling = null; // the play that waits for the player's call
    this.confirming = null; // the play that waits for the player's second word
    this.ahead = null; // the play that waits for our turn
    this.pending = null; // the action that waits for the server's word
  }

  update(view) {
    this.view = view;
    if (this.pending && view.seq > this.pending.seq && !this.isLegal(this.pending.action)) this.settle();
    if (this.picked && !this.stillOffered()) this.putBack();
    if (this.calling && !this.isLegal(this.calling)) this.calling = null;
    if (this.confirming && !this.isLegal(this.confirming)) this.confirming = null;
    if (this.ahead && !view.hand?.includes(this.ahead.play)) this.ahead = null;
  }

  /** Our turn has come: what was chosen ahead is played, by the way of every move, or forgotten. */
  playAhead() {
    const chosen = this.ahead;
    if (!chosen || !this.mine) return;
    this.ahead = null;
    const play = meant(chosen, this.plays);
    if (play) this.send(play.at === null || play.at === undefined ? { play: play.play } : { play: play.play, at: play.at });
    else this.hooks.changed();
  }

  /** Whether the places that are offered are places still; those of a play ahead change with the line. */
  stillOffered() {
    if (this.mine) return !this.offeredOn && this.plays.some(({ play }) => play === this.picked);
    return this.mayAhead && this.offeredOn === this.view.round.line.length;
  }

  get mayAhead() {
    return this.view !== null && !this.pending && mayChoose(this.view);
  }

  get mine() {
    const { view } = this;
    return view !== null && view.me !== null && view.turn === view.me && Boolean(view.legal) && !this.pending;
  }

  get plays() {
    return this.mine ? this.view.legal.filter(({ play }) => play) : [];
  }

  may(kind) {
    return this.mine && this.view.legal.some((each) => each[kind]);
  }

  isLegal(action) {
    if (this.view.turn !== this.view.me) return false;
    const same = (each) => ["play", "at", "draw", "pass"].every((key) => (each[key] ?? null) === (action[key] ?? null));
    return (this.view.legal ?? []).some(same);
  }

  /** The tile that already lies on the felt though the server has not said so: {tile, at}. */
  get laid() {
    const action = this.calling ?? this.confirming ?? this.pending?.action;
    return action?.play ? { tile: action.play, at: action.at ?? null, seat: this.view.me } : null;
  }

  pick(tile) {
    if (this.isChoosing) {
      const again = this.picked === tile || this.ahead?.play === tile;
      this.cancel();
      if (again) return;
    }
    if (this.mayAhead) return this.pickAhead(tile);
    const offers = this.plays.filter(({ play }) => play === tile);
    if (!offers.length) {
      if (this.mine) this.hooks.hint("unfit", { tile });
      return;
    }
    if (offers.length === 1 && this.preferences.autoPlace) return this.choose(tile, offers[0]);
    this.offer(tile, offers);
    this.felt.focusOffer();
  }

  pickAhead(tile) {
    const offers = fitting(tile, this.felt.links.ends, this.felt.open);
    if (!offers.length) return this.hooks.hint("unfit", { tile });
    if (offers.length === 1) return this.choose(tile, { at: null });
    this.offer(tile, offers);
    this.felt.focusOffer();
  }

  offer(tile, offers) {
    this.picked = tile;
    this.offeredOn = this.mine ? 0 : this.view.round.line.length;
    this.offers = offers.map(({ at, pays }) => ({ at: at ?? null, pays: this.preferences.preview ? (pays ?? 0) : 0 }));
    this.felt.offer(tile, this.offers, (offer) => this.choose(tile, offer));
    this.hooks.changed();
  }

  putBack() {
    this.picked = null;
    this.offers = [];
    this.felt.clearOffers();
  }

  /** The picked tile goes back to the hand, and the focus to it. */
  cancel() {
    const tile = this.picked ?? (this.calling ?? this.confirming ?? this.ahead)?.play;
    this.calling = this.confirming = this.ahead = null;
    this.putBack();
    this.hooks.changed();
    if (tile) this.hand.focus(tile);
  }

  get isChoosing() {
    return [this.picked, this.calling, this.confirming, this.ahead].some((each) => each !== null);
  }

  startDrag(tile) {
    const offers = this.plays.filter(({ play }) => play === tile);
    if (!offers.length || this.calling || this.confirming) return false;
    this.offer(tile, offers);
    return true;
  }

  drop(x, y, cancelled) {
    const offer = cancelled ? null : this.felt.nearest(x, y);
    if (offer && this.picked) this.choose(this.picked, offer);
    else this.cancel();
  }

  choose(tile, { at }) {
    const action = at === null || at === undefined ? { play: tile } : { play: tile, at };
    const hadFocus = this.felt.places.contains(document.activeElement);
    this.putBack();
    if (!this.mine) {
      this.ahead = { play: tile, at: at ?? null };
      this.hooks.changed();
      this.hand.focus(tile);
      return;
    }
    if (this.view.rules.count === "called") {
      this.calling = action;
      this.hooks.changed();
      return;
    }
    if (this.preferences.confirm) {
      this.confirming = action;
      this.hooks.changed();
      return;
    }
    this.send(action);
    if (hadFocus) this.hand.focus();
  }

  /** The play that lay there for a second look goes to the server. */
  confirm() {
    const action = this.confirming;
    this.confirming = null;
    this.send(action);
    this.hand.focus();
  }

  call(points) {
    const action = points === null ? this.calling : { ...this.calling, call: points };
    this.calling = null;
    this.send(action);
    this.hand.focus();
  }

  send(action) {
    const { seq } = this.connection;
    const id = this.connection.request({ t: "act", seq, action });
    this.pending = { id, seq, action, timer: setTimeout(() => this.hooks.unanswered(), UNANSWERED) };
    this.hooks.changed();
  }

  settle() {
    clearTimeout(this.pending.timer);
    this.pending = null;
  }

  /** A claim leaves the turn as it is. */
  claim(points) {
    this.connection.request({ t: "act", seq: this.connection.seq, action: { muggins: points } });
  }

  /** The server said no. The tile goes back; a move that was only late is sent once more. */
  refuse({ id, code, detail }) {
    if (this.pending?.id !== id) return this.hooks.told(detail);
    const { action } = this.pending;
    this.settle();
    if (code === "stale" && this.isLegal(action)) return this.send(action);
    this.hooks.changed();
    this.hooks.told(detail);
    if (action.play) this.hand.focus(action.play);
  }
}
