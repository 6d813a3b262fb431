"""The live tables of pairings: opened when both opponents are there, stopped when need be.

A table and its game's row are made in one transaction, each pairing in its own: a process that
dies in the middle of a round leaves some tables open and the others ready, and the next tick
opens those.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games import services as games
from games.errors import GameError
from games.models import Match
from players.models import Player
from tournaments import formats, tally, topics
from tournaments.models import Entrant, Game, Pairing, Round, Slot, Tournament
from tournaments.services.work import lock

FORFEIT_AWAY_SECONDS = 120  # rules.md 8
AT_ONCE = 50
EVERY_SIDE = range(4)

log = logging.getLogger(__name__)


def open_ready(tournament_id: int, limit: int = AT_ONCE) -> int:
    """Opens tables for pairings that are ready; how many. The tick opens what is left over.

    A table that can't be opened is logged and doesn't keep the others.
    """
    ready = Pairing.objects.filter(
        stage__tournament=tournament_id,
        stage__tournament__status=Tournament.Status.RUNNING,
        status=Pairing.Status.READY,
        round__status=Round.Status.STARTED,
        round__paused_at__isnull=True,
    ).exclude(play_of(Tournament.Play.BOARD))
    opened = 0
    for pairing_id in ready.order_by("number").values_list("pk", flat=True)[:limit]:
        try:
            opened += open_table(tournament_id, pairing_id)
        except Exception:
            log.exception("No table was opened for pairing %d", pairing_id)
    return opened


@transaction.atomic
def open_table(tournament_id: int, pairing_id: int) -> bool:
    """Opens the pairing's next table; False when it isn't ready (any more)."""
    tournament = lock(tournament_id)
    found = Pairing.objects.select_related("round", "stage")
    pairing = found.get(pk=pairing_id, stage__tournament=tournament)
    is_ready = pairing.status == Pairing.Status.READY and tournament.is_running
    if not is_ready or not plays_live(tournament, pairing):
        return False
    slots = list(
        Slot.objects.filter(pairing=pairing)
        .order_by("index")
        .select_related("entrant__player", "entrant__partner")
    )
    if _is_playing(tournament, slots):
        return False
    inside = [slot.entrant for slot in slots if slot.entrant is not None]
    players = seated(tournament, inside)
    last = Game.objects.filter(pairing=pairing).order_by("-number").first()
    number = 1 if last is None else last.number + 1
    sit_by = timezone.now() + dt.timedelta(seconds=tournament.no_show_seconds)
    match = games.open_match(
        rules=pairing.stage.rules or tournament.rules,
        seats=len(players),
        players=players,
        turn_seconds=pairing.stage.turn_seconds,
        bank_seconds=tournament.bank_seconds,
        break_seconds=tournament.break_seconds,
        bot_delay_ms=tournament.bot_delay_ms,
        spectator_delay=tournament.spectator_delay,
        time_percents=_time_percents(inside, len(players)),
        rated=tournament.rated,
        context={
            "pairing": pairing.pk,
            "game": number,
            "topic": topics.of_event(tournament.pk),
        },
        sit_by=sit_by,
        forfeit_away_seconds=FORFEIT_AWAY_SECONDS,
    )
    Game.objects.create(pairing=pairing, number=number, match_id=match.pk, sit_by=sit_by)
    if pairing.round.called_at is not None:
        games.call_time(match_id=match.pk, needs_winner=not formats.get(pairing.stage.format).DRAWS)
    pairing.status = Pairing.Status.LIVE
    pairing.save(update_fields=["status"])
    gone = [s.side for s in slots if s.entrant is not None and not s.entrant.is_active]
    if gone:
        games.forfeit(match_id=match.pk, seats=gone, reason="forfeit")
    return True


def _is_playing(tournament: Tournament, slots: Sequence[Slot]) -> bool:
    """Whether one of them sits at another table of the event: nobody plays two at once."""
    inside = [slot.entrant_id for slot in slots if slot.entrant_id is not None]
    return Game.objects.filter(
        over_at__isnull=True,
        pairing__stage__tournament=tournament,
        pairing__slots__entrant__in=inside,
    ).exists()


def plays_live(tournament: Tournament, pairing: Pairing) -> bool:
    """Whether the pairing is for a live table: of a round that is started and not paused, if the
    event, or the pairing itself, is not played over the board.
    """
    play, of = pairing.play or tournament.play, pairing.round
    return of.is_started and of.paused_at is None and play != Tournament.Play.BOARD


def play_of(play: str) -> Q:
    """Pairings that are played like that: by their own word, or their event's."""
    return Q(play=play) | Q(play="", stage__tournament__play=play)


