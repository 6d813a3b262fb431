"""What the timetable asks for so that its own working can be seen."""

from __future__ import annotations

from celery import shared_task

from pages import status


@shared_task(name="config.tasks.beat", ignore_result=True)  # type: ignore[untyped-decorator]
def beat() -> None:
    status.beat()
