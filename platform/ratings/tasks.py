"""The belt to the outbox's braces."""

from __future__ import annotations

import logging
from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from ratings import recomputing, seasons, services
from ratings.judging import undecided
from ratings.pools import POOLS

logger = logging.getLogger(__name__)

LOOK_BACK = timedelta(days=3)
AT_ONCE = 200


@shared_task(name="ratings.tasks.reconcile")  # type: ignore[untyped-decorator]
def reconcile() -> int:
    """Rates finished matches of the last days that nobody has told us of; how many they were."""
    found = undecided(since=timezone.now() - LOOK_BACK, limit=AT_ONCE)
    for match_id in found:
        services.rate(match_id)
    if found:
        logger.info("Judged %d finished matches that had not been reported.", len(found))
    return len(found)


@shared_task(name="ratings.tasks.recompute")  # type: ignore[untyped-decorator]
def recompute() -> None:
    """Works off the corrections that wait, pool by pool."""
    for pool in recomputing.pools_waiting():
        moved = services.recompute_in_background(pool)
        if moved is not None:
            logger.info("%s is recomputed: %d players came out otherwise.", pool, moved)


@shared_task(name="ratings.tasks.snapshot")  # type: ignore[untyped-decorator]
def snapshot() -> None:
    """Takes the snapshots of the months that are over."""
    for pool in POOLS:
        while (taken := services.take_snapshot(pool)) is not None:
            logger.info("%s: a snapshot of %d players.", pool, taken)


@shared_task(name="ratings.tasks.season")  # type: ignore[untyped-decorator]
def season() -> None:
    """Opens the season of today, and makes the tables of those that are over final."""
    services.open_season()
    for number in seasons.due_to_close():
        if services.close_season(number):
            logger.info("Season %d of the ladders is closed.", number)
