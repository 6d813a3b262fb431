"""Players: who they are, how they stand, and how they came there."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from api import query
from api.errors import QueryError
from api.pagination import OffsetPages, Pages
from api.views import ApiView
from players.models import Player
from ratings import archive, profile, selectors
from ratings.archive import Honour
from ratings.pools import POOLS
from ratings.profile import Missing, Opponent, Part
from ratings.selectors import HistoryLine, Shown
from tournaments.models import Tournament
from tournaments.record import Place, best_places, matches_of

KINDS = ("player", "bot")
MOST_DAYS = 3660
MOST_HONOURS = 500


class PlayerOutput(serializers.Serializer[Player]):
    handle = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS, source="api_kind")
    country = serializers.CharField()
    created_at = serializers.DateTimeField()

    def to_representation(self, instance: Player) -> dict[str, Any]:
        return {
            "handle": instance.handle,
            "name": instance.name,
            "kind": "bot" if instance.is_bot else "player",
            "country": instance.country,
            "created_at": self.fields["created_at"].to_representation(instance.created_at),
        }


class RatingOutput(serializers.Serializer[Shown]):
    """`deviation` is RD; the skill lies within `rating` ± `spread` with 95 %."""

    pool = serializers.ChoiceField(choices=POOLS)
    rating = serializers.IntegerField()
    deviation = serializers.FloatField()
    spread = serializers.IntegerField()
    provisional = serializers.BooleanField()
    matches = serializers.IntegerField()
    opponents = serializers.IntegerField()
    last_at = serializers.DateTimeField(allow_null=True)


class HistoryOutput(serializers.Serializer[HistoryLine]):
    """A match, or a correction: `cause` says which; the last four belong to matches."""

    at = serializers.DateTimeField()
    cause = serializers.ChoiceField(
        choices=("match", "late", "annulled", "reinstated", "recomputed")
    )
    match = serializers.CharField(source="match_id", allow_blank=True)
    before = serializers.IntegerField()
    after = serializers.IntegerField()
    delta = serializers.IntegerField()
    deviation = serializers.FloatField(allow_null=True)
    expected = serializers.FloatField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    weight = serializers.FloatField(allow_null=True)


def rating_output(pool: str, shown: Shown) -> dict[str, Any]:
    return {
        "pool": pool,
        "rating": shown.rating,
        "deviation": round(shown.deviation, 4),
        "spread": shown.spread,
        "provisional": shown.provisional,
        "matches": shown.matches,
        "opponents": shown.opponents,
        "last_at": shown.last_at,
    }


def registered() -> QuerySet[Player]:
    """Players whom the API tells of: guests come and go, and are nobody's business."""
    return Player.objects.filter(is_guest=False, is_active=True)


