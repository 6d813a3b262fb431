from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from games import store
from players.models import Player
from players.services import create_guest
from ratings.glicko import variance_of
from ratings.models import Rating

_numbers = itertools.count(1)


@pytest.fixture(autouse=True)
def _no_kept_tables() -> None:
    store.cache.clear()


@pytest.fixture
def make_player(db: None) -> Callable[..., Player]:
    """A person with an account, known to have this rating against one opponent."""

    def make(points: float | None = None) -> Player:
        number = next(_numbers)
        handle = f"person-{number}"
        player = Player.objects.create(handle=handle, name=f"Person {number}", name_key=handle)
        if points is not None:
            Rating.objects.create(
                player=player, pool="allfives-1v1", matches=30, opponents=15,
                mean=(points - 1500) / 173.7178, variance=variance_of(50.0),
            )  # fmt: skip
        return player

    return make


@pytest.fixture
def make_guest(db: None) -> Callable[[], Player]:
    return create_guest
