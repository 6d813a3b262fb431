"""Challenge ladders: read, joined, and challenged on."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.strict import Choice, NothingInput, StrictSerializer, Text
from api.views import ApiView, caller
from players.models import Player
from players.tokens import TOURNAMENTS_WRITE
from tournaments.ladders import selectors, services
from tournaments.models import Challenge, Ladder, LadderPlace

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


class PlaceOutput(serializers.Serializer[LadderPlace]):
    """`moved`: how many places up the last move went, negative for down."""

    rank = serializers.IntegerField()
    player = serializers.CharField(source="player.handle")
    name = serializers.CharField(source="player.name")
    moved = serializers.IntegerField()
    active_at = serializers.DateTimeField()


class ChallengeOutput(serializers.Serializer[Challenge]):
    id = serializers.IntegerField()
    challenger = serializers.CharField(source="challenger.handle")
    defender = serializers.CharField(source="defender.handle")
    state = serializers.ChoiceField(choices=Challenge.State.values)
    deadline = serializers.DateTimeField()


class ChallengeInput(StrictSerializer):
    """Whom to challenge, by handle."""

    defender = Text(max_length=40)


class AnswerInput(StrictSerializer):
    """accept and refuse are the defender's, take_back the challenger's; ready says that one would
    play now: the table opens when both have said so within five minutes.
    """

    answer = Choice(choices=tuple(ANSWERS))


class LadderList(ApiView):
    serializer_class = ChallengeLadderOutput

    @extend_schema(
        operation_id="challenge_ladders_list",
        summary="All challenge ladders, the newest first",
        tags=TAGS,
        responses=ChallengeLadderOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        found = selectors.listed().select_related("owner")[:200]
        return Response(self.get_serializer(found, many=True).data)


class OneLadder(ApiView):
    serializer_class: type[serializers.Serializer[Any]] = ChallengeLadderOutput
    scope = TOURNAMENTS_WRITE

    def ladder(self, slug: str) -> Ladder:
        found = selectors.by_slug(slug)
        if found is None:
            raise Http404
        return found


class LadderDetail(OneLadder):
    @extend_schema(operation_id="challenge_ladders_get", summary="A challenge ladder", tags=TAGS)
    def get(self, request: Request, ladder: str) -> Response:
        return Response(self.get_serializer(self.ladder(ladder)).data)


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

    @extend_schema(
        operation_id="challenge_ladders_join",
        summary="Take a place at the bottom",
        tags=TAGS,
        request=NothingInput,
        responses={201: PlaceOutput},
    )
    def post(self, request: Request, ladder: str) -> Response:
        found = self.ladder(ladder)

        def join() -> Response:
            self.checked(NothingInput, request)
            place = services.join(ladder_id=found.pk, player=caller(request))
            return Response(self.get_serializer(place).data, status.HTTP_201_CREATED)

        return self.write(request, join)


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

    @extend_schema(
        operation_id="challenge_ladders_challenge",
        summary="Challenge somebody who stands higher",
        tags=TAGS,
        request=ChallengeInput,
        responses={201: ChallengeOutput},
    )
    def post(self, request: Request, ladder: str) -> Response:
        found = self.ladder(ladder)

        def challenge() -> Response:
            given = self.checked(ChallengeInput, request)
            defender = Player.objects.filter(handle=given["defender"]).first()
            if defender is None:
                raise Http404
            made = services.challenge(ladder_id=found.pk, player=caller(request), defender=defender)
            return Response(self.get_serializer(made).data, status.HTTP_201_CREATED)

        return self.write(request, challenge)


class ChallengeAnswer(OneLadder):
    serializer_class = ChallengeOutput

    @extend_schema(
        operation_id="challenge_ladders_answer",
        summary="Accept, refuse or take back a challenge, or say that you would play now",
        tags=TAGS,
        request=AnswerInput,
    )
    def post(self, request: Request, ladder: str, challenge: int) -> Response:
        of = self.ladder(ladder)

        def answer() -> Response:
            given = self.checked(AnswerInput, request)
            found = of.challenges.filter(pk=challenge).first()
            if found is None:
                raise Http404
            ANSWERS[given["answer"]](challenge_id=found.pk, player=caller(request))
            found.refresh_from_db()
            return Response(self.get_serializer(found).data)

        return self.write(request, answer)
