"""Rounds that an entrant is not in: asked for beforehand, or missed by coming late."""

from __future__ import annotations

from django.db import transaction

from players.models import Player
from tournaments import audit, rounds
from tournaments.errors import TournamentError
from tournaments.models import Entrant, Rest, Slot, Stage, Tournament
from tournaments.permissions import may
from tournaments.services.work import lock, running_or_before
from tournaments.standings.cards import POINT

Missed = Tournament.Missed


def worth_of(missed: str) -> int:
    """What a missed round is worth, in twelfths of a point."""
    return POINT // 2 if missed == Missed.HALF else 0


@transaction.atomic
def ask_rest(
    *,
    tournament_id: int,
    player: Player,
    number: int,
    stage: int | None = None,
    by: Player | None = None,
) -> Rest:
    """A rest in a round that is still to be drawn, of a stage of the event's plan (from 1; the one
    in hand if none is named), worth what the event says: by the player
    within the organiser's limit, by an official beyond it too. The same again changes nothing.

    Raises TournamentError no_entrant, not_allowed, no_rests, rests_used, round_drawn, no_round,
    over.
    """
    tournament, entrant = _entrant(tournament_id, player, by)
    stage = rounds.current(tournament) if stage is None else stage
    _check_round(tournament, stage, number)
    known = entrant.rests.filter(stage=stage, round=number).first()
    if known is not None:
        return known
    if by is None or by.pk == player.pk:
        if not tournament.rests_allowed:
            raise TournamentError("no_rests")
        if entrant.rests.exclude(asked_by=None).count() >= tournament.rests_allowed:
            raise TournamentError("rests_used", most=tournament.rests_allowed)
    rest = Rest.objects.create(
        entrant=entrant,
        stage=stage,
        round=number,
        points=worth_of(tournament.rest_worth),
        asked_by=by or player,
    )
    _note(tournament, by or player, "rest_asked", entrant, stage, number)
    return rest


@transaction.atomic
def give_up_rest(
    *,
    tournament_id: int,
    player: Player,
    number: int,
    stage: int | None = None,
    by: Player | None = None,
) -> None:
    """Plays that round after all, if it is not drawn yet; nothing when there is no such rest.

    Raises TournamentError no_entrant, not_allowed, round_drawn, no_round, over.
    """
    tournament, entrant = _entrant(tournament_id, player, by)
    stage = rounds.current(tournament) if stage is None else stage
    _check_round(tournament, stage, number)
    gone, _of = entrant.rests.filter(stage=stage, round=number).delete()
    if gone:
        _note(tournament, by or player, "rest_given_up", entrant, stage, number)


def miss(tournament: Tournament, stage: Stage, entrant: Entrant, points: int) -> None:
    """Notes the rounds so far that the entrant was not in; the event is locked."""
    played = Slot.objects.filter(round__stage=stage, entrant=entrant).values("round")
    numbers = rounds.begun(stage).exclude(pk__in=played)
    Rest.objects.bulk_create(
        [
            Rest(entrant=entrant, stage=stage.step + 1, round=number, points=points)
            for number in numbers.values_list("number", flat=True)
        ],
        ignore_conflicts=True,
    )


def _note(
    tournament: Tournament, by: Player, action: str, entrant: Entrant, stage: int, number: int
) -> None:
    """A line of the log; the stage is named where there are several."""
    facts: dict[str, object] = {"entrant": entrant.label, "round": number}
    if tournament.later_stages:
        action, facts = f"{action}_in_stage", {**facts, "stage": stage}
    audit.note(tournament, by, action, "", **facts)


def _entrant(tournament_id: int, player: Player, by: Player | None) -> tuple[Tournament, Entrant]:
    tournament = lock(tournament_id)
    if by is not None and by.pk != player.pk and not may(tournament, by, "entrants"):
        raise TournamentError("not_allowed", right="entrants")
    running_or_before(tournament)
    entrant = tournament.entrants.filter(player=player, status=Entrant.Status.ACTIVE).first()
    if entrant is None:
        raise TournamentError("no_entrant")
    return tournament, entrant


def _check_round(tournament: Tournament, stage: int, number: int) -> None:
    coming = rounds.coming(tournament, stage)
    if number not in coming:
        drawn = bool(coming) and 0 < number < coming[0]
        raise TournamentError("round_drawn" if drawn else "no_round", round=number)
