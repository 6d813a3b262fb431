"""Who comes in: guests at the doors of accounts, and by whose clocks times are shown to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode

from players import sessions

ENTRANCES = {
    "account_confirm_email",
    "account_email_verification_sent",
    "account_inactive",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "mfa_authenticate",
    "mfa_login_webauthn",
}
ROOMS = ("account_", "mfa_", "usersessions_")


class GuestsAtTheDoor(MiddlewareMixin):
    """At entrances a guest counts as nobody, so that allauth lets them in; their seat stays theirs
    until they are. Elsewhere in an account's pages they are asked to sign up.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        match = request.resolver_match
        name = match.url_name if match and not match.namespaces else None
        if not name or not name.startswith(ROOMS) or name == "account_logout":
            return None
        player = sessions.player_of(request)
        if player is None or not player.is_guest:
            return None
        if name in ENTRANCES:
            request.user = AnonymousUser()
            return None
        return redirect(f"{reverse('players:sign_up')}?{urlencode({'next': request.path})}")

    def process_template_response(
        self, request: HttpRequest, response: SimpleTemplateResponse
    ) -> SimpleTemplateResponse:
        """allauth's own `site` would hide the pages' (pages.context)."""
        if response.context_data is not None:
            response.context_data.pop("site", None)
        return response


class OwnClock(MiddlewareMixin):
    """Pages show times by the reader's own clock where they have set one. What programs read is in
    UTC for everybody.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> None:
        player = sessions.player_of(request)
        match = request.resolver_match
        if player is not None and player.zone and match is not None and match.app_name != "api":
            timezone.activate(player.zone)
        else:
            timezone.deactivate()

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        timezone.deactivate()
        return response
