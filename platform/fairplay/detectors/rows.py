"""What detectors read: rated matches as they were when they were rated, and who the players are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from ratings.glicko import State

FRESH = timedelta(days=7)
"""An account is new for so long."""


@dataclass(frozen=True, slots=True)
class Duel:
    """A rated match of two, as `one` played it against `two`.

    `score` is 1, 1/2 or 0, `chance` what `one` had been given, `gain` the shown points that it
    brought `one`; the states are those before the match. `given_up`: the loser resigned.
    """

    match: str
    pool: str
    at: datetime
    one: int
    two: int
    score: float
    chance: float
    gain: float
    target: int
    state: State
    other: State
    given_up: bool = False


@dataclass(frozen=True, slots=True)
class Sitting:
    """A rated match at a table of three or four, everyone for themselves.

    For each player the share of the others that he or she was to beat, and has beaten.
    """

    match: str
    at: datetime
    expected: dict[int, float]
    beaten: dict[int, float]


@dataclass(frozen=True, slots=True)
class Account:
    """`places` are digests of where it signs in from: address and browser together."""

    created_at: datetime
    places: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Finding:
    """Something for a moderator: about whom (the one who profits first), plain facts, and the
    matches, oldest first. `about` tells findings of one kind and player apart.
    """

    kind: str
    players: tuple[int, ...]
    facts: dict[str, Any]
    matches: tuple[str, ...] = field(default=())
    about: str = ""

    @property
    def subject(self) -> str:
        """By what the same thing is known again."""
        return self.about or "-".join(map(str, self.players))


def wins(duels: Iterable[Duel]) -> int:
    return sum(duel.score == 1 for duel in duels)


def chances(duels: Iterable[Duel]) -> list[float]:
    return [duel.chance for duel in duels]


def given_up(duels: Sequence[Duel]) -> int:
    """How many of the matches that `one` won the other gave up."""
    return sum(duel.given_up for duel in duels if duel.score == 1)


def is_fresh(account: Account | None, at: datetime) -> bool:
    return account is not None and at - account.created_at < FRESH


def by_pair(duels: Iterable[Duel]) -> dict[tuple[int, int], list[Duel]]:
    """The duels of each `one` with each `two`, oldest first."""
    found: dict[tuple[int, int], list[Duel]] = {}
    for duel in sorted(duels, key=lambda each: (each.at, each.match)):
        found.setdefault((duel.one, duel.two), []).append(duel)
    return found


def by_player(duels: Iterable[Duel]) -> dict[int, list[Duel]]:
    """The duels of each `one`, oldest first."""
    found: dict[int, list[Duel]] = {}
    for duel in sorted(duels, key=lambda each: (each.at, each.match)):
        found.setdefault(duel.one, []).append(duel)
    return found
