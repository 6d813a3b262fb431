"""Which rounds are still to come, in formats that draw one after another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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


def current(tournament: Tournament) -> int:
    """Which stage of the event's plan is in hand, from 1; before the start the first."""
    stage = stages.current(tournament)
    return 1 if stage is None else stage.step + 1


def coming(tournament: Tournament, number: int | None = None) -> range:
    """The numbers of the rounds still to be drawn in a stage of the event's plan, in the one in
    hand if none is named; before it begins all of them.
    """
    stage = stages.current(tournament)
    now = current(tournament)
    if number is None or number == now:
        if stage is not None:
            known = begun(stage).count()
            return range(known + 1, known + 1 + left(stage))
        return _planned(tournament.format, tournament.options)
    if not now < number <= 1 + len(tournament.later_stages):
        return range(0)
    wanted = tournament.later_stages[number - 2]
    return _planned(wanted["format"], wanted["options"])


def every_coming(tournament: Tournament) -> list[tuple[int, int]]:
    """Stage and number of each round still to be drawn, in order."""
    numbers = range(current(tournament), 2 + len(tournament.later_stages))
    return [(stage, number) for stage in numbers for number in coming(tournament, stage)]


def _planned(format_id: str, options: Mapping[str, Any]) -> range:
    if not isinstance(formats.get(format_id), fm.DrawnFormat):
        return range(0)
    return range(1, 1 + int(formats.settled(format_id, dict(options)).get("rounds", 0)))
