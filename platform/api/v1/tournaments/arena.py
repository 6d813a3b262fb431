"""An arena while it runs: its clock, and pausing and coming back."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.pagination import Pages
from api.v1.tournaments.base import OneTournament, changes, reads
from api.v1.tournaments.rounds import PairingOutput
from api.v1.tournaments.stages import STAGE, stage_asked
from players.models import Player
from tournaments import arena, bracket, services
from tournaments.formats import arena as rules
from tournaments.models import Stage, Tournament

PLAYER = OpenApiParameter("player", str, description="A handle: the matches of that player.")


class ArenaOutput(serializers.Serializer[Any]):
    """`phase`: ready (it follows another stage, and the arbiter starts it), running, closing (the
    time is over, `in_course` matches are not) or over; "none" while another stage is in hand.

    `you` is the caller's state: watch (not in it), ready (in it before its time), waiting, playing,
    pausing (from the end of this match on), paused, out or over. `counts_late`: matches in course
    when the time ends count.
    """

    phase = serializers.ChoiceField(choices=("none", "ready", "running", "closing", "over"))
    ends_at = serializers.DateTimeField(allow_null=True)
    seconds_left = serializers.IntegerField()
    waiting = serializers.IntegerField()
    paused = serializers.IntegerField()
    in_course = serializers.IntegerField()
    counts_late = serializers.BooleanField()
    you = serializers.ChoiceField(
        choices=("watch", "ready", "waiting", "playing", "pausing", "paused", "out", "over")
    )

    def to_representation(self, instance: tuple[Stage | None, Player | None]) -> dict[str, Any]:
        stage, player = instance
        if stage is None:
            counts = dict.fromkeys(("seconds_left", "waiting", "paused", "in_course"), 0)
            return {
                "phase": "none",
                "ends_at": None,
                **counts,
                "counts_late": False,
                "you": "watch",
            }
        clock = arena.clock_of(stage)
        return {
            "phase": clock.phase,
            "ends_at": clock.ends_at and self.fields["ends_at"].to_representation(clock.ends_at),
            "seconds_left": clock.seconds_left,
            "waiting": clock.waiting,
            "paused": clock.paused,
            "in_course": clock.in_course,
            "counts_late": clock.counts_late,
            "you": arena.own(stage, player).word,
        }


class OneArena(OneTournament):
    serializer_class = ArenaOutput

    def arena(self, tournament: Tournament, player: Player | None) -> Response:
        """The arena as the player sees it."""
        stage = arena.stage_of(Tournament.objects.get(pk=tournament.pk))
        return self.answer((stage, player))


class TournamentArena(OneArena):
    @reads("tournaments_arena", "An arena's clock, and how you stand in it")
    def get(self, request: Request, tournament: Tournament) -> Response:
        return self.arena(tournament, request.user if isinstance(request.user, Player) else None)


class ArenaBegin(OneArena):
    @changes("tournaments_begin_arena", "Start the time of an arena that waits for the arbiter")
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        services.begin_arena(tournament_id=tournament.pk, by=by)
        return self.arena(tournament, by)


class ArenaMatches(OneTournament):
    """All pairings of an arena: its rounds are as many as its time makes, so they come in pages."""

    serializer_class = PairingOutput
    pagination_class = Pages
    ordering = ("-number",)
    parameters = frozenset({"stage", "player"})

    @reads(
        "tournaments_arena_matches",
        "The pairings of an arena, the latest first, of everybody or of one player",
        PairingOutput(many=True),
        parameters=[STAGE, PLAYER],
    )
    def get(self, request: Request, tournament: Tournament) -> Response:
        stage = _arena_asked(request, tournament)
        found = arena.matches(stage, _entrants_asked(request, stage))
        page = self.paginate_queryset(found.only("number"))
        rows = bracket.pairings_of(stage, [pairing.number for pairing in page or ()])
        return self.get_paginated_response(self.get_serializer(rows, many=True).data)


class ArenaPause(OneArena):
    @changes("tournaments_pause", "Pause in an arena: you are not paired until you resume")
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        services.pause_in_arena(tournament_id=tournament.pk, player=by)
        return self.arena(tournament, by)


class ArenaResume(OneArena):
    @changes("tournaments_resume", "Come back to an arena after a pause")
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        services.resume_in_arena(tournament_id=tournament.pk, player=by)
        return self.arena(tournament, by)


def _arena_asked(request: Request, tournament: Tournament) -> Stage:
    """The arena that `?stage=` names, else the last one. Raises Http404."""
    number = stage_asked(request, tournament)
    found = tournament.stages.filter(format=rules.ID)
    if number is not None:
        found = found.filter(number=number)
    stage = found.order_by("number").last()
    if stage is None:
        raise Http404
    return stage


def _entrants_asked(request: Request, stage: Stage) -> list[int] | None:
    """The entrants of the stage that `?player=` names; None where nobody is asked for."""
    handle = request.query_params.get("player")
    if handle is None:
        return None
    own = Q(entrant__player__handle=handle) | Q(entrant__partner__handle=handle)
    return list(stage.seedings.filter(own).values_list("entrant_id", flat=True))
