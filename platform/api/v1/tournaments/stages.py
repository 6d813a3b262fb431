"""The stages of a tournament, and the tie that the next one waits for."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.strict import Choice, Integer, StrictSerializer, Text
from api.v1.tournaments.base import OneTournament, changes, reads
from players.models import Player
from tournaments import selectors, services
from tournaments.models import Tournament
from tournaments.stages import tie_of

STAGE = OpenApiParameter("stage", int, description="Its number; the one in course if left out.")


class StageOutput(serializers.Serializer[Any]):
    """A stage that has begun. Of a `play_off` the field is those who were level. One that was
    `annulled` counts for nothing: a correction has changed who plays in it.
    """

    number = serializers.IntegerField()
    format = serializers.CharField()
    options = serializers.DictField(source="config")
    rules = serializers.DictField()
    entrants = serializers.IntegerField(source="size")
    play_off = serializers.BooleanField(source="is_play_off")
    annulled = serializers.BooleanField()


class TieOutput(serializers.Serializer[Any]):
    """Those level across the cut, of whom `places` go on: ids, to name them by in the answer, and
    names. `group` is 0 when all are cut together.
    """

    stage = serializers.IntegerField()
    group = serializers.IntegerField()
    places = serializers.IntegerField()
    entrants = serializers.ListField(child=serializers.IntegerField())
    names = serializers.ListField(child=serializers.CharField())


class StagesOutput(serializers.Serializer[Any]):
    """`tie` is null unless the next stage waits for somebody to decide who goes on."""

    stages = StageOutput(many=True)
    tie = TieOutput(allow_null=True)


class TieInput(StrictSerializer):
    """How to decide: "lot", "play_off", or "decision" with the `order` and a `reason`. Entrants are
    the ids that the tie names, and `tied` has to be all of them.
    """

    how = Choice(choices=("lot", "play_off", "decision"))
    tied = serializers.ListField(child=Integer(min_value=1), min_length=2)
    order = serializers.ListField(child=Integer(min_value=1), required=False)
    reason = Text(max_length=200, allow_blank=True, default="")


def stage_asked(request: Request, tournament: Tournament) -> int | None:
    """The number of the stage that `?stage=` names. Raises Http404."""
    text = request.query_params.get("stage")
    if text is None:
        return None
    known = text.isascii() and text.isdecimal() and len(text) < 5
    if not known or not tournament.stages.filter(number=int(text)).exists():
        raise Http404
    return int(text)


class TournamentStages(OneTournament):
    serializer_class = StagesOutput

    @reads("tournaments_stages", "The stages that have begun, and a tie that the next waits for")
    def get(self, request: Request, tournament: Tournament) -> Response:
        return self._shown(tournament)

    @changes("tournaments_break_tie", "Decide who of those level across the cut goes on", TieInput)
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        services.break_tie(tournament_id=tournament.pk, by=by, **given)
        tournament.refresh_from_db()
        return self._shown(tournament)

    def _shown(self, tournament: Tournament) -> Response:
        tie = tie_of(tournament)
        shown = tie and {
            "stage": tie.stage.number,
            "group": tie.group,
            "places": tie.places,
            "entrants": [entrant.pk for entrant in tie.entrants],
            "names": [entrant.label for entrant in tie.entrants],
        }
        return self.answer({"stages": selectors.stage_list(tournament), "tie": shown})
