/** Which pips lie where: the line as the server tells it ({tile: "6-4", at: "left"}, the lead's `at` null). */

import { ENDS } from "./layout.js";

const SIDES = new Set(["left", "right"]); // the ends of the main line

export function pipsOf(tile) {
  return tile.split("-").map(Number);
}

export function isDouble(tile) {
  const [high, low] = pipsOf(tile);
  return high === low;
}

/**
 * tiles: each with its inner pips, those that join the line, and its outer ones (the lead's higher half faces left, so
 * it comes first). ends: by name, the pips to match, whether a double lies there, and how many tiles do.
 */
export function chain(items, spinner = true) {
  const ends = new Map();
  let spinnerAt = -1;
  const tiles = items.map(({ tile, at, ...more }, index) => {
    const [high, low] = pipsOf(tile);
    const double = high === low;
    const inner = at ? ends.get(at).pips : high;
    const outer = at && high === inner ? low : at ? high : low;
    if (at) {
      ends.set(at, { pips: outer, double, tiles: ends.get(at).tiles + 1 });
    } else {
      ends.set("left", { pips: high, double, tiles: 0 });
      ends.set("right", { pips: low, double, tiles: 0 });
    }
    if (double && spinner && spinnerAt < 0) {
      spinnerAt = index;
      for (const arm of ["up", "down"]) ends.set(arm, { pips: high, double: false, tiles: 0 });
    }
    return { tile, at, inner, outer, double, ...more };
  });
  return { tiles, ends, spinnerAt };
}

/** The ends that count, with what each adds to the total (rules.md 5), in the order left, right, up, down. */
export function countingEnds({ ends }) {
  // A double that is both ends of the line counts once: half of it at each end.
  const leadIsBoth = ends.has("left") && !ends.get("left").tiles && !ends.get("right").tiles;
  return ENDS.filter((name) => ends.has(name) && (SIDES.has(name) || ends.get(name).tiles)).map((name) => {
    const { pips, double } = ends.get(name);
    return { name, pips, counts: double && !(leadIsBoth && SIDES.has(name)) ? 2 * pips : pips };
  });
}

/** The names of the ends that are open after these tiles (rules.md 4): the arms once the spinner is inside the line. */
export function openEnds(items, { spinner, arms }) {
  const { tiles, ends, spinnerAt } = chain(items, spinner);
  const names = new Set(ends.keys());
  if (spinnerAt < 0 || arms === "any") return names;
  const later = tiles.slice(spinnerAt + 1);
  const laid = (side) => later.some(({ at }) => at === side);
  const covered = spinnerAt === 0 ? laid("left") && laid("right") : laid(tiles[spinnerAt].at);
  if (!covered) for (const arm of ["up", "down"]) names.delete(arm);
  return names;
}

/** The line as the layout wants it. */
export function moves(items) {
  return items.map(({ tile, at }) => [at, isDouble(tile)]);
}
