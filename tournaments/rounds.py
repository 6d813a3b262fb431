"""Which rounds are still to come, in formats that draw one after another."""

from __future__ import annotations

from django.db.models import QuerySet

from tournaments import formats, stages
from tournaments.formats import model as fm
from tournaments.models import Entrant, Round, Stage, Tournament


def begun(stage: Stage) -> QuerySet[Round]:
    """The rounds that people know of: a draft may still be drawn anew."""
    return stage.rounds.exclude(status=Round.Status.DRAFT)


def left(stage: Stage) -> int:
    """How many rounds are still to be drawn, or drawn anew; 0 where all follow from the start."""
    if not isinstance(formats.get(stage.format), fm.DrawnFormat):
        return 0
    return max(0, int(stage.config.get("rounds", 0)) - begun(stage).count())


def can_return(tournament: Tournament, entrant: Entrant) -> bool:
    """Whether somebody who withdrew can play on: a round is still to be drawn."""
    stage = stages.current(tournament) if tournament.is_running else None
    if stage is None or entrant.status != Entrant.Status.WITHDRAWN:
        return False
    return left(stage) > 0 and stage.seedings.filter(entrant=entrant).exists()


def coming(tournament: Tournament) -> range:
    """The numbers of the rounds still to be drawn, before the start all of them."""
    stage = stages.current(tournament)
    if stage is not None:
        known = begun(stage).count()
        return range(known + 1, known + 1 + left(stage))
    if not isinstance(formats.get(tournament.format), fm.DrawnFormat):
        return range(0)
    settled = formats.settled(tournament.format, tournament.options)
    return range(1, 1 + int(settled.get("rounds", 0)))
