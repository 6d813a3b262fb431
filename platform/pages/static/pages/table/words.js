/** Preset words: said by a code, read in everybody's own language. Whoever is muted is neither seen nor heard. */

import { bdi, element } from "./dom.js";

const SENTENCES = ["hello", "good_luck", "well_played", "thanks", "sorry", "one_moment", "again", "goodbye"];
const REACTIONS = { clap: "👏", smile: "🙂", wow: "😮", think: "🤔", cry: "😢", heart: "❤️" };
const MUTED = "muggins.muted";

export class Words {
  /** parts: {dialog, opener, sentences, reactions, people}; hooks: say(word), told({seat, text, heard}). */
  constructor(parts, phrases, hooks) {
    Object.assign(this, { parts, phrases, hooks });
    this.last = null; // the number of the last word that was shown
    this.muted = new Set(stored());
    const button = (word, properties) => element("button", { type: "button", onclick: () => this.say(word), ...properties });
    parts.sentences.append(...SENTENCES.map((word) => button(word, { text: this.sentence(word) })));
    parts.reactions.append(...Object.entries(REACTIONS).map(([word, sign]) => button(word, { text: sign, "aria-label": this.sentence(word) })));
    parts.opener.addEventListener("click", () => parts.dialog.showModal());
  }

  sentence(word) {
    const key = `word_${word}`;
    return key in this.phrases.catalogue ? this.phrases.say(key) : null;
  }

  say(word) {
    this.parts.dialog.close();
    this.hooks.say(word);
  }

  /** Tells what was said since the last view; what was said before the page was opened is past. */
  show(view) {
    this.parts.opener.hidden = view.me === null;
    const words = view.words ?? [];
    const latest = words.at(-1)?.n ?? 0;
    const fresh = this.last === null ? [] : words.filter(({ n }) => n > this.last);
    this.last = Math.max(this.last ?? 0, latest);
    for (const { seat, word } of fresh) {
      const sentence = this.sentence(word);
      if (!sentence || this.muted.has(personAt(view, seat))) continue;
      this.hooks.told({ seat, text: REACTIONS[word] ?? sentence, heard: sentence });
    }
    this.showPeople(view);
  }

  showPeople(view) {
    const people = view.seats.filter(({ seat, name, kind }) => seat !== view.me && name && kind !== "bot");
    const key = JSON.stringify(people.map(({ player, name }) => [player, name]));
    if (key === this.key) return;
    this.key = key;
    this.parts.people.hidden = !people.length;
    this.parts.people.querySelectorAll("label").forEach((label) => label.remove());
    this.parts.people.append(...people.map(({ seat, name }) => this.person(personAt(view, seat), name)));
  }

  person(who, name) {
    const box = element("input", { type: "checkbox", onchange: () => this.mute(who, box.checked) });
    box.checked = this.muted.has(who);
    return element("label", {}, box, bdi(name));
  }

  mute(who, on) {
    if (on) this.muted.add(who);
    else this.muted.delete(who);
    try {
      localStorage.setItem(MUTED, JSON.stringify([...this.muted]));
    } catch {
      // kept for this page only
    }
  }
}

/** What a person is remembered by: the sign-in name, else the name at this table. */
function personAt(view, seat) {
  const { player, name } = view.seats[seat];
  return player ?? name;
}

function stored() {
  try {
    const names = JSON.parse(localStorage.getItem(MUTED));
    return Array.isArray(names) ? names : [];
  } catch {
    return []; // storage is switched off or damaged
  }
}
