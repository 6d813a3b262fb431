"""From one stage to the next: made when its field is known, annulled when its field was wrong.

`progress` asks for it whenever a stage has been brought up to its results.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils import timezone

from players.models import Player
from tournaments import audit, formats, stages
from tournaments.board import Board
from tournaments.models import Entrant, Pairing, Result, Seeding, Stage, Tournament
from tournaments.options import PACE
from tournaments.services import annulling, apart, presences, tables
from tournaments.stages import Tie


def conclude(board: Board, *, by: Player | None = None) -> Stage | None:
    """Makes the stage that follows, if one does, for the caller to advance; else writes the
    event's places and whether it is over. Stages that no longer follow from what is before them
    are annulled first.
    """
    tournament = board.stage.tournament
    if board.stage.annulled:
        return None
    chained = stages.chain(tournament, board)
    plans = [each.plan() for each in chained]
    wrong = stages.first_wrong(chained, plans)
    if wrong is not None:
        for later in reversed(chained[wrong:]):
            annul(later, by)
        chained = stages.chain(tournament)
        plans = [each.plan() for each in chained]
    follow = stages.following(chained, plans)
    if follow.field:
        return _make_next(tournament, chained[0], follow)
    _store_places(chained, stages.places(chained, plans, over=follow.over))
    _close_or_reopen(tournament, over=follow.over)
    return None


def make_play_off(tie: Tie) -> Stage:
    """A stage of those who are level: one match for two, else everybody against everybody."""
    main = tie.stage
    format_id = "single_elimination" if len(tie.entrants) == 2 else "round_robin"
    entrants = main.tournament.entrants.exclude(status=Entrant.Status.WAITING)
    return _make(
        main.tournament,
        format_id,
        {"best_of": 1, **_pace(main.config)},
        {},
        [entrant.pk for entrant in tie.entrants],
        stages.origin(
            main.number,
            main.step,
            list(entrants),
            play_off={"places": tie.places, "group": tie.group},
        ),
        f"play-off|{main.step}|{main.tournament.stages.count()}",
        main.rules,
    )


def annul(board: Board, by: Player | None) -> None:
    """Annuls a whole stage: nothing of it counts, its ratings neither; all of it stays to be seen.

    Its pairings are left decided: there is nothing to play in them.
    """
    stage = board.stage
    for number, games in board.games.items():
        for game in games:
            if not game.void:
                tables.stop(game, losers=tables.EVERY_SIDE, void=True)
                annulling.annul_rating(game, f"stage {stage.number}, match {number}", by)
    Result.objects.bulk_create(
        Result(
            pairing=board.pairings[number],
            version=last.version + 1,
            outcome=Result.Outcome.VOID,
            by=by,
            cause=Result.Cause.REPLACED,
        )
        for number, last in board.results.items()
        if last.counts
    )
    stage.pairings.update(status=Pairing.Status.DECIDED)
    stage.annulled = True
    stage.save(update_fields=["annulled"])
    presences.end(stage)
    audit.note(stage.tournament, by, "stage_annulled", stage=stage.number)


def _make_next(tournament: Tournament, first: Board, follow: stages.Following) -> Stage:
    wanted = tournament.later_stages[follow.step - 1]
    entrants = list(first.entrants.values())
    return _make(
        tournament,
        wanted["format"],
        {"best_of": wanted["best_of"], **_pace(wanted)},
        wanted["options"],
        follow.field,
        stages.origin(follow.cut_from, follow.step, entrants),
        f"{follow.step}",
        wanted["rules"],
    )


def _make(
    tournament: Tournament,
    format_id: str,
    config: dict[str, Any],
    options: dict[str, Any],
    field: Sequence[int],
    origin: dict[str, Any],
    salt: str,
    rules: dict[str, Any],
) -> Stage:
    last = tournament.stages.order_by("number").last()
    stage = Stage.objects.create(
        tournament=tournament,
        number=1 if last is None else last.number + 1,
        format=format_id,
        rules_id=formats.get(format_id).RULES,
        config={**config, **formats.settled(format_id, options)},
        seed=stages.randomness(tournament.seed, salt),
        size=len(field),
        rules=rules,
        origin=origin,
    )
    Seeding.objects.bulk_create(
        Seeding(stage=stage, entrant_id=entrant, number=number)
        for number, entrant in enumerate(field, start=1)
    )
    apart.deal_groups(stage)
    audit.note(tournament, None, "stage_begun", stage=stage.number, entrants=len(field))
    return stage


def _pace(given: Mapping[str, Any]) -> dict[str, Any]:
    """The times that are not the event's."""
    return {key: given[key] for key in PACE if given.get(key) is not None}


def _store_places(chained: Sequence[Board], places: dict[int, int | None]) -> None:
    rows: Iterable[Entrant] = chained[0].entrants.values()
    changed = [entrant for entrant in rows if entrant.place != places.get(entrant.pk)]
    for entrant in changed:
        entrant.place = places.get(entrant.pk)
    Entrant.objects.bulk_update(changed, ["place"], batch_size=200)


def _close_or_reopen(tournament: Tournament, *, over: bool) -> None:
    status = Tournament.Status
    if over and tournament.status == status.RUNNING:
        tournament.status, tournament.finished_at = status.FINISHED, timezone.now()
    elif not over and tournament.status == status.FINISHED:  # a late correction
        tournament.status, tournament.finished_at = status.RUNNING, None
    else:
        return
    tournament.save(update_fields=["status", "finished_at"])
    audit.note(tournament, None, "finished" if over else "reopened")
