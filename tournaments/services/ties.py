"""Level across the cut: the event waits until somebody says how to decide it (cases.md D14)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from django.db import transaction

from players.models import Player
from tournaments import audit, stages
from tournaments import board as boards
from tournaments.errors import TournamentError
from tournaments.options import clean_line
from tournaments.services import following, progress, tables
from tournaments.services.work import lock_for, running

How = Literal["lot", "play_off", "decision"]


def break_tie(
    *,
    tournament_id: int,
    by: Player,
    how: How,
    tied: Sequence[int],
    order: Sequence[int] = (),
    reason: str = "",
) -> None:
    """Decides who of those level across the cut goes on: by a lot from the event's published seed,
    by a play-off among them, or in an `order` that a person gives with a reason. Entrants are ids;
    `tied` names those it is about, so that nothing else is decided if it has changed meanwhile.

    Raises TournamentError not_allowed, not_running, no_tie, stale, bad_order, no_reason,
    bad_setting.
    """
    if how not in ("lot", "play_off", "decision"):
        raise TournamentError("bad_setting", key="how")
    with transaction.atomic():
        tournament = lock_for(tournament_id, by, "rounds")
        running(tournament)
        tie = stages.tie_of(tournament)
        if tie is None:
            raise TournamentError("no_tie")
        inside = [entrant.pk for entrant in tie.entrants]
        if sorted(tied) != sorted(inside):
            raise TournamentError("stale", entrants=inside)
        last = stages.current(tournament)
        assert last is not None
        why = clean_line(reason)[:200]
        facts = {"stage": tie.stage.number, "names": ", ".join(e.label for e in tie.entrants)}
        if how == "play_off":
            begun = following.make_play_off(tie)
            progress.advance(boards.load(begun))
        else:
            if how == "decision" and sorted(order) != sorted(inside):
                raise TournamentError("bad_order", missing=sorted(set(inside) - set(order)))
            if how == "decision" and not why:
                raise TournamentError("no_reason")
            chosen = list(order) if how == "decision" else sorted(inside)
            tie.stage.ties.append({"how": how, "order": chosen, "after": last.number})
            tie.stage.save(update_fields=["ties"])
            progress.advance(boards.load(stages.current(tournament) or last))
        audit.note(tournament, by, f"tie_{how}", why, **facts)
    tables.open_ready(tournament_id)
