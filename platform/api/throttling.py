"""How much one caller may ask."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from players import throttle


class ReadThrottle(SimpleRateThrottle):
    """For each player, or address: kind to servers, counted in each process for itself."""

    scope = "api"
    rate = "600/min"

    def get_rate(self) -> str:
        return self.rate

    def get_cache_key(self, request: Request, view: Any) -> str:
        who = request.user.pk if request.user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": who}


WRITES = 60
WRITE_SECONDS = 60


def spend_write(request: Request) -> None:
    """Counts one change by this player, for all processes together. Raises Throttled."""
    key = f"api_write:{request.user.pk}"
    if not throttle.spend(key, limit=WRITES, seconds=WRITE_SECONDS):
        raise Throttled(wait=WRITE_SECONDS, detail=_("Too many changes in a minute."))
