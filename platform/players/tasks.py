"""What is done for players from time to time."""

from __future__ import annotations

from celery import shared_task

from players import throttle


@shared_task
def forget_old_attempts() -> None:
    throttle.forget_old()
