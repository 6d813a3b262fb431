"""How the post stands, for the health page, the admin and `manage.py verify`."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count, Min, Q
from django.utils import timezone

from outbox.models import Delivery


@dataclass(frozen=True, slots=True)
class Backlog:
    """`oldest`: since when the longest overdue delivery has been due."""

    waiting: int
    dead: int
    oldest: dt.datetime | None


def backlog() -> Backlog:
    """What is not delivered yet, and what never will be without help."""
    waiting = Q(done_at__isnull=True, dead_at__isnull=True)
    counts = Delivery.objects.aggregate(
        waiting=Count("id", filter=waiting),
        dead=Count("id", filter=Q(dead_at__isnull=False)),
        oldest=Min("next_try_at", filter=waiting & Q(next_try_at__lte=timezone.now())),
    )
    return Backlog(**counts)


def verify() -> list[str]:
    """One sentence for each delivery that was given up."""
    dead = Delivery.objects.filter(dead_at__isnull=False).select_related("message").order_by("id")
    return [
        f"{delivery.message} never reached {delivery.subscriber}: {_last_line(delivery.error)}"
        for delivery in dead
    ]


def _last_line(error: str) -> str:
    lines = error.strip().splitlines()
    return lines[-1] if lines else "no error was kept"
