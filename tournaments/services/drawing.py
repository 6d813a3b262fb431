"""Rounds that are drawn one after another.

Drawing may take seconds, so it is never done under the event's lock: the round is drawn from what
was read, and kept only if nothing of that has changed meanwhile (cases.md B6).
"""

from __future__ import annotations

from hashlib import sha256

from django.db import transaction

from tournaments import board as boards
from tournaments.board import Board
from tournaments.formats import model as fm
from tournaments.models import Round, Tournament
from tournaments.services import progress, tables
from tournaments.services.work import lock


def draw_due(*, tournament_id: int) -> bool:
    """Draws the round that is due and opens its tables; False when none is, or when something
    changed while it was being drawn.
    """
    stage = Tournament.objects.get(pk=tournament_id).stages.last()
    if stage is None or not stage.tournament.is_running:
        return False
    board = boards.load(stage)
    if not isinstance(board.format, fm.DrawnFormat):
        return False
    number = board.plan().due
    if number is None:
        return False
    drawn = board.format.draw(board.field, board.verdicts())
    kept = _keep(tournament_id, stage.pk, number, drawn, _digest(board))
    tables.open_ready(tournament_id)
    return kept


@transaction.atomic
def _keep(
    tournament_id: int, stage_id: int, number: int, drawn: tuple[fm.Meeting, ...], digest: str
) -> bool:
    tournament = lock(tournament_id)
    board = boards.load(tournament.stages.get(pk=stage_id))
    if not tournament.is_running or board.plan().due != number or _digest(board) != digest:
        return False
    board.drawn += drawn
    progress.advance(board)
    rematches = sum(bool(meeting.because.get("met_before")) for meeting in drawn)
    Round.objects.filter(stage=board.stage, number=number).update(
        draw={
            "rules": board.stage.rules_id,
            "seed": board.stage.seed,
            "input": digest,
            "rematches": rematches,
        }
    )
    return True


def _digest(board: Board) -> str:
    """A hash of all that a round is drawn from."""
    now, verdicts = board.field, sorted(board.verdicts().items())
    parts = (now.size, now.randomness, sorted(now.options.items()), sorted(now.out), now.drawn)
    return sha256(repr((parts, verdicts)).encode()).hexdigest()
