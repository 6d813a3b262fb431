"""The clock's door to notices."""

from __future__ import annotations

from celery import shared_task

from notices import mail, services


@shared_task(name="notices.tasks.write_mail")  # type: ignore[untyped-decorator]
def write_mail() -> int:
    return mail.write_due()


@shared_task(name="notices.tasks.forget_old")  # type: ignore[untyped-decorator]
def forget_old() -> int:
    return services.forget_old()
