"""Who is asking: a personal token in the header, or the site's own session with CSRF."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from api.errors import QueryError
from players import throttle, tokens
from players.models import PersonalToken, Player

SCHEME = "Bearer"
IN_QUERY = ("token", "access_token", "api_key")

# Guesses that look like a token: each costs a query, and nobody mistypes so often.
WRONG_TRIES = 30
WRONG_SECONDS = 60


class TokenAuthentication(BaseAuthentication):
    """``Authorization: Bearer mug_pat_…``; `request.auth` is then the PersonalToken."""

    def authenticate(self, request: Request) -> tuple[Player, PersonalToken] | None:
        refuse_token_in_query(request)
        scheme, _space, text = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        token = self._token(request, text.strip())
        return token.player, token

    def authenticate_header(self, request: Request) -> str:
        return f'{SCHEME} realm="api"'

    def _token(self, request: Request, text: str) -> PersonalToken:
        wrong = AuthenticationFailed(_("This token is wrong, expired or revoked."))
        if not tokens.is_well_formed(text):
            raise wrong
        token = tokens.find(text)
        if token is None:
            key = f"api_token:{throttle.client_address(request._request)}"
            if not throttle.spend(key, limit=WRONG_TRIES, seconds=WRONG_SECONDS):
                raise Throttled(wait=WRONG_SECONDS)
            raise wrong
        return token


class SiteSession(SessionAuthentication):
    """The site's own pages: signed in by cookie, and proved by the CSRF token."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        refuse_token_in_query(request)
        return super().authenticate(request)


def refuse_token_in_query(request: Request) -> None:
    """A secret in an address ends up in logs and histories: refused, right or wrong."""
    for name in IN_QUERY:
        if name in request.query_params:
            raise QueryError({name: _("A token belongs in the Authorization header.")})


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "mug_pat_…",
            "description": str(_("A personal token, made on your account's page.")),
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "api.authentication.SiteSession"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": str(_("The site's own session; writing needs X-CSRFToken too.")),
        }
