/** One socket for all the tables that a page watches. It sleeps while nobody looks at the page. */

const BACK_OFF = [1000, 2000, 4000, 8000, 16000];
const PING_EVERY = 10_000;

export class WatchSocket {
  /** hooks: show(glance), gone(match). */
  constructor(hooks) {
    this.hooks = hooks;
    this.tables = [];
    this.tries = 0;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.sleep() : this.wake()));
    addEventListener("online", () => this.wake());
  }

  /** The tables to watch from now on. */
  watch(tables) {
    this.tables = tables;
    if (this.socket?.readyState === WebSocket.OPEN) this.ask();
    else if (!document.hidden) this.open();
  }

  wake() {
    this.tries = 0;
    if (!this.socket && this.tables.length) this.open();
  }

  sleep() {
    clearTimeout(this.timer);
    clearInterval(this.pinging);
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  open() {
    if (this.socket || !this.tables.length) return;
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws/watch`);
    this.socket = socket;
    socket.onopen = () => {
      this.ask();
      this.pinging = setInterval(() => this.write({ t: "ping", sent: Date.now() }), PING_EVERY);
    };
    socket.onmessage = ({ data }) => this.take(JSON.parse(data));
    socket.onclose = () => this.lost(socket);
  }

  lost(socket) {
    if (socket !== this.socket) return;
    this.sleep();
    if (document.hidden) return;
    this.timer = setTimeout(() => this.open(), BACK_OFF[Math.min(this.tries++, BACK_OFF.length - 1)] * (0.75 + Math.random() / 2));
  }

  take(message) {
    if (message.t === "table") {
      this.tries = 0;
      this.hooks.show(message);
    } else if (message.t === "gone") this.hooks.gone?.(message.match);
  }

  ask() {
    this.write({ t: "watch", tables: this.tables });
  }

  write(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
