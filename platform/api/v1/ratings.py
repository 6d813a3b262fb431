"""Ladders: one for each pool."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from api import query
from api.errors import QueryError
from api.pagination import OffsetPages
from api.v1.players import RatingOutput, rating_output, registered
from api.views import ApiView
from players.clubs import condition_of
from players.models import Club, Player
from ratings import archive, selectors
from ratings.models import LadderSeason
from ratings.pools import POOLS, title_of
from ratings.selectors import LadderRow


class ProgressOutput(serializers.Serializer[Any]):
    """`done` of `total` matches; `total` is 0 until it begins."""

    since = serializers.DateTimeField(allow_null=True)
    asked_at = serializers.DateTimeField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()


class PoolOutput(serializers.Serializer[dict[str, Any]]):
    """`recomputation` is null unless a correction is being worked out."""

    pool = serializers.ChoiceField(choices=POOLS)
    title = serializers.CharField()
    recomputation = ProgressOutput(allow_null=True)


class LadderOutput(RatingOutput):
    """A place on the ladder. While the rating is provisional the ranks are null.

    `best_rank` and `worst_rank` are the span that is likely.
    """

    rank = serializers.IntegerField(allow_null=True)
    best_rank = serializers.IntegerField(allow_null=True)
    worst_rank = serializers.IntegerField(allow_null=True)
    moved = serializers.IntegerField(help_text="What the last seven days' matches added.")
    handle = serializers.CharField()
    name = serializers.CharField()


class LadderSeasonOutput(serializers.Serializer[LadderSeason]):
    """Days are UTC's, the last one included. The first division holds `top_division`, each further
    one twice as many as the one above it.
    """

    season = serializers.IntegerField(source="number")
    name = serializers.CharField(source="__str__")
    begins_on = serializers.DateField()
    ends_on = serializers.DateField()
    top_division = serializers.IntegerField()
    closed = serializers.BooleanField(source="is_closed")


class SeasonPlaceOutput(RatingOutput):
    """A place in a season. `division` follows from the season before; null for who had no rank."""

    rank = serializers.IntegerField(allow_null=True)
    best_rank = serializers.IntegerField(allow_null=True)
    worst_rank = serializers.IntegerField(allow_null=True)
    division = serializers.IntegerField(allow_null=True)
    moved = serializers.IntegerField(help_text="What the last seven days' matches added in it.")
    handle = serializers.CharField()
    name = serializers.CharField()


class PoolList(ApiView):
    serializer_class = PoolOutput

    @extend_schema(
        operation_id="ratings_pools",
        summary="The pools in which matches are rated",
        tags=["ratings"],
        responses=PoolOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        running = selectors.recomputations()
        data = [
            {"pool": pool, "title": title_of(pool), "recomputation": running.get(pool)}
            for pool in POOLS
        ]
        return Response(self.get_serializer(data, many=True).data)


FILTERS = [
    OpenApiParameter("search", description="A part of a name, the beginning of a handle."),
    OpenApiParameter("country", description="Two letters, in capitals."),
    OpenApiParameter("club", description="A club's slug."),
    OpenApiParameter("around", description="A handle: five places above and below only."),
]


class Ladder(ApiView):
    serializer_class = LadderOutput
    pagination_class = OffsetPages
    parameters = frozenset({"search", "country", "club", "around"})

    @extend_schema(
        operation_id="ratings_ladder",
        summary="A pool's ladder: the ranked, and on a young site the provisional after them",
        tags=["ratings"],
        parameters=FILTERS,
        responses=LadderOutput(many=True),
    )
    def get(self, request: Request, pool: str) -> Response:
        if pool not in POOLS:
            raise NotFound
        pages = OffsetPages()
        offset, limit = pages.begin(request)
        around = _around(request)
        ladder = selectors.ladder(
            pool, offset=offset, limit=limit, who=_who(request), around=around
        )
        more = around is None and ladder.total > offset + limit
        rows = ladder.rows if more else ladder.rows + ladder.provisional
        data = [_output(pool, row) for row in rows]
        return pages.answer(self.get_serializer(data, many=True).data, more=more)


class SeasonList(ApiView):
    serializer_class = LadderSeasonOutput

    @extend_schema(
        operation_id="ratings_seasons",
        summary="The seasons of the ladders, the latest first",
        tags=["ratings"],
        responses=LadderSeasonOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        return Response(self.get_serializer(archive.seasons(), many=True).data)


class SeasonLadder(ApiView):
    serializer_class = SeasonPlaceOutput
    pagination_class = OffsetPages
    parameters = frozenset({"search", "country", "club", "around", "division"})

    @extend_schema(
        operation_id="ratings_season_ladder",
        summary="A season's table in a pool: the ranked, and in a short one the others after them",
        tags=["ratings"],
        parameters=[*FILTERS, OpenApiParameter("division", int, description="Of one only.")],
        responses=SeasonPlaceOutput(many=True),
    )
    def get(self, request: Request, pool: str, season: str) -> Response:
        if pool not in POOLS:
            raise NotFound
        found = get_object_or_404(LadderSeason, number=int(season))
        pages, around = OffsetPages(), _around(request)
        offset, limit = pages.begin(request)
        table = selectors.ladder(
            pool,
            offset=offset,
            limit=limit,
            who=_who(request),
            around=around,
            season=found,
            division=_division(request),
        )
        more = around is None and table.total > offset + limit
        rows = table.rows if more else table.rows + table.provisional
        data = [{**_output(pool, row), "division": row.division} for row in rows]
        return pages.answer(self.get_serializer(data, many=True).data, more=more)


def _division(request: Request) -> int | None:
    given = query.line(request, "division")
    if given is not None and not (given.isascii() and given.isdigit() and len(given) < 4):
        raise QueryError({"division": _("This is a number from 1 to %(most)d.") % {"most": 999}})
    return None if given is None else int(given)


def _who(request: Request) -> Q | None:
    """The condition of a query on players. Raises QueryError for a club that isn't there."""
    slug = query.line(request, "club")
    club = None if slug is None else Club.objects.filter(slug=slug).first()
    if slug is not None and club is None:
        raise QueryError({"club": _("There is no such club.")})
    return condition_of(
        query.line(request, "search") or "", query.line(request, "country") or "", club
    )


def _around(request: Request) -> Player | None:
    handle = query.line(request, "around")
    player = None if handle is None else registered().filter(handle=handle).first()
    if handle is not None and player is None:
        raise QueryError({"around": _("No account has that sign-in name.")})
    return player


def _output(pool: str, row: LadderRow) -> dict[str, Any]:
    return {
        **rating_output(pool, row.shown),
        "rank": row.rank,
        "moved": row.moved,
        "best_rank": row.best_rank,
        "worst_rank": row.worst_rank,
        "handle": row.player.handle,
        "name": row.player.name,
    }
