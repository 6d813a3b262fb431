/** A play chosen while another is in turn: kept until our turn, made then if it is legal, else dropped in silence. */

import { pipsOf } from "./chain.js";

/** Where a tile would fit now: [{at}], by the pips at the open ends. */
export function fitting(tile, ends, open) {
  const pips = pipsOf(tile);
  return [...ends].filter(([name, end]) => open.has(name) && pips.includes(end.pips)).map(([at]) => ({ at, pays: 0 }));
}

/** Whether a play may be chosen ahead: somebody else is in turn, a line lies, and points count by themselves. */
export function mayChoose(view) {
  const waits = view.status === "running" && view.phase === "play" && view.me !== null && view.turn !== null && view.turn !== view.me;
  return waits && view.rules.count !== "called" && Boolean(view.hand?.length) && view.round?.line.length > 0;
}

/** The legal play that was meant: the same tile at the same end, or the only place it has where none was named. */
export function meant(chosen, legal) {
  const plays = (legal ?? []).filter(({ play }) => play === chosen.play);
  if (chosen.at === null) return plays.length === 1 ? plays[0] : null;
  return plays.find(({ at }) => at === chosen.at) ?? null;
}
