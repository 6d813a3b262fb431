"""Matches: tables to join, matches to watch, and what came of them.

Everything here is made from public facts: of a round that is being played there is nothing.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api import query
from api.pagination import Pages
from api.strict import Boolean, Choice, Integer, Object, StrictSerializer
from api.views import ApiView, caller
from engine.bots import LEVELS
from engine.rules import PRESETS
from games import selectors, services
from games.models import Match, Seat
from players.tokens import TABLES_WRITE
from ratings import selectors as ratings

GAMES = ("allfives", "draw", "block")
KINDS = ("player", "guest", "bot", "empty")
STATUSES = ("open", "running", "finished")


class SeatOutput(serializers.Serializer[Seat]):
    """`player` is the handle of someone with an account, or of a bot."""

    seat = serializers.IntegerField()
    side = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    kind = serializers.ChoiceField(choices=KINDS)
    player = serializers.CharField(allow_null=True)


class MatchOutput(serializers.Serializer[Match]):
    """`scores` and `places` are by side; two partners are one side. Where spectators are
    `spectator_delay` turns behind, a running match's `scores` are empty.
    """

    id = serializers.CharField()
    status = serializers.ChoiceField(choices=(*STATUSES, "cancelled"))
    game = serializers.ChoiceField(choices=GAMES)
    preset = serializers.ChoiceField(choices=sorted(PRESETS))
    rules = serializers.DictField()
    rated = serializers.BooleanField()
    turn_seconds = serializers.IntegerField()
    seats = SeatOutput(many=True)
    spectator_delay = serializers.IntegerField()
    scores = serializers.ListField(child=serializers.IntegerField())
    winner = serializers.IntegerField(allow_null=True)
    places = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    url = serializers.CharField()
    replay_url = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)

    def to_representation(self, instance: Match) -> dict[str, Any]:
        when = self.fields["created_at"].to_representation
        plain = ("id", "status", "game", "preset", "rules", "rated", "turn_seconds",
                 "spectator_delay", "winner", "places", "reason")  # fmt: skip
        return {
            **{name: getattr(instance, name) for name in plain},
            "scores": instance.told_scores,
            "seats": [_seat(instance, seat) for seat in instance.seat_set.all()],
            "url": self.context["request"].build_absolute_uri(
                reverse("pages:table", args=[instance.pk])
            ),
            "replay_url": self.context["request"].build_absolute_uri(
                reverse("pages:replay", args=[instance.pk])
            )
            if instance.is_over
            else None,
            "created_at": when(instance.created_at),
            "started_at": instance.started_at and when(instance.started_at),
            "finished_at": instance.finished_at and when(instance.finished_at),
        }


class MatchRoundOutput(serializers.Serializer[dict[str, Any]]):
    """A finished round: what was left in the hands, what was paid, the scores after it."""

    number = serializers.IntegerField()
    reason = serializers.ChoiceField(choices=("domino", "blocked", "target"))
    out = serializers.IntegerField(allow_null=True)
    winner = serializers.IntegerField(allow_null=True)
    points = serializers.ListField(child=serializers.IntegerField())
    scores = serializers.ListField(child=serializers.IntegerField())


class MatchRatingOutput(serializers.Serializer[dict[str, Any]]):
    """What the match did to a player's rating; `expected` is the chance given beforehand."""

    player = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()
    expected = serializers.FloatField()
    weight = serializers.FloatField()


class MatchDetailOutput(MatchOutput):
    """`unrated` says in words why a finished match is not rated."""

    rounds = MatchRoundOutput(many=True)
    ratings = MatchRatingOutput(many=True)
    unrated = serializers.CharField(allow_null=True)

    def to_representation(self, instance: Match) -> dict[str, Any]:
        finished = instance.status == Match.Status.FINISHED
        changes = ratings.changes_of(instance.pk) if finished else []
        return {
            **super().to_representation(instance),
            "rounds": _rounds(instance),
            "ratings": [
                {
                    "player": change.player.handle,
                    "before": change.rating_before,
                    "after": change.rating_after,
                    "expected": change.expected,
                    "weight": change.weight,
                }
                for change in changes
            ],
            "unrated": ratings.unrated_reason(instance.pk) if finished and not changes else None,
        }


