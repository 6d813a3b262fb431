"""Rows for the detectors, and players for the cases."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from django.utils import timezone

from fairplay.detectors.rows import Account, Duel
from players.models import Player
from ratings.glicko import State

NOW = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)
KNOWN = State.shown(1500, 50)
Meet = Callable[..., list[Duel]]


@pytest.fixture
def meet() -> Meet:
    """`meet(1, 2, "WWL")`: what 1 did against 2, a match a quarter of a day, from either side;
    a small letter was given up.
    """
    numbers = count(1)

    def make(
        one: int, two: int, results: str, *, chance: float = 0.5, gain: float = 8.0,
        state: State = KNOWN, other: State = KNOWN,
    ) -> list[Duel]:  # fmt: skip
        made = []
        for number, letter in enumerate(results):
            score = {"W": 1.0, "L": 0.0, "D": 0.5}[letter.upper()]
            at = NOW - timedelta(hours=6 * (len(results) - number))
            facts = {
                "match": f"m{next(numbers)}", "pool": "allfives-1v1", "at": at, "target": 150,
                "given_up": letter.islower(),
            }  # fmt: skip
            won = gain * (2 * score - 1)
            made += [
                Duel(one=one, two=two, score=score, chance=chance, gain=won,
                     state=state, other=other, **facts),
                Duel(one=two, two=one, score=1 - score, chance=1 - chance, gain=-won,
                     state=other, other=state, **facts),
            ]  # fmt: skip
        return made

    return make


@pytest.fixture
def account() -> Callable[..., Account]:
    def make(days: float = 400, *places: str) -> Account:
        """An account made so many days before."""
        return Account(NOW - timedelta(days=days), frozenset(places))

    return make


@pytest.fixture
def people(db: None) -> Callable[[int], list[Player]]:
    """Makes players of a year ago, who need no password here; the first moderates."""
    since = timezone.now() - timedelta(days=365)

    def make(number: int) -> list[Player]:
        rows = [
            Player(
                handle=f"p{i}",
                name=f"Player {i}",
                name_key=f"player {i}",
                is_staff=i == 0,
                created_at=since,
            )
            for i in range(number)
        ]
        return Player.objects.bulk_create(rows)

    return make
