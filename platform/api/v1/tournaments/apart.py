"""Who should not meet while it can be helped; for the officials who keep the entries."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.strict import Choice, Integer, StrictSerializer, Text
from api.v1.tournaments.base import OneTournament, changes, only_for, reads
from players.models import Player
from tournaments import apart, services
from tournaments.models import Apart, Tournament
from tournaments.services.apart import MOST


class ApartOutput(serializers.Serializer[Apart]):
    """A wish: that some people (`entrants`, ids of entries), members of the same "club", or those
    who met in an `earlier` tournament (its slug), should not meet.
    """

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Apart.Kind.values)
    name = serializers.CharField(allow_blank=True)
    entrants = serializers.ListField(child=serializers.IntegerField())
    earlier = serializers.CharField(allow_null=True)

    def to_representation(self, instance: Apart) -> dict[str, Any]:
        return {
            "id": instance.pk,
            "kind": instance.kind,
            "name": instance.name,
            "entrants": [member.pk for member in instance.members.all()],
            "earlier": None if instance.earlier is None else instance.earlier.slug,
        }


class ApartInput(StrictSerializer):
    """`entrants` for "people", `earlier` for "event"."""

    kind = Choice(choices=Apart.Kind.values, default=Apart.Kind.PEOPLE)
    entrants = serializers.ListField(child=Integer(min_value=1), max_length=MOST, default=list)
    name = Text(max_length=60, allow_blank=True, default="")
    earlier = Text(max_length=80, allow_blank=True, default="")


class ApartList(OneTournament):
    private = True
    serializer_class = ApartOutput

    @reads("tournaments_apart", "Who should not meet", ApartOutput(many=True))
    def get(self, request: Request, tournament: Tournament) -> Response:
        only_for(request, tournament, "entrants")
        return self.answer(apart.wishes_of(tournament), many=True)

    @changes(
        "tournaments_keep_apart",
        "Keep people apart while it can be helped, from the next round drawn on",
        ApartInput,
        {201: ApartOutput},
    )
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        made = services.keep_apart(tournament_id=tournament.pk, by=by, **given)
        return self.answer(made, status.HTTP_201_CREATED)


class ApartDetail(OneTournament):
    serializer_class = ApartOutput

    @changes("tournaments_let_meet", "Let them meet", None, {204: None})
    def delete(self, by: Player, tournament: Tournament, apart: int) -> Response:
        services.let_meet(tournament_id=tournament.pk, by=by, apart_id=apart)
        return Response(status=status.HTTP_204_NO_CONTENT)
