"""The clock's door to tournaments."""

from __future__ import annotations

from celery import shared_task

from tournaments import services


@shared_task(name="tournaments.tasks.tick")  # type: ignore[untyped-decorator]
def tick() -> int:
    """Makes good what a crash, or a lost message, left undone."""
    return services.reconcile()
