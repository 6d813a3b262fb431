"""Tournaments themselves: made, changed, opened, started, called off."""

from __future__ import annotations

import json
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api import query
from api.pagination import Pages
from api.permissions import AccountNeeded
from api.strict import Boolean, Choice, Integer, Object, StrictSerializer, Text
from api.v1.matches import GAMES
from api.v1.tournaments.base import TAGS, OneTournament, ReasonInput, changes, reads
from engine.rules import PRESETS
from players.models import Player
from tournaments import selectors, services
from tournaments.formats import FORMATS
from tournaments.formats.model import Option
from tournaments.models import Tournament
from tournaments.models.tournament import LIMITS
from tournaments.standings.criteria import KEYS


def _values(option: Option) -> str:
    """The values of an option in words: ``true or false, true if left out``."""
    allowed = option.allowed
    if isinstance(allowed, range):
        values = f"{allowed[0]} to {allowed[-1]}"
    else:
        values = " or ".join(json.dumps(value) for value in allowed)
    return f"{values}, {json.dumps(option.default)} if left out"


STATUSES = ("registration", "running", "finished", "cancelled")
OPTIONS_HELP = "The format's own settings: " + "; ".join(
    f"{name} ({key}): {_values(option)}"
    for name, module in sorted(FORMATS.items())
    for key, option in module.OPTIONS.items()
)
SEEDINGS = tuple(Tournament.Seeding.values)


class TournamentOutput(serializers.Serializer[Tournament]):
    """`taken` of `capacity` places are given away; `organiser` is a handle."""

    slug = serializers.CharField()
    name = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    organiser = serializers.CharField(source="organiser.handle")
    status = serializers.ChoiceField(choices=Tournament.Status.values)
    reason = serializers.CharField(allow_blank=True)
    format = serializers.ChoiceField(choices=sorted(FORMATS))
    options = serializers.DictField()
    game = serializers.ChoiceField(choices=GAMES)
    preset = serializers.ChoiceField(choices=sorted(PRESETS))
    rules = serializers.DictField()
    criteria = serializers.ListField(child=serializers.ChoiceField(choices=KEYS))
    best_of = serializers.IntegerField()
    rated = serializers.BooleanField()
    capacity = serializers.IntegerField()
    taken = serializers.IntegerField()
    seeding = serializers.ChoiceField(choices=SEEDINGS)
    turn_seconds = serializers.IntegerField()
    bank_seconds = serializers.IntegerField()
    no_show_seconds = serializers.IntegerField()
    break_seconds = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


def _limited(name: str, **options: Any) -> Integer:
    low, high = LIMITS[name]
    return Integer(min_value=low, max_value=high, required=False, **options)


class TournamentInput(StrictSerializer):
    """A tournament's settings. What is left out keeps its default, or in a change its value."""

    name = Text(max_length=80)
    text = Text(max_length=10_000, allow_blank=True, required=False)
    rules = Object(required=False)
    format = Choice(choices=sorted(FORMATS), required=False)
    options = Object(required=False, help_text=OPTIONS_HELP)
    criteria = serializers.ListField(
        child=Choice(choices=KEYS),
        required=False,
        help_text="What decides between equals, in order; empty for what is usual in the format.",
    )
    best_of = Integer(min_value=1, max_value=3, required=False)
    rated = Boolean(required=False)
    capacity = _limited("capacity")
    seeding = Choice(choices=SEEDINGS, required=False)
    turn_seconds = _limited("turn_seconds")
    bank_seconds = _limited("bank_seconds")
    no_show_seconds = _limited("no_show_seconds")
    break_seconds = _limited("break_seconds")


class OneEvent(OneTournament):
    """Answers with the event as it is now."""

    serializer_class = TournamentOutput

    def shown(self, tournament: Tournament, code: int = status.HTTP_200_OK) -> Response:
        return self.answer(selectors.by_slug(tournament.slug), code)


class TournamentList(OneEvent):
    pagination_class = Pages
    ordering = ("-created_at", "-pk")
    parameters = frozenset({"status"})

    @extend_schema(
        operation_id="tournaments_list",
        summary="List tournaments, newest first; drafts are left out",
        tags=TAGS,
        parameters=[OpenApiParameter("status", enum=STATUSES)],
        responses=TournamentOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        state = query.choice(request, "status", STATUSES)
        found = selectors.listed(state) if state is not None else selectors.listed()
        page = self.paginate_queryset(found)
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    @changes(
        "tournaments_create",
        "Make a tournament: a draft, that only you see",
        TournamentInput,
        {201: TournamentOutput},
    )
    def post(self, by: Player, given: dict[str, Any]) -> Response:
        if by.is_guest:
            raise AccountNeeded
        return self.shown(services.create(organiser=by, **given), status.HTTP_201_CREATED)


class TournamentDetail(OneEvent):
    @reads("tournaments_get", "A tournament")
    def get(self, request: Request, tournament: Tournament) -> Response:
        return self.answer(tournament)

    @changes("tournaments_edit", "Change settings before the start", TournamentInput, partial=True)
    def patch(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        services.edit(tournament_id=tournament.pk, by=by, **given)
        return self.shown(tournament)


class TournamentOpen(OneEvent):
    @changes("tournaments_open", "Let people join")
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        services.open_registration(tournament_id=tournament.pk, by=by)
        return self.shown(tournament)


class TournamentStart(OneEvent):
    @changes("tournaments_start", "Draw the bracket and open the first tables")
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        services.start(tournament_id=tournament.pk, by=by)
        return self.shown(tournament)


class TournamentCancel(OneEvent):
    @changes("tournaments_cancel", "Call a tournament off", ReasonInput)
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        services.cancel(tournament_id=tournament.pk, by=by, **given)
        return self.shown(tournament)
