"""A pool's log of matches folded into its players' states: the one code that rates. Pure.

Rating a match as it arrives, replaying the tail of a log after a late arrival, and computing a
pool anew are the same fold from different starts, so that they can't disagree.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

from ratings.glicko import Change, State, rate
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


@dataclass(frozen=True, slots=True)
class Rated:
    """A match rated: the weight of each pair of sides (glicko.pair_index), each player's change."""

    entry: Entry
    weights: tuple[float, ...]
    changes: dict[int, Change]


class Meetings:
    """When the same two sides met within the window before the match at hand."""

    def __init__(self) -> None:
        self._times: defaultdict[tuple[Side, Side], deque[datetime]] = defaultdict(deque)

    def note(self, entry: Entry) -> tuple[float, ...]:
        """Counts the match; the damping of each pair: the k-th within seven days weighs 1/k."""
        if len(entry.sides) == 2:
            return (self._damping(entry.sides[0], entry.sides[1], entry),)
        return tuple(self._damping(one, two, entry) for one, two in combinations(entry.sides, 2))

    def _damping(self, one: Side, two: Side, entry: Entry) -> float:
        times = self._times[(one, two) if one < two else (two, one)]
        while times and entry.finished_at - times[0] >= DAMPING_WINDOW:
            times.popleft()
        times.append(entry.finished_at)
        return entry.trust / len(times)


def fold(
    entries: Iterable[Entry],
    states: MutableMapping[int, State],
    *,
    prior: float,
    meetings: Meetings | None = None,
) -> Iterator[Rated]:
    """Rates `entries`, which come in the log's order, one by one, and keeps `states` up to date.

    `states` holds every player of the entries as it stood before the first; `meetings` knows the
    week before it. `prior` is the variance of an unknown player.
    """
    meetings = meetings or Meetings()
    for entry in entries:
        weights = meetings.note(entry)
        rated = rate(
            [[states[player] for player in side] for side in entry.sides],
            entry.places,
            target=entry.target,
            day=entry.finished_at.toordinal(),
            prior=prior,
            damping=weights,
        )
        changes = {
            player: change
            for side, outcome in zip(entry.sides, rated, strict=True)
            for player, change in zip(side, outcome, strict=True)
        }
        states.update((player, change.after) for player, change in changes.items())
        yield Rated(entry, weights, changes)
