"""Results of pairings: all versions, reports and corrections."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.strict import Choice, Integer, StrictSerializer, Text
from api.v1.tournaments.base import OneTournament, changes, reads
from api.v1.tournaments.stages import STAGE, stage_asked
from players.models import Player
from players.tokens import RESULTS_WRITE
from tournaments import services, stages
from tournaments.models import Pairing, Result, Tournament
from tournaments.services.reporting import ENTERABLE


class ResultOutput(serializers.Serializer[Result]):
    """One version of a result; the last one counts. `by` is null when the rules decided.

    `why` is the rule that decided, `reason` what a person gave as theirs."""

    version = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=Result.Outcome.values)
    winner = serializers.IntegerField(allow_null=True)
    games = serializers.ListField(child=serializers.IntegerField())
    scores = serializers.ListField(child=serializers.IntegerField())
    places = serializers.ListField(child=serializers.IntegerField())
    why = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    by = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField()

    def to_representation(self, instance: Result) -> dict[str, Any]:
        winner = self.context["slots"].get(instance.winner_id)
        return {
            "version": instance.version,
            "outcome": instance.outcome,
            "winner": winner,
            "games": instance.games,
            "scores": instance.scores,
            "places": instance.places,
            "why": instance.why,
            "reason": instance.reason,
            "by": None if instance.by is None else instance.by.name,
            "at": self.fields["at"].to_representation(instance.at),
        }


class ResultInput(StrictSerializer):
    """A result to enter, or to correct. `winner` is the slot, 0 or 1; null when both forfeit.

    `expected_version` is the version you have seen: if there is a later one, nothing is changed.
    `force` "void" annuls later matches that have begun because of the old winner, and later stages
    that others would play in. `stage` is the number of the pairing's stage, the one in course if
    left out.
    """

    outcome = Choice(choices=[str(outcome) for outcome in ENTERABLE])
    winner = Integer(min_value=0, max_value=1, allow_null=True, default=None)
    games = serializers.ListField(
        child=Integer(min_value=0, max_value=9), min_length=2, max_length=2, required=False
    )
    scores = serializers.ListField(
        child=Integer(min_value=-10_000, max_value=10_000),
        min_length=2,
        max_length=2,
        required=False,
    )
    reason = Text(max_length=200, allow_blank=True, default="")
    expected_version = Integer(min_value=0, max_value=10_000, required=False)
    force = Choice(choices=("void",), required=False)
    stage = Integer(min_value=1, max_value=1000, required=False)


class PairingResults(OneTournament):
    serializer_class = ResultOutput
    scope = RESULTS_WRITE
    parameters = frozenset({"stage"})

    @reads(
        "tournaments_results",
        "All versions of a pairing's result, the first one first",
        ResultOutput(many=True),
        parameters=[STAGE],
    )
    def get(self, request: Request, tournament: Tournament, number: int) -> Response:
        pairing = pairing_of(tournament, number, stage_asked(request, tournament))
        slots = _by_slot(pairing)
        rows = pairing.results.select_related("by").order_by("version")
        return Response([ResultOutput(row, context=slots).data for row in rows])

    @changes(
        "tournaments_report",
        "Report a pairing's result, or correct it",
        ResultInput,
        {201: ResultOutput},
    )
    def post(
        self, by: Player, tournament: Tournament, number: int, given: dict[str, Any]
    ) -> Response:
        pairing = pairing_of(tournament, number, given.pop("stage", None))
        slots = {slot: entrant for entrant, slot in _by_slot(pairing)["slots"].items()}
        winner = given.pop("winner")
        if winner is not None:
            given["winner"] = slots.get(winner, 0)  # 0: nobody, which the service refuses
        result = services.report_result(pairing_id=pairing.pk, by=by, **given)
        shown = ResultOutput(result, context=_by_slot(pairing))
        return Response(shown.data, status.HTTP_201_CREATED)


def pairing_of(tournament: Tournament, number: int, stage_number: int | None = None) -> Pairing:
    """The pairing of that number in a stage, or in the one in course. Raises Http404."""
    if stage_number is None:
        stage = stages.current(tournament)
    else:
        stage = tournament.stages.filter(number=stage_number).first()
    pairing = None if stage is None else stage.pairings.filter(number=number).first()
    if pairing is None:
        raise Http404
    return pairing


def _by_slot(pairing: Pairing) -> dict[str, Any]:
    """Slots by entrant, for showing winners as the bracket does."""
    return {"slots": dict(pairing.slots.values_list("entrant_id", "index"))}
