"""The clock's door to tournaments."""

from __future__ import annotations

from celery import shared_task

from tournaments import services
from tournaments.ladders import services as ladders


@shared_task(name="tournaments.tasks.tick")  # type: ignore[untyped-decorator]
def tick() -> int:
    """Starts and follows up what is due, and makes good what a crash or a lost message left."""
    return services.start_due() + services.reconcile() + services.make_due() + services.close_due()


@shared_task(name="tournaments.tasks.draw_round")  # type: ignore[untyped-decorator]
def draw_round(tournament_id: int) -> bool:
    """Draws the round that is due in an event."""
    return services.draw_due(tournament_id=tournament_id)


@shared_task(name="tournaments.tasks.pair_arenas")  # type: ignore[untyped-decorator]
def pair_arenas() -> int:
    """Pairs who waits in arenas, and ends those whose time is over."""
    return services.pair_arenas()


@shared_task(name="tournaments.tasks.sweep_ladders")  # type: ignore[untyped-decorator]
def sweep_ladders() -> int:
    """Acts on what is overdue on challenge ladders."""
    return ladders.sweep()
