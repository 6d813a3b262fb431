/** What the reading keys answer: hand, scores and clock in words. */

import { sideName } from "./seats.js";
import { turnTimes } from "./status.js";

const spoken = (tile) => tile.replace("-", " ");

export function handInWords(tiles, plays, phrases) {
  if (!tiles.length) return phrases.say("hand_none");
  const fit = [...new Set(plays.map(({ play }) => spoken(play)))].join(", ");
  return phrases.say(fit ? "hand_words_fit" : "hand_words", { tiles: tiles.map(spoken).join(", "), fit });
}

export function scoresInWords(view, phrases) {
  const scores = view.scores.map((points, side) => phrases.say("score_words", { name: sideName(view, side, phrases), points }));
  return `${scores.join(", ")}. ${phrases.say("target", { target: view.target })}.`;
}

export function clockInWords(view, now, phrases) {
  const times = turnTimes(view, now);
  if (!times) return phrases.say("clock_none");
  return phrases.say("clock_words", { n: Math.ceil((times.turn || times.bank) / 1000) });
}
