/** What a player likes: kept at the player, for all their devices, and in this browser for who has no name yet. */

const KEY = "muggins.table";
const DEFAULTS = {
  autoPlace: true,
  preview: true,
  keys: true,
  confirm: false,
  buttons: false,
  sorted: false,
  soundTurn: true,
  soundTile: true,
  soundScore: true,
  soundLow: true,
  vibrate: false,
  still: false,
  large: false,
  coloured: false,
  hinted: false,
};

export class Preferences {
  /** kept: what the server has of this player, or null; keep(name, on): sends a change there; changed(name). */
  constructor(kept, { keep, changed }) {
    Object.assign(this, DEFAULTS);
    this.hooks = { keep, changed };
    const stored = { ...fromBrowser(), ...kept };
    for (const name of Object.keys(DEFAULTS)) if (typeof stored[name] === "boolean") this[name] = stored[name];
  }

  /** Ties check boxes with data-preference to the values. */
  bind(root) {
    for (const box of root.querySelectorAll("[data-preference]")) {
      box.checked = this[box.dataset.preference];
      box.addEventListener("change", () => this.set(box.dataset.preference, box.checked));
    }
  }

  set(name, value) {
    this[name] = value;
    const values = Object.fromEntries(Object.keys(DEFAULTS).map((each) => [each, this[each]]));
    try {
      localStorage.setItem(KEY, JSON.stringify(values));
    } catch {
      // kept for this page only
    }
    this.hooks.keep(name, value);
    this.hooks.changed(name);
  }
}

function fromBrowser() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // storage is switched off or damaged: the defaults hold
  }
}

/** Sends a switch to the server, where `token` is the page's own. A change that gets lost stays in the browser. */
export function keepAt(address, token) {
  return (name, on) => {
    const body = new URLSearchParams({ name, value: on ? "on" : "off", csrfmiddlewaretoken: token });
    fetch(address, { method: "POST", body, credentials: "same-origin", keepalive: true }).catch(() => {});
  };
}
