/** What is said: preset words by a code, read in everybody's own language, and texts. Whoever is muted is neither seen nor heard. */

import { bdi, element } from "./dom.js";

const SENTENCES = ["hello", "good_luck", "well_played", "thanks", "sorry", "one_moment", "again", "goodbye"];
const REACTIONS = { clap: "👏", smile: "🙂", wow: "😮", think: "🤔", cry: "😢", heart: "❤️" };

export class Words {
  /** parts: {dialog, opener, sentences, reactions, people, write}; hooks: say({word} or {text}), told({seat, text, heard}). */
  constructor(parts, phrases, muted, hooks) {
    Object.assign(this, { parts, phrases, muted, hooks });
    this.last = null; // the number of the last thing that was shown
    const button = (word, properties) => element("button", { type: "button", onclick: () => this.say({ word }), ...properties });
    parts.sentences.append(...SENTENCES.map((word) => button(word, { text: this.sentence(word) })));
    parts.reactions.append(...Object.entries(REACTIONS).map(([word, sign]) => button(word, { text: sign, "aria-label": this.sentence(word) })));
    parts.opener.addEventListener("click", () => parts.dialog.showModal());
    parts.write.addEventListener("submit", (event) => this.write(event));
  }

  sentence(word) {
    const key = `word_${word}`;
    return key in this.phrases.catalogue ? this.phrases.say(key) : null;
  }

  say(said) {
    this.parts.dialog.close();
    this.hooks.say(said);
  }

  write(event) {
    event.preventDefault();
    const text = event.target.elements.text.value.trim();
    if (!text) return;
    event.target.reset();
    this.say({ text });
  }

  /** Tells what was said since the last view; what was said before the page was opened is past. */
  show(view) {
    this.parts.opener.hidden = view.me === null;
    this.parts.write.hidden = view.talk !== "text";
    const words = view.words ?? [];
    const latest = words.at(-1)?.n ?? 0;
    const fresh = this.last === null ? [] : words.filter(({ n }) => n > this.last);
    this.last = Math.max(this.last ?? 0, latest);
    for (const { seat, word, text } of fresh) {
      const heard = text ?? this.sentence(word);
      if (!heard || this.muted.has(personAt(view, seat))) continue;
      this.hooks.told({ seat, text: REACTIONS[word] ?? heard, heard });
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
    const box = element("input", { type: "checkbox", "data-who": who, onchange: () => this.mute(who, box.checked) });
    box.checked = this.muted.has(who);
    return element("label", {}, box, bdi(name));
  }

  mute(who, on) {
    this.muted.set(who, on);
    for (const box of this.parts.people.querySelectorAll("input")) box.checked = this.muted.has(box.dataset.who);
  }
}

/** What a person is remembered by: the sign-in name, else the name at this table. */
function personAt(view, seat) {
  const { player, name } = view.seats[seat];
  return player ?? name;
}
