"""What separates entrants who are level on points: one function a criterion, higher is better.

A criterion gets the sheet and gives a value for each entrant, in the sheet's order. Direct
encounter is another kind: it is about those who are level, and can't always compare them.

At tables of three and four every opponent counts, each for itself: a win over three is three for
Sonneborn-Berger, and Buchholz adds up all of them; `strength` is the mean of a table, so that
tables of different sizes compare. A partner is no opponent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from tournaments.standings.cards import POINT, Encounter
from tournaments.standings.sheet import Ints, Sheet

Criterion = Callable[[Sheet], Ints]
DIRECT: Final = "direct"


def wins(sheet: Sheet) -> Ints:
    """Rounds won against an opponent, by play or not."""
    return sheet.wins


def games(sheet: Sheet) -> Ints:
    """Games won, of pairings played to the best of several."""
    return sheet.games


def scored(sheet: Sheet) -> Ints:
    """Points scored at the table."""
    return sheet.scored


def difference(sheet: Sheet) -> Ints:
    """Points scored at the table less those conceded; each round's up to the sheet's cap."""
    return sheet.difference


def sonneborn(sheet: Sheet) -> Ints:
    """The points of those beaten, in twelfths, and of others by the share taken from them."""
    taken = sheet.points[sheet.opponent] * sheet.gained
    return sheet.total(sheet.own, taken) // POINT


def buchholz(sheet: Sheet) -> Ints:
    """The points of all opponents, in twelfths; an unplayed round is one against a dummy."""
    return sheet.total(sheet.unit_of, sheet.units)


def buchholz_cut(sheet: Sheet) -> Ints:
    """The same without the lowest."""
    lowest = np.full(len(sheet.seeds), np.iinfo(np.int64).max)
    np.minimum.at(lowest, sheet.unit_of, sheet.units)
    return buchholz(sheet) - np.where(_units(sheet) > 0, lowest, 0)


def buchholz_median(sheet: Sheet) -> Ints:
    """The same without the lowest and the highest."""
    highest = np.zeros(len(sheet.seeds), dtype=np.int64)
    np.maximum.at(highest, sheet.unit_of, sheet.units)
    return buchholz_cut(sheet) - np.where(_units(sheet) > 1, highest, 0)


def strength(sheet: Sheet) -> Ints:
    """The points of the opponents, in twelfths, averaged over each table, so that tables of three
    and of four compare; an unplayed round is one against somebody like oneself.
    """
    return np.array(
        [
            sum(table_strength(sheet, seed, each) for each in sheet.cards[seed].encounters) // 6
            for seed in sheet.seeds
        ],
        dtype=np.int64,
    )


def table_strength(sheet: Sheet, seed: int, each: Encounter) -> int:
    """The mean of a table's opponents, in seventy-seconds of a point."""
    if not each.opponents:
        return 6 * sheet.cards[seed].points
    return sum(6 * sheet.cards[one].points for one in each.opponents) // len(each.opponents)


def lot(sheet: Sheet) -> Ints:
    """Drawn by the event's seed: the last resort, so that nobody shares a rank."""
    return np.array([sheet.ticket(seed) for seed in sheet.seeds], dtype=np.int64)


CRITERIA: Final[Mapping[str, Criterion]] = {
    "wins": wins,
    "buchholz": buchholz,
    "buchholz_cut": buchholz_cut,
    "buchholz_median": buchholz_median,
    "sonneborn": sonneborn,
    "strength": strength,
    "scored": scored,
    "difference": difference,
    "games": games,
    "lot": lot,
}
KEYS: Final = (DIRECT, *CRITERIA)
"""All that an organiser may put in order."""


def direct(sheet: Sheet, level: Sequence[int]) -> Mapping[int, int] | None:
    """The points that those who are level made against each other, if all of them have met; None
    if not. At a table of more, it is a point for each of them left behind, half for each equal.
    """
    found: dict[int, int] = {}
    for seed in level:
        against = met(sheet, seed, level)
        if len(against) < len(level) - 1:
            return None
        found[seed] = sum(sum(points) for points in against.values())
    return found


def met(sheet: Sheet, seed: int, level: Sequence[int]) -> dict[int, list[int]]:
    """What the entrant made against each of those who are level, by meeting."""
    inside = set(level) - {seed}
    found: dict[int, list[int]] = {}
    for each in sheet.cards[seed].encounters:
        for opponent in each.opponents:
            if opponent in inside:
                found.setdefault(opponent, []).append(_taken(sheet, each, opponent))
    return found


def _taken(sheet: Sheet, own: Encounter, opponent: int) -> int:
    if len(own.opponents) == 1:
        return own.points
    other = next(
        each.points for each in sheet.cards[opponent].encounters if each.round == own.round
    )
    return POINT if own.points > other else POINT // 2 if own.points == other else 0


def _units(sheet: Sheet) -> Ints:
    return np.bincount(sheet.unit_of, minlength=len(sheet.seeds))
