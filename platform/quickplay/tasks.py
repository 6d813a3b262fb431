"""The clock's door to quick play."""

from __future__ import annotations

from celery import shared_task

from quickplay import services


@shared_task(name="quickplay.tasks.sweep", ignore_result=True)  # type: ignore[untyped-decorator]
def sweep() -> int:
    """Opens tables for those who wait, and closes the seeks of those who are gone."""
    return services.sweep()


@shared_task(name="quickplay.tasks.forget_old", ignore_result=True)  # type: ignore[untyped-decorator]
def forget_old() -> int:
    """Deletes seeks that were closed long ago."""
    return services.forget_old()
