"""A form that comes twice is done once: a double click, a reload, or a browser that tries again.

Each page gives its forms a token of its own (Django masks it anew each time), so the same fields
with the same token are the same form, sent again. It is answered as the first one was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from players import sessions
from players.models import Player, SentForm

TOKEN: Final = "csrfmiddlewaretoken"  # noqa: S105
LONGEST: Final = 500


class SentOnce(MiddlewareMixin):
    """Keeps a form with all that it does in one transaction, if it led on to another page. What
    came back with errors, or was refused, may be sent again as it is.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        match = request.resolver_match
        if request.method != "POST" or TOKEN not in request.POST:
            return None
        if match is None or match.app_name != "pages":
            return None
        return _once(request, lambda: view(request, *args, **kwargs))


def _once(request: HttpRequest, work: Callable[[], HttpResponse]) -> HttpResponse:
    player, digest = sessions.player_of(request), _digest(request)
    with transaction.atomic():
        row = None if player is None else _row_of(player, digest)
        if row is not None and row.led_to:
            messages.info(request, _("This was sent already, and is done once."))
            return HttpResponseRedirect(row.led_to)
        response = work()
        # A visitor is somebody only now, if the form has made a guest of them.
        by = sessions.player_of(request)
        row = row or (None if by is None else _row_of(by, digest))
        led_to = "" if _was_refused(request) else response.headers.get("Location", "")
        if row is not None and 0 < len(led_to) <= LONGEST:
            row.led_to = led_to
            row.save(update_fields=["led_to"])
        elif row is not None:
            row.delete()
        return response


def _row_of(player: Player, digest: str) -> SentForm:
    """The form's row; whoever sends it at the same time waits here for the first."""
    return SentForm.objects.get_or_create(player=player, digest=digest)[0]


def _was_refused(request: HttpRequest) -> bool:
    """Whether the page that it leads to says why it was not done."""
    told: Any = messages.get_messages(request)
    # Those of this request alone; iterating would take them away from the page.
    return any(message.level == messages.ERROR for message in told._queued_messages)


def _digest(request: HttpRequest) -> str:
    fields = {name: request.POST.getlist(name) for name in request.POST}
    files = [
        (name, each.name, each.size)
        for name in request.FILES
        for each in request.FILES.getlist(name)
    ]
    told = json.dumps([request.get_full_path(), fields, files], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()
