"""The clock's door to the post."""

from __future__ import annotations

from celery import shared_task

from letters import services


@shared_task(name="letters.tasks.send")  # type: ignore[untyped-decorator]
def send() -> int:
    """Sends the letters that are due."""
    return services.send_due()


@shared_task(name="letters.tasks.forget_old")  # type: ignore[untyped-decorator]
def forget_old() -> int:
    return services.forget_old()
