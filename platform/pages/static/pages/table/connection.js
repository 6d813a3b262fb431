/**
 * The table's socket: says hello with the last change seen, sends each action under its own id until the server has
 * answered it (the same id again after a reconnect, so that nothing is done twice), and keeps the link alive.
 */

import { Offset } from "./clock.js";

const BACK_OFF = [500, 1000, 2000, 4000, 8000];
const PING_EVERY = 10_000;
const FIRST_PINGS = [0, 700, 2000];
const SLOW = 400;
const PONG_WITHIN = 6000;
const TRY_AGAIN = 1000;
const QUIET = 1500; // how long a break may last before people are told

const browser = {
  open: (url) => new WebSocket(url),
  later: (ms, run) => setTimeout(run, ms),
  cancel: (timer) => clearTimeout(timer),
  now: () => Date.now(),
  random: () => Math.random(),
  id: () => crypto.getRandomValues(new Uint32Array(4)).join("-").slice(0, 40),
};

export class Connection {
  /** hooks: state(message), ack(message), refused(message), status(name), closed(code),
   * watched(how many people watch). */
  constructor(url, hooks, machine = browser) {
    Object.assign(this, { url, hooks, machine });
    this.offset = new Offset();
    this.waiting = new Map();
    this.timers = new Set();
    this.seq = null;
    this.tries = 0;
    this.ended = false;
    this.ready = false;
  }

  open() {
    if (this.ended) return;
    this.stopTimers();
    this.ready = false;
    const socket = this.machine.open(this.url);
    this.socket = socket;
    socket.onopen = () => this.current(socket) && this.hello();
    socket.onmessage = ({ data }) => this.current(socket) && this.take(JSON.parse(data));
    socket.onclose = () => this.current(socket) && this.lost();
  }

  current(socket) {
    return socket === this.socket;
  }

  /** Asks for the state and all changes since the last one seen. */
  ask() {
    this.asked = true;
    this.write({ t: "hello", seq: this.seq });
  }

  hello() {
    this.ask();
    for (const wait of FIRST_PINGS) this.later(wait, () => this.ping(false));
    this.later(PING_EVERY, () => this.ping(true));
  }

  /** Tries again at once: the page is seen again, or the network is back. */
  hurry() {
    if (this.ended) return;
    if (this.ready) this.ping(false);
    else {
      this.tries = 0;
      this.drop();
      this.open();
    }
  }

  lost() {
    this.drop();
    if (this.ended) return;
    const wait = BACK_OFF[Math.min(this.tries++, BACK_OFF.length - 1)];
    this.later(wait * (0.75 + this.machine.random() / 2), () => this.open());
    this.later(QUIET, () => this.hooks.status("reconnecting"));
    if (this.tries > 1) this.hooks.status("reconnecting");
  }

  drop() {
    this.stopTimers();
    const socket = this.socket;
    this.socket = null;
    this.ready = false;
    socket?.close();
  }

  end() {
    this.ended = true;
    this.drop();
  }

  later(ms, run) {
    const timer = this.machine.later(ms, () => {
      this.timers.delete(timer);
      run();
    });
    this.timers.add(timer);
    return timer;
  }

  stopTimers() {
    for (const timer of this.timers) this.machine.cancel(timer);
    this.timers.clear();
    this.deadline = null;
  }

  ping(again) {
    this.write({ t: "ping", sent: this.machine.now(), seq: this.seq ?? 0 });
    this.deadline ??= this.later(PONG_WITHIN, () => this.lost());
    if (again) this.later(PING_EVERY, () => this.ping(true));
  }

  take(message) {
    const kinds = { state: this.takeState, ack: this.takeAck, refused: this.takeRefused, pong: this.takePong, error: this.takeError, closed: this.takeClosed };
    kinds[message.t]?.call(this, message);
  }

  takeState(message) {
    const { events, view } = message;
    this.offset.guess(view.now, this.machine.now());
    const missed = !this.asked && this.seq !== null && events.length > 0 && events[0].seq > this.seq + 1;
    this.asked = false;
    if (missed) return this.ask();
    const first = !this.ready;
    this.ready = true;
    this.tries = 0;
    if (this.seq !== null && view.seq < this.seq) return; // overtaken by a later one
    this.seq = view.seq;
    this.hooks.state(message);
    if (!first) return;
    this.hooks.status("live");
    this.resend();
  }

  resend() {
    for (const frame of this.waiting.values()) this.write(frame);
  }

  takeAck(message) {
    this.waiting.delete(message.id);
    this.hooks.ack(message);
  }

  takeRefused(message) {
    this.waiting.delete(message.id);
    this.hooks.refused(message);
  }

  takePong({ sent, now, seq, watching }) {
    this.machine.cancel(this.deadline);
    this.timers.delete(this.deadline);
    this.deadline = null;
    this.write({ t: "echo", now }); // by which the server knows how long the way is
    this.offset.sample(sent, now, this.machine.now());
    if (this.ready) this.hooks.status(this.offset.trip > SLOW ? "slow" : "live");
    this.hooks.watched?.(watching ?? 0);
    if (this.seq !== null && seq > this.seq) this.ask();
  }

  takeError({ code }) {
    if (code === "try_again" && this.waiting.size) this.later(TRY_AGAIN, () => this.resend());
  }

  takeClosed({ code }) {
    this.end();
    this.hooks.closed(code);
  }

  /** Sends something that must be done exactly once; answers its id. */
  request(message) {
    const frame = { ...message, id: this.machine.id() };
    this.waiting.set(frame.id, frame);
    if (this.ready) this.write(frame);
    return frame.id;
  }

  /** Sends something that may get lost or be repeated. */
  tell(message) {
    if (this.ready) this.write(message);
  }

  write(frame) {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(frame));
  }
}
