"""A form that comes twice is done once: a double click, a reload, or a browser that tries again.

Each page gives its forms a token of its own (Django masks it anew each time), so the same fields
with the same token are the same form, sent again. It is answered as the first one was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from players import sessions
from players.models import Player, SentForm

TOKEN: Final = "csrfmiddlewaretoken"  # noqa: S105
KEPT: Final = timedelta(days=1)
LONGEST: Final = 500


class SentOnce(MiddlewareMixin):
    """Keeps a form with all that it does in one transaction, if it led on to another page. What
    came back with errors may be sent again as it is.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        match = request.resolver_match
        if request.method != "POST" or TOKEN not in request.POST:
            return None
        if match is None or match.app_name != "pages":
            return None
        player = sessions.player_of(request)
        if player is None:
            return None
        return _once(request, player, lambda: view(request, *args, **kwargs))


def _once(request: HttpRequest, player: Player, work: Callable[[], HttpResponse]) -> HttpResponse:
    with transaction.atomic():
        row, new = SentForm.objects.get_or_create(player=player, digest=_digest(request))
        if not new:
            messages.info(request, _("This was sent already, and is done once."))
            return HttpResponseRedirect(row.led_to)
        response = work()
        led_to = response.headers.get("Location", "")
        if led_to and len(led_to) <= LONGEST:
            SentForm.objects.filter(pk=row.pk).update(led_to=led_to)
            SentForm.objects.filter(at__lt=timezone.now() - KEPT).delete()
        else:
            SentForm.objects.filter(pk=row.pk).delete()
        return response


def _digest(request: HttpRequest) -> str:
    fields = {name: request.POST.getlist(name) for name in request.POST}
    files = [
        (name, each.name, each.size)
        for name in request.FILES
        for each in request.FILES.getlist(name)
    ]
    told = json.dumps([request.get_full_path(), fields, files], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()
