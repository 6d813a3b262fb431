from games.models.deal import Deal
from games.models.event import MatchEvent
from games.models.match import Match
from games.models.seat import Seat

__all__ = ["Deal", "Match", "MatchEvent", "Seat"]
