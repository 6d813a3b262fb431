from tournaments.models.apart import Apart, ApartMember
from tournaments.models.arena import ArenaClock, Presence
from tournaments.models.claim import Claim
from tournaments.models.ladder import Challenge, Ladder, LadderGame, LadderLine, LadderPlace
from tournaments.models.league import Division, League, LeaguePlayer, PlayWish, Season
from tournaments.models.pairing import Game, Pairing, Slot
from tournaments.models.pairs import PairInvitation
from tournaments.models.result import Report, Result
from tournaments.models.staff import AuditLine, Invitation, Official, Role
from tournaments.models.stage import Round, Seeding, Stage
from tournaments.models.standing_in import StandIn
from tournaments.models.tournament import Entrant, Rest, Tournament

__all__ = ["Apart", "ApartMember", "ArenaClock", "AuditLine", "Challenge", "Claim", "Division",
           "Entrant", "Game", "Invitation", "Ladder", "LadderGame", "LadderLine", "LadderPlace",
           "League", "LeaguePlayer", "Official", "PairInvitation", "Pairing", "PlayWish",
           "Presence", "Report", "Rest", "Result", "Role", "Round", "Season", "Seeding",
           "Slot", "Stage", "StandIn", "Tournament"]  # fmt: skip
