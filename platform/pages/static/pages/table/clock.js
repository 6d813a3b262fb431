/** Clocks painted from the server's deadline. The server decides when time is up; this only shows it. */

const SAMPLES = 8;

/** How far the server's clock is ahead of ours: the sample with the shortest round trip is the most exact. */
export class Offset {
  constructor() {
    this.samples = [];
  }

  /** sent, received: our clock; now: the server's, in between. */
  sample(sent, now, received) {
    this.samples.push({ trip: received - sent, ahead: now - (sent + received) / 2 });
    if (this.samples.length > SAMPLES) this.samples.shift();
  }

  /** Until a round trip has been measured, the time in a view that arrived just now must do. */
  guess(now, received) {
    if (!this.samples.length) this.guessed = now - received;
  }

  get ahead() {
    if (!this.samples.length) return this.guessed ?? 0;
    return this.samples.reduce((best, each) => (each.trip < best.trip ? each : best)).ahead;
  }

  get trip() {
    return this.samples.length ? this.samples.at(-1).trip : null;
  }
}

/** What is left of a turn that ends at `deadline`: the turn itself, then the bank. Milliseconds, never below 0. */
export function timeLeft(deadline, bank, now) {
  const left = deadline - now;
  return { turn: Math.max(0, left), bank: Math.max(0, Math.min(bank, bank + left)), over: left + bank <= 0 };
}

export function clockText(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
