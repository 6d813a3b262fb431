"""Divisions from one season to the next, and who is through or out for certain: pure."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from tournaments.standings.cards import POINT

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Score:
    """Points in twelfths so far, matches `played` and still `left`, and the rank in the table."""

    points: int
    played: int
    left: int
    rank: int | None


@dataclass(frozen=True, slots=True)
class Outlook:
    """Where somebody goes next season: "up", "down" or "stays"; and whether that is certain."""

    way: str
    certain: bool


def ladder(tables: Sequence[Sequence[T]], moves: int) -> list[T]:
    """All of a league in one order, those who change divisions exchanged at each border: of those
    in a division next season first who came down to it, then who stayed, then who went up to it.

    >>> ladder([["A", "B", "C", "D"], ["E", "F", "G", "H"]], 1)
    ['A', 'B', 'C', 'E', 'D', 'F', 'G', 'H']
    """
    moving = [_moving(above, below, moves) for above, below in pairwise(tables)]
    borders = [0, *moving, 0]
    order: list[T] = []
    for at, table in enumerate(tables):
        down_here = list(tables[at - 1])[len(tables[at - 1]) - borders[at] :] if at else []
        up_here = list(tables[at + 1])[: borders[at + 1]] if at + 1 < len(tables) else []
        order += down_here + list(table)[borders[at] : len(table) - borders[at + 1]] + up_here
    return order


def proposed(
    tables: Sequence[Sequence[T]],
    moves: int,
    sizes: Sequence[int],
    leaving: Collection[T] = (),
    new: Sequence[T] = (),
) -> list[list[T]]:
    """The divisions of the next season. Who leaves makes room: the next below move up; new ones
    come in at the bottom. The last of `sizes` holds for all below; one alone joins those above.

    >>> proposed([["A", "B", "C", "D"], ["E", "F", "G", "H"]], 1, [4], {"B"}, ["N"])
    [['A', 'C', 'E', 'D'], ['F', 'G', 'H', 'N']]
    """
    order = [each for each in ladder(tables, moves) if each not in leaving]
    order += [each for each in new if each not in order]
    divisions: list[list[T]] = []
    begin = 0
    while begin < len(order):
        size = max(2, sizes[min(len(divisions), len(sizes) - 1)])
        divisions.append(order[begin : begin + size])
        begin += size
    if len(divisions) > 1 and len(divisions[-1]) == 1:
        alone = divisions.pop()
        divisions[-1] += alone
    return divisions


def outlooks(scores: Mapping[T, Score], up: int, down: int, *, over: bool) -> dict[T, Outlook]:
    """Who goes up and down as the table stands, and for whom that can't change any more.

    Before the end nothing is certain until everybody has played half: who leaves earlier counts
    for nobody. Level across a border at the end, nobody is certain: a person decides.
    """
    settled = over or all(each.played >= each.left for each in scores.values())
    found: dict[T, Outlook] = {}
    order = sorted(scores, key=lambda each: scores[each].rank or len(scores) + 1)
    for at, one in enumerate(order):
        way = "up" if at < up else "down" if at >= len(order) - down else "stays"
        found[one] = Outlook(way, settled and _certain(scores, one, way, up, down, over=over))
    return found


def _certain(
    scores: Mapping[T, Score], one: T, way: str, up: int, down: int, *, over: bool
) -> bool:
    own = scores[one]
    others = [score for other, score in scores.items() if other != one]
    if over:
        level = [score for score in others if score.rank == own.rank and own.rank is not None]
        if own.rank is None or not level:
            return True
        first, last = own.rank, own.rank + len(level)
        return not (first <= up < last or first <= len(scores) - down < last)
    could_pass = sum(each.points + each.left * POINT >= own.points for each in others)
    surely_ahead = sum(each.points > own.points + own.left * POINT for each in others)
    if way == "up":
        return could_pass < up
    if way == "down":
        return surely_ahead >= len(scores) - down
    return surely_ahead >= up and could_pass < len(scores) - down


def _moving(above: Sequence[T], below: Sequence[T], moves: int) -> int:
    """How many change places at a border: never more than half of a division."""
    return min(moves, len(above) // 2, len(below) // 2)
