"""The clock's hand: wakes matches when they are due.

A window looks for due matches again and again until its time is over. Windows may overlap, in any
number of processes: whoever comes second to a match finds it locked or not due any more.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.db import DatabaseError, close_old_connections

from games import clock
from games.models import Match
from games.services import wake

logger = logging.getLogger(__name__)

LIMIT: Final = 200
# How long a sweep sleeps at most, so that a match whose time was brought forward is not kept.
NAP: Final = 0.05
# How long a match that fails is left alone.
PAUSE: Final = timedelta(seconds=15)


def run_window(seconds: float, stopped: Callable[[], bool] | None = None) -> int:
    """Wake whatever falls due within `seconds`; how many matches something was done at."""
    until = time.monotonic() + seconds
    done = 0
    try:
        while time.monotonic() < until and not (stopped is not None and stopped()):
            try:
                done += sweep()
                nap = _until_next()
            except DatabaseError as error:
                logger.warning("sweep: the database does not answer: %s", error)
                nap = NAP
            time.sleep(max(0.0, min(nap, until - time.monotonic())))
    finally:
        close_old_connections()
    return done


def sweep(now: datetime | None = None, limit: int = LIMIT) -> int:
    """Wake the matches that are due, the longest overdue first; how many were acted on."""
    moment = now or clock.now()
    due = Match.objects.filter(wake_at__lte=moment).order_by("wake_at")
    return sum(_wake(match_id, now) for match_id in list(due.values_list("pk", flat=True)[:limit]))


def _wake(match_id: str, now: datetime | None) -> bool:
    """Wake one match. What goes wrong with it is logged, and does not stop the others."""
    try:
        return wake(match_id=match_id, now=now, skip_locked=True)
    except Exception:
        logger.exception("sweep: match %s", match_id)
        try:
            _put_off(match_id, now or clock.now())
        except DatabaseError as error:
            logger.warning("sweep: match %s not put off: %s", match_id, error)
        return False


def _put_off(match_id: str, now: datetime) -> None:
    """Leave a match that fails alone for a while, so that it does not keep the sweep busy."""
    Match.objects.filter(pk=match_id, wake_at__lte=now).update(wake_at=now + PAUSE)


def _until_next() -> float:
    """Seconds until something is due, at most a nap."""
    now = clock.now()
    next_due = (
        Match.objects.filter(wake_at__isnull=False)
        .order_by("wake_at")
        .values_list("wake_at", flat=True)
        .first()
    )
    if next_due is None:
        return NAP
    return min(NAP, max(0.0, (next_due - now).total_seconds()))
