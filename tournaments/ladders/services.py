"""Places and challenges. Each service is one transaction under the ladder's lock, and harmless when
it comes twice. Lock order: the ladder's row, then a match.
"""

from tournaments.ladders.challenges import accept, challenge, refuse, take_back
from tournaments.ladders.places import join, leave
from tournaments.ladders.results import correct, report
from tournaments.ladders.running import create, edit, may_run
from tournaments.ladders.sweeper import sweep
from tournaments.ladders.tables import handle_finished_match, is_ready, ready

__all__ = [
    "accept",
    "challenge",
    "correct",
    "create",
    "edit",
    "handle_finished_match",
    "is_ready",
    "join",
    "leave",
    "may_run",
    "ready",
    "refuse",
    "report",
    "sweep",
    "take_back",
]
