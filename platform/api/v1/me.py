"""Oneself, and what one is told of."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.pagination import Pages
from api.permissions import AccountNeeded
from api.strict import Choice, Integer, StrictSerializer, Text
from api.views import ApiView, caller
from notices import kinds, selectors, services
from notices.models import Notice
from players import countries, names
from players.forms import sentence_for
from players.models import Player
from players.names import NameRefused
from players.services import change_profile
from players.tokens import ACCOUNT_WRITE

TAGS = ["me"]


class MeOutput(serializers.Serializer[Player]):
    """`unread` counts notices, 99 at most."""

    handle = serializers.CharField()
    name = serializers.CharField()
    is_guest = serializers.BooleanField()
    email = serializers.CharField(allow_blank=True)
    country = serializers.CharField(allow_blank=True)
    language = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    unread = serializers.IntegerField()

    def to_representation(self, instance: Player) -> dict[str, Any]:
        instance.unread = selectors.unread(instance)  # type: ignore[attr-defined]
        return super().to_representation(instance)


class MeInput(StrictSerializer):
    """What to change; `country` is a code of ISO 3166, or empty."""

    name = Text(max_length=4 * names.MAX_GRAPHEMES, required=False)
    country = Choice(choices=["", *countries.names()], required=False)


class NoticeOutput(serializers.Serializer[Notice]):
    """`text` is in the language that the request asks for; `url` leads into the site."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=tuple(kinds.KINDS))
    text = serializers.CharField()
    url = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    read_at = serializers.DateTimeField(allow_null=True)

    def to_representation(self, instance: Notice) -> dict[str, Any]:
        instance.text = kinds.sentence(  # type: ignore[attr-defined]
            instance.kind, instance.facts
        )
        return super().to_representation(instance)


class ReadInput(StrictSerializer):
    """All notices up to this one are read."""

    up_to = Integer(min_value=1, max_value=2**63 - 1)


class Me(ApiView):
    serializer_class = MeOutput
    scope = ACCOUNT_WRITE
    private = True

    @extend_schema(operation_id="me_get", summary="Who is asking", tags=TAGS)
    def get(self, request: Request) -> Response:
        return Response(self.get_serializer(caller(request)).data)

    @extend_schema(
        operation_id="me_edit",
        summary="Change one's own name or country",
        tags=TAGS,
        request=MeInput,
    )
    def patch(self, request: Request) -> Response:
        player = caller(request)
        given = self.checked(MeInput, request, partial=True)
        if player.is_guest and "country" in given:
            raise AccountNeeded

        def work() -> Response:
            try:
                changed = change_profile(player=player, **given)
            except NameRefused as refused:
                raise serializers.ValidationError({"name": [sentence_for(refused)]}) from refused
            return Response(self.get_serializer(changed).data)

        return self.write(request, work)


class NoticeList(ApiView):
    serializer_class = NoticeOutput
    pagination_class = Pages
    ordering = ("-pk",)
    private = True

    @extend_schema(
        operation_id="me_notices",
        summary="What one was told of, newest first",
        tags=TAGS,
        responses=NoticeOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(selectors.of_player(caller(request)))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)


class NoticesRead(ApiView):
    serializer_class = NoticeOutput
    scope = ACCOUNT_WRITE

    @extend_schema(
        operation_id="me_read_notices",
        summary="Mark notices as read",
        tags=TAGS,
        request=ReadInput,
        responses={204: None},
    )
    def post(self, request: Request) -> Response:
        player, up_to = caller(request), self.checked(ReadInput, request)["up_to"]

        def work() -> Response:
            services.mark_read(player=player, up_to=up_to)
            return Response(status=status.HTTP_204_NO_CONTENT)

        return self.write(request, work)
