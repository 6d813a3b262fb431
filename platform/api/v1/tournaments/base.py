"""What the resources of a tournament share: its look-up, and the shape of an operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.strict import NothingInput, StrictSerializer, Text
from api.views import ApiView, caller
from players.models import Player
from players.tokens import TOURNAMENTS_WRITE
from tournaments import selectors
from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.permissions import Right, may, may_see

Operation = Callable[..., Response]
Serializer = serializers.BaseSerializer[Any]
TAGS = ["tournaments"]


class ReasonInput(StrictSerializer):
    reason = Text(max_length=200)


class OneTournament(ApiView):
    """What views of one event share."""

    serializer_class: type[serializers.Serializer[Any]]
    scope = TOURNAMENTS_WRITE

    def tournament(self, request: Request, slug: str) -> Tournament:
        """The event of that slug; a draft is there for its officials. Raises Http404."""
        found = selectors.by_slug(slug)
        if found is None or not may_see(found, self.viewer(request)):
            raise Http404
        return found

    def viewer(self, request: Request) -> Player | None:
        """Who asks; None for whoever doesn't say."""
        return request.user if isinstance(request.user, Player) else None

    def answer(self, shown: Any, code: int = status.HTTP_200_OK, *, many: bool = False) -> Response:
        """`shown` as the view's serializer has it."""
        return Response(self.get_serializer(shown, many=many).data, code)


def only_for(request: Request, tournament: Tournament, right: Right) -> None:
    """Raises TournamentError("not_allowed")."""
    user = request.user if isinstance(request.user, Player) else None
    if not may(tournament, user, right):
        raise TournamentError("not_allowed", right=right)


def reads(
    operation_id: str,
    summary: str,
    answers: Serializer | None = None,
    *,
    tags: Sequence[str] = TAGS,
    parameters: Sequence[OpenApiParameter] | None = None,
) -> Callable[[Callable[..., Response]], Operation]:
    """A read, described: the method gets the request, the tournament in place of its slug, and
    what else the address says.
    """

    def made(work: Callable[..., Response]) -> Operation:
        def get(self: OneTournament, request: Request, slug: str, **rest: Any) -> Response:
            return work(self, request, self.tournament(request, slug), **rest)

        described: dict[str, Any] = {} if answers is None else {"responses": answers}
        if parameters is not None:
            described["parameters"] = list(parameters)
        describe = extend_schema(
            operation_id=operation_id, summary=summary, tags=list(tags), **described
        )
        return describe(get)

    return made


def changes(
    operation_id: str,
    summary: str,
    takes: type[StrictSerializer] | None = NothingInput,
    answers: Any = None,
    *,
    partial: bool = False,
    tags: Sequence[str] = TAGS,
) -> Callable[[Callable[..., Response]], Operation]:
    """A change, described, counted, and done once however often it is sent with its key.

    The method gets who asks, the tournament in place of its slug, what else the address says, and
    as `given` the body as `takes` has it; no `given` where there is no body (`takes` is None).
    `answers` is what the description says of the response, the view's serializer if left out.
    """

    def made(work: Callable[..., Response]) -> Operation:
        def change(self: OneTournament, request: Request, **address: Any) -> Response:
            def once() -> Response:
                rest = dict(address)
                if "slug" in rest:
                    rest["tournament"] = self.tournament(request, rest.pop("slug"))
                if takes is not None:
                    rest["given"] = self.checked(takes, request, partial=partial)
                return work(self, caller(request), **rest)

            return self.write(request, once)

        described: dict[str, Any] = {} if answers is None else {"responses": answers}
        if takes is not None:
            described["request"] = takes
        describe = extend_schema(
            operation_id=operation_id, summary=summary, tags=list(tags), **described
        )
        return describe(change)

    return made
