/** The positions of a match, one after the other: each round's deal, then the position after each of its steps. */

/** [{id: "r1" | "m14", round, count: how many steps are done, step: the last of them or null}, …]. */
export function positions({ rounds }) {
  return rounds.flatMap((round) => [
    { id: `r${round.number}`, round, count: 0, step: null },
    ...round.steps.map((step, i) => ({ id: `m${step.n}`, round, count: i + 1, step })),
  ]);
}

/** What lies where at a position: {items, ends, total, hands, drawn, scores}. */
export function stateAt({ round, count, step }) {
  const done = round.steps.slice(0, count);
  const plays = done.filter(({ kind }) => kind === "played");
  const hands = round.hands.map((hand) => hand.map((tile) => ({ tile, drawn: false })));
  for (const each of done) {
    if (each.kind === "played") hands[each.seat] = hands[each.seat].filter(({ tile }) => tile !== each.tile);
    if (each.kind === "drew") hands[each.seat].push(...each.tiles.map((tile) => ({ tile, drawn: true })));
  }
  return {
    items: plays.map(({ tile, end, seat }) => ({ tile, at: end, seat })),
    ends: plays.at(-1)?.ends ?? {},
    total: plays.at(-1)?.total ?? 0,
    hands,
    drawn: done.reduce((sum, { kind, count: tiles }) => sum + (kind === "drew" ? tiles : 0), 0),
    scores: step?.scores ?? round.before,
  };
}

/** Where an address like #m14 leads: an index of the positions, or null. */
export function indexOf(all, hash) {
  const found = all.findIndex(({ id }) => id === hash.replace(/^#/, ""));
  return found < 0 ? null : found;
}
