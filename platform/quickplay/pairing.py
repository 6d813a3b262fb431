"""Who of those waiting in a queue sits down with whom. Pure; their order does not matter.

Whoever has waited longest is served first, with those nearest in rating. How far that may reach
grows while they wait, until it is everybody; who is known badly is near to more people. Those who
have just met do not meet again at once while somebody else may come. As many tables are made as
can be: of those left over, none could be made within their reach.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Final

NEAR: Final = 100.0
"""Rating points that are near enough at once."""
WIDER: Final = 20.0
"""Points more for each second of waiting."""
ANYBODY_AFTER: Final = 30.0
"""Seconds after which everybody is near enough."""
AGAIN_AFTER: Final = 10.0
"""Seconds after which two who have just met meet again, if nobody else is there."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """One person, or two who want to be partners.

    `key` is in the order in which they came; `mean` and `deviation` are points, of two people
    their mean's. `avoid` are those they have just met.
    """

    key: int
    players: tuple[int, ...]
    mean: float
    deviation: float
    waited: float = 0.0
    rated: bool = True
    unrated: bool = False
    avoid: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Table:
    """Who sits down, `players` by seat: partners face each other."""

    players: tuple[int, ...]
    rated: bool
    waiting: tuple[Waiting, ...]

    @property
    def gap(self) -> float:
        """How far apart in rating they are at most."""
        means = [each.mean for each in self.waiting]
        return max(means) - min(means)


def reach_after(waited: float, deviation: float) -> float:
    """How many points away somebody may be to sit down with who has waited so many seconds."""
    return math.inf if waited >= ANYBODY_AFTER else max(NEAR, deviation) + WIDER * waited


def pair(waiting: Iterable[Waiting], *, seats: int, partners: bool = False) -> tuple[Table, ...]:
    """The tables to be opened now, those who waited longest first."""
    queue = _once_each(sorted(waiting, key=lambda each: (-each.waited, each.key)))
    room = _Room(queue, partners)
    tables = []
    for elder in queue:
        if elder in room and (table := room.table_for(elder, seats)) is not None:
            room.leave(table.waiting)
            tables.append(table)
    return tuple(tables)


def _once_each(queue: Iterable[Waiting]) -> list[Waiting]:
    """Without those in whom somebody is who waits there already."""
    seen: set[int] = set()
    kept = []
    for each in queue:
        if seen.isdisjoint(each.players):
            seen.update(each.players)
            kept.append(each)
    return kept


class _Line:
    """People in the order of their ratings."""

    def __init__(self) -> None:
        self._order: list[tuple[float, int, Waiting]] = []

    def add(self, one: Waiting) -> None:
        insort(self._order, (one.mean, one.key, one))

    def remove(self, one: Waiting) -> None:
        del self._order[bisect_left(self._order, (one.mean, one.key))]

    def near(self, mean: float) -> Iterator[Waiting]:
        """All of them, the nearest first."""
        above = bisect_left(self._order, (mean,))
        below = above - 1
        while below >= 0 or above < len(self._order):
            up = self._order[above][0] - mean if above < len(self._order) else math.inf
            down = mean - self._order[below][0] if below >= 0 else math.inf
            if up < down:
                yield self._order[above][2]
                above += 1
            else:
                yield self._order[below][2]
                below -= 1


class _Room:
    """Who still waits: for each stake a line of single people, and one of twos."""

    def __init__(self, queue: Iterable[Waiting], partners: bool) -> None:
        self._partners = partners
        self._here: set[int] = set()
        self._lines = {(rated, size): _Line() for rated in (True, False) for size in (1, 2)}
        for one in queue:
            self._here.add(one.key)
            for line in self._lines_of(one):
                line.add(one)

    def __contains__(self, one: Waiting) -> bool:
        return one.key in self._here

    def leave(self, leaving: Iterable[Waiting]) -> None:
        for one in leaving:
            self._here.remove(one.key)
            for line in self._lines_of(one):
                line.remove(one)

    def table_for(self, elder: Waiting, seats: int) -> Table | None:
        """A table for them, rated rather than unrated, and with a last opponent only at last."""
        for again in (False, True) if elder.waited >= AGAIN_AFTER else (False,):
            for rated in (True, False):
                if not (elder.rated if rated else elder.unrated):
                    continue
                company = self._company(elder, seats, rated, again)
                if company is not None:
                    together = (elder, *company)
                    return Table(_seated(together, self._partners), rated, together)
        return None

    def _company(
        self, elder: Waiting, seats: int, rated: bool, again: bool
    ) -> Sequence[Waiting] | None:
        """Who fills the table up: of all ways to do it by twos and single people, the nearest."""
        free = seats - len(elder.players)
        ways = []
        for twos in range(free // 2 + 1) if self._partners else (0,):
            wanted = {2: twos, 1: free - 2 * twos}
            found = [
                other
                for size, count in wanted.items()
                for other in islice(self._fitting(elder, rated, size, again), count)
            ]
            if len(found) == sum(wanted.values()):
                ways.append(found)
        return min(ways, key=lambda way: max(_gap(elder, other) for other in way), default=None)

    def _fitting(self, elder: Waiting, rated: bool, size: int, again: bool) -> Iterator[Waiting]:
        limit = reach_after(elder.waited, elder.deviation)
        near = self._lines[rated, size].near(elder.mean)
        for other in takewhile(lambda other: _gap(elder, other) <= limit, near):
            if other.key != elder.key and (again or not _have_just_met(elder, other)):
                yield other

    def _lines_of(self, one: Waiting) -> Iterator[_Line]:
        for rated, takes in ((True, one.rated), (False, one.unrated)):
            if takes:
                yield self._lines[rated, len(one.players)]


def _gap(one: Waiting, other: Waiting) -> float:
    return abs(one.mean - other.mean)


def _have_just_met(one: Waiting, other: Waiting) -> bool:
    return not (one.avoid.isdisjoint(other.players) and other.avoid.isdisjoint(one.players))


def _seated(together: Sequence[Waiting], partners: bool) -> tuple[int, ...]:
    """The players by seat. Partners: a two stays together, or the best plays with the weakest."""
    if not partners:
        return tuple(player for each in together for player in each.players)
    twos = [each for each in together if len(each.players) == 2]
    one, *others = [*twos, *sorted((e for e in together if e not in twos), key=lambda e: -e.mean)]
    if twos:
        (a, b), (c, d) = one.players, [player for each in others for player in each.players]
    else:
        (a,), (c,), (d,), (b,) = (each.players for each in (one, *others))
    return a, c, b, d
