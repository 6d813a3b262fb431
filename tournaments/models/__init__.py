from tournaments.models.pairing import Game, Pairing, Slot
from tournaments.models.result import Result
from tournaments.models.stage import Round, Seeding, Stage
from tournaments.models.tournament import Entrant, Tournament

__all__ = ["Entrant", "Game", "Pairing", "Result", "Round", "Seeding", "Slot", "Stage",
           "Tournament"]  # fmt: skip
