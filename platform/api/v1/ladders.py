"""Challenge ladders: made, joined, and challenged on."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.permissions import AccountNeeded
from api.strict import Boolean, Choice, Integer, Object, StrictSerializer, Text
from api.v1.naming import club_named, player_named
from api.v1.tournaments.base import changes
from api.views import ApiView
from players.models import Player
from players.tokens import TOURNAMENTS_WRITE
from tournaments.ladders import selectors, services
from tournaments.ladders.running import NUMBERS
from tournaments.models import Challenge, Ladder, LadderPlace
from tournaments.models.tournament import BEST_OF

TAGS = ["ladders"]
ANSWERS = {
    "accept": services.accept,
    "refuse": services.refuse,
    "take_back": services.take_back,
    "ready": services.ready,
}


class ChallengeLadderOutput(serializers.Serializer[Ladder]):
    slug = serializers.CharField()
    name = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    owner = serializers.CharField(source="owner.handle")
    club = serializers.CharField(source="club.slug", allow_null=True, default=None)
    preset = serializers.CharField()
    rules = serializers.DictField()
    play = serializers.ChoiceField(choices=Ladder.Play.values)
    best_of = serializers.IntegerField()
    reach = serializers.IntegerField()
    answer_days = serializers.IntegerField()
    play_days = serializers.IntegerField()
    refusal = serializers.ChoiceField(choices=Ladder.Refusal.values)
    free_refusals = serializers.IntegerField()
    idle_days = serializers.IntegerField()
    turn_seconds = serializers.IntegerField()
    no_show_seconds = serializers.IntegerField()
    rated = serializers.BooleanField()


class PlaceOutput(serializers.Serializer[LadderPlace]):
    """`moved`: how many places up the last move went, negative for down."""

    rank = serializers.IntegerField()
    player = serializers.CharField(source="player.handle")
    name = serializers.CharField(source="player.name")
    moved = serializers.IntegerField()
    active_at = serializers.DateTimeField()


class ChallengeOutput(serializers.Serializer[Challenge]):
    """`reported` is who won as `reported_by` says, until the other side says the same; `winner`
    is null until it is played. All are handles.
    """

    id = serializers.IntegerField()
    challenger = serializers.CharField(source="challenger.handle")
    defender = serializers.CharField(source="defender.handle")
    state = serializers.ChoiceField(choices=Challenge.State.values)
    deadline = serializers.DateTimeField()
    reported = serializers.CharField(source="reported.handle", allow_null=True, default=None)
    reported_by = serializers.CharField(source="reported_by.handle", allow_null=True, default=None)
    winner = serializers.CharField(source="winner.handle", allow_null=True, default=None)


class ChallengeInput(StrictSerializer):
    """Whom to challenge, by handle."""

    defender = Text(max_length=40)


class AnswerInput(StrictSerializer):
    """accept and refuse are the defender's, take_back the challenger's; ready says that one would
    play now: the table opens when both have said so within five minutes.
    """

    answer = Choice(choices=tuple(ANSWERS))


class WinnerInput(StrictSerializer):
    """Who won, by handle. A `reason` makes it the decision of whoever runs the ladder; without one
    it is a player's report of a match over the board, which counts when the other side says the
    same.
    """

    winner = Text(max_length=40)
    reason = Text(max_length=200, required=False)


def _number(key: str) -> Integer:
    low, high = NUMBERS[key]
    return Integer(min_value=low, max_value=high, required=False)


class LadderInput(StrictSerializer):
    """A ladder's settings; what is left out keeps its default, or in a change its value."""

    name = Text(max_length=80)
    text = Text(max_length=4000, allow_blank=True, required=False)
    rules = Object(required=False)
    play = Choice(choices=Ladder.Play.values, required=False)
    best_of = Integer(min_value=1, max_value=max(BEST_OF), required=False)
    refusal = Choice(choices=Ladder.Refusal.values, required=False)
    rated = Boolean(required=False)
    reach = _number("reach")
    answer_days = _number("answer_days")
    play_days = _number("play_days")
    free_refusals = _number("free_refusals")
    idle_days = _number("idle_days")
    turn_seconds = _number("turn_seconds")
    no_show_seconds = _number("no_show_seconds")


class NewLadderInput(LadderInput):
    """The same, and the address of a club that is yours, for its members."""

    club = Text(max_length=60, required=False)


