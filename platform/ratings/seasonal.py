"""A season: the rule begun anew, with half of what a career knows and all of its doubt. Pure.

A season rates the matches of its days with the weights they have in the career, so that nothing is
farmed across its beginning. Its states follow from the career's fold, match by match.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Protocol

from ratings.fold import Rated, changes_by
from ratings.glicko import PLACES, State

TOP_DIVISION = 20
"""How many the first division holds; each further one holds twice as many as the one above it."""

MIN_MATCHES = 10
MIN_OPPONENTS = 4
"""Who has a rank in a season: half of what the ladder asks for."""

LEAST_DAYS = 28

Key = tuple[int, int]
"""A season's number and a player."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """Seasons without a gap: their first days and numbers, ascending, and the last day of all."""

    begins: Sequence[int] = ()
    numbers: Sequence[int] = ()
    until: int = 0

    def season_of(self, day: int) -> int | None:
        """The number of the season that the day (an ordinal) belongs to."""
        place = bisect_right(self.begins, day) - 1
        return None if place < 0 or day > self.until else self.numbers[place]


class Facts(Protocol):
    """A stored row that has a player's state in the season."""

    def season_state(self, day: int) -> State | None: ...


@dataclass(slots=True)
class Seasons:
    """The states in each season, kept up to date by the career's rated matches in their order."""

    calendar: Calendar
    prior: float
    states: dict[Key, State] = field(default_factory=dict)
    met: dict[Key, set[int]] = field(default_factory=dict)
    """Whom each has been rated against, as far as it has been noted here."""

    def note(self, rated: Rated) -> dict[int, State]:
        """Rates the match for its season: its players' states there; empty outside of seasons."""
        entry, day = rated.entry, rated.entry.finished_at.toordinal()
        number = self.calendar.season_of(day)
        if number is None:
            return {}
        before = {
            player: self._before(number, player, change.before)
            for player, change in rated.changes.items()
        }
        changes = changes_by(entry, rated.weights, before, self.prior)
        after = {player: change.after for player, change in changes.items()}
        self.states.update(((number, player), state) for player, state in after.items())
        for side in entry.sides:
            others = set(entry.players).difference(side)
            for player in side:
                self.met.setdefault((number, player), set()).update(others)
        return after

    def take_up(self, player: int, at: datetime, facts: Facts) -> None:
        """Goes on from what the player's last match before has left."""
        day = at.toordinal()
        number, state = self.calendar.season_of(day), facts.season_state(day)
        if number is not None and state is not None:
            self.states[number, player] = state

    def _before(self, number: int, player: int, career: State) -> State:
        """The state in the season; before the first match there, from the career as it stands."""
        return self.states.get((number, player)) or beginning(career.mean, self.prior)


def beginning(career_mean: float, prior: float) -> State:
    """Where a player begins a season."""
    return State(round(career_mean / 2, PLACES), prior)


def usual_end(begins_on: date) -> date:
    """The last day of a season that begins then: a quarter's end, at least four weeks later.

    >>> usual_end(date(2026, 10, 1)), usual_end(date(2026, 12, 20))
    (datetime.date(2026, 12, 31), datetime.date(2027, 3, 31))
    """
    within = begins_on + timedelta(days=LEAST_DAYS - 1)
    return quarter_of(quarter_of(within) + timedelta(days=100)) - timedelta(days=1)


def quarter_of(day: date) -> date:
    """The first day of the quarter.

    >>> quarter_of(date(2026, 11, 30))
    datetime.date(2026, 10, 1)
    """
    return date(day.year, day.month - (day.month - 1) % 3, 1)


def division_of(rank: int, top: int) -> int:
    """The division of a rank in the season before, where the first holds `top`.

    >>> [division_of(rank, 20) for rank in (1, 20, 21, 60, 61, 140, 141)]
    [1, 1, 2, 2, 3, 3, 4]
    """
    return ((rank - 1) // top + 1).bit_length()


def ranks_of(division: int, top: int) -> tuple[int, int]:
    """The first and last rank that lead into a division.

    >>> ranks_of(2, 20)
    (21, 60)
    """
    return top * (2 ** (division - 1) - 1) + 1, top * (2**division - 1)
