"""Quick play: waiting for opponents in the queue of a game."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from api.strict import Boolean, NothingInput, StrictSerializer, Text
from api.v1.matches import GAMES, MatchOutput, matches
from api.views import ApiView, caller
from engine.rules import PRESETS, game_of
from players.tokens import TABLES_WRITE
from quickplay import selectors, services
from quickplay.models import Seek
from quickplay.queues import PACES, QUEUES, Queue

TAGS = ["quick play"]
STATES = ("waiting", *Seek.End.values)


class QueueOutput(serializers.Serializer[Queue]):
    """A game at a pace; `waiting` is how many people wait for it."""

    key = serializers.CharField()
    game = serializers.ChoiceField(choices=GAMES)
    preset = serializers.ChoiceField(choices=sorted(PRESETS))
    target = serializers.IntegerField()
    seats = serializers.IntegerField()
    partners = serializers.BooleanField()
    pace = serializers.ChoiceField(choices=tuple(PACES))
    turn_seconds = serializers.IntegerField()
    bank_seconds = serializers.IntegerField()
    waiting = serializers.IntegerField()

    def to_representation(self, instance: Queue) -> dict[str, Any]:
        offer = instance.offer
        of_offer = {
            name: getattr(offer, name) for name in ("preset", "target", "seats", "partners")
        }
        of_queue = {
            name: getattr(instance, name) for name in ("pace", "turn_seconds", "bank_seconds")
        }
        return {
            "key": instance.key,
            "game": game_of(offer.preset),
            **of_offer,
            **of_queue,
            "waiting": self.context["waiting"].get(instance.key, 0),
        }


class SeekOutput(serializers.Serializer[Seek]):
    """How one's seek stands.

    While it waits: `seconds`, and `reach`, how many rating points away opponents may be (null:
    anybody). `party` is the key by which a partner joins, `partner` the handle of who has. `match`
    is the table that it has led to.
    """

    state = serializers.ChoiceField(choices=STATES)
    queue = serializers.ChoiceField(choices=tuple(QUEUES))
    rated = serializers.BooleanField()
    unrated = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    seconds = serializers.IntegerField(allow_null=True)
    reach = serializers.IntegerField(allow_null=True)
    party = serializers.CharField(allow_blank=True)
    partner = serializers.CharField(allow_null=True)
    match = serializers.CharField(allow_null=True)
    url = serializers.CharField(allow_null=True)

    def to_representation(self, instance: Seek) -> dict[str, Any]:
        own = selectors.own(instance) if instance.is_open else None
        plain = ("rated", "unrated", "party")
        table = instance.match_id and reverse("pages:table", args=[instance.match_id])
        return {
            "state": instance.closed_as or "waiting",
            "queue": instance.queue,
            **{name: getattr(own or instance, name) for name in plain},
            "created_at": self.fields["created_at"].to_representation(instance.created_at),
            "seconds": own and own.seconds,
            "reach": own and own.reach,
            "partner": own.partner.handle if own and own.partner else None,
            "match": instance.match_id,
            "url": self.context["request"].build_absolute_uri(table) if table else None,
        }


class SeekInput(StrictSerializer):
    """What to wait for. Guests' matches are unrated; `rated` and `unrated` together: either.

    `invite` waits for a partner first, who gives the seek's `party`.
    """

    queue = Text(max_length=40)
    rated = Boolean(default=True)
    unrated = Boolean(default=False)
    invite = Boolean(default=False)
    party = Text(max_length=12, default="", allow_blank=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["invite"] and attrs["party"]:
            raise serializers.ValidationError({"invite": _("Either invite, or join a party.")})
        return attrs


class QueueList(ApiView):
    serializer_class = QueueOutput
    pagination_class = None

    @extend_schema(
        operation_id="quick_queues",
        summary="What can be played quickly, and how many wait",
        tags=TAGS,
        responses=QueueOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        return Response(self.get_serializer(list(QUEUES.values()), many=True).data)

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "waiting": selectors.waiting()}


class OwnSeek(ApiView):
    """The caller's own seek. Posting it again every few seconds says that they are still there."""

    serializer_class = SeekOutput
    scope = TABLES_WRITE
    private = True

    @extend_schema(
        operation_id="quick_seek",
        summary="How one's open or last seek stands",
        tags=TAGS,
        responses=SeekOutput,
    )
    def get(self, request: Request) -> Response:
        row = selectors.last_seek(caller(request))
        if row is None:
            raise NotFound
        return Response(self.get_serializer(row).data)

    @extend_schema(
        operation_id="quick_wait",
        summary="Wait for opponents, or go on waiting",
        description=(
            "The same wish again is the same seek and a sign of life: send it every five seconds, "
            "without an Idempotency-Key, until the state is “matched”. Who is silent for eight "
            "seconds is not seated, and after a minute the seek lapses. Another wish takes its "
            "place. At the table that it leads to one has 20 seconds to sit down."
        ),
        tags=TAGS,
        request=SeekInput,
        responses={201: SeekOutput},
    )
    def post(self, request: Request) -> Response:
        return self.write(request, lambda: self._seek(request))

    @extend_schema(
        operation_id="quick_stop",
        summary="Stop waiting",
        tags=TAGS,
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request) -> Response:
        return self.write(request, lambda: self._stop(request))

    def _seek(self, request: Request) -> Response:
        wish = self.checked(SeekInput, request)
        invites, party = wish.pop("invite"), wish.pop("party")
        row = (
            services.invite(player=caller(request), **wish)
            if invites
            else services.seek(player=caller(request), party=party, **wish)
        )
        return Response(self.get_serializer(row).data, status=status.HTTP_201_CREATED)

    def _stop(self, request: Request) -> Response:
        services.cancel(player=caller(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class PlayBot(ApiView):
    serializer_class = MatchOutput
    scope = TABLES_WRITE

    @extend_schema(
        operation_id="quick_bot",
        summary="Play bots instead of waiting on, unrated",
        tags=TAGS,
        request=NothingInput,
        responses={201: MatchOutput},
    )
    def post(self, request: Request) -> Response:
        return self.write(request, lambda: self._play(request))

    def _play(self, request: Request) -> Response:
        self.checked(NothingInput, request)
        match = services.play_bot(player=caller(request))
        output = self.get_serializer(matches().get(pk=match.pk))
        return Response(output.data, status=status.HTTP_201_CREATED)
