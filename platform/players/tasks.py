"""What is done for players from time to time."""

from __future__ import annotations

from celery import shared_task

from players import erasure, moderation, throttle


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]
def forget_old_attempts() -> None:
    throttle.forget_old()


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]
def erase_due() -> None:
    erasure.erase_due()


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]
def lift_expired() -> None:
    moderation.lift_expired()
