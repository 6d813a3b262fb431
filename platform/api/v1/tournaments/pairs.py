"""Fixed pairs: asking a partner, and answering."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.strict import StrictSerializer, Text
from api.v1.tournaments.base import OneTournament, changes, reads
from api.v1.tournaments.entrants import EntrantOutput
from players.models import Player
from tournaments import services
from tournaments.models import PairInvitation, Tournament
from tournaments.pairs import invitations_of


class PairInvitationOutput(serializers.Serializer[PairInvitation]):
    """`player` asks `partner`, null for whoever opens the `link`; both are handles, null for
    guests. `key` is what one accepts, or declines, by.
    """

    player = serializers.CharField(allow_null=True)
    partner = serializers.CharField(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    key = serializers.CharField()
    link = serializers.CharField(allow_null=True)

    def to_representation(self, instance: PairInvitation) -> dict[str, Any]:
        partner = instance.partner
        path = reverse("pages:pair_link", args=[instance.tournament.slug, instance.key])
        link = self.context["request"].build_absolute_uri(path) if partner is None else None
        return {
            "player": None if instance.player.is_guest else instance.player.handle,
            "partner": None if partner is None or partner.is_guest else partner.handle,
            "name": instance.name,
            "key": instance.key,
            "link": link,
        }


class PairInvitationsOutput(serializers.Serializer[Any]):
    """Your own invitation, null if you have asked nobody, and those that wait for your answer."""

    sent = PairInvitationOutput(allow_null=True)
    received = PairInvitationOutput(many=True)


class PairInvitationInput(StrictSerializer):
    """`partner` is a handle, empty for whoever opens the link; `name` what the pair is to be
    called, `key` that of the tournament's own link, where it is open by link.
    """

    partner = Text(max_length=40, allow_blank=True, default="")
    name = Text(max_length=80, allow_blank=True, default="")
    key = Text(max_length=64, allow_blank=True, default="")


class PairInvitationList(OneTournament):
    private = True
    serializer_class = PairInvitationOutput

    @reads("tournaments_pair_invitations", "Who asks whom to be a pair", PairInvitationsOutput())
    def get(self, request: Request, tournament: Tournament) -> Response:
        sent, received = invitations_of(tournament, self.viewer(request))
        shown = {"sent": sent, "received": received}
        return Response(PairInvitationsOutput(shown, context={"request": request}).data)

    @changes(
        "tournaments_invite_partner",
        "Ask somebody to be the partner, or make a link for whoever opens it",
        PairInvitationInput,
        {201: PairInvitationOutput},
    )
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        partner = _player(given["partner"]) if given["partner"] else None
        made = services.invite_partner(
            tournament_id=tournament.pk,
            player=by,
            partner=partner,
            name=given["name"],
            key=given["key"],
        )
        return self.answer(made, status.HTTP_201_CREATED)


class PairInvitationDetail(OneTournament):
    serializer_class = EntrantOutput

    @changes(
        "tournaments_accept_partner", "Accept: the pair is entered", answers={201: EntrantOutput}
    )
    def post(self, by: Player, tournament: Tournament, key: str, given: dict[str, Any]) -> Response:
        entrant = services.accept_partner(
            tournament_id=tournament.pk, player=by, invitation_key=key
        )
        return self.answer(entrant, status.HTTP_201_CREATED)

    @changes("tournaments_drop_pair_invitation", "Take it back, or decline it", None, {204: None})
    def delete(self, by: Player, tournament: Tournament, key: str) -> Response:
        services.drop_invitation(tournament_id=tournament.pk, player=by, invitation_key=key)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _player(handle: str) -> Player:
    found = Player.objects.filter(handle=handle.lower().removeprefix("@"), is_active=True).first()
    if found is None:
        raise Http404
    return found
