/** A socket that opens again by itself when it was lost, and says now and then that it lives. */

const BACK_OFF = [1000, 2000, 4000, 8000, 16000];

export class Socket {
  /** path: where it leads; every: ms between signs of life. Subclasses have wanted(), greet(), take(message). */
  constructor(path, every) {
    this.path = path;
    this.every = every;
    this.tries = 0;
    document.addEventListener("visibilitychange", () => this.settle());
    addEventListener("online", () => this.settle());
    // A page that is left with its socket open can't be come back to as it was.
    addEventListener("pagehide", () => this.sleep());
    addEventListener("pageshow", ({ persisted }) => persisted && this.settle());
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Opens it at once if it should be open, else closes it. */
  settle() {
    if (!this.wanted()) return this.sleep();
    this.tries = 0;
    this.open();
  }

  sleep() {
    clearTimeout(this.timer);
    clearInterval(this.pinging);
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  open() {
    if (this.socket || !this.wanted()) return;
    clearTimeout(this.timer);
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${this.path}`);
    this.socket = socket;
    socket.onopen = () => {
      this.greet();
      this.pinging = setInterval(() => this.write({ t: "ping", sent: Date.now() }), this.every);
    };
    socket.onmessage = ({ data }) => this.take(JSON.parse(data));
    socket.onclose = () => this.lost(socket);
  }

  lost(socket) {
    if (socket !== this.socket) return;
    this.sleep();
    this.timer = setTimeout(() => this.open(), BACK_OFF[Math.min(this.tries++, BACK_OFF.length - 1)] * (0.75 + Math.random() / 2));
  }

  write(message) {
    if (this.isOpen) this.socket.send(JSON.stringify(message));
  }
}
