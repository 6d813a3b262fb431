/** The page's one socket: what it hears are topics of which something has changed, never what. */

import { Socket } from "./socket.js";

const PING_EVERY = 30_000;
const AT_FIRST = 300; // ms within which to ask when the socket has come, since something may have been missed

class PageSocket extends Socket {
  constructor() {
    super("/ws/page", PING_EVERY);
    this.listeners = [];
    this.heard = new Set();
  }

  get topics() {
    return [...new Set(this.listeners.flatMap(({ topics }) => topics))];
  }

  /** Who is told of their own tables is told while they look at another page, too. */
  wanted() {
    return this.listeners.length > 0 && (!document.hidden || this.topics.includes("me"));
  }

  /** Asks for what is listened to, once for all who begin to listen together. */
  ask() {
    this.asking ??= setTimeout(() => {
      this.asking = null;
      if (this.isOpen) this.greet();
      else this.open();
    });
  }

  greet() {
    this.write({ t: "hear", topics: this.topics });
  }

  sleep() {
    this.heard = new Set();
    super.sleep();
  }

  take(message) {
    if (message.t === "heard") {
      this.tries = 0;
      this.heard = new Set(message.topics);
      this.tell(message.topics, AT_FIRST);
    } else if (message.t === "changed") this.tell(message.topics, message.within);
  }

  tell(changed, within) {
    for (const { topics, hear } of this.listeners) {
      if (topics.some((topic) => changed.includes(topic))) hear(within);
    }
  }
}

const socket = new PageSocket();

/**
 * Calls hear(within) when one of the topics has changed: to be asked for within so many ms.
 * Answers a function that says whether the socket tells of all of them now.
 */
export function listen(topics, hear) {
  socket.listeners.push({ topics, hear });
  socket.ask();
  return () => topics.length > 0 && topics.every((topic) => socket.heard.has(topic));
}