class LadderList(ApiView):
    serializer_class = ChallengeLadderOutput
    scope = TOURNAMENTS_WRITE

    @extend_schema(
        operation_id="challenge_ladders_list",
        summary="All challenge ladders, the newest first",
        tags=TAGS,
        responses=ChallengeLadderOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        found = selectors.listed().select_related("owner")[:200]
        return Response(self.get_serializer(found, many=True).data)

    @changes(
        "challenge_ladders_create",
        "Make a challenge ladder",
        NewLadderInput,
        {201: ChallengeLadderOutput},
        tags=TAGS,
    )
    def post(self, by: Player, given: dict[str, Any]) -> Response:
        if by.is_guest:
            raise AccountNeeded
        club = club_named(given.pop("club", None))
        made = services.create(owner=by, club=club, **given)
        return Response(self.get_serializer(made).data, status.HTTP_201_CREATED)


class OneLadder(ApiView):
    serializer_class: type[serializers.Serializer[Any]] = ChallengeLadderOutput
    scope = TOURNAMENTS_WRITE

    def ladder(self, slug: str) -> Ladder:
        found = selectors.by_slug(slug)
        if found is None:
            raise Http404
        return found

    def challenge(self, slug: str, number: int) -> Challenge:
        found = self.ladder(slug).challenges.filter(pk=number).first()
        if found is None:
            raise Http404
        return found


class LadderDetail(OneLadder):
    @extend_schema(operation_id="challenge_ladders_get", summary="A challenge ladder", tags=TAGS)
    def get(self, request: Request, ladder: str) -> Response:
        return Response(self.get_serializer(self.ladder(ladder)).data)

    @changes(
        "challenge_ladders_edit",
        "Change settings; open challenges keep their deadlines",
        LadderInput,
        partial=True,
        tags=TAGS,
    )
    def patch(self, by: Player, ladder: str, given: dict[str, Any]) -> Response:
        edited = services.edit(ladder_id=self.ladder(ladder).pk, by=by, **given)
        return Response(self.get_serializer(edited).data)


class PlaceList(OneLadder):
    serializer_class = PlaceOutput

    @extend_schema(
        operation_id="challenge_ladders_places",
        summary="Who stands where, from the top",
        tags=TAGS,
        responses=PlaceOutput(many=True),
    )
    def get(self, request: Request, ladder: str) -> Response:
        rows = selectors.places(self.ladder(ladder))
        return Response(self.get_serializer(rows, many=True).data)

    @changes(
        "challenge_ladders_join",
        "Take a place at the bottom",
        answers={201: PlaceOutput},
        tags=TAGS,
    )
    def post(self, by: Player, ladder: str, given: dict[str, Any]) -> Response:
        place = services.join(ladder_id=self.ladder(ladder).pk, player=by)
        return Response(self.get_serializer(place).data, status.HTTP_201_CREATED)

    @changes(
        "challenge_ladders_leave",
        "Give your place up, and open challenges with it",
        None,
        {204: None},
        tags=TAGS,
    )
    def delete(self, by: Player, ladder: str) -> Response:
        services.leave(ladder_id=self.ladder(ladder).pk, player=by)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ChallengeList(OneLadder):
    serializer_class = ChallengeOutput

    @extend_schema(
        operation_id="challenge_ladders_challenges",
        summary="The open challenges, the most urgent first",
        tags=TAGS,
        responses=ChallengeOutput(many=True),
    )
    def get(self, request: Request, ladder: str) -> Response:
        found = selectors.open_challenges(self.ladder(ladder))
        return Response(self.get_serializer(found, many=True).data)

    @changes(
        "challenge_ladders_challenge",
        "Challenge somebody who stands higher",
        ChallengeInput,
        {201: ChallengeOutput},
        tags=TAGS,
    )
    def post(self, by: Player, ladder: str, given: dict[str, Any]) -> Response:
        found, defender = self.ladder(ladder), player_named(given["defender"])
        made = services.challenge(ladder_id=found.pk, player=by, defender=defender)
        return Response(self.get_serializer(made).data, status.HTTP_201_CREATED)


class PlayedList(OneLadder):
    serializer_class = ChallengeOutput

    @extend_schema(
        operation_id="challenge_ladders_played",
        summary="The last hundred challenges that were played, the latest first",
        tags=TAGS,
        responses=ChallengeOutput(many=True),
    )
    def get(self, request: Request, ladder: str) -> Response:
        found = selectors.played(self.ladder(ladder), limit=100)
        return Response(self.get_serializer(found, many=True).data)


class ChallengeAnswer(OneLadder):
    serializer_class = ChallengeOutput

    @changes(
        "challenge_ladders_answer",
        "Accept, refuse or take back a challenge, or say that you would play now",
        AnswerInput,
        tags=TAGS,
    )
    def post(self, by: Player, ladder: str, challenge: int, given: dict[str, Any]) -> Response:
        found = self.challenge(ladder, challenge)
        ANSWERS[given["answer"]](challenge_id=found.pk, player=by)
        return Response(self.get_serializer(self.challenge(ladder, challenge)).data)


class ChallengeResult(OneLadder):
    serializer_class = ChallengeOutput

    @changes(
        "challenge_ladders_result",
        "Report who won over the board; or decide it, for those who run the ladder",
        WinnerInput,
        tags=TAGS,
    )
    def post(self, by: Player, ladder: str, challenge: int, given: dict[str, Any]) -> Response:
        found, winner = self.challenge(ladder, challenge), player_named(given["winner"])
        if "reason" in given:
            services.correct(challenge_id=found.pk, by=by, winner=winner, reason=given["reason"])
        else:
            services.report(challenge_id=found.pk, player=by, winner=winner)
        return Response(self.get_serializer(self.challenge(ladder, challenge)).data)
