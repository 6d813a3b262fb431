/** Sentences of the server's catalogue, with named placeholders: "{name}: {tile}". */

const ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";

export class Phrases {
  constructor(catalogue) {
    this.catalogue = catalogue;
  }

  say(key, values = {}) {
    return fill(this.catalogue[key] ?? key, values);
  }

  /** A sentence about n things, in the language's own plural forms (the catalogue has one for each n). */
  count(key, n, values = {}) {
    const forms = this.catalogue[key];
    return fill(forms[Math.min(n, forms.length - 1)], { ...values, n });
  }
}

/** Tiles, and what they lead to, stay in one line: "5-5", "6-1 → 1". */
export function unbroken(text) {
  return text.replace(/(?<=\d)-(?=\d)/g, "\u2011").replaceAll(" → ", "\u00a0→\u00a0");
}

/** Names are isolated, so that a name written from right to left leaves the sentence around it in order. */
function fill(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (whole, key) => {
    const value = values[key];
    if (value === undefined) return whole;
    return key === "name" ? ISOLATE + value + POP_ISOLATE : String(value);
  });
}
