"""The standings of formats that have a table: by the event's criteria, else the format's own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from tournaments.formats.model import Field, Pairing
from tournaments.standings.bounds import Ranks, possible_ranks
from tournaments.standings.cards import POINT, Cards
from tournaments.standings.reasons import Reason, reasons
from tournaments.standings.sheet import UNPLAYED
from tournaments.standings.table import Row, table


def ranked(entrants: Field, cards: Cards, own: Sequence[str]) -> list[Row]:
    """The rows; `own` are the criteria of the format, where the event sets none."""
    return table(
        cards,
        entrants.criteria or own,
        last=entrants.disqualified & cards.keys(),
        randomness=entrants.randomness,
        cap=_cap(entrants),
        unplayed=str(entrants.options.get("unplayed", UNPLAYED)),
    )


def reasons_of(
    entrants: Field, cards: Cards, rows: Sequence[Row], own: Sequence[str], seed: int
) -> list[Reason]:
    """Why an entrant has its rank: its points and criteria, part by part."""
    points = cards[seed].points
    level = [row.seed for row in rows if row.rank is not None and row.points == points]
    keys = entrants.criteria or own
    randomness, cap = entrants.randomness, _cap(entrants)
    return reasons(cards, keys, seed, level, randomness=randomness, cap=cap)


def outlook(
    entrants: Field,
    rows: Sequence[Row],
    pairings: Mapping[int, Pairing],
    to_be_drawn: int = 0,
    at_risk: Mapping[int, int] | None = None,
    may_vanish: Collection[int] = (),
    most_points: int = POINT,
) -> Ranks:
    """The ranks that are still possible, if nobody is disqualified and no result is corrected.

    `to_be_drawn` rounds are still to come besides the pairings there are, for those too who have
    left and may return; each brings at most `most_points`. `may_vanish` are those whose results may
    yet come to count for nobody, `at_risk` the points that others would lose.
    """
    open_rounds = dict.fromkeys(range(1, entrants.size + 1), 0)
    for pairing in pairings.values():
        if pairing.verdict is None:
            for seed in pairing.seeds():
                open_rounds[seed] += 1
    least: dict[int, int] = {}
    most: dict[int, int] = {}
    for row in rows:
        if row.rank is None:
            continue
        left = open_rounds[row.seed] + to_be_drawn
        stays = row.counts and row.seed not in may_vanish
        least[row.seed] = row.points - (at_risk or {}).get(row.seed, 0) if stays else -1
        most[row.seed] = row.points + left * most_points if row.counts else -1
    return possible_ranks(least, most)


def _cap(entrants: Field) -> int:
    return int(entrants.options.get("difference_cap", 0))
