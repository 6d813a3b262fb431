"""What all views of the API share, the schema, and the page that shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import BasePermission
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from api.authentication import SiteSession, TokenAuthentication
from api.errors import QueryError
from api.idempotency import once
from api.pagination import PARAMETERS
from api.parsers import StrictJSONParser
from api.permissions import PublicOrScoped
from api.schema import ApiSchema
from api.strict import StrictSerializer
from api.throttling import ReadThrottle, spend_write
from players.models import Player


class ApiView(GenericAPIView[Any]):
    """A resource. `scope` is what a token needs to write, `parameters` what a query may say;
    `private` reads are for whoever is signed in, and the view says for whom of those.
    """

    authentication_classes = (TokenAuthentication, SiteSession)
    permission_classes: Sequence[type[BasePermission]] = (PublicOrScoped,)
    throttle_classes: Sequence[type[BaseThrottle]] = (ReadThrottle,)
    parser_classes = (StrictJSONParser,)
    renderer_classes = (JSONRenderer,)
    metadata_class = None
    schema = ApiSchema()
    scope: ClassVar[str] = ""
    private: ClassVar[bool] = False
    parameters: ClassVar[frozenset[str]] = frozenset()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        known = self.parameters | (PARAMETERS if self.pagination_class else frozenset())
        unknown = sorted(request.query_params.keys() - known)
        if unknown:
            raise QueryError({name: _("There is no such parameter.") for name in unknown})

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """Reads are for any site's scripts, without cookies; nothing else is."""
        response = super().finalize_response(request, response, *args, **kwargs)
        if request.method in ("GET", "HEAD"):
            response["Access-Control-Allow-Origin"] = "*"
        return response

    def write(self, request: Request, work: Callable[[], Response]) -> Response:
        """Does a change: counted, and done once however often it is sent with its key."""
        spend_write(request)
        return once(request, work)

    def checked(
        self, serializer: type[StrictSerializer], request: Request, *, partial: bool = False
    ) -> dict[str, Any]:
        """The body as `serializer` takes it. Raises ValidationError."""
        given = serializer(data=request.data, partial=partial)
        given.is_valid(raise_exception=True)
        return dict(given.validated_data)


def caller(request: Request) -> Player:
    """Who writes: PublicOrScoped has seen to it that there is someone."""
    assert isinstance(request.user, Player)
    return request.user


@extend_schema(exclude=True)
class NothingHere(ApiView):
    """Any other address under /api/."""

    permission_classes = ()
    throttle_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound(_("There is nothing at this address. Addresses end with a slash."))


class Schema(SpectacularAPIView):
    """The OpenAPI description, as YAML or JSON."""

    authentication_classes = ()
    throttle_classes = (ReadThrottle,)


class Docs(SpectacularSwaggerSplitView):
    """The description as a page to try things out on, from this site's own files alone.

    Its script is an answer of its own, so that the site's strict policy holds here too.
    """

    authentication_classes = ()
    permission_classes = ()
    throttle_classes = (ReadThrottle,)
    url_name = "api:schema"
    template_name = "api/docs.html"