def _time_percents(inside: Sequence[Entrant], seats: int) -> dict[int, int]:
    """By seat; partners, who sit across, have the time of their entry."""
    return {index: inside[index % len(inside)].time_percent for index in range(seats)}


def seated(tournament: Tournament, entrants: Sequence[Entrant]) -> list[Player]:
    """Who sits where: entrants in the order of their slots; of fixed pairs the partners across."""
    if tournament.sides != Tournament.Sides.PAIRS:
        return [entrant.player for entrant in entrants]
    partners = [entrant.partner for entrant in entrants if entrant.partner is not None]
    return [*(entrant.player for entrant in entrants), *partners]


def record(game: Game) -> bool:
    """Writes down how the game's match ended; False while it hasn't.

    A match that was called off before it began counts for nothing.
    """
    match = Match.objects.get(pk=game.match_id)
    if game.over_at is not None or match.is_open or match.is_running:
        return False
    game.void = match.status == Match.Status.CANCELLED
    game.over_at = match.finished_at or timezone.now()
    game.winner, game.scores, game.reason = match.winner, match.scores, match.reason
    game.places = match.places or []
    game.forfeits = tally.forfeits_of(match)[match.pk]
    game.save(update_fields=["void", "over_at", "winner", "scores", "places", "forfeits", "reason"])
    return True


def stop(game: Game, *, losers: Iterable[int], void: bool = False) -> None:
    """Ends the game's match: called off if it hasn't begun, else forfeited by `losers` (sides).

    One that is over already stays as it ended. `void`: the game counts for nothing.
    """
    if game.over_at is None and not call_off(game):
        reason = "cancelled" if void else "forfeit"
        games.forfeit(match_id=game.match_id, seats=_seats(game, losers), reason=reason)
        record(game)
    if void and not game.void:
        game.void = True
        game.save(update_fields=["void"])


def call_off(game: Game) -> bool:
    """Closes the game's table if nobody has begun to play at it; whether it is closed."""
    try:
        games.cancel(match_id=game.match_id, reason="decided")
    except GameError:
        return False
    return record(game)


def leave(game: Game, side: int) -> None:
    """Takes one side out of the game's match; the others play on, if two are left.

    What it ends is taken over with all else that follows (services.progress).
    """
    if game.over_at is None:
        games.forfeit(match_id=game.match_id, seats=_seats(game, [side]), reason="forfeit")


def _seats(game: Game, sides: Iterable[int]) -> list[int]:
    """The seats of those sides: partners sit across."""
    match, wanted = Match.objects.get(pk=game.match_id), set(sides)
    of = max(1, len(match.scores))
    return [seat for seat in range(match.seats) if seat % of in wanted]


def close_all(tournament_id: int, limit: int = AT_ONCE) -> int:
    """Stops the tables of an event that was called off; nobody wins. How many."""
    open_games = Game.objects.filter(
        pairing__stage__tournament=tournament_id,
        pairing__stage__tournament__status=Tournament.Status.CANCELLED,
        over_at__isnull=True,
    )
    closed = 0
    for game_id in open_games.order_by("pk").values_list("pk", flat=True)[:limit]:
        with transaction.atomic():
            lock(tournament_id)
            stop(Game.objects.get(pk=game_id), losers=EVERY_SIDE, void=True)
            closed += 1
    return closed
