"""Starting an event, keeping it going, ending it."""

from __future__ import annotations

import datetime as dt
import logging
from random import Random

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import Match
from players.models import Player
from tournaments import audit, formats, stages
from tournaments import board as boards
from tournaments.access import UNKNOWN_RATING
from tournaments.errors import SENTENCES, TournamentError
from tournaments.formats import arena as arena_format
from tournaments.models import Entrant, Game, Pairing, Round, Seeding, Stage, Tournament
from tournaments.pairs import entry_ratings
from tournaments.services import apart, arena, entry, presences, progress, tables
from tournaments.services.drawing import draw_due
from tournaments.services.setup import write_seeds
from tournaments.services.work import before_start, lock, lock_for

A_TICK = 200  # events that one tick starts, tables that it closes in one, at most
Status = Tournament.Status

log = logging.getLogger(__name__)


def start(*, tournament_id: int, by: Player) -> Tournament:
    """Seeds the entrants, draws the bracket and opens the first tables; once, however often it
    is called. Raises TournamentError not_allowed, too_few, over.
    """
    with transaction.atomic():
        tournament = lock_for(tournament_id, by, "rounds")
        if tournament.status in (Status.RUNNING, Status.FINISHED):
            return tournament
        before_start(tournament)
        _begin(tournament, by)
    tables.open_ready(tournament_id)
    return tournament


def start_due(now: dt.datetime | None = None) -> int:
    """For the clock: starts the events whose time has come, those that start by themselves; how
    many. One that can't start says why, and is left to its organiser.
    """
    moment = now or timezone.now()
    due = _due(moment).order_by("starts_at").values_list("pk", flat=True)
    return sum(_start_at_its_time(tournament_id, moment) for tournament_id in list(due[:A_TICK]))


def _due(moment: dt.datetime) -> QuerySet[Tournament]:
    return Tournament.objects.filter(
        starts_at__lte=moment,
        status__in=[Status.ANNOUNCED, Status.REGISTRATION],
        round_start=Tournament.RoundStart.AUTO,
        held="",
    )


def _start_at_its_time(tournament_id: int, moment: dt.datetime) -> bool:
    try:
        with transaction.atomic():
            tournament = lock(tournament_id)
            if not _due(moment).filter(pk=tournament_id).exists():
                return False
            _begin(tournament, None)
    except TournamentError as refused:
        _hold(tournament_id, moment, refused.code)
        return False
    except Exception:
        log.exception("Tournament %d did not start at its time", tournament_id)
        _hold(tournament_id, moment, "not_started")
        return False
    tables.open_ready(tournament_id)
    return True


@transaction.atomic
def _hold(tournament_id: int, moment: dt.datetime, code: str) -> None:
    """Leaves an event to its organiser, and tells everybody why it hasn't started."""
    tournament = lock(tournament_id)
    if _due(moment).filter(pk=tournament_id).update(held=code):
        audit.note(tournament, None, "held", code=code, why=str(SENTENCES[code]))


def finish(*, tournament_id: int, by: Player) -> Tournament:
    """Ends an event in which nothing is left to play; nothing when it is over already.

    Events end by themselves; this is for whoever wants to be sure. Raises TournamentError
    not_over, naming the matches still to be played.
    """
    with transaction.atomic():
        tournament = lock_for(tournament_id, by, "rounds")
        if tournament.status == Status.FINISHED:
            return tournament
        if not tournament.is_running:
            raise TournamentError("not_running", status=tournament.status)
        _catch_up(tournament)
        tournament.refresh_from_db()
        if tournament.status != Status.FINISHED:
            left = Pairing.objects.filter(stage__tournament=tournament).exclude(
                status=Pairing.Status.DECIDED
            )
            if stages.tie_of(tournament) is not None:
                raise TournamentError("tie_open")
            raise TournamentError("not_over", matches=list(left.values_list("number", flat=True)))
    return tournament


def handle_finished_match(match_id: str) -> None:
    """What follows from a match of an event; nothing from any other match, or a second time."""
    game = Game.objects.select_related("pairing__stage").filter(match_id=match_id).first()
    if game is None:
        return
    tournament_id = game.pairing.stage.tournament_id
    with transaction.atomic():
        tournament = lock(tournament_id)
        stage = Stage.objects.get(pk=game.pairing.stage_id)
        if tournament.is_running and stage.format == arena_format.ID and not stage.annulled:
            arena.settle(stage, game)
        else:
            progress.settle(game)
    tables.open_ready(tournament_id)


