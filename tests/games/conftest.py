"""Small makers of players and tables, all through the services."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.actions import Action
from games import selectors, services, store
from games.models import Match
from players.models import Player
from players.services import create_guest

_numbers = itertools.count(1)


@pytest.fixture(autouse=True)
def _fresh_cache() -> Iterator[None]:
    store.cache.clear()
    yield
    store.cache.clear()


@pytest.fixture
def make_player(db: None) -> Callable[..., Player]:
    def make(name: str | None = None) -> Player:
        return create_guest(name=name or f"Marta {next(_numbers)}")

    return make


@pytest.fixture
def two(make_player: Callable[..., Player]) -> tuple[Player, Player]:
    return make_player(), make_player()


@pytest.fixture
def make_match(make_player: Callable[..., Player]) -> Callable[..., Match]:
    """A running match of new people, unless `players` or `bots` are given."""

    def make(rules: dict[str, Any] | None = None, seats: int = 2, **given: Any) -> Match:
        if "players" not in given:
            taken = given.get("bots", {})
            given["players"] = [None if seat in taken else make_player() for seat in range(seats)]
        return services.open_match(rules=rules or {"preset": "allfives"}, seats=seats, **given)

    return make


@pytest.fixture
def player_at() -> Callable[[Match, int], Player]:
    def find(match: Match, seat: int) -> Player:
        player = match.seat_set.get(index=seat).player
        assert player is not None
        return player

    return find


@pytest.fixture
def choose_move(player_at: Callable[[Match, int], Player]) -> Callable[..., tuple[Player, Action]]:
    """The player in turn, and the first thing they may do."""

    def choose(match: Match) -> tuple[Player, Action]:
        match.refresh_from_db()
        assert match.turn is not None
        view = selectors.engine_view(match.pk, match.turn)
        return player_at(match, match.turn), view.legal[0]

    return choose


@pytest.fixture
def move(choose_move: Callable[..., tuple[Player, Action]]) -> Callable[..., services.Ack]:
    """One legal move by whoever is in turn."""

    def make(match: Match, **given: Any) -> services.Ack:
        player, action = choose_move(match)
        return services.act(
            match_id=match.pk, player=player, action=action, **{"expected_seq": match.seq, **given}
        )

    return make


@pytest.fixture
def play_out(move: Callable[..., services.Ack]) -> Callable[[Match], None]:
    """Play a match of people to its end; nobody waits for a break."""

    def play(match: Match) -> None:
        while match.status != Match.Status.FINISHED:
            if match.turn is None:
                services.wake(match_id=match.pk, now=match.wake_at)
            else:
                move(match)
            match.refresh_from_db()

    return play
