"""An arena as it runs: who waits is paired by the clock, until the time is over.

Pairing a thousand people takes a moment, so it is done before the event's lock is taken; under the
lock only those are seated who still wait. A match that ends touches its own pairing and nothing
else: the standings are folded when somebody asks for them, and at the end.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from games.models import Match
from players.models import Player
from tournaments import apart, audit
from tournaments import arena as arenas
from tournaments import board as boards
from tournaments.access import UNKNOWN_RATING
from tournaments.errors import TournamentError
from tournaments.formats import arena
from tournaments.formats import model as fm
from tournaments.models import (
    ArenaClock,
    Entrant,
    Game,
    Pairing,
    Presence,
    Result,
    Round,
    Slot,
    Stage,
    Tournament,
)
from tournaments.services import presences, progress, tables
from tournaments.services.work import lock, lock_for, running

ABSENT = ("no_show", "forfeit")

log = logging.getLogger(__name__)


def pair_all(now: dt.datetime | None = None) -> int:
    """One look of the clock at every arena that runs; how many people were seated."""
    open_clocks = ArenaClock.objects.filter(
        closed_at__isnull=True, stage__tournament__status=Tournament.Status.RUNNING
    )
    seated = 0
    for tournament_id in open_clocks.values_list("stage__tournament", flat=True):
        try:
            seated += look(tournament_id=tournament_id, now=now)
        except Exception:
            log.exception("Arena %d was not looked at", tournament_id)
    return seated


def look(*, tournament_id: int, now: dt.datetime | None = None) -> int:
    """Pairs who waits in an arena, or ends it when its time is over; how many were seated.

    Safe to call at any time, from anywhere, twice at once.
    """
    moment = now or timezone.now()
    stage = arenas.stage_of(Tournament.objects.get(pk=tournament_id))
    clock = ArenaClock.objects.filter(stage=stage).first()
    if stage is None or clock is None or clock.closed_at is not None:
        return 0
    if clock.ends_at <= moment:
        close(tournament_id=tournament_id, now=moment)
        return 0
    drawn, seeds = _draw(stage, moment)
    seated = _seat(tournament_id, stage.pk, drawn, seeds, moment) if drawn else 0
    tables.open_ready(tournament_id)
    return seated


@transaction.atomic
def begin(*, tournament_id: int, by: Player) -> None:
    """Starts the clock of an arena that follows another stage and waits for the arbiter; nothing
    when it runs. Raises TournamentError not_running, over, not_due.
    """
    tournament = lock_for(tournament_id, by, "rounds")
    running(tournament)
    stage = arenas.stage_of(tournament)
    if stage is None:
        raise TournamentError("not_due")
    if ArenaClock.objects.filter(stage=stage).exists():
        return
    presences.begin(stage)
    audit.note(tournament, by, "arena_begun", stage=stage.number)


@transaction.atomic
def close(*, tournament_id: int, now: dt.datetime | None = None) -> bool:
    """Ends the pairing. What is in course is played to its end, and counts if that was declared;
    when nothing is, the arena is over. False when it was closed before, or isn't due.
    """
    moment = now or timezone.now()
    tournament = lock(tournament_id)
    stage = arenas.stage_of(tournament)
    due = ArenaClock.objects.filter(stage=stage, closed_at__isnull=True, ends_at__lte=moment)
    if stage is None or not tournament.is_running or not due.update(closed_at=moment):
        return False
    in_course = list(arenas.undecided(stage).order_by("number").values_list("number", flat=True))
    stage.config = {**stage.config, "closed": in_course}
    stage.save(update_fields=["config"])
    board = boards.load(stage)
    for number in sorted(arena.dropped(board.field)):
        progress.append(board, number, Result.Outcome.NOT_NEEDED, None, stops=False)
    progress.advance(board)
    return True


@transaction.atomic
def end_now(*, tournament_id: int, by: Player, reason: str = "") -> None:
    """Brings the end forward to now, for whoever runs it; the clock does the rest.

    Raises TournamentError not_running, over.
    """
    tournament = lock_for(tournament_id, by, "rounds")
    running(tournament)
    stage = arenas.stage_of(tournament)
    clock = ArenaClock.objects.filter(stage=stage, closed_at__isnull=True)
    if stage is None or not clock.exists():
        raise TournamentError("over", status=tournament.status)
    clock.update(ends_at=timezone.now())
    audit.note(tournament, by, "arena_ended", reason)


@transaction.atomic
def pause(*, tournament_id: int, player: Player) -> None:
    """The player is not paired until they come back; a match in course goes on.

    Raises TournamentError no_entrant, not_running, over.
    """
    row = _presence(tournament_id, player)
    if not row.paused:
        row.paused, row.since = True, timezone.now()
        row.save(update_fields=["paused", "since"])


@transaction.atomic
def resume(*, tournament_id: int, player: Player) -> None:
    """The player waits for an opponent again. Raises the same."""
    row = _presence(tournament_id, player)
    if row.paused:
        row.paused, row.since = False, timezone.now()
        row.save(update_fields=["paused", "since"])


def settle(stage: Stage, game: Game) -> None:
    """Takes over a match that is over: its game, its pairing, and who played it waits again.

    Only when the time is over, and this was the last one, is the whole arena folded.
    """
    number = Pairing.objects.values_list("number", flat=True).get(pk=game.pairing_id)
    board = boards.load_one(stage, number)
    if not progress.collect(board, number):
        return
    progress.follow(board, number)
    presences.free(stage)
    _pause_absent(board, number)
    if "closed" in stage.config and not arenas.undecided(stage).exists():
        progress.advance(boards.load(stage))


def catch_up(stage: Stage) -> None:
    """Takes over every match that is over and wasn't noticed. The event is locked."""
    over = Match.objects.filter(status__in=[Match.Status.FINISHED, Match.Status.CANCELLED])
    games = Game.objects.filter(
        pairing__stage=stage, over_at__isnull=True, match_id__in=over.values("pk")
    )
    for game in games:
        settle(stage, game)
    if "closed" in stage.config and not arenas.undecided(stage).exists():
        progress.advance(boards.load(stage))


