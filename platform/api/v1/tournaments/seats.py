"""Seats: two entrants exchange theirs, or the other one of a match leads."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.strict import Boolean, Integer, StrictSerializer, Text
from api.v1.tournaments.base import OneTournament, changes
from api.v1.tournaments.results import pairing_of
from players.models import Player
from tournaments import services
from tournaments.models import Tournament
from tournaments.services.exchanging import Exchange


class ExchangeInput(StrictSerializer):
    """`one` and `other` are ids of entries; in `round`, and `onward` in those after it too. With
    `preview` nothing is changed; else give a reason.
    """

    one = Integer(min_value=1)
    other = Integer(min_value=1)
    round = Integer(min_value=1)
    onward = Boolean(default=False)
    preview = Boolean(default=False)
    reason = Text(max_length=200, allow_blank=True, default="")


class ChangeOutput(serializers.Serializer[Any]):
    """A match, and who sits there in the order of the seats, by ids of entries."""

    number = serializers.IntegerField()
    round = serializers.IntegerField()
    before = serializers.ListField(child=serializers.IntegerField())
    after = serializers.ListField(child=serializers.IntegerField())


class ExchangeOutput(serializers.Serializer[Exchange]):
    """`again` are pairs who meet once more than planned, `never` those who do not meet any more."""

    changes = ChangeOutput(many=True)
    again = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    never = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))


class SeatExchange(OneTournament):
    serializer_class = ExchangeOutput

    @changes(
        "tournaments_exchange_seats",
        "Let two entrants exchange their seats in matches that nobody has begun",
        ExchangeInput,
    )
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        wanted = {
            "tournament_id": tournament.pk,
            "by": by,
            "one": given["one"],
            "other": given["other"],
            "number": given["round"],
            "onward": given["onward"],
        }
        if given["preview"]:
            return self.answer(services.preview_exchange(**wanted))
        return self.answer(services.exchange(**wanted, reason=given["reason"]))


class LeadOutput(serializers.Serializer[Any]):
    number = serializers.IntegerField()


class PairingLead(OneTournament):
    serializer_class = LeadOutput

    @changes(
        "tournaments_swap_seats",
        "Let the other one of two lead, before a round that was drawn starts",
    )
    def post(
        self, by: Player, tournament: Tournament, number: int, given: dict[str, Any]
    ) -> Response:
        pairing = pairing_of(tournament, number, by)
        return self.answer(services.swap_seats(pairing_id=pairing.pk, by=by))
