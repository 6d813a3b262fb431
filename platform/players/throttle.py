"""How often something may be tried: counted in the database, by one statement that can't race."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from players.models import Throttle


def spend(key: str, *, limit: int, seconds: int) -> bool:
    """Counts one attempt under `key`; False when more than `limit` fell in the window.

    The attempt is counted before its outcome is known, so that parallel ones can't slip through.
    """
    digest = _digest(key)
    now = timezone.now()
    ends = now + timedelta(seconds=seconds)
    with transaction.atomic():
        Throttle.objects.bulk_create([Throttle(key=digest, resets_at=ends)], ignore_conflicts=True)
        Throttle.objects.filter(key=digest, resets_at__lte=now).update(count=0, resets_at=ends)
        Throttle.objects.filter(key=digest).update(count=F("count") + 1)
        count = Throttle.objects.values_list("count", flat=True).get(key=digest)
    return count <= limit


def forgive(key: str) -> None:
    """Forgets the attempts under `key`, as after a right password."""
    Throttle.objects.filter(key=_digest(key)).delete()


def forget_old() -> int:
    """Deletes counters whose window is over; answers how many."""
    return Throttle.objects.filter(resets_at__lte=timezone.now()).delete()[0]


def client_address(request: HttpRequest) -> str:
    """The caller's address, as the trusted proxies saw it; a header from elsewhere is ignored."""
    proxies = settings.ENV.trusted_proxies
    seen = [a.strip() for a in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if a.strip()]
    if proxies and seen:
        return str(seen[-min(proxies, len(seen))])
    return str(request.META.get("REMOTE_ADDR", ""))


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
