"""Who plays: joining, leaving, bots."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.strict import Choice, Integer, StrictSerializer, Text
from api.v1.tournaments.base import OneTournament, changes, reads
from engine.bots import LEVELS
from players.models import Player
from tournaments import selectors, services
from tournaments.models import Entrant, Tournament


class EntrantOutput(serializers.Serializer[Entrant]):
    """`player` is a handle, null for guests, `partner` that of the other of a fixed pair, whose
    name is the pair's. `place` is the final one. `id` names the entry. Who can't
    move about always sits at the `fixed_table`; `time_percent` is how much of the time is theirs.
    """

    id = serializers.IntegerField()
    player = serializers.CharField(allow_null=True)
    partner = serializers.CharField(allow_null=True)
    name = serializers.CharField()
    bot = serializers.BooleanField()
    seed = serializers.IntegerField(allow_null=True)
    status = serializers.ChoiceField(choices=Entrant.Status.values)
    place = serializers.IntegerField(allow_null=True)
    joined_at = serializers.DateTimeField()
    checked_in_at = serializers.DateTimeField(allow_null=True)
    fixed_table = serializers.IntegerField(allow_null=True)
    time_percent = serializers.IntegerField()

    def to_representation(self, instance: Entrant) -> dict[str, Any]:
        player, partner = instance.player, instance.partner
        here = instance.checked_in_at
        return {
            "id": instance.pk,
            "player": None if player.is_guest else player.handle,
            "partner": None if partner is None or partner.is_guest else partner.handle,
            "name": instance.label,
            "bot": player.is_bot,
            "seed": instance.seed,
            "fixed_table": instance.fixed_table,
            "time_percent": instance.time_percent,
            "status": instance.status,
            "place": instance.place,
            "joined_at": self.fields["joined_at"].to_representation(instance.joined_at),
            "checked_in_at": here and self.fields["checked_in_at"].to_representation(here),
        }


class JoinInput(StrictSerializer):
    """`key` is that of the event's link, where it is open by link."""

    key = Text(max_length=64, allow_blank=True, default="")


class BotsInput(StrictSerializer):
    count = Integer(min_value=1, max_value=1024)
    level = Choice(choices=LEVELS, default="medium")


class EntrantList(OneTournament):
    serializer_class = EntrantOutput

    @reads(
        "tournaments_entrants",
        "Who plays, by seed; then the waiting list",
        EntrantOutput(many=True),
    )
    def get(self, request: Request, tournament: Tournament) -> Response:
        rows = selectors.entrants_of(tournament) + selectors.waiting_list(tournament)
        return self.answer(rows, many=True)

    @changes(
        "tournaments_join",
        "Join; on the waiting list when all places are taken",
        JoinInput,
        answers={201: EntrantOutput},
    )
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        entrant = services.join(tournament_id=tournament.pk, player=by, **given)
        return self.answer(entrant, status.HTTP_201_CREATED)


class EntrantDetail(OneTournament):
    serializer_class = EntrantOutput

    @changes(
        "tournaments_withdraw",
        "Withdraw: yourself, or as an arbiter anyone",
        takes=None,
        answers={204: None},
    )
    def delete(self, by: Player, tournament: Tournament, handle: str) -> Response:
        player = Player.objects.filter(handle=handle).first()
        if player is None:
            raise Http404
        services.withdraw(tournament_id=tournament.pk, player=player, by=by)
        return Response(status=status.HTTP_204_NO_CONTENT)


class BotList(OneTournament):
    serializer_class = EntrantOutput

    @changes("tournaments_add_bots", "Enter bots", BotsInput, {201: EntrantOutput(many=True)})
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        bots = services.add_bots(tournament_id=tournament.pk, by=by, **given)
        return self.answer(bots, status.HTTP_201_CREATED, many=True)
