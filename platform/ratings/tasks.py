"""The belt to the outbox's braces."""

from __future__ import annotations

import logging
from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from ratings import services
from ratings.judging import undecided

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
