"""Tournaments themselves: made, changed, opened, started, called off."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api import query
from api.pagination import Pages
from api.permissions import AccountNeeded
from api.strict import Boolean, Choice, Integer, Moment, Object, StrictSerializer, Text
from api.v1.matches import GAMES
from api.v1.tournaments.base import TAGS, OneTournament, ReasonInput, changes, reads
from engine.rules import PRESETS
from players.models import Player
from tournaments import moments, selectors, services
from tournaments.formats import FORMATS
from tournaments.formats.model import Option
from tournaments.models import Tournament
from tournaments.models.tournament import BEST_OF, LIMITS
from tournaments.options import LATER_STAGE, RATINGS
from tournaments.permissions import may_run
from tournaments.standings.criteria import KEYS


def _values(option: Option) -> str:
    """The values of an option in words: ``true or false, true if left out``."""
    allowed = option.allowed
    if isinstance(allowed, range):
        values = f"{allowed[0]} to {allowed[-1]}"
    else:
        values = " or ".join(json.dumps(value) for value in allowed)
    return f"{values}, {json.dumps(option.default)} if left out"


STATUSES = ("announced", "registration", "running", "finished", "cancelled")
OPTIONS_HELP = "The format's own settings: " + "; ".join(
    f"{name} ({key}): {_values(option)}"
    for name, module in sorted(FORMATS.items())
    for key, option in module.OPTIONS.items()
)
STAGES_HELP = (
    "The stages after the first: of each the `format`, its `options`, `best_of`, `rules` (empty: "
    "the tournament's), `turn_seconds` and `round_minutes` (null: the tournament's), how many go "
    "on (`take`, of each group if `per_group`), the `seeding` (crossed, table, lot) and `ties` "
    "across the cut (wait for the arbiter, or lot). If left out: " + json.dumps(LATER_STAGE)
)
MOMENT_HELP = (
    "ISO 8601 with an offset, or without one as on the clocks of `zone`; refused if those skip it "
    "or show it twice."
)
SEEDINGS = tuple(Tournament.Seeding.values)


class Local(serializers.DateTimeField):
    """A moment with the offset of the event's zone."""

    def get_attribute(self, instance: Any) -> Any:
        moment = super().get_attribute(instance)
        return None if moment is None else moments.local(moment, instance.zone)

    def to_representation(self, value: dt.datetime) -> str:
        return value.isoformat()