def _pause_absent(board: boards.Board, number: int) -> None:
    """Who didn't come, or went away for good, is not paired again until they say so."""
    games = board.counted_games(number)
    if not games or board.result(number) is None or games[-1].reason not in ABSENT:
        return
    if arenas.stage_of(board.stage.tournament) != board.stage:  # they are elsewhere by now
        return
    lost = [slot.entrant_id for slot in board.slots[number] if slot.side != games[-1].winner]
    people = Presence.objects.filter(entrant__in=lost, entrant__player__bot_level="")
    people.update(paused=True)


def _presence(tournament_id: int, player: Player) -> Presence:
    """The player's row, the event locked."""
    tournament = lock(tournament_id)
    running(tournament)
    row = (
        Presence.objects.filter(
            entrant__tournament=tournament,
            entrant__status=Entrant.Status.ACTIVE,
            entrant__player=player,
        ).first()
        or Presence.objects.filter(
            entrant__tournament=tournament,
            entrant__status=Entrant.Status.ACTIVE,
            entrant__partner=player,
        ).first()
    )
    if row is None:
        raise TournamentError("no_entrant")
    return row


def _draw(stage: Stage, now: dt.datetime) -> tuple[tuple[fm.Meeting, ...], dict[int, int]]:
    """Who of those waiting would play whom, and entrants' ids by seed."""
    present = arenas.present(stage).filter(entrant__status=Entrant.Status.ACTIVE)
    playing = present.filter(pairing__isnull=False).count()
    since = dict(
        present.filter(pairing__isnull=True, paused=False).values_list("entrant_id", "since")
    )
    if len(since) < 2:
        return (), {}
    found = arenas.facts(stage)
    sheets = arena.sheets(found.field, found.verdicts)
    places = _places(stage, found, sheets)
    avoid = _kept_apart(stage, found.entrants)
    waiting = [
        arena.Waiting(
            seed=seed,
            place=places[seed],
            waited=max(0, int((now - since[entrant]).total_seconds())),
            points=sheets[seed].points,
            last=sheets[seed].last,
            balance=sheets[seed].balance,
            met=sheets[seed].met,
            apart=frozenset(avoid[seed]),
        )
        for seed, entrant in found.entrants.items()
        if entrant in since
    ]
    numbers = stage.pairings.aggregate(last=Max("number"))
    rounds = stage.rounds.aggregate(last=Max("number"))
    drawn = arena.pair(
        waiting,
        number=(numbers["last"] or 0) + 1,
        round=(rounds["last"] or 0) + 1,
        active=len(waiting) + playing,
        randomness=stage.seed,
    )
    return drawn, dict(found.entrants)


