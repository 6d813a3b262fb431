"""A pool's log of matches folded into its players' states: the one code that rates. Pure.

Rating a match as it arrives, replaying the tail of a log after a late arrival, and computing a
pool anew are the same fold from different starts, so that they can't disagree.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import NamedTuple

from ratings.glicko import Change, State, duel, rate
from ratings.pools import DAMPING_WINDOW

Side = tuple[int, ...]
"""The players of a side, by id, ascending."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A rated match, as the log holds it. `places` are by side; `trust` weighs the whole match."""

    match_id: str
    finished_at: datetime
    target: int
    sides: tuple[Side, ...]
    places: tuple[int, ...]
    trust: float = 1.0

    @property
    def order(self) -> tuple[datetime, str]:
        """What a log is ordered by."""
        return self.finished_at, self.match_id

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(player for side in self.sides for player in side)


class Rated(NamedTuple):
    """A match rated: the weight of each pair of sides (glicko.pair_index), each player's change."""

    entry: Entry
    weights: tuple[float, ...]
    changes: dict[int, Change]


class Meetings:
    """How often the same two sides have met within the window; entries come in their order."""

    def __init__(self) -> None:
        self._recent: deque[tuple[datetime, tuple[Side, Side]]] = deque()
        self._counts: dict[tuple[Side, Side], int] = {}

    def note(self, entry: Entry) -> tuple[float, ...]:
        """Counts the match; the damping of each pair: the k-th within seven days weighs 1/k."""
        now, sides = entry.finished_at, entry.sides
        while self._recent and now - self._recent[0][0] >= DAMPING_WINDOW:
            self._forget_oldest()
        if len(sides) == 2:
            return (entry.trust / self._count(now, sides[0], sides[1]),)
        return tuple(entry.trust / self._count(now, *pair) for pair in combinations(sides, 2))

    def _count(self, now: datetime, one: Side, two: Side) -> int:
        pair = (one, two) if one < two else (two, one)
        count = self._counts[pair] = self._counts.get(pair, 0) + 1
        self._recent.append((now, pair))
        return count

    def _forget_oldest(self) -> None:
        _time, pair = self._recent.popleft()
        if self._counts[pair] > 1:
            self._counts[pair] -= 1
        else:
            del self._counts[pair]


def fold(
    entries: Iterable[Entry],
    states: MutableMapping[int, State],
    *,
    prior: float,
    meetings: Meetings | None = None,
    only: Container[str] | None = None,
) -> Iterator[Rated]:
    """Rates `entries`, which come in the log's order, one by one, and keeps `states` up to date.

    `states` holds every player of the entries as it stood before the first; `meetings` knows the
    week before it. `prior` is the variance of an unknown player. Matches not among `only`, if that
    is given, have been rated: they count as meetings alone.
    """
    meetings = meetings or Meetings()
    for entry in entries:
        weights = meetings.note(entry)
        if only is not None and entry.match_id not in only:
            continue
        changes = changes_by(entry, weights, states, prior)
        for player, change in changes.items():
            states[player] = change.after
        yield Rated(entry, weights, changes)


def changes_by(
    entry: Entry,
    weights: tuple[float, ...],
    states: Mapping[int, State],
    prior: float,
) -> dict[int, Change]:
    """What the match makes of its players' states, by player."""
    sides, target, day = entry.sides, entry.target, entry.finished_at.toordinal()
    if len(sides) == 2 and len(sides[0]) == len(sides[1]) == 1:
        [one], [two] = sides
        first, second = duel(
            states[one], states[two], entry.places, weights[0],
            target=target, day=day, prior=prior,
        )  # fmt: skip
        return {one: first, two: second}
    before = [[states[player] for player in side] for side in sides]
    rated = rate(before, entry.places, target=target, day=day, prior=prior, damping=weights)
    return {
        player: change
        for side, changes in zip(sides, rated, strict=True)
        for player, change in zip(side, changes, strict=True)
    }
