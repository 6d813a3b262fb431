"""What is done for players from time to time."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from celery import shared_task
from django.utils import timezone

from players import erasure, moderation, throttle
from players.models import SentForm

FORMS_KEPT: Final = timedelta(days=1)
"""How long a form that comes again is known."""


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]
def forget_old_attempts() -> None:
    throttle.forget_old()
    SentForm.objects.filter(at__lt=timezone.now() - FORMS_KEPT).delete()


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]
def erase_due() -> None:
    erasure.erase_due()


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]
def lift_expired() -> None:
    moderation.lift_expired()
