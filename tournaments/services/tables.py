"""The live tables of pairings: opened when both opponents are there, stopped when need be.

A table and its game's row are made in one transaction, with those of some dozens of others: a
process that dies in the middle of a round leaves some tables open and the others ready, and the
next tick opens those.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max, Prefetch, Q
from django.utils import timezone

from games import services as games
from games.errors import GameError
from games.models import Match
from players.models import Player
from tournaments import formats, tally, topics
from tournaments.formats import arena
from tournaments.models import Entrant, Game, Pairing, Round, Slot, Tournament
from tournaments.services.work import lock

FORFEIT_AWAY_SECONDS = 120  # rules.md 8
AT_ONCE = 500  # tables that one call opens, at most …
TOGETHER = 50  # … so many in a transaction, which holds the event
EVERY_SIDE = range(4)

log = logging.getLogger(__name__)


def open_ready(tournament_id: int, limit: int = AT_ONCE) -> int:
    """Opens tables for pairings that are ready; how many. The tick opens what is left over.

    One that can't be opened is logged and doesn't keep the others.
    """
    ready = Pairing.objects.filter(
        stage__tournament=tournament_id,
        stage__tournament__status=Tournament.Status.RUNNING,
        status=Pairing.Status.READY,
        round__status=Round.Status.STARTED,
        round__paused_at__isnull=True,
    ).exclude(play_of(Tournament.Play.BOARD))
    ids = list(ready.order_by("number").values_list("pk", flat=True)[:limit])
    return sum(
        _open_some(tournament_id, ids[at : at + TOGETHER]) for at in range(0, len(ids), TOGETHER)
    )


def _open_some(tournament_id: int, pairing_ids: Sequence[int]) -> int:
    """All of them together; should that fail, each by itself."""
    try:
        return open_tables(tournament_id, pairing_ids)
    except Exception:
        if len(pairing_ids) > 1:
            return sum(_open_some(tournament_id, [pairing_id]) for pairing_id in pairing_ids)
        log.exception("No table was opened for pairing %d", pairing_ids[0])
        return 0


@transaction.atomic
def open_tables(tournament_id: int, pairing_ids: Collection[int]) -> int:
    """Opens the next table of each of the pairings that is ready (still); how many. What a table
    refuses is raised.
    """
    tournament = lock(tournament_id)
    if not tournament.is_running:
        return 0
    meetings = _free(tournament, _meetings(tournament, pairing_ids))
    sit_by = timezone.now() + dt.timedelta(seconds=tournament.no_show_seconds)
    answers = games.open_matches([_opening(tournament, meeting, sit_by) for meeting in meetings])
    matches = [_not_refused(answer) for answer in answers]
    Game.objects.bulk_create(
        Game(pairing=meeting.pairing, number=meeting.number, match_id=match.pk, sit_by=sit_by)
        for meeting, match in zip(meetings, matches, strict=True)
    )
    ids = [meeting.pairing.pk for meeting in meetings]
    Pairing.objects.filter(pk__in=ids).update(status=Pairing.Status.LIVE)
    for meeting, match in zip(meetings, matches, strict=True):
        _catch_up(meeting, match)
    return len(matches)


@dataclass(frozen=True, slots=True)
class _Meeting:
    """A pairing that is due at a table, and the number of its next game."""

    pairing: Pairing
    slots: Sequence[Slot]
    number: int

    @property
    def entrants(self) -> list[Entrant]:
        return [slot.entrant for slot in self.slots if slot.entrant is not None]


def _meetings(tournament: Tournament, pairing_ids: Collection[int]) -> list[_Meeting]:
    """Those of the pairings that are ready for a live table."""
    slots = Slot.objects.order_by("index").select_related("entrant__player", "entrant__partner")
    ready = (
        Pairing.objects.filter(
            pk__in=pairing_ids, stage__tournament=tournament, status=Pairing.Status.READY
        )
        .select_related("round", "stage")
        .prefetch_related(Prefetch("slots", slots))
        .annotate(played=Max("games__number", default=0))
        .order_by("number")
    )
    found = []
    for pairing in ready:
        pairing.stage.tournament = tournament  # which its settings would be read from, each anew
        if plays_live(tournament, pairing):
            found.append(_Meeting(pairing, list(pairing.slots.all()), pairing.played + 1))
    return found


def _free(tournament: Tournament, meetings: Sequence[_Meeting]) -> list[_Meeting]:
    """The meetings of those who sit at no other table of the event: nobody plays two at once."""
    entrants = [entrant.pk for meeting in meetings for entrant in meeting.entrants]
    in_course = Game.objects.filter(
        over_at__isnull=True,
        pairing__stage__tournament=tournament,
        pairing__slots__entrant__in=entrants,
    )
    playing = set(in_course.order_by().values_list("pairing__slots__entrant", flat=True))
    found = []
    for meeting in meetings:
        inside = {entrant.pk for entrant in meeting.entrants}
        if playing.isdisjoint(inside):
            playing |= inside
            found.append(meeting)
    return found


def _opening(tournament: Tournament, meeting: _Meeting, sit_by: dt.datetime) -> games.Opening:
    pairing, players = meeting.pairing, seated(tournament, meeting.entrants)
    return {
        "rules": pairing.stage.rules or tournament.rules,
        "seats": len(players),
        "players": players,
        "turn_seconds": pairing.stage.turn_seconds,
        "bank_seconds": tournament.bank_seconds,
        "break_seconds": tournament.break_seconds,
        "bot_delay_ms": tournament.bot_delay_ms,
        "spectator_delay": tournament.spectator_delay,
        "time_percents": _time_percents(meeting.entrants, len(players)),
        "rated": tournament.rated,
        "context": {
            "pairing": pairing.pk,
            "game": meeting.number,
            "topic": topics.of_event(tournament.pk),
        },
        "sit_by": sit_by,
        # In an arena one table follows another.
        "told": pairing.stage.format != arena.ID,
        "forfeit_away_seconds": FORFEIT_AWAY_SECONDS,
    }


def _not_refused(answer: Match | Exception) -> Match:
    if isinstance(answer, Exception):
        raise answer
    return answer


def _catch_up(meeting: _Meeting, match: Match) -> None:
    """What has happened meanwhile to a table that comes late: time called, somebody gone."""
    pairing = meeting.pairing
    if pairing.round.called_at is not None:
        games.call_time(match_id=match.pk, needs_winner=not formats.get(pairing.stage.format).DRAWS)
    gone = [s.side for s in meeting.slots if s.entrant is not None and not s.entrant.is_active]
    if gone:
        games.forfeit(match_id=match.pk, seats=gone, reason="forfeit")


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
