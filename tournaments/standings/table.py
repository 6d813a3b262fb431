"""The table: points first, then the criteria in the order they are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from tournaments.standings.cards import Cards
from tournaments.standings.criteria import CRITERIA, DIRECT, direct
from tournaments.standings.sheet import NO_RULE, UNPLAYED, Sheet

SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Versus:
    """The neighbour that an entrant was separated from, level on points, and both values."""

    seed: int
    own: int
    other: int


@dataclass(frozen=True, slots=True)
class Row:
    """An entrant's row: its rank (1, 2, 2, 4), None for those who stand last without one.

    `decided` is what separated it from the next one who is level on points, for the last of those
    from the one before: "" when points did, a criterion's key, or "shared" when nothing does;
    `versus` says by how much. `counts` is False when the entrant's results count for nobody.
    `points` and criteria of points are in twelfths. Where there are
    groups, `group` counts from 1 and the rank is the one in it.
    """

    seed: int
    rank: int | None
    points: int
    values: Mapping[str, int]
    decided: str
    counts: bool = True
    group: int = 0
    versus: Versus | None = None


@dataclass(slots=True)
class _Split:
    """Groups that stay level, the best first; `bounds` has for each two neighbours the criterion
    and the values that separate them.
    """

    groups: list[list[int]] = field(default_factory=list)
    bounds: list[tuple[str, int, int]] = field(default_factory=list)


def table(
    cards: Cards,
    criteria: Sequence[str],
    last: Iterable[int] = (),
    *,
    randomness: str = "",
    cap: int = 0,
    unplayed: str = UNPLAYED,
) -> list[Row]:
    """The rows, the best first; those of `last` behind all others, without a rank.

    `randomness` is what lots are drawn by, `cap` the most that a round adds to the points
    difference (0: no limit), `unplayed` the id of the rule for rounds that were not played.
    """
    if unplayed != UNPLAYED:
        raise ValueError(NO_RULE)
    sheet = Sheet(cards, randomness=randomness, cap=cap)
    by_key = {
        key: dict(zip(sheet.seeds, CRITERIA[key](sheet).tolist(), strict=True))
        for key in criteria
        if key != DIRECT
    }
    without = set(last)
    points = dict(zip(sheet.seeds, sheet.points.tolist(), strict=True))
    ordered = sorted(sheet.seeds, key=lambda seed: (-points[seed], seed))
    rows: list[Row] = []

    def row(seed: int, rank: int | None, decided: str, versus: Versus | None = None) -> Row:
        shown = {key: values[seed] for key, values in by_key.items()}
        return Row(seed, rank, points[seed], shown, decided, versus=versus)

    ranked = [seed for seed in ordered if seed not in without]
    for _points, level in groupby(ranked, key=points.__getitem__):
        split = _separated(sheet, list(level), criteria, by_key)
        for at, group in enumerate(split.groups):
            rank = len(rows) + 1
            decided, versus = _reason(split, at)
            rows += [row(seed, rank, decided, versus) for seed in group]
    return rows + [row(seed, None, "") for seed in ordered if seed in without]


def _reason(split: _Split, at: int) -> tuple[str, Versus | None]:
    if len(split.groups[at]) > 1:
        return SHARED, None
    if at < len(split.bounds):
        key, own, other = split.bounds[at]
        return key, Versus(split.groups[at + 1][0], own, other)
    if split.bounds:
        key, other, own = split.bounds[at - 1]
        return key, Versus(split.groups[at - 1][0], own, other)
    return "", None


def _separated(
    sheet: Sheet,
    level: list[int],
    criteria: Sequence[str],
    by_key: Mapping[str, Mapping[int, int]],
) -> _Split:
    """Direct encounter is looked at again among those it left together (cases.md S2)."""
    if len(level) == 1:
        return _Split([level])
    for at, key in enumerate(criteria):
        values = direct(sheet, level) if key == DIRECT else by_key[key]
        if values is None or len({values[seed] for seed in level}) == 1:
            continue
        again = criteria[at:] if key == DIRECT else criteria[at + 1 :]
        value: Callable[[int], int] = values.__getitem__
        found = _Split()
        for own, group in groupby(sorted(level, key=lambda s: (-value(s), s)), key=value):
            inner = _separated(sheet, list(group), again, by_key)
            if found.groups:
                found.bounds.append((key, value(found.groups[-1][0]), own))
            found.groups += inner.groups
            found.bounds += inner.bounds
        return found
    return _Split([level])
