"""How the site is doing: each part with what was measured, and whether that is well."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from dataclasses import dataclass
from typing import Any, Final

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.models import Min
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import Match
from letters.models import Letter
from outbox import selectors as outbox

BEAT_KEY: Final = "worker-beat"
LATE_BEAT: Final = 60.0
LATE_SWEEP: Final = 10.0
LATE_POST: Final = 300.0
KEPT_SECONDS: Final = 5

TITLES: Final[dict[str, str | Promise]] = {
    "database": _("Database"),
    "channel_layer": _("Live tables’ channel"),
    "worker": _("Background jobs"),
    "sweep": _("Turns that run out"),
    "outbox": _("Messages between the parts"),
    "mail": _("Mail"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """`seconds`: how long it took to answer, or how late it is; None if it can't be told."""

    key: str
    well: bool
    seconds: float | None = None

    @property
    def title(self) -> str:
        return str(TITLES[self.key])


def beat(now: dt.datetime | None = None) -> None:
    """A worker does what the timetable asks for: noted, to be seen here."""
    cache.set(BEAT_KEY, (now or timezone.now()).timestamp(), None)


def ready() -> list[Part]:
    """What a web process needs to answer at all."""
    return [_database(), _channel_layer()]


def parts() -> list[Part]:
    """Everything; asked often, it answers what it found some seconds ago."""
    found: list[Part] | None = cache.get("status")
    if found is None:
        found = ready()
        if found[0].well:
            found += [_worker(), _sweep(), _outbox(), _mail()]
        cache.set("status", found, KEPT_SECONDS)
    return found


def _database() -> Part:
    began = time.monotonic()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return Part("database", False)
    return Part("database", True, time.monotonic() - began)


def _channel_layer() -> Part:
    began = time.monotonic()
    try:
        async_to_sync(_to_itself)()
    except Exception:
        return Part("channel_layer", False)
    return Part("channel_layer", True, time.monotonic() - began)


async def _to_itself() -> None:
    layer: Any = get_channel_layer()
    name = await layer.new_channel()
    await layer.send(name, {"type": "status"})
    await asyncio.wait_for(layer.receive(name), 2)


def _worker() -> Part:
    last = cache.get(BEAT_KEY)
    if last is None:
        return Part("worker", False)
    late = max(0.0, timezone.now().timestamp() - float(last))
    return Part("worker", late < LATE_BEAT, late)


def _sweep() -> Part:
    oldest = Match.objects.aggregate(at=Min("wake_at"))["at"]
    return _late("sweep", oldest, LATE_SWEEP)


def _outbox() -> Part:
    backlog = outbox.backlog()
    part = _late("outbox", backlog.oldest, LATE_POST)
    return Part("outbox", part.well and not backlog.dead, part.seconds)


def _mail() -> Part:
    due = Letter.objects.filter(sent_at=None, dead_at=None).aggregate(at=Min("created_at"))["at"]
    return _late("mail", due, LATE_POST)


def _late(key: str, since: dt.datetime | None, most: float) -> Part:
    late = max(0.0, (timezone.now() - since).total_seconds()) if since else 0.0
    return Part(key, late < most, late)
