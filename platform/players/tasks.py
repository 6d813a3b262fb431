"""What is done for players from time to time."""

from __future__ import annotations

from celery import shared_task

from players import throttle


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]
def forget_old_attempts() -> None:
    throttle.forget_old()
