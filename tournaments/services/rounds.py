"""A round before it is played: asked for, drawn as a draft, checked, published, started.

A draft may be drawn again or deleted, and leaves nothing behind; a round that has been started
stays, whatever is pressed.
"""

from __future__ import annotations

import secrets

from django.db import IntegrityError, transaction

from players.models import Player
from tournaments import audit, stages
from tournaments import board as boards
from tournaments.board import Board
from tournaments.errors import TournamentError
from tournaments.formats import model as fm
from tournaments.models import Round
from tournaments.options import clean_line
from tournaments.services import progress, tables
from tournaments.services.work import ask_for_round, lock_for, running

Status = Round.Status


@transaction.atomic
def ask(*, tournament_id: int, by: Player) -> Round:
    """Has the next round drawn, as a draft, by a worker; the same round when asked twice.

    Raises TournamentError not_allowed, not_running, by_schedule, not_due.
    """
    tournament = lock_for(tournament_id, by, "rounds")
    running(tournament)
    stage = stages.current(tournament)
    if stage is None:
        raise TournamentError("not_due")
    board = boards.load(stage)
    if not isinstance(board.format, fm.DrawnFormat):
        raise TournamentError("by_schedule")
    drafted = stage.rounds.filter(status=Status.DRAFT).first()
    if drafted is not None:
        return drafted
    due = board.plan().due
    if due is None:
        raise TournamentError("not_due")
    try:
        with transaction.atomic():
            made = Round.objects.create(
                stage=stage, number=due, status=Status.DRAFT, draw={"seed": stage.seed}
            )
    except IntegrityError as error:
        raise TournamentError("not_due") from error
    audit.note(tournament, by, "round_asked", round=due)
    ask_for_round(tournament_id)
    return made


@transaction.atomic
def redraw(*, round_id: int, by: Player, reason: str = "") -> Round:
    """Throws a draft away and has it drawn anew, with a new seed. Raises TournamentError
    round_gone, not_allowed, by_schedule, not_draft, is_started.
    """
    row = draft(round_id, by)
    row.pairings.all().delete()
    row.draw = {"seed": secrets.token_hex(16)}
    row.save(update_fields=["draw"])
    audit.note(row.stage.tournament, by, "round_redrawn", clean_line(reason), round=row.number)
    ask_for_round(row.stage.tournament_id)
    return row


@transaction.atomic
def discard(*, round_id: int, by: Player, reason: str = "") -> None:
    """Deletes a draft; the event stands as if it had never been (cases.md D12). The same errors
    as `redraw`.
    """
    row = draft(round_id, by)
    tournament, stage = row.stage.tournament, row.stage
    audit.note(tournament, by, "round_deleted", clean_line(reason), round=row.number)
    row.pairings.all().delete()
    row.delete()
    progress.advance(boards.load(stage))


@transaction.atomic
def publish(*, round_id: int, by: Player) -> Round:
    """Lets everyone see a draft's pairings and tables; nothing when they can already.

    Raises TournamentError round_gone, not_allowed, not_running, being_drawn, round_before, and
    not_fitting if somebody in it has left, or somebody who is in would be left out.
    """
    row = locked(round_id, by)
    if not row.is_draft:
        return row
    if row.stage.rounds.filter(status=Status.DRAFT, number__lt=row.number).exists():
        raise TournamentError("round_before")
    board = boards.load(row.stage)
    check_fit(board, row)
    row.status = Status.PUBLISHED
    row.save(update_fields=["status"])
    audit.note(row.stage.tournament, by, "round_published", round=row.number)
    progress.advance(boards.load(row.stage))
    return row


@transaction.atomic
def take_back(*, round_id: int, by: Player, reason: str = "") -> Round:
    """Makes a published round a draft again, with all that was decided of it without play.

    Raises TournamentError round_gone, not_allowed, is_started.
    """
    row = locked(round_id, by)
    if row.is_draft:
        return row
    _not_started(row)
    later = row.stage.rounds.filter(number__gt=row.number).exclude(status=Status.DRAFT)
    if later.exists():
        raise TournamentError("round_before")
    for pairing in row.pairings.all():
        pairing.results.all().delete()
    row.status = Status.DRAFT
    row.save(update_fields=["status"])
    audit.note(row.stage.tournament, by, "round_taken_back", clean_line(reason), round=row.number)
    progress.advance(boards.load(row.stage))
    return row


def start_round(*, round_id: int, by: Player) -> Round:
    """Starts a published round: its live tables open, its time begins to run. Once, however often
    it is pressed. Raises TournamentError round_gone, not_allowed, not_running, not_published.
    """
    with transaction.atomic():
        row = locked(round_id, by)
        if row.is_started:
            return row
        if row.is_draft:
            raise TournamentError("not_published")
        waiting = row.stage.rounds.filter(number__lt=row.number).exclude(status=Status.STARTED)
        if waiting.exists():
            raise TournamentError("round_before")
        row.status = Status.STARTED
        progress.start_clock(row, row.stage.round_minutes)
        row.save(update_fields=["status", "started_at", "ends_at"])
        audit.note(row.stage.tournament, by, "round_started", round=row.number)
        progress.advance(boards.load(row.stage))
    tables.open_ready(row.stage.tournament_id)
    return row


def check_fit(board: Board, row: Round) -> None:
    """Raises TournamentError unless a drawn draft has everyone who is in, once, and nobody else."""
    if not isinstance(board.format, fm.DrawnFormat):
        return
    meetings = [meeting for meeting in board.drawn if meeting.round == row.number]
    if not meetings:
        raise TournamentError("being_drawn")
    found = misfits(board, meetings, row.number)
    if found.left or found.missing or found.twice:
        raise TournamentError("not_fitting", left=found.left, missing=found.missing)


class Misfits:
    """Seeds that are `left` in though they are out, `missing` though they are in, or `twice`."""

    def __init__(self, left: list[int], missing: list[int], twice: list[int]) -> None:
        self.left, self.missing, self.twice = left, missing, twice


def misfits(board: Board, meetings: list[fm.Meeting], number: int) -> Misfits:
    """Where a round's meetings don't fit those who are in it."""
    seated = [seed for meeting in meetings for seed in meeting.seeds]
    resting = {seed for (at, seed) in board.rests if at == number}
    inside = {seed for seed, entrant in board.entrants.items() if entrant.is_active} - resting
    return Misfits(
        left=sorted(set(seated) - inside),
        missing=sorted(inside - set(seated)),
        twice=sorted({seed for seed in seated if seated.count(seed) > 1}),
    )


def locked(round_id: int, by: Player) -> Round:
    """The round, under its event's lock; for whoever may pair and start rounds."""
    row = Round.objects.select_related("stage").filter(pk=round_id).first()
    if row is None:
        raise TournamentError("round_gone", round=round_id)
    tournament = lock_for(row.stage.tournament_id, by, "rounds")
    running(tournament)
    fresh = Round.objects.select_related("stage").filter(pk=round_id).first()
    if fresh is None:  # deleted while this waited
        raise TournamentError("round_gone", round=round_id)
    fresh.stage.tournament = tournament
    return fresh


def draft(round_id: int, by: Player) -> Round:
    """The same, if it is a draft of a format whose rounds are drawn."""
    row = locked(round_id, by)
    _not_started(row)
    if not row.is_draft:
        raise TournamentError("not_draft")
    if not isinstance(boards.Board(row.stage).format, fm.DrawnFormat):
        raise TournamentError("by_schedule")
    return row


def _not_started(row: Round) -> None:
    if row.is_started:
        raise TournamentError("is_started", round=row.number)
