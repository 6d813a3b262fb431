"""Which bot is offered to whom waits."""

from __future__ import annotations

from engine.bots import LEVELS
from quickplay.queues import Queue
from ratings.bots import yardsticks


def level_for(queue: Queue, rating: float) -> str:
    """The level of bots that plays about as well as somebody with this rating."""
    pool = queue.rating_pool
    sticks = yardsticks(pool)
    return min(LEVELS, key=lambda level: abs(sticks[pool, level].rating - rating))
