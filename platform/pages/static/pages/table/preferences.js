/** What a player likes, kept in this browser. */

const KEY = "muggins.table";
const DEFAULTS = { autoPlace: true, preview: true, keys: true };

export class Preferences {
  constructor() {
    let stored = {};
    try {
      stored = JSON.parse(localStorage.getItem(KEY)) ?? {};
    } catch {
      // storage is switched off or damaged: the defaults hold
    }
    Object.assign(this, DEFAULTS);
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
    try {
      localStorage.setItem(KEY, JSON.stringify(this));
    } catch {
      // kept for this page only
    }
  }
}
