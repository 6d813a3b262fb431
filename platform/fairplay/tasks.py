"""The clock's door to fair play."""

from __future__ import annotations

import logging

from celery import shared_task

from fairplay import watching

logger = logging.getLogger(__name__)


@shared_task(name="fairplay.tasks.look")  # type: ignore[untyped-decorator]
def look() -> int:
    """Opens cases for what the detectors find; how many."""
    opened = watching.look()
    if opened:
        logger.info("%d new cases for moderators.", opened)
    return opened
