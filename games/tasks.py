"""Work for Celery: each task is one call of a service."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from games import sweeper


@shared_task(name="games.tasks.sweep", ignore_result=True, acks_late=False)  # type: ignore[untyped-decorator]
def sweep() -> None:
    """One window of the sweep; the timetable starts the next before this one ends."""
    sweeper.run_window(settings.SWEEP_WINDOW_SECONDS)
