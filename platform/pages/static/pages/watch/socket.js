/** One socket for all the tables that a page watches. It sleeps while nobody looks at the page. */

import { Socket } from "../socket.js";

const PING_EVERY = 10_000;

export class WatchSocket extends Socket {
  /** hooks: show(glance), gone(match). */
  constructor(hooks) {
    super("/ws/watch", PING_EVERY);
    this.hooks = hooks;
    this.tables = [];
  }

  /** The tables to watch from now on. */
  watch(tables) {
    this.tables = tables;
    if (this.isOpen) this.greet();
    else this.open();
  }

  wanted() {
    return !document.hidden && this.tables.length > 0;
  }

  greet() {
    this.write({ t: "watch", tables: this.tables });
  }

  take(message) {
    if (message.t === "table") {
      this.tries = 0;
      this.hooks.show(message);
    } else if (message.t === "gone") this.hooks.gone?.(message.match);
  }
}
