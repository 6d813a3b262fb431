"""Leagues: divisions, tables, who goes up and down; made, joined, and carried on."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.pagination import Pages
from api.permissions import AccountNeeded
from api.strict import Boolean, Integer, NothingInput, Object, StrictSerializer, Text
from api.v1.naming import club_named, player_named
from api.v1.tournaments.base import changes
from api.views import ApiView
from players.models import Player
from players.tokens import TOURNAMENTS_WRITE
from tournaments import leagues, selectors, services
from tournaments.leagues import DivisionLook, Place
from tournaments.models import League, LeaguePlayer, Season
from tournaments.models.tournament import BEST_OF

TAGS = ["leagues"]


class LeagueOutput(serializers.Serializer[League]):
    """`sizes` are the places in the divisions from the top; `moves` go up and down at a border.
    `club` is the address of the club whose members it is for, null where it is for everyone.
    `settings` are those of the games: rules, best_of, legs, rated.
    """

    slug = serializers.CharField()
    name = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    owner = serializers.CharField(source="owner.handle")
    club = serializers.CharField(source="club.slug", allow_null=True, default=None)
    sizes = serializers.ListField(child=serializers.IntegerField())
    moves = serializers.IntegerField()
    days = serializers.IntegerField()
    settings = serializers.DictField()


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
    """A division; its matches are those of the `tournament` (a slug). The first `up` of its table
    go up, the last `down` go down.
    """

    number = serializers.IntegerField()
    tournament = serializers.CharField()
    up = serializers.IntegerField()
    down = serializers.IntegerField()
    rows = LeagueRowOutput(many=True)


class SeasonOutput(serializers.Serializer[Any]):
    season = serializers.IntegerField(allow_null=True)
    begins_on = serializers.DateField(allow_null=True)
    ends_on = serializers.DateField(allow_null=True)
    over = serializers.BooleanField()
    divisions = DivisionOutput(many=True)


class OneLeagueOutput(LeagueOutput, SeasonOutput):
    """`season` is null before the first one begins."""


class ShortSeasonOutput(serializers.Serializer[Season]):
    """`winners` are who came first in the top division of a season that is over: handles."""

    season = serializers.IntegerField(source="number")
    begins_on = serializers.DateField()
    ends_on = serializers.DateField()
    over = serializers.SerializerMethodField()
    winners = serializers.SerializerMethodField()

    def get_over(self, season: Season) -> bool:
        return leagues.is_over(season)

    def get_winners(self, season: Season) -> list[str]:
        return [player.handle for player in leagues.winners_of(season)]


class LeaguePlayerOutput(serializers.Serializer[LeaguePlayer]):
    """`leaving`: not in the next season any more."""

    player = serializers.CharField(source="player.handle")
    name = serializers.CharField(source="player.name")
    leaving = serializers.BooleanField()


class NextPlaceOutput(serializers.Serializer[Place]):
    """Where somebody would be next season; `level`: others with the same rank would go elsewhere,
    so that a person has to decide.
    """

    player = serializers.CharField(source="player.handle")
    name = serializers.CharField(source="player.name")
    division = serializers.IntegerField()
    before = serializers.IntegerField(allow_null=True)
    way = serializers.ChoiceField(choices=("up", "down", "stays", "new"))
    level = serializers.BooleanField()


class LeagueInput(StrictSerializer):
    """A league's settings; those of the game hold from the next season on. The club is chosen when
    it is made.
    """

    name = Text(max_length=60)
    text = Text(max_length=4000, allow_blank=True, required=False)
    sizes = serializers.ListField(child=Integer(min_value=2, max_value=64), required=False)
    moves = Integer(min_value=0, max_value=10, required=False)
    days = Integer(min_value=1, max_value=400, required=False)
    legs = Integer(min_value=1, max_value=2, required=False)
    rules = Object(required=False)
    best_of = Integer(min_value=1, max_value=max(BEST_OF), required=False)
    rated = Boolean(required=False)


class NewLeagueInput(LeagueInput):
    """The same, and the address of a club that is yours, for its members."""

    club = Text(max_length=60, required=False)


class SeasonInput(StrictSerializer):
    """The divisions from the top, players by handle in the order of their seeds; as proposed if
    left out. It begins today unless a day is said.
    """

    divisions = serializers.ListField(
        child=serializers.ListField(child=Text(max_length=40)), required=False
    )
    begins_on = serializers.DateField(required=False)


class EndInput(StrictSerializer):
    ends_on = serializers.DateField()


class LeagueList(ApiView):
    serializer_class = LeagueOutput
    pagination_class = Pages
    ordering = ("-created_at", "-pk")
    scope = TOURNAMENTS_WRITE

    @extend_schema(
        operation_id="leagues_list",
        summary="List leagues, newest first",
        tags=TAGS,
        responses=LeagueOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(leagues.listed().order_by("-created_at", "-pk"))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    @changes("leagues_create", "Make a league", NewLeagueInput, {201: OneLeagueOutput}, tags=TAGS)
    def post(self, by: Player, given: dict[str, Any]) -> Response:
        if by.is_guest:
            raise AccountNeeded
        club = club_named(given.pop("club", None))
        made = services.create_league(owner=by, club=club, **given)
        return Response(_shown(made), status.HTTP_201_CREATED)


class OneLeague(ApiView):
    """What views of one league share."""

    serializer_class: type[serializers.Serializer[Any]] = OneLeagueOutput
    scope = TOURNAMENTS_WRITE

    def league(self, slug: str) -> League:
        found = leagues.by_slug(slug)
        if found is None:
            raise Http404
        return found

    def season(self, slug: str, number: int) -> Season:
        found = self.league(slug).seasons.filter(number=number).first()
        if found is None:
            raise Http404
        return found


class LeagueDetail(OneLeague):
    @extend_schema(
        operation_id="leagues_get", summary="A league with its current season", tags=TAGS
    )
    def get(self, request: Request, league: str) -> Response:
        return Response(_shown(self.league(league)))

    @changes("leagues_edit", "Change a league's settings", LeagueInput, partial=True, tags=TAGS)
    def patch(self, by: Player, league: str, given: dict[str, Any]) -> Response:
        services.edit_league(league_id=self.league(league).pk, by=by, **given)
        return Response(_shown(self.league(league)))


class LeaguePlayers(OneLeague):
    serializer_class = LeaguePlayerOutput

    @extend_schema(
        operation_id="leagues_players",
        summary="Who is in the league, in the order they joined",
        tags=TAGS,
        responses=LeaguePlayerOutput(many=True),
    )
    def get(self, request: Request, league: str) -> Response:
        rows = self.league(league).players.select_related("player").order_by("pk")
        return Response(self.get_serializer(rows, many=True).data)

    @changes(
        "leagues_join",
        "Be in the league from the next season on; whoever was leaving stays",
        answers={201: LeaguePlayerOutput},
        tags=TAGS,
    )
    def post(self, by: Player, league: str, given: dict[str, Any]) -> Response:
        entry = services.join_league(league_id=self.league(league).pk, player=by)
        return Response(self.get_serializer(entry).data, status.HTTP_201_CREATED)


class LeaguePlayerDetail(OneLeague):
    serializer_class = NothingInput

    @changes(
        "leagues_leave",
        "Take yourself, or as its owner somebody, out of the seasons to come",
        None,
        {204: None},
        tags=TAGS,
    )
    def delete(self, by: Player, league: str, handle: str) -> Response:
        found = self.league(league)
        services.leave_league(league_id=found.pk, player=player_named(handle), by=by)
        return Response(status=status.HTTP_204_NO_CONTENT)


class LeagueProposal(OneLeague):
    serializer_class = NextPlaceOutput

    @extend_schema(
        operation_id="leagues_next",
        summary="The next season's divisions as the tables stand now",
        tags=TAGS,
        responses=NextPlaceOutput(many=True),
    )
    def get(self, request: Request, league: str) -> Response:
        places = leagues.proposal(self.league(league))
        return Response(self.get_serializer(places, many=True).data)


class SeasonList(OneLeague):
    serializer_class = ShortSeasonOutput

    @extend_schema(
        operation_id="leagues_seasons",
        summary="All seasons, the newest first",
        tags=TAGS,
        responses=ShortSeasonOutput(many=True),
    )
    def get(self, request: Request, league: str) -> Response:
        rows = leagues.seasons(self.league(league))
        return Response(self.get_serializer(rows, many=True).data)

    @changes(
        "leagues_begin_season",
        "Begin the next season",
        SeasonInput,
        {201: SeasonOutput},
        tags=TAGS,
    )
    def post(self, by: Player, league: str, given: dict[str, Any]) -> Response:
        found = self.league(league)
        season = services.begin_season(
            league_id=found.pk,
            by=by,
            divisions=_divisions(found, given.get("divisions")),
            begins_on=given.get("begins_on") or timezone.now().date(),
        )
        return Response(_season(season), status.HTTP_201_CREATED)


class SeasonDetail(OneLeague):
    serializer_class = SeasonOutput

    @extend_schema(operation_id="leagues_season", summary="A season with its tables", tags=TAGS)
    def get(self, request: Request, league: str, number: int) -> Response:
        return Response(_season(self.season(league, number)))

    @changes("leagues_move_end", "Give the season in course another last day", EndInput, tags=TAGS)
    def patch(self, by: Player, league: str, number: int, given: dict[str, Any]) -> Response:
        season = _current(self.season(league, number))
        moved = services.move_end(league_id=season.league_id, by=by, ends_on=given["ends_on"])
        return Response(_season(moved))


class SeasonClose(OneLeague):
    serializer_class = SeasonOutput

    @changes(
        "leagues_close_season",
        "End the season now: matches that were not played are lost by both",
        tags=TAGS,
    )
    def post(self, by: Player, league: str, number: int, given: dict[str, Any]) -> Response:
        season = _current(self.season(league, number))
        return Response(_season(services.close_season(league_id=season.league_id, by=by)))


def _current(season: Season) -> Season:
    """The season, if it is its league's last. Raises Http404: earlier ones stay as they are."""
    if leagues.current_season(season.league) != season:
        raise Http404
    return season


def _divisions(league: League, named: list[list[str]] | None) -> list[list[int]]:
    """Players' ids by division: those that were named, else the proposed ones."""
    if named is not None:
        return [[player_named(handle).pk for handle in each] for each in named]
    found: dict[int, list[int]] = {}
    for place in leagues.proposal(league):
        found.setdefault(place.division, []).append(place.player.pk)
    return [found[number] for number in sorted(found)]


def _shown(league: League) -> dict[str, Any]:
    season = leagues.current_season(league)
    return {**LeagueOutput(league).data, **_season(season)}


def _season(season: Season | None) -> dict[str, Any]:
    looks = [] if season is None else leagues.divisions_of(season)
    return {
        "season": None if season is None else season.number,
        "begins_on": None if season is None else season.begins_on.isoformat(),
        "ends_on": None if season is None else season.ends_on.isoformat(),
        "over": season is not None and leagues.is_over(season),
        "divisions": [_division(look) for look in looks],
    }


def _division(look: DivisionLook) -> dict[str, Any]:
    return {
        "number": look.division.number,
        "tournament": look.division.tournament.slug,
        "up": look.up,
        "down": look.down,
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
