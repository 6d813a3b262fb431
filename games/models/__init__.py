"""The tables of live matches. `Deal` is left out: only `games.store` and its dealer read it."""

from games.models import deal  # noqa: F401  (Django must know the model)
from games.models.event import MatchEvent
from games.models.match import Match
from games.models.seat import Seat

__all__ = ["Match", "MatchEvent", "Seat"]