def _kept_apart(stage: Stage, entrants: Mapping[int, int]) -> dict[int, set[int]]:
    """Whom each should not meet, by seed."""
    avoid: dict[int, set[int]] = defaultdict(set)
    if not stage.tournament.aparts.exists():
        return avoid
    rows = Entrant.objects.in_bulk(list(entrants.values()))
    seated = {seed: rows[pk] for seed, pk in entrants.items()}
    for one, other in apart.pairs_of(stage.tournament, seated):
        avoid[one].add(other)
        avoid[other].add(one)
    return avoid


def _places(stage: Stage, found: arenas.Facts, sheets: dict[int, arena.Sheet]) -> dict[int, int]:
    """Places by strength now, of those who are in: points first, then the rating at entry."""
    known = stage.seedings.filter(rating__isnull=False).values_list("number", "rating")
    rated: dict[int, int | None] = dict(known)
    inside = [seed for seed in found.entrants if seed not in found.field.out]
    inside.sort(key=lambda seed: (-sheets[seed].points, -(rated.get(seed) or UNKNOWN_RATING), seed))
    return {seed: place for place, seed in enumerate(inside, start=1)}


@transaction.atomic
def _seat(
    tournament_id: int,
    stage_id: int,
    drawn: Iterable[fm.Meeting],
    entrants: dict[int, int],
    now: dt.datetime,
) -> int:
    """Makes the pairings of those who still wait; how many people were seated."""
    tournament = lock(tournament_id)
    clock = ArenaClock.objects.select_related("stage").get(stage=stage_id)
    if not tournament.is_running or clock.closed_at is not None:
        return 0
    stage = clock.stage
    free_now = {
        row.entrant_id: row
        for row in arenas.present(stage).filter(
            pairing__isnull=True, paused=False, entrant__status=Entrant.Status.ACTIVE
        )
    }
    kept = [
        (meeting, [free_now[entrants[seed]] for seed in meeting.seeds])
        for meeting in drawn
        if all(entrants[seed] in free_now for seed in meeting.seeds)
    ]
    if kept:
        _create(stage, kept, now)
    return 2 * len(kept)


def _create(stage: Stage, kept: list[tuple[fm.Meeting, list[Presence]]], now: dt.datetime) -> None:
    """A round of these meetings, numbered on from the last; its rows, and who sits where."""
    last = stage.rounds.aggregate(last=Max("number"))["last"] or 0
    first = (stage.pairings.aggregate(last=Max("number"))["last"] or 0) + 1
    decided = Result.objects.filter(pairing__stage=stage).aggregate(last=Max("pk"))["last"] or 0
    row = Round.objects.create(
        stage=stage,
        number=last + 1,
        started_at=now,
        draw={"rules": stage.rules_id, "seed": stage.seed, "after": decided},
    )
    pairings = Pairing.objects.bulk_create(
        Pairing(
            stage=stage,
            round=row,
            number=first + at,
            position=at + 1,
            status=Pairing.Status.READY,
            why=dict(meeting.because),
        )
        for at, (meeting, _both) in enumerate(kept)
    )
    slots, presences = [], []
    for pairing, (_meeting, both) in zip(pairings, kept, strict=True):
        for index, presence in enumerate(both):
            kind = Slot.Kind.ENTRANT
            slots.append(
                Slot(
                    pairing=pairing,
                    round=row,
                    index=index,
                    side=index,
                    kind=kind,
                    entrant_id=presence.entrant_id,
                )
            )
            presence.pairing, presence.since = pairing, now
            presences.append(presence)
    Slot.objects.bulk_create(slots, batch_size=500)
    Presence.objects.bulk_update(presences, ["pairing", "since"], batch_size=200)
