"""Rounds that are drawn one after another.

Drawing may take seconds, so it is never done under the event's lock: the round is drawn from what
was read, and kept only if nothing of that has changed meanwhile (cases.md B6). Where the arbiter
starts rounds, only a round that was asked for is drawn (services.rounds).
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from tournaments import board as boards
from tournaments import drawn, stages
from tournaments.formats import model as fm
from tournaments.models import Round, Stage, Tournament
from tournaments.services import progress, tables
from tournaments.services.work import lock


def draw_due(*, tournament_id: int) -> bool:
    """Draws the round that is due and opens its tables; False when none is, or when something
    changed while it was being drawn.
    """
    stage = stages.current(Tournament.objects.get(pk=tournament_id))
    if stage is None or not stage.tournament.is_running:
        return False
    board = boards.load(stage)
    if not isinstance(board.format, fm.DrawnFormat):
        return False
    number = board.plan().due
    seed = None if number is None else seed_for(stage, number)
    if number is None or seed is None:
        return False
    known = drawn.facts(board, number, seed)
    meetings = board.format.draw(*drawn.inputs(board, seed))
    kept = _keep(tournament_id, stage.pk, number, meetings, known)
    tables.open_ready(tournament_id)
    return kept


def seed_for(stage: Stage, number: int) -> str | None:
    """What a round is drawn with: the stage's seed, or the round's own; None if nobody asked."""
    asked = stage.rounds.filter(number=number).first()
    if asked is not None and not asked.pairings.exists():
        return str(asked.draw.get("seed", stage.seed))
    by_itself = stage.tournament.round_start == Tournament.RoundStart.AUTO
    return stage.seed if by_itself else None


@transaction.atomic
def _keep(
    tournament_id: int,
    stage_id: int,
    number: int,
    meetings: tuple[fm.Meeting, ...],
    known: dict[str, Any],
) -> bool:
    tournament = lock(tournament_id)
    board = boards.load(tournament.stages.get(pk=stage_id))
    if board.stage.annulled or not tournament.is_running or board.plan().due != number:
        return False
    seed = seed_for(board.stage, number)
    if seed is None or drawn.facts(board, number, seed) != known:
        return False
    board.drawn += meetings
    progress.advance(board)
    rematches = sum(bool(meeting.because.get("met_before")) for meeting in meetings)
    Round.objects.filter(stage=board.stage, number=number).update(
        draw={
            **known,
            "rematches": rematches,
            "tables": [list(meeting.seeds) for meeting in meetings],
        }
    )
    return True