class PlayerList(ApiView):
    serializer_class = PlayerOutput
    pagination_class = Pages
    ordering = ("pk",)
    parameters = frozenset({"kind", "search"})

    @extend_schema(
        operation_id="players_list",
        summary="List players",
        tags=["players"],
        parameters=[
            OpenApiParameter("kind", enum=KINDS, description="People or bots only."),
            OpenApiParameter("search", description="The beginning of a handle or name."),
        ],
        responses=PlayerOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        players = registered()
        kind, search = query.choice(request, "kind", KINDS), query.line(request, "search")
        if kind is not None:
            bots = Q(bot_level="")
            players = players.filter(bots if kind == "player" else ~bots)
        if search is not None:
            players = players.filter(Q(handle__istartswith=search) | Q(name__istartswith=search))
        page = self.paginate_queryset(players)
        return self.get_paginated_response(self.get_serializer(page, many=True).data)


class PlayerDetail(ApiView):
    serializer_class = PlayerOutput

    @extend_schema(operation_id="players_get", summary="A player", tags=["players"])
    def get(self, request: Request, handle: str) -> Response:
        return Response(self.get_serializer(get_object_or_404(registered(), handle=handle)).data)


class PlayerRatings(ApiView):
    serializer_class = RatingOutput

    @extend_schema(
        operation_id="players_ratings",
        summary="A player's ratings, by pool",
        tags=["players", "ratings"],
        responses=RatingOutput(many=True),
    )
    def get(self, request: Request, handle: str) -> Response:
        player = get_object_or_404(registered(), handle=handle)
        ratings = selectors.ratings_of(player)
        rows = [rating_output(pool, shown) for pool, shown in ratings.items()]
        return Response(self.get_serializer(rows, many=True).data)


class HonourOutput(serializers.Serializer[Honour]):
    """`won`: nobody of the `division` ended above."""

    season = serializers.IntegerField(source="season.number")
    pool = serializers.ChoiceField(choices=POOLS)
    rank = serializers.IntegerField()
    rating = serializers.IntegerField()
    division = serializers.IntegerField(allow_null=True)
    won = serializers.BooleanField()


class PlayerHonours(ApiView):
    serializer_class = HonourOutput

    @extend_schema(
        operation_id="players_honours",
        summary="A player's ranks in the seasons that are over, the latest first",
        tags=["players", "ratings"],
        responses=HonourOutput(many=True),
    )
    def get(self, request: Request, handle: str) -> Response:
        player = get_object_or_404(registered(), handle=handle)
        rows = archive.honours(player, limit=MOST_HONOURS)
        return Response(self.get_serializer(rows, many=True).data)


class OpponentOutput(serializers.Serializer[Opponent]):
    """`won`, `level` and `lost` count matches with a better, the same and a worse place."""

    handle = serializers.CharField(source="player.handle")
    name = serializers.CharField(source="player.name")
    won = serializers.IntegerField()
    level = serializers.IntegerField()
    lost = serializers.IntegerField()


class MissingOutput(serializers.Serializer[Missing]):
    """`to_know`: about how many matches until the rating is known well enough; `idle`: the last
    match was too long ago.
    """

    matches = serializers.IntegerField()
    opponents = serializers.IntegerField()
    to_know = serializers.IntegerField()
    idle = serializers.BooleanField()


class FormOutput(serializers.Serializer[Any]):
    """`missing` is what a rank lacks, null if nothing. `best_win` was the least expected."""

    matches = serializers.IntegerField()
    won = serializers.IntegerField()
    streak = serializers.IntegerField()
    longest = serializers.IntegerField()
    highest = serializers.IntegerField()
    lowest = serializers.IntegerField()
    best_win = HistoryOutput(allow_null=True)
    missing = MissingOutput(allow_null=True)


PART = [
    OpenApiParameter("days", int, description="Of so many last days only, 1 to 3660."),
    OpenApiParameter("against", description="Matches against the player of this handle only."),
    OpenApiParameter("event", description="Matches of the tournament with this slug only."),
]
OF_PART = frozenset({"days", "against", "event"})


def _part(request: Request) -> Part:
    """The part of a history that a query asks for. Raises QueryError."""
    days, against = query.line(request, "days"), query.line(request, "against")
    since, opponent = None, None
    if days is not None:
        if not (days.isascii() and days.isdigit() and 1 <= int(days[:9]) <= MOST_DAYS):
            most = {"most": MOST_DAYS}
            raise QueryError({"days": _("This is a number from 1 to %(most)d.") % most})
        since = timezone.now() - timedelta(days=int(days))
    if against is not None:
        opponent = registered().filter(handle=against).values_list("pk", flat=True).first()
        if opponent is None:
            raise QueryError({"against": _("No account has that sign-in name.")})
    return Part(since=since, opponent=opponent, matches=_matches(request))


def _matches(request: Request) -> list[str] | None:
    """The matches of the event that a query names. Raises QueryError."""
    slug = query.line(request, "event")
    if slug is None:
        return None
    event = Tournament.objects.filter(slug=slug).exclude(status=Tournament.Status.DRAFT).first()
    if event is None:
        raise QueryError({"event": _("There is no such tournament.")})
    return matches_of(event)


def _player_in(handle: str, pool: str) -> Player:
    if pool not in POOLS:
        raise NotFound
    return get_object_or_404(registered(), handle=handle)


class RatingOpponents(ApiView):
    serializer_class = OpponentOutput
    pagination_class = OffsetPages
    parameters = OF_PART

    @extend_schema(
        operation_id="players_rating_opponents",
        summary="A player's record against each opponent in a pool, the most played first",
        tags=["players", "ratings"],
        parameters=PART,
        responses=OpponentOutput(many=True),
    )
    def get(self, request: Request, handle: str, pool: str) -> Response:
        player = _player_in(handle, pool)
        pages = OffsetPages()
        offset, limit = pages.begin(request)
        found = profile.opponents(player, pool, _part(request))
        rows = self.get_serializer(found[offset : offset + limit], many=True).data
        return pages.answer(rows, more=len(found) > offset + limit)


class RatingForm(ApiView):
    serializer_class = FormOutput
    parameters = OF_PART

    @extend_schema(
        operation_id="players_rating_form",
        summary="A player's streaks, extremes and best win in a pool, and what a rank lacks",
        tags=["players", "ratings"],
        parameters=PART,
        responses=FormOutput,
    )
    def get(self, request: Request, handle: str, pool: str) -> Response:
        player = _player_in(handle, pool)
        form = profile.form(player, pool, _part(request))
        shown = selectors.rating_of(player, pool)
        if form is None or shown is None:
            raise NotFound
        facts = {
            **{name: getattr(form, name) for name in form.__slots__},
            "missing": profile.missing(shown, pool),
        }
        return Response(self.get_serializer(facts).data)


class BestEventOutput(serializers.Serializer[Place]):
    """`strength`: the mean of the entrants' ratings in the pool, null where nobody has one."""

    tournament = serializers.CharField(source="event.slug")
    name = serializers.CharField(source="event.name")
    place = serializers.IntegerField()
    entrants = serializers.IntegerField()
    strength = serializers.IntegerField(allow_null=True)


class RatingBestEvents(ApiView):
    serializer_class = BestEventOutput
    parameters = frozenset({"days"})

    @extend_schema(
        operation_id="players_best_events",
        summary="A player's best places in a pool's events, by the share that was left behind",
        tags=["players", "ratings"],
        parameters=PART[:1],
        responses=BestEventOutput(many=True),
    )
    def get(self, request: Request, handle: str, pool: str) -> Response:
        player = _player_in(handle, pool)
        found = best_places(player, pool, _part(request).since)
        return Response(self.get_serializer(found, many=True).data)


class RatingHistory(ApiView):
    serializer_class = HistoryOutput
    pagination_class = OffsetPages
    parameters = OF_PART

    @extend_schema(
        operation_id="players_rating_history",
        summary="What a player's matches did in a pool, newest first",
        tags=["players", "ratings"],
        parameters=PART,
        responses=HistoryOutput(many=True),
    )
    def get(self, request: Request, handle: str, pool: str) -> Response:
        player = _player_in(handle, pool)
        pages = OffsetPages()
        offset, limit = pages.begin(request)
        lines = profile.lines(player, pool, _part(request), offset=offset, limit=limit + 1)
        rows = self.get_serializer(lines[:limit], many=True).data
        return pages.answer(rows, more=len(lines) > limit)
