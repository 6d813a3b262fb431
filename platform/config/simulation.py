"""Whole tournaments played by bots through the real services, or through real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from asgiref.sync import sync_to_async
from django.utils import timezone

from config.socket_player import SocketPlayer, signed_in_cookie
from engine.bots import LEVELS
from games import sweeper
from outbox.services import drain
from players.models import Player
from players.services import bot_player, create_guest, register
from tournaments import services as tournaments
from tournaments import stages
from tournaments.formats import arena
from tournaments.models import Game, Pairing, Tournament

Progress = Callable[[int, int], None]
AT_ONCE = 100
ARENA_EVERY, ARENA_DELAY_MS = 3, 900


@dataclass(frozen=True, slots=True)
class Plan:
    """What to simulate. `target` None: the rule set's own."""

    players: int
    format: str = "single_elimination"
    preset: str = "allfives"
    target: int | None = None
    best_of: int = 1
    options: dict[str, Any] = field(default_factory=dict)
    later_stages: tuple[dict[str, Any], ...] = ()
    pairs: bool = False

    @property
    def rules(self) -> dict[str, object]:
        target = {} if self.target is None else {"target": self.target}
        return {"preset": self.preset, **target}

    @property
    def has_arena(self) -> bool:
        """Whether a stage of it is played by the clock."""
        formats = [self.format, *(stage["format"] for stage in self.later_stages)]
        return arena.ID in formats


def organiser() -> Player:
    """Who runs simulated events: an account that nobody can sign in to."""
    known = Player.objects.filter(handle="simulation").first()
    return known or register(
        handle="simulation", name="Simulation", password=secrets.token_urlsafe(30)
    )


def play_with_bots(plan: Plan, progress: Progress) -> Tournament:
    """Bots of all strengths play an event to its end, as fast as they can think."""
    tournament = _event(plan)
    bots = [
        bot_player(level=LEVELS[number % len(LEVELS)], number=1 + number // len(LEVELS))
        for number in range(plan.players * (2 if plan.pairs else 1))
    ]
    _enter_and_start(tournament, bots)
    if plan.has_arena:
        _run_fast_clock(tournament, progress)
        return tournament
    while not _is_over(tournament, progress):
        sweeper.sweep()
        drain()
        tournaments.draw_due(tournament_id=tournament.pk)
    return tournament


def _run_fast_clock(tournament: Tournament, progress: Progress) -> None:
    """The same with a clock that runs as fast as the tables can: a second a look at them. Each
    stage begins by the real one, which its own times are counted from.
    """
    stage, now = stages.current(tournament), timezone.now()
    while not _is_over(tournament, progress):
        now += dt.timedelta(seconds=1)
        sweeper.sweep(now=now)
        drain()
        tournaments.draw_due(tournament_id=tournament.pk)
        if stages.current(tournament) != stage:
            stage, now = stages.current(tournament), timezone.now()
        if now.second % ARENA_EVERY == 0:
            tournaments.look_at_arena(tournament_id=tournament.pk, now=now)


def _event(plan: Plan) -> Tournament:
    return tournaments.create(
        organiser=organiser(),
        name=f"Simulation of {plan.players}",
        rules=plan.rules,
        format=plan.format,
        options=plan.options,
        **({"sides": "pairs"} if plan.pairs else {}),
        later_stages=list(plan.later_stages),
        best_of=plan.best_of,
        capacity=max(2, plan.players),
        bot_delay_ms=ARENA_DELAY_MS if plan.has_arena else 0,
        break_seconds=0,
        rated=True,
    )


def _enter_and_start(tournament: Tournament, entrants: Iterable[Player]) -> None:
    by = tournament.organiser
    tournaments.open_registration(tournament_id=tournament.pk, by=by)
    players = iter(entrants)
    for player in players:
        if tournament.sides == Tournament.Sides.PAIRS:
            tournaments.enter_pair(
                tournament_id=tournament.pk, by=by, player=player, partner=next(players)
            )
        else:
            tournaments.join(tournament_id=tournament.pk, player=player)
    tournaments.start(tournament_id=tournament.pk, by=by)


def _is_over(tournament: Tournament, progress: Progress) -> bool:
    pairings = Pairing.objects.filter(stage__tournament=tournament)
    decided = pairings.filter(status=Pairing.Status.DECIDED).count()
    progress(decided, pairings.count())
    tournament.refresh_from_db()
    return tournament.status == Tournament.Status.FINISHED


def play_through_sockets(plan: Plan, site: str, progress: Progress) -> Tournament:
    """People, at the other end of WebSockets, play an event at a running server.

    This process makes the event and the sessions in the server's own database and then only
    watches: seats, moves and advancement all go through the server.
    """
    tournament = _event(plan)
    entrants = [create_guest() for _ in range(plan.players)]
    cookies = {player.pk: signed_in_cookie(player) for player in entrants}
    _enter_and_start(tournament, entrants)
    asyncio.run(_play_all(tournament, cookies, site, progress))
    return tournament


async def _play_all(
    tournament: Tournament, cookies: dict[int, str], site: str, progress: Progress
) -> None:
    playing: dict[tuple[str, int], asyncio.Task[None]] = {}
    try:
        while not await sync_to_async(_is_over)(tournament, progress):
            for match_id, player_id in await sync_to_async(_seats_to_play)(tournament):
                if (match_id, player_id) not in playing and len(playing) < AT_ONCE:
                    player = SocketPlayer(site, match_id, cookies[player_id])
                    playing[match_id, player_id] = asyncio.create_task(player.play())
            for seat in [seat for seat, task in playing.items() if task.done()]:
                playing.pop(seat).result()
            await asyncio.sleep(0.2)
    finally:
        await _cancel(playing.values())


def _seats_to_play(tournament: Tournament) -> list[tuple[str, int]]:
    live: list[tuple[str, int | None]] = list(
        Game.objects.filter(pairing__stage__tournament=tournament, over_at__isnull=True)
        .order_by("pk")
        .values_list("match_id", "pairing__slots__entrant__player_id")
    )
    return [(match_id, player_id) for match_id, player_id in live if player_id is not None]


async def _cancel(tasks: Iterable[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
