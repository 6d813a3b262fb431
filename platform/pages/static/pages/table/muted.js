/** Whom a player doesn't want to hear: kept at the player, and in this browser for who has no name yet. */

const KEY = "muggins.muted";

export class Muted {
  /** kept: the names that the server has of this player, or null; token: the page's own, to send others by. */
  constructor(kept, token) {
    this.token = kept && token;
    const here = stored();
    this.names = new Set([...(kept ?? []), ...here]);
    if (!this.token) return;
    for (const name of here) this.send(name, true);
    remember(null);
  }

  has(name) {
    return this.names.has(name);
  }

  set(name, on) {
    if (on) this.names.add(name);
    else this.names.delete(name);
    if (this.token) this.send(name, on);
    else remember([...this.names]);
  }

  send(name, on) {
    const body = new URLSearchParams({ value: on ? "on" : "off", csrfmiddlewaretoken: this.token });
    const address = new URL(`/@${encodeURIComponent(name)}/mute`, location.origin);
    fetch(address, { method: "POST", body, credentials: "same-origin", keepalive: true }).catch(() => {});
  }
}

function remember(names) {
  try {
    if (names === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    // kept for this page only
  }
}

function stored() {
  try {
    const names = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(names) ? names : [];
  } catch {
    return []; // storage is switched off or damaged
  }
}
