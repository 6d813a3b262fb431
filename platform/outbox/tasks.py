"""The clock's door to the outbox."""

from __future__ import annotations

from celery import shared_task

from outbox import services


@shared_task(name="outbox.tasks.drain")  # type: ignore[untyped-decorator]
def drain() -> int:
    """Delivers what is due: nudged after each commit that publishes, and by the timetable."""
    return services.drain()
