from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from engine import bots
from games import selectors, services, store
from games.models import Match
from players.models import Player
from players.services import bot_player, register
from players.sessions import BACKEND
from ratings.glicko import variance_of
from ratings.models import Rating
from tournaments import services as tournaments
from tournaments.models import Tournament

_numbers = itertools.count(1)


@pytest.fixture(autouse=True)
def settings_of_tests(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    store.cache.clear()


@pytest.fixture
def make_player(db: None) -> Callable[..., Player]:
    def make(name: str = "") -> Player:
        number = next(_numbers)
        handle = f"person-{number}"
        return register(handle=handle, name=name or f"Person {number}", password="double-six-leads")

    return make


@pytest.fixture
def as_player() -> Callable[[Player], Client]:
    """A browser in which somebody is signed in."""

    def enter(player: Player) -> Client:
        client = Client()
        client.force_login(player, backend=BACKEND)
        return client

    return enter


@pytest.fixture
def finished_match(make_player: Callable[..., Player]) -> Callable[..., Match]:
    """A short match, played to its end by the bots' moves on behalf of two people."""

    def play(one: Player, other: Player, target: int = 5) -> Match:
        players = [one, other]
        match = services.open_match(
            rules={"preset": "allfives", "target": target},
            seats=2,
            players=players,
            break_seconds=0,
        )
        while match.is_running:
            if match.turn is None:
                services.wake(match_id=match.pk, now=timezone.now())
            else:
                view = selectors.engine_view(match.pk, match.turn)
                services.act(
                    match_id=match.pk,
                    player=players[match.turn],
                    expected_seq=match.seq,
                    action=bots.choose("easy", view, match.seq),
                )
            match.refresh_from_db()
        return match

    return play


@pytest.fixture
def rate() -> Callable[..., Rating]:
    """A rating as many matches would have made it."""

    def make(player: Player, mean: float = 0.0, matches: int = 30) -> Rating:
        now = timezone.now()
        return Rating.objects.create(
            player=player,
            pool="allfives-1v1",
            mean=mean,
            variance=variance_of(50.0 if matches >= 20 else 120.0),
            last_day=now.date(),
            last_at=now,
            matches=matches,
            opponents=min(matches, 15),
        )

    return make


@pytest.fixture
def make_event(make_player: Callable[..., Player]) -> Callable[..., Tournament]:
    """A tournament open for entry, with `bots` in it."""

    def make(organiser: Player, bots: int = 0, **settings: Any) -> Tournament:
        given = {"name": f"Cup {next(_numbers)}", "capacity": 64, **settings}
        event = tournaments.create(organiser=organiser, **given)
        tournaments.open_registration(tournament_id=event.pk, by=organiser)
        if bots:
            tournaments.add_bots(tournament_id=event.pk, by=organiser, count=bots, level="easy")
        event.refresh_from_db()
        return event

    return make


@pytest.fixture
def make_bot(db: None) -> Callable[[int], Player]:
    return lambda number: bot_player(level="easy", number=number)
