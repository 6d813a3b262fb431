"""Events made and played through the real services."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from games import services as games
from games import sweeper
from games.models import Match
from outbox import services as outbox
from players.models import Player
from players.services import create_guest
from tournaments import board as boards
from tournaments import services
from tournaments.board import Board
from tournaments.models import Entrant, Game, Pairing, Tournament

SHORT = {"preset": "allfives", "target": 20}
_FAST = {"rules": SHORT, "bot_delay_ms": 0, "break_seconds": 0}


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    cache.clear()


@pytest.fixture
def organiser(db: Any) -> Player:
    return Player.objects.create_user("olga", name="Olga")  # hashes no password: quick


@pytest.fixture
def people(db: Any) -> Callable[[int], list[Player]]:
    return lambda count: [create_guest() for _ in range(count)]


@pytest.fixture
def event(organiser: Player) -> Callable[..., Tournament]:
    """An event open for entry, quick to play."""

    def make(**settings: Any) -> Tournament:
        made = services.create(organiser=organiser, name="Friday Cup", **{**_FAST, **settings})
        return services.open_registration(tournament_id=made.pk, by=organiser)

    return make


@pytest.fixture
def started(
    event: Callable[..., Tournament], people: Callable[[int], list[Player]]
) -> Callable[..., Tournament]:
    """An event of people that has been started; entrants are seeded in the order they joined."""

    def make(count: int, **settings: Any) -> Tournament:
        made = event(**settings)
        for player in people(count):
            services.join(tournament_id=made.pk, player=player)
        return services.start(tournament_id=made.pk, by=made.organiser)

    return make


@pytest.fixture
def bots_event(event: Callable[..., Tournament]) -> Callable[..., Tournament]:
    """An event of bots that has been started."""

    def make(count: int, **settings: Any) -> Tournament:
        made = event(**settings)
        services.add_bots(tournament_id=made.pk, by=made.organiser, count=count, level="easy")
        return services.start(tournament_id=made.pk, by=made.organiser)

    return make


class Play:
    """What players, tables and the clock do in an event; seeds name entrants."""

    def board(self, tournament: Tournament) -> Board:
        return boards.load(tournament.stages.get())

    def pairing(self, tournament: Tournament, number: int) -> Pairing:
        return Pairing.objects.get(stage__tournament=tournament, number=number)

    def entrant(self, tournament: Tournament, seed: int) -> Entrant:
        return Entrant.objects.select_related("player").get(tournament=tournament, seed=seed)

    def seeds(self, tournament: Tournament, number: int) -> list[int | None]:
        """Who meets in a pairing; None for a place without entrant."""
        board = self.board(tournament)
        return [board.seed_of(slot.entrant_id) for slot in board.slots[number]]

    def places(self, tournament: Tournament) -> list[int | None]:
        """The final places, by seed."""
        seeded = tournament.entrants.filter(seed__isnull=False).order_by("seed")
        return list(seeded.values_list("place", flat=True))

    def result(self, tournament: Tournament, number: int) -> tuple[str, int | None] | None:
        """Outcome and winning seed, if the pairing is decided."""
        board = self.board(tournament)
        result = board.result(number)
        return None if result is None else (result.outcome, board.seed_of(result.winner_id))

    def game(self, tournament: Tournament, number: int) -> Game:
        """The game of a pairing that was opened last."""
        games = Game.objects.filter(pairing=self.pairing(tournament, number))
        found = games.order_by("-number").first()
        assert found is not None
        return found

    def sit_down(self, tournament: Tournament, number: int) -> Match:
        """Both players of a pairing come to their table."""
        match_id = self.game(tournament, number).match_id
        for slot in self.pairing(tournament, number).slots.select_related("entrant__player"):
            assert slot.entrant is not None
            games.sit(match_id=match_id, player=slot.entrant.player)
        return Match.objects.get(pk=match_id)

    def lose(self, tournament: Tournament, number: int, loser: int, *, tell: bool = True) -> str:
        """The pairing's game is begun, and the entrant seeded `loser` resigns; the match."""
        match = self.sit_down(tournament, number)
        games.resign(match_id=match.pk, player=self.entrant(tournament, loser).player)
        if tell:
            self.deliver()
        return match.pk

    def deliver(self) -> int:
        """What the outbox has, also what rests after a failure."""
        return outbox.drain(now=timezone.now() + dt.timedelta(hours=2))

    def wake(self, tournament: Tournament, number: int, *, after: float) -> None:
        """The clock looks at a pairing's table that many seconds from now."""
        now = timezone.now() + dt.timedelta(seconds=after)
        games.wake(match_id=self.game(tournament, number).match_id, now=now)
        self.deliver()

    def to_the_end(self, tournament: Tournament, looks: int = 2000) -> Tournament:
        """Lets the clock run, bots play and the outbox deliver until the event is over."""
        for _ in range(looks):
            tournament.refresh_from_db()
            if not tournament.is_running:
                return tournament
            sweeper.sweep(now=timezone.now() + dt.timedelta(seconds=1))
            outbox.drain()
            services.draw_due(tournament_id=tournament.pk)
        raise AssertionError("the event does not end")


@pytest.fixture
def play(db: Any) -> Play:
    return Play()
