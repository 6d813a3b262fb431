from tournaments.models.pairing import Game, Pairing, Slot
from tournaments.models.result import Report, Result
from tournaments.models.staff import AuditLine, Invitation, Official, Role
from tournaments.models.stage import Round, Seeding, Stage
from tournaments.models.tournament import Avoidance, Entrant, Rest, Tournament

__all__ = ["AuditLine", "Avoidance", "Entrant", "Game", "Invitation", "Official", "Pairing",
           "Report", "Rest", "Result", "Role", "Round", "Seeding", "Slot", "Stage",
           "Tournament"]  # fmt: skip
