"""Leagues, read: divisions, tables, and who goes up and down."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.pagination import Pages
from api.views import ApiView
from tournaments import leagues, selectors
from tournaments.leagues import DivisionLook
from tournaments.models import League


class LeagueOutput(serializers.Serializer[League]):
    """`sizes` are the places in the divisions from the top; `moves` go up and down at a border."""

    slug = serializers.CharField()
    name = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    owner = serializers.CharField(source="owner.handle")
    sizes = serializers.ListField(child=serializers.IntegerField())
    moves = serializers.IntegerField()
    days = serializers.IntegerField()


class LeagueRowOutput(serializers.Serializer[Any]):
    """`points` are in twelfths; `next` is where the player goes after the season, as the table
    stands or, where it is `certain`, for good.
    """

    place = serializers.IntegerField(allow_null=True)
    player = serializers.CharField(allow_null=True)
    name = serializers.CharField()
    points = serializers.IntegerField()
    next = serializers.ChoiceField(choices=("up", "down", "stays"))
    certain = serializers.BooleanField()


class DivisionOutput(serializers.Serializer[Any]):
    """A division; its matches are those of the `tournament` (a slug)."""

    number = serializers.IntegerField()
    tournament = serializers.CharField()
    rows = LeagueRowOutput(many=True)


class OneLeagueOutput(LeagueOutput):
    """`season` is null before the first one begins."""

    season = serializers.IntegerField(allow_null=True)
    begins_on = serializers.DateField(allow_null=True)
    ends_on = serializers.DateField(allow_null=True)
    over = serializers.BooleanField()
    divisions = DivisionOutput(many=True)


class LeagueList(ApiView):
    serializer_class = LeagueOutput
    pagination_class = Pages
    ordering = ("-created_at", "-pk")

    @extend_schema(
        operation_id="leagues_list",
        summary="List leagues, newest first",
        tags=["leagues"],
        responses=LeagueOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(leagues.listed().order_by("-created_at", "-pk"))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)


class LeagueDetail(ApiView):
    serializer_class = OneLeagueOutput

    @extend_schema(
        operation_id="leagues_get", summary="A league with its current season", tags=["leagues"]
    )
    def get(self, request: Request, slug: str) -> Response:
        league = leagues.by_slug(slug)
        if league is None:
            raise Http404
        season = leagues.current_season(league)
        looks = [] if season is None else leagues.divisions_of(season)
        shown = {
            **LeagueOutput(league).data,
            "season": None if season is None else season.number,
            "begins_on": None if season is None else season.begins_on.isoformat(),
            "ends_on": None if season is None else season.ends_on.isoformat(),
            "over": season is not None and leagues.is_over(season),
            "divisions": [_division(look) for look in looks],
        }
        return Response(shown)


def _division(look: DivisionLook) -> dict[str, Any]:
    return {
        "number": look.division.number,
        "tournament": look.division.tournament.slug,
        "rows": [
            {
                "place": row.place,
                "player": None if row.entrant.player.is_guest else row.entrant.player.handle,
                "name": row.entrant.label,
                "points": row.points,
                "next": look.outlook[row.entrant.pk].way,
                "certain": look.outlook[row.entrant.pk].certain,
            }
            for row in selectors.standings_of(look.board)
        ],
    }