class TableInput(StrictSerializer):
    """A table to open. `rules` is a preset with overrides; the caller takes the first seat.

    `bots` fills seats by number ("1": "hard"); an unlisted table is found by its link alone.
    """

    seats = Integer(min_value=2, max_value=4, default=2)
    rules = Object(default=dict)
    bots = serializers.DictField(child=Choice(choices=LEVELS), default=dict)
    turn_seconds = Integer(min_value=5, max_value=300, default=15)
    bank_seconds = Integer(min_value=0, max_value=3600, default=0)
    rated = Boolean(default=True)
    listed = Boolean(default=True)

    def validate_bots(self, value: dict[str, str]) -> dict[int, str]:
        if not all(key in ("0", "1", "2", "3") for key in value):
            raise serializers.ValidationError("Seats are numbered from 0.")
        return {int(key): level for key, level in value.items()}


def matches() -> QuerySet[Match]:
    """Matches with their seats and players fetched."""
    seats = Seat.objects.select_related("player").order_by("index")
    return Match.objects.prefetch_related(Prefetch("seat_set", seats))


class MatchList(ApiView):
    serializer_class = MatchOutput
    pagination_class = Pages
    ordering = ("-created_at", "-pk")
    parameters = frozenset({"status", "game", "player"})
    scope = TABLES_WRITE

    @extend_schema(
        operation_id="matches_list",
        summary="List public matches, newest first",
        tags=["matches"],
        parameters=[
            OpenApiParameter("status", enum=STATUSES),
            OpenApiParameter("game", enum=GAMES),
            OpenApiParameter("player", description="A player's handle."),
        ],
        responses=MatchOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        found = matches().filter(listed=True).exclude(status=Match.Status.CANCELLED)
        if (state := query.choice(request, "status", STATUSES)) is not None:
            found = found.filter(status=state)
        if (game := query.choice(request, "game", GAMES)) is not None:
            found = found.filter(game=game)
        if (handle := query.line(request, "player")) is not None:
            found = found.filter(seat__player__handle=handle, seat__player__is_guest=False)
        page = self.paginate_queryset(found)
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    @extend_schema(
        operation_id="matches_open",
        summary="Open a table",
        tags=["matches"],
        request=TableInput,
        responses={201: MatchOutput},
    )
    def post(self, request: Request) -> Response:
        return self.write(request, lambda: self._open(request))

    def _open(self, request: Request) -> Response:
        table = self.checked(TableInput, request)
        match = services.open_match(host=caller(request), **table)
        output = self.get_serializer(matches().get(pk=match.pk))
        return Response(output.data, status=status.HTTP_201_CREATED)


class LiveMatches(ApiView):
    serializer_class = MatchOutput
    pagination_class = Pages
    ordering = ("-started_at", "-pk")

    @extend_schema(
        operation_id="matches_live",
        summary="List public matches that are being played",
        tags=["matches"],
        responses=MatchOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(selectors.live_matches())
        return self.get_paginated_response(self.get_serializer(page, many=True).data)


class MatchDetail(ApiView):
    serializer_class = MatchDetailOutput

    @extend_schema(
        operation_id="matches_get",
        summary="A match, with its finished rounds",
        tags=["matches"],
    )
    def get(self, request: Request, match_id: str) -> Response:
        return Response(self.get_serializer(get_object_or_404(matches(), pk=match_id)).data)


class MatchRecord(ApiView):
    serializer_class = None

    @extend_schema(
        operation_id="matches_record",
        summary="The finished rounds of a match as domino-record/1",
        tags=["matches"],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, match_id: str) -> Response:
        return Response(selectors.record_of(match_id))


def _seat(match: Match, seat: Seat) -> dict[str, Any]:
    player = seat.player
    sides = 2 if match.rules.get("partners") else match.seats
    if player is None:
        kind = "empty"
    elif seat.bot_level:
        kind = "bot"
    else:
        kind = "guest" if player.is_guest else "player"
    return {
        "seat": seat.index,
        "side": seat.index % sides,
        "name": seat.name,
        "kind": kind,
        "player": None if player is None or player.is_guest else player.handle,
    }


def _rounds(match: Match) -> list[dict[str, Any]]:
    names = ("number", "reason", "out", "winner", "points", "scores")
    ends = match.events.filter(kind="round_ended").order_by("seq").values_list("data", flat=True)
    return [{name: data[name] for name in names} for data in ends]
