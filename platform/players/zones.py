"""Time zones: the places whose clocks times are shown by."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from zoneinfo import available_timezones

from django.utils import timezone
from django.utils.formats import date_format


@cache
def names() -> tuple[str, ...]:
    """All places, by name: "Europe/Istanbul"; old names that are no places are left out."""
    return tuple(sorted(name for name in available_timezones() if name.split("/")[0] in REGIONS))


REGIONS = (
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe",
    "Indian", "Pacific",
)  # fmt: skip


def with_zone(when: datetime) -> str:
    """A moment in the reader's zone, which is named: "4 Dec 2026, 19:00 CET"."""
    there = timezone.localtime(when)
    return f"{date_format(there, 'DATETIME_FORMAT')} {there.tzname()}"
