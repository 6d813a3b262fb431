"""An arena while it runs: its clock, and pausing and coming back."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.tournaments.base import OneTournament, changes, reads
from players.models import Player
from tournaments import arena, services
from tournaments.models import Stage, Tournament


class ArenaOutput(serializers.Serializer[Any]):
    """`phase`: running, closing (the time is over, `in_course` matches are not) or over; "none"
    before the start and in other formats.

    `you` is the caller's state: watch (not in it), waiting, playing, pausing (from the end of this
    match on), paused, out or over. `counts_late`: matches in course when the time ends count.
    """

    phase = serializers.ChoiceField(choices=("none", "running", "closing", "over"))
    ends_at = serializers.DateTimeField(allow_null=True)
    seconds_left = serializers.IntegerField()
    waiting = serializers.IntegerField()
    paused = serializers.IntegerField()
    in_course = serializers.IntegerField()
    counts_late = serializers.BooleanField()
    you = serializers.ChoiceField(
        choices=("watch", "waiting", "playing", "pausing", "paused", "out", "over")
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
            "ends_at": self.fields["ends_at"].to_representation(clock.ends_at),
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
