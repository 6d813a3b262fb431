from players.models.club import Club, Membership
from players.models.mute import Mute
from players.models.player import Player
from players.models.sent_form import SentForm
from players.models.silence import Silence
from players.models.suspension import Suspension
from players.models.throttle import Throttle
from players.models.token import PersonalToken

__all__ = [
    "Club",
    "Membership",
    "Mute",
    "PersonalToken",
    "Player",
    "SentForm",
    "Silence",
    "Suspension",
    "Throttle",
]
