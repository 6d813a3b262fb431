"""All detectors over the matches of the last two months: cases for moderators, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from fairplay import reading, services
from fairplay.detectors import accounts, circles, farming, helping, throwing
from fairplay.detectors.rows import Finding
from ratings.pools import POOLS

WINDOW: Final = timedelta(days=60)


def look(now: datetime | None = None) -> int:
    """Opens a case for what is found and was not known; answers how many. Again, it opens none."""
    return sum(services.open_case(finding) for finding in findings(now or timezone.now()))


def findings(now: datetime) -> Iterator[Finding]:
    """What the detectors find in the two months before `now`."""
    since = now - WINDOW
    people = reading.accounts(since)
    for pool in POOLS:
        if pool.endswith("-1v1"):
            duels = reading.duels(since, pool)
            yield from farming.find(duels, people)
            yield from circles.find(duels, people)
            yield from accounts.find(duels, people)
        elif pool.endswith("-table"):
            yield from helping.find(reading.sittings(since, pool))
    for entry, own in reading.capped_entries(since):
        if found := throwing.find(entry, own):
            yield found
