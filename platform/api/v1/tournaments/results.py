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
from tournaments import selectors, services, stages
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
    forfeits = serializers.ListField(child=serializers.IntegerField())
    game_scores = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField())
    )
    why = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    by = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField()

    def to_representation(self, instance: Result) -> dict[str, Any]:
        winner = self.context["sides"].get(instance.winner_id)
        return {
            "version": instance.version,
            "outcome": instance.outcome,
            "winner": winner,
            "games": instance.games,
            "scores": instance.scores,
            "places": instance.places,
            "forfeits": instance.forfeits,
            "game_scores": instance.game_scores,
            "why": instance.why,
            "reason": instance.reason,
            "by": None if instance.by is None else instance.by.name,
            "at": self.fields["at"].to_representation(instance.at),
        }


class ResultInput(StrictSerializer):
    """A result to enter, or to correct. `winner` is the side, from 0; null when all forfeit or the
    first place is shared. `scores` and `places` are by side; at a table of three or four, places
    come from the scores if not given, and the winner from the places.

    `expected_version` is the version you have seen: if there is a later one, nothing is changed.
    Of later matches that have begun because of the old winner, and of later stages that others
    would play in, `force` "void" annuls what was played, "keep" leaves them as they are; `seen` is
    the digest of the preview you have seen. `stage` is the number of the pairing's stage, the one
    in course if left out.
    """

    outcome = Choice(choices=[str(outcome) for outcome in ENTERABLE])
    winner = Integer(min_value=0, max_value=3, allow_null=True, default=None)
    games = serializers.ListField(
        child=Integer(min_value=0, max_value=9), min_length=2, max_length=4, required=False
    )
    scores = serializers.ListField(
        child=Integer(min_value=-10_000, max_value=10_000),
        min_length=2,
        max_length=4,
        required=False,
    )
    places = serializers.ListField(
        child=Integer(min_value=1, max_value=4), min_length=2, max_length=4, required=False
    )
    reason = Text(max_length=200, allow_blank=True, default="")
    expected_version = Integer(min_value=0, max_value=10_000, required=False)
    force = Choice(choices=("void", "keep"), required=False)
    seen = Text(max_length=64, required=False)
    stage = Integer(min_value=1, max_value=1000, required=False)


class EntryInput(StrictSerializer):
    """A result to be looked at: what would it change?"""

    outcome = Choice(choices=[str(outcome) for outcome in ENTERABLE])
    winner = Integer(min_value=0, max_value=3, allow_null=True, default=None)
    scores = serializers.ListField(
        child=Integer(min_value=-10_000, max_value=10_000),
        min_length=2,
        max_length=4,
        required=False,
    )
    places = serializers.ListField(
        child=Integer(min_value=1, max_value=4), min_length=2, max_length=4, required=False
    )
    stage = Integer(min_value=1, max_value=1000, required=False)


class LaterOutput(serializers.Serializer[Any]):
    """A later pairing that changes; names of who meets there before and after."""

    stage = serializers.IntegerField()
    number = serializers.IntegerField()
    round = serializers.CharField()
    before = serializers.ListField(child=serializers.CharField())
    after = serializers.ListField(child=serializers.CharField())
    had_begun = serializers.BooleanField()
    annulled = serializers.BooleanField()


class ChangeOutput(serializers.Serializer[Any]):
    """Somebody's place, or rating, before and after; null where there is none."""

    name = serializers.CharField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class ExtentOutput(serializers.Serializer[Any]):
    matches = serializers.IntegerField()
    players = serializers.IntegerField()


class WayOutput(serializers.Serializer[Any]):
    """One way to go on: "plain" when nothing that has begun hangs on it, else the two that
    `force` can be. `anew` is what is rated anew in the background, where that is much."""

    name = serializers.ChoiceField(choices=("plain", "void", "keep"))
    later = LaterOutput(many=True)
    places = ChangeOutput(many=True)
    ratings = ChangeOutput(many=True)
    status = serializers.ChoiceField(choices=Tournament.Status.values)
    anew = ExtentOutput(allow_null=True)


class PreviewOutput(serializers.Serializer[Any]):
    """What a result would do: `begun` are the matches that hang on it and have begun, `stages` the
    later stages that would be made anew, `stays` the rounds drawn by the old result. Send `digest`
    as `seen` and `version` as `expected_version`."""

    number = serializers.IntegerField()
    version = serializers.IntegerField()
    digest = serializers.CharField()
    begun = serializers.ListField(child=serializers.IntegerField())
    stages = serializers.ListField(child=serializers.IntegerField())
    stays = serializers.ListField(child=serializers.IntegerField())
    ways = WayOutput(many=True)


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
        pairing = pairing_of(
            tournament, number, self.viewer(request), stage_asked(request, tournament)
        )
        sides = _by_side(pairing)
        rows = pairing.results.select_related("by").order_by("version")
        return Response([ResultOutput(row, context=sides).data for row in rows])

    @changes(
        "tournaments_report",
        "Report a pairing's result, or correct it",
        ResultInput,
        {201: ResultOutput},
    )
    def post(
        self, by: Player, tournament: Tournament, number: int, given: dict[str, Any]
    ) -> Response:
        pairing = pairing_of(tournament, number, by, given.pop("stage", None))
        _name_winner(pairing, given)
        result = services.report_result(pairing_id=pairing.pk, by=by, **given)
        shown = ResultOutput(result, context=_by_side(pairing))
        return Response(shown.data, status.HTTP_201_CREATED)


class CorrectionPreview(OneTournament):
    serializer_class = PreviewOutput
    scope = RESULTS_WRITE

    @changes(
        "tournaments_preview_result",
        "Look at what a result, or a correction, would change; nothing is changed",
        EntryInput,
        {200: PreviewOutput},
    )
    def post(
        self, by: Player, tournament: Tournament, number: int, given: dict[str, Any]
    ) -> Response:
        pairing = pairing_of(tournament, number, by, given.pop("stage", None))
        _name_winner(pairing, given)
        return self.answer(services.preview_result(pairing_id=pairing.pk, by=by, **given))


def _name_winner(pairing: Pairing, given: dict[str, Any]) -> None:
    """Turns the winner's side into the entrant, of partners the first."""
    sides = _by_side(pairing)["sides"].items()
    winner = given.pop("winner")
    if winner is not None:
        entrant = next((entrant for entrant, side in sides if side == winner), None)
        given["winner"] = entrant or 0  # 0: nobody, which the service refuses


def pairing_of(
    tournament: Tournament, number: int, viewer: Player | None, stage_number: int | None = None
) -> Pairing:
    """The pairing of that number in a stage, or in the one in course, if the viewer may know of it.
    Raises Http404.
    """
    if stage_number is None:
        stage = stages.current(tournament)
    else:
        stage = tournament.stages.filter(number=stage_number).first()
    known = selectors.pairings_for(tournament, viewer)
    pairing = None if stage is None else known.filter(stage=stage, number=number).first()
    if pairing is None:
        raise Http404
    return pairing


def _by_side(pairing: Pairing) -> dict[str, Any]:
    """Sides by entrant, for showing winners as the bracket does."""
    return {"sides": dict(pairing.slots.order_by("index").values_list("entrant_id", "side"))}