def reconcile() -> int:
    """The belt to the outbox's braces, for the clock: takes over matches that are over and were
    not noticed, opens tables that are missing, closes those of events called off. How many
    events there was anything to do for; what goes wrong in one is logged and keeps no other.
    """
    count = 0
    for tournament_id in sorted(_unfinished_business()):
        try:
            with transaction.atomic():
                tournament = lock(tournament_id)
                if tournament.is_running:
                    _catch_up(tournament)
            draw_due(tournament_id=tournament_id)
            tables.open_ready(tournament_id)
            tables.close_all(tournament_id, limit=A_TICK)
            count += 1
        except Exception:
            log.exception("Tournament %d was not brought up to date", tournament_id)
    return count


def _begin(tournament: Tournament, by: Player | None) -> None:
    entry.leave_out_absent(tournament, by)
    entrants = list(
        tournament.entrants.filter(status=Entrant.Status.ACTIVE)
        .select_related("player")
        .order_by("pk")
    )
    if code := formats.misfit(tournament.format, len(entrants), tournament.options):
        raise TournamentError(code, entrants=len(entrants))
    numbers = entry_ratings(tournament, entrants)
    ordered = _in_order(tournament, entrants, numbers)
    write_seeds(tournament, ordered)
    tournament.status, tournament.started_at = Status.RUNNING, timezone.now()
    tournament.held = ""
    tournament.save(update_fields=["status", "started_at", "held"])
    stage = progress.new_stage(tournament, tournament.seed, len(ordered))
    Seeding.objects.bulk_create(
        Seeding(stage=stage, entrant=entrant, number=n, rating=numbers.get(entrant.pk))
        for n, entrant in enumerate(ordered, start=1)
    )
    apart.deal_groups(stage)
    progress.advance(boards.load(stage))
    if presences.begins_by_itself(stage):
        presences.begin(stage)
    audit.note(tournament, by, "started", entrants=tournament.taken)


def _in_order(
    tournament: Tournament, entrants: list[Entrant], rated: dict[int, int]
) -> list[Entrant]:
    """The entrants from the first seed to the last; equals in the order they joined."""
    if tournament.seeding == Tournament.Seeding.RANDOM:
        drawn = list(entrants)
        Random(tournament.seed).shuffle(drawn)  # noqa: S311  # published, so that it can be redone
        return drawn
    if tournament.seeding == Tournament.Seeding.MANUAL:
        return sorted(entrants, key=lambda e: (e.seed is None, e.seed or 0, e.pk))
    return sorted(entrants, key=lambda e: (-rated.get(e.pk, UNKNOWN_RATING), e.pk))


def _catch_up(tournament: Tournament) -> None:
    stage = stages.current(tournament)
    if stage is not None and stage.format == arena_format.ID:
        arena.catch_up(stage)
    elif stage is not None:
        progress.catch_up(boards.load(stage))


def _unfinished_business() -> set[int]:
    """Events with a table that is over, missing, or open in spite of the event being off, or with
    nothing to play: a round may be due.
    """
    over = Match.objects.filter(status__in=[Match.Status.FINISHED, Match.Status.CANCELLED])
    open_games = Game.objects.filter(over_at__isnull=True).filter(
        Q(pairing__stage__tournament__status=Status.CANCELLED) | Q(match_id__in=over.values("pk"))
    )
    ready = Pairing.objects.filter(
        status=Pairing.Status.READY,
        stage__tournament__status=Status.RUNNING,
        round__status=Round.Status.STARTED,
        round__paused_at__isnull=True,
    ).exclude(tables.play_of(Tournament.Play.BOARD))
    undecided = Pairing.objects.exclude(status=Pairing.Status.DECIDED)
    waiting = Tournament.objects.filter(status=Status.RUNNING).exclude(
        pk__in=undecided.values("stage__tournament")
    )
    return {
        *waiting.values_list("pk", flat=True),
        *open_games.values_list("pairing__stage__tournament", flat=True),
        *ready.values_list("stage__tournament", flat=True),
    }
