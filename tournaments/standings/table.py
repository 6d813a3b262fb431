"""The table: points first, then the criteria in the order they are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.standings.cards import Cards
from tournaments.standings.criteria import CRITERIA

SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Row:
    """An entrant's row: its rank (1, 2, 2, 4), None for those who stand last without one.

    `decided` is what separated it from those level on points: "" when points did, a criterion's
    key, or "shared" when nothing does. `counts` is False when the entrant's results count for
    nobody. `points` and criteria of points are in twelfths. Where there are groups, `group` counts
    from 1 and the rank is the one in it.
    """

    seed: int
    rank: int | None
    points: int
    values: Mapping[str, int]
    decided: str
    counts: bool = True
    group: int = 0


def table(cards: Cards, criteria: Sequence[str], last: Iterable[int] = ()) -> list[Row]:
    """The rows, the best first; those of `last` behind all others, without a rank."""
    without = set(last)
    ordered = sorted(cards, key=lambda seed: (_down(cards, seed), seed))
    ranked = [seed for seed in ordered if seed not in without]
    values = {key: CRITERIA[key](cards, list(cards)) for key in criteria if key != "direct"}
    rows: list[Row] = []

    def row(seed: int, rank: int | None, decided: str) -> Row:
        shown = {key: each[seed] for key, each in values.items() if each is not None}
        return Row(seed, rank, cards[seed].points, shown, decided)

    for _points, level in groupby(ranked, key=lambda seed: _down(cards, seed)):
        for group, decided in _separated(cards, list(level), criteria):
            rank = len(rows) + 1
            rows += [row(seed, rank, decided) for seed in group]
    return rows + [row(seed, None, "") for seed in ordered if seed in without]


def _down(cards: Cards, seed: int) -> int:
    return -cards[seed].points


def _separated(
    cards: Cards, level: list[int], criteria: Sequence[str], by: str = ""
) -> list[tuple[list[int], str]]:
    """Groups that stay level, the best first, each with what it was last separated by.

    Direct encounter is looked at again among those it left together (cases.md S2).
    """
    if len(level) == 1:
        return [(level, by)]
    for at, key in enumerate(criteria):
        values = CRITERIA[key](cards, level)
        if values is None or len(set(values.values())) == 1:
            continue
        again = criteria[at:] if key == "direct" else criteria[at + 1 :]
        value: Callable[[int], int] = values.__getitem__
        ordered = sorted(level, key=lambda seed: (-value(seed), seed))
        return [
            found
            for _value, group in groupby(ordered, key=value)
            for found in _separated(cards, list(group), again, key)
        ]
    return [(level, SHARED)]