class TournamentOutput(serializers.Serializer[Tournament]):
    """`taken` of `capacity` places are given away; `organiser` is a handle, `club` its address.
    Times are on the clocks of `zone`. `held` says why it did not start at its time. `link_key`,
    for events by link, is there for those who run it.
    """

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
    later_stages = serializers.ListField(child=serializers.DictField())
    rated = serializers.BooleanField()
    capacity = serializers.IntegerField()
    taken = serializers.IntegerField()
    seeding = serializers.ChoiceField(choices=SEEDINGS)
    turn_seconds = serializers.IntegerField()
    bank_seconds = serializers.IntegerField()
    no_show_seconds = serializers.IntegerField()
    break_seconds = serializers.IntegerField()
    spectator_delay = serializers.IntegerField()
    sides = serializers.ChoiceField(choices=Tournament.Sides.values)
    play = serializers.ChoiceField(choices=Tournament.Play.values)
    reports = serializers.ChoiceField(choices=Tournament.Reports.values)
    round_start = serializers.ChoiceField(choices=Tournament.RoundStart.values)
    round_minutes = serializers.IntegerField()
    slow_minutes = serializers.IntegerField()
    confirm_minutes = serializers.IntegerField()
    access = serializers.ChoiceField(choices=Tournament.Access.values)
    link_key = serializers.SerializerMethodField()
    club = serializers.CharField(source="club.slug", allow_null=True, default=None)
    min_rating = serializers.IntegerField(allow_null=True)
    max_rating = serializers.IntegerField(allow_null=True)
    by_peak = serializers.BooleanField()
    fee = serializers.CharField(allow_blank=True)
    prizes = serializers.CharField(allow_blank=True)
    zone = serializers.CharField()
    starts_at = Local(allow_null=True)
    closes_at = Local(allow_null=True)
    check_in_minutes = serializers.IntegerField()
    late_rounds = serializers.IntegerField()
    missed = serializers.ChoiceField(choices=Tournament.Missed.values)
    rests_allowed = serializers.IntegerField()
    rest_worth = serializers.ChoiceField(choices=Tournament.Missed.values)
    weekly = serializers.BooleanField()
    held = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)

    def get_link_key(self, event: Tournament) -> str | None:
        if event.access != Tournament.Access.LINK:
            return None
        request = self.context.get("request")
        return event.link_key if may_run(event, getattr(request, "user", None)) else None


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
    best_of = Integer(min_value=1, max_value=max(BEST_OF), required=False)
    later_stages = serializers.ListField(
        child=serializers.JSONField(), required=False, max_length=4, help_text=STAGES_HELP
    )
    rated = Boolean(required=False)
    capacity = _limited("capacity")
    seeding = Choice(choices=SEEDINGS, required=False)
    turn_seconds = _limited("turn_seconds")
    bank_seconds = _limited("bank_seconds")
    no_show_seconds = _limited("no_show_seconds")
    break_seconds = _limited("break_seconds")
    spectator_delay = _limited(
        "spectator_delay", help_text="How many turns spectators of its tables are behind."
    )
    sides = Choice(choices=Tournament.Sides.values, required=False)
    play = Choice(choices=Tournament.Play.values, required=False)
    reports = Choice(choices=Tournament.Reports.values, required=False)
    round_start = Choice(choices=Tournament.RoundStart.values, required=False)
    round_minutes = _limited("round_minutes")
    slow_minutes = _limited("slow_minutes", help_text="0: once it takes much longer than others.")
    confirm_minutes = _limited("confirm_minutes")
    access = Choice(choices=Tournament.Access.values, required=False)
    club = Text(max_length=60, allow_null=True, required=False)
    min_rating = Integer(
        min_value=RATINGS[0], max_value=RATINGS[1], allow_null=True, required=False
    )
    max_rating = Integer(
        min_value=RATINGS[0], max_value=RATINGS[1], allow_null=True, required=False
    )
    by_peak = Boolean(
        required=False, help_text="The limits look at the highest rating of the last 12 months."
    )
    fee = Text(max_length=120, allow_blank=True, required=False)
    prizes = Text(max_length=10_000, allow_blank=True, required=False)
    zone = Text(max_length=40, required=False, help_text="An IANA name: America/Lima.")
    starts_at = Moment(allow_null=True, required=False, help_text=MOMENT_HELP)
    closes_at = Moment(allow_null=True, required=False, help_text=MOMENT_HELP)
    check_in_minutes = _limited("check_in_minutes")
    late_rounds = _limited("late_rounds")
    missed = Choice(choices=Tournament.Missed.values, required=False)
    rests_allowed = _limited("rests_allowed")
    rest_worth = Choice(choices=Tournament.Missed.values, required=False)
    weekly = Boolean(required=False)


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

    @changes(
        "tournaments_edit",
        "Change settings; once it runs only harmless ones",
        TournamentInput,
        partial=True,
    )
    def patch(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        services.edit(tournament_id=tournament.pk, by=by, **given)
        return self.shown(tournament)


class TournamentOpen(OneEvent):
    @changes("tournaments_open", "Let people join")
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        services.open_registration(tournament_id=tournament.pk, by=by)
        return self.shown(tournament)


class TournamentAnnounce(OneEvent):
    @changes("tournaments_announce", "Show a draft to everyone, before registration")
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        services.announce(tournament_id=tournament.pk, by=by)
        return self.shown(tournament)


class TournamentClose(OneEvent):
    @changes("tournaments_close", "End registration")
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        services.close_registration(tournament_id=tournament.pk, by=by)
        return self.shown(tournament)


class TournamentLink(OneEvent):
    @changes("tournaments_new_link", "Replace the secret key of the event's link")
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        services.renew_link(tournament_id=tournament.pk, by=by)
        return self.shown(tournament)


class TournamentCopy(OneEvent):
    @changes("tournaments_copy", "A draft with the same settings", answers={201: TournamentOutput})
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        made = services.copy(tournament_id=tournament.pk, by=by)
        return self.shown(made, status.HTTP_201_CREATED)


class TournamentNextWeek(OneEvent):
    @changes(
        "tournaments_next_week",
        "The next of a weekly series, open for entry; the same again if it is there",
        answers={201: TournamentOutput},
    )
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        made = services.next_week(tournament_id=tournament.pk, by=by)
        return self.shown(made, status.HTTP_201_CREATED)


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
