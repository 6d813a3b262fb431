/** The player's own move: a tile is picked, its place chosen, its points called where that is the rule, and sent. */

const UNANSWERED = 2500; // milliseconds until a move without an answer is spoken of

export class Turn {
  /** parts: {connection, felt, hand, preferences}; hooks: changed(), hint(key, values), unanswered(), told(sentence). */
  constructor(parts, hooks) {
    Object.assign(this, parts);
    this.hooks = hooks;
    this.view = null;
    this.picked = null; // the tile whose places are offered
    this.calling = null; // the play that waits for the player's call
    this.pending = null; // the action that waits for the server's word
  }

  update(view) {
    this.view = view;
    if (this.pending && view.seq > this.pending.seq && !this.isLegal(this.pending.action)) this.settle();
    if (this.picked && !this.plays.some(({ play }) => play === this.picked)) this.putBack();
    if (this.calling && !this.isLegal(this.calling)) this.calling = null;
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
    const action = this.calling ?? this.pending?.action;
    return action?.play ? { tile: action.play, at: action.at ?? null, seat: this.view.me } : null;
  }

  pick(tile) {
    if (this.calling || this.picked) {
      const again = this.picked === tile;
      this.cancel();
      if (again) return;
    }
    const offers = this.plays.filter(({ play }) => play === tile);
    if (!offers.length) {
      if (this.mine) this.hooks.hint("unfit", { tile });
      return;
    }
    if (offers.length === 1 && this.preferences.autoPlace) return this.choose(tile, offers[0]);
    this.offer(tile, offers);
    this.felt.focusOffer();
  }

  offer(tile, offers) {
    this.picked = tile;
    const shown = offers.map(({ at, pays }) => ({ at: at ?? null, pays: this.preferences.preview ? (pays ?? 0) : 0 }));
    this.felt.offer(tile, shown, (offer) => this.choose(tile, offer));
    this.hooks.changed();
  }

  putBack() {
    this.picked = null;
    this.felt.clearOffers();
  }

  /** The picked tile goes back to the hand, and the focus to it. */
  cancel() {
    const tile = this.picked ?? this.calling?.play;
    this.calling = null;
    this.putBack();
    this.hooks.changed();
    if (tile) this.hand.focus(tile);
  }

  get isChoosing() {
    return this.picked !== null || this.calling !== null;
  }

  startDrag(tile) {
    const offers = this.plays.filter(({ play }) => play === tile);
    if (!offers.length || this.calling) return false;
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
    if (this.view.rules.count === "called") {
      this.calling = action;
      this.hooks.changed();
      return;
    }
    this.send(action);
    if (hadFocus) this.hand.focus();
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
