"""Who helps to run a tournament, and what was done to it."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api import query
from api.pagination import Pages
from api.strict import Choice, Integer, StrictSerializer
from api.v1.tournaments.base import TAGS, OneTournament, changes, only_for, reads
from players.models import Player
from tournaments import audit, services
from tournaments.models import AuditLine, Invitation, Official, Role, Tournament

KINDS = tuple(audit.KINDS)


class OfficialOutput(serializers.Serializer[Official]):
    """`tables` are the numbers of those a scorer is for, empty for all."""

    player = serializers.CharField(source="player.handle")
    name = serializers.CharField(source="player.name")
    role = serializers.ChoiceField(choices=Role.values)
    tables = serializers.ListField(child=serializers.IntegerField())
    since = serializers.DateTimeField()


class OfficialInput(StrictSerializer):
    role = Choice(choices=Role.values)
    tables = serializers.ListField(
        child=Integer(min_value=1, max_value=10_000), max_length=200, default=list
    )


class InvitationOutput(serializers.Serializer[Invitation]):
    """A link that still works; `left` more people can use it."""

    id = serializers.IntegerField()
    role = serializers.ChoiceField(choices=Role.values)
    tables = serializers.ListField(child=serializers.IntegerField())
    by = serializers.CharField(source="by.name")
    expires_at = serializers.DateTimeField()
    left = serializers.IntegerField()


class NewInvitationOutput(InvitationOutput):
    """With the link, that is shown this once."""

    link = serializers.URLField()


class InvitationInput(OfficialInput):
    hours = Integer(min_value=1, max_value=90 * 24, default=72)
    uses = Integer(min_value=1, max_value=100, default=1)


class AuditOutput(serializers.Serializer[AuditLine]):
    """A deed: `text` says it in words; `by` is a handle, null for guests and for the rules."""

    at = serializers.DateTimeField()
    by = serializers.CharField(allow_null=True)
    kind = serializers.ChoiceField(choices=KINDS)
    action = serializers.CharField()
    text = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)
    facts = serializers.DictField()

    def to_representation(self, instance: AuditLine) -> dict[str, Any]:
        by = instance.by
        return {
            "at": self.fields["at"].to_representation(instance.at),
            "by": None if by is None or by.is_guest else by.handle,
            "kind": audit.kind_of(instance.action),
            "action": instance.action,
            "text": audit.sentence(instance),
            "reason": instance.reason,
            "facts": instance.facts,
        }


class OfficialList(OneTournament):
    private = True
    serializer_class = OfficialOutput

    @reads("tournaments_officials", "Who helps to run it", OfficialOutput(many=True))
    def get(self, request: Request, tournament: Tournament) -> Response:
        only_for(request, tournament, "look")
        rows = Official.objects.filter(tournament=tournament).select_related("player")
        return self.answer(rows.order_by("pk"), many=True)


class OfficialDetail(OneTournament):
    serializer_class = OfficialOutput

    @changes("tournaments_change_official", "Give an official another role", OfficialInput)
    def patch(
        self, by: Player, tournament: Tournament, handle: str, given: dict[str, Any]
    ) -> Response:
        player = _player(handle)
        official = services.change_official(
            tournament_id=tournament.pk, by=by, player=player, **given
        )
        return self.answer(official)

    @changes(
        "tournaments_remove_official", "End a role: your own, or one below it", None, {204: None}
    )
    def delete(self, by: Player, tournament: Tournament, handle: str) -> Response:
        services.remove_official(tournament_id=tournament.pk, by=by, player=_player(handle))
        return Response(status=status.HTTP_204_NO_CONTENT)


class InvitationList(OneTournament):
    private = True
    serializer_class = InvitationOutput

    @reads("tournaments_invitations", "Links that still work", InvitationOutput(many=True))
    def get(self, request: Request, tournament: Tournament) -> Response:
        only_for(request, tournament, "settings")
        rows = tournament.invitations.filter(left__gte=1, expires_at__gt=timezone.now())
        return self.answer(rows.select_related("by").order_by("pk"), many=True)

    @changes(
        "tournaments_invite",
        "Make a link that gives a role to whoever opens it",
        InvitationInput,
        {201: NewInvitationOutput},
    )
    def post(self, by: Player, tournament: Tournament, given: dict[str, Any]) -> Response:
        made, key = services.invite(tournament_id=tournament.pk, by=by, **given)
        path = reverse("pages:invited", args=[key])
        shown = {**InvitationOutput(made).data, "link": self.request.build_absolute_uri(path)}
        return Response(shown, status.HTTP_201_CREATED)


class InvitationDetail(OneTournament):
    serializer_class = InvitationOutput

    @changes("tournaments_revoke_invitation", "Make a link worth nothing", None, {204: None})
    def delete(self, by: Player, tournament: Tournament, invitation: int) -> Response:
        services.revoke_invitation(tournament_id=tournament.pk, by=by, invitation_id=invitation)
        return Response(status=status.HTTP_204_NO_CONTENT)


class AuditLog(OneTournament):
    private = True
    serializer_class = AuditOutput
    pagination_class = Pages
    ordering = ("-pk",)
    parameters = frozenset({"kind"})

    @extend_schema(
        operation_id="tournaments_log",
        summary="What was done to it, the newest first; for its officials",
        tags=TAGS,
        parameters=[OpenApiParameter("kind", enum=KINDS)],
        responses=AuditOutput(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(request, slug)
        only_for(request, tournament, "look")
        kind = query.choice(request, "kind", KINDS)
        page = self.paginate_queryset(audit.lines(tournament, kind=kind or ""))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)


def _player(handle: str) -> Player:
    found = Player.objects.filter(handle=handle).first()
    if found is None:
        raise Http404
    return found
