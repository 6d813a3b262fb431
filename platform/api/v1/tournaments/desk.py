"""The arbiter's desk: rounds drawn, published, started, timed; sheets of physical tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.strict import Choice, Integer, NothingInput, StrictSerializer, Text
from api.v1.tournaments.base import OneTournament, ReasonInput, changes, reads
from api.v1.tournaments.results import pairing_of
from players.models import Player
from players.tokens import RESULTS_WRITE
from tournaments import selectors, services, stages
from tournaments.models import Report, Result, Round, Tournament

DEEDS: dict[str, Callable[..., Round]] = {
    "publish": services.publish,
    "start": services.start_round,
    "take_back": services.take_back,
    "redraw": services.redraw,
    "add_time": services.add_time,
    "pause": services.pause,
    "resume": services.resume,
    "call_time": services.call_time,
}
WITH_REASON = ("take_back", "redraw", "add_time", "pause", "call_time")


class RoundOutput(serializers.Serializer[Round]):
    """A round as the desk has it. `drawn` is false while a worker is still to draw it. The round's
    time ends at `ends_at`, if it is limited; from `called_at` on only the deals in hand are played.
    """

    number = serializers.IntegerField()
    name = serializers.CharField()
    status = serializers.ChoiceField(choices=Round.Status.values)
    drawn = serializers.BooleanField()
    started_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    paused_at = serializers.DateTimeField(allow_null=True)
    called_at = serializers.DateTimeField(allow_null=True)

    def to_representation(self, instance: Round) -> dict[str, Any]:
        shown = {
            field: self.fields[field].to_representation(value) if value is not None else None
            for field in ("started_at", "ends_at", "paused_at", "called_at")
            for value in [getattr(instance, field)]
        }
        return {
            "number": instance.number,
            "name": selectors.round_name(instance.stage, instance.number),
            "status": instance.status,
            "drawn": instance.pairings.exists(),
            **shown,
        }


class DeedInput(StrictSerializer):
    """What to do with the round; `minutes` go with "add_time"."""

    do = Choice(choices=tuple(DEEDS))
    minutes = Integer(min_value=1, max_value=240, required=False)
    reason = Text(max_length=200, allow_blank=True, default="")


def _points(low: int) -> Any:
    return serializers.ListField(
        child=Integer(min_value=low, max_value=10_000), min_length=2, max_length=4
    )


class SheetInput(StrictSerializer):
    """A score sheet, by side: the points of the match, or of each game, or the games won. `absent`
    are the sides of a table of three or four that never came, counted from 0. `seats` are the ids
    of the entrants who sat there, by side: if others do by now, the sheet is refused.
    """

    scores = serializers.ListField(
        child=Integer(min_value=-10_000, max_value=10_000),
        min_length=2,
        max_length=4,
        required=False,
    )
    game_scores = serializers.ListField(child=_points(-10_000), max_length=9, required=False)
    games = serializers.ListField(
        child=Integer(min_value=0, max_value=9), min_length=2, max_length=4, required=False
    )
    absent = serializers.ListField(
        child=Integer(min_value=0, max_value=3), max_length=3, required=False
    )
    seats = serializers.ListField(child=Integer(min_value=1), max_length=4, required=False)


class SheetOutput(serializers.Serializer[dict[str, Any]]):
    """`state`: "official" (it is the result), "waiting" (for the other side, or another scorer), or
    "disputed" (an arbiter decides).
    """

    state = serializers.ChoiceField(choices=("official", "waiting", "disputed"))
    scores = serializers.ListField(child=serializers.IntegerField())
    games = serializers.ListField(child=serializers.IntegerField())


class RoundList(OneTournament):
    serializer_class = RoundOutput

    @reads(
        "tournaments_rounds",
        "The rounds of the stage in hand; drafts for its officials only",
        RoundOutput(many=True),
    )
    def get(self, request: Request, tournament: Tournament) -> Response:
        stage = stages.current(tournament)
        rows = [] if stage is None else stage.rounds.select_related("stage").order_by("number")
        sees = selectors.sees_drafts(tournament, self.viewer(request))
        return self.answer([row for row in rows if sees or not row.is_draft], many=True)

    @changes(
        "tournaments_draw_round",
        "Have the next round drawn, as a draft",
        NothingInput,
        {201: RoundOutput},
    )
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        made = services.ask(tournament_id=tournament.pk, by=by)
        return self.answer(made, status.HTTP_201_CREATED)


class RoundDetail(OneTournament):
    serializer_class = RoundOutput

    @changes("tournaments_round_do", "Publish, start, pause … a round", DeedInput)
    def post(
        self, by: Player, tournament: Tournament, number: int, given: dict[str, Any]
    ) -> Response:
        row, deed = _round(tournament, number, by), given["do"]
        details = {"reason": given["reason"]} if deed in WITH_REASON else {}
        if deed == "add_time":
            details["minutes"] = given.get("minutes", 0)
        DEEDS[deed](round_id=row.pk, by=by, **details)
        return self.answer(Round.objects.select_related("stage").get(pk=row.pk))

    @changes("tournaments_round_delete", "Delete a draft", ReasonInput, {204: None})
    def delete(
        self, by: Player, tournament: Tournament, number: int, given: dict[str, Any]
    ) -> Response:
        services.discard(round_id=_round(tournament, number, by).pk, by=by, **given)
        return Response(status=status.HTTP_204_NO_CONTENT)


class PairingSheets(OneTournament):
    serializer_class = SheetOutput
    scope = RESULTS_WRITE

    @changes(
        "tournaments_sheet",
        "Hand in the score sheet of a physical table",
        SheetInput,
        {201: SheetOutput},
    )
    def post(
        self, by: Player, tournament: Tournament, number: int, given: dict[str, Any]
    ) -> Response:
        pairing = pairing_of(tournament, number, by)
        made = services.hand_in(pairing_id=pairing.pk, by=by, sheet=services.Sheet(**given))
        state = "official" if isinstance(made, Result) else _STATES[Report.State(made.state)]
        shown = {"state": state, "scores": made.scores, "games": made.games}
        return self.answer(shown, status.HTTP_201_CREATED)


_STATES = {
    Report.State.WAITING: "waiting",
    Report.State.DISPUTED: "disputed",
    Report.State.CONFIRMED: "official",
}


def _round(tournament: Tournament, number: int, viewer: Player) -> Round:
    """The round of that number in the stage in hand, if the viewer may know it. Raises Http404."""
    stage = stages.current(tournament)
    row = None if stage is None else stage.rounds.filter(number=number).first()
    if row is None or (row.is_draft and not selectors.sees_drafts(tournament, viewer)):
        raise Http404
    return row
