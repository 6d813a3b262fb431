"""The clock's door to tournaments."""

from __future__ import annotations

from celery import shared_task

from tournaments import services


@shared_task(name="tournaments.tasks.tick")  # type: ignore[untyped-decorator]
def tick() -> int:
    """Starts and follows up what is due, and makes good what a crash or a lost message left."""
    return services.start_due() + services.reconcile() + services.make_due()


@shared_task(name="tournaments.tasks.draw_round")  # type: ignore[untyped-decorator]
def draw_round(tournament_id: int) -> bool:
    """Draws the round that is due in an event."""
    return services.draw_due(tournament_id=tournament_id)
