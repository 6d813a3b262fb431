"""All that changes a match. Each is one transaction; each is harmless when it comes twice."""

from games.services.ending import call_time, cancel, forfeit, resign
from games.services.opening import (
    Opening,
    add_bot,
    fill_with_bots,
    join,
    leave,
    open_match,
    open_matches,
    rematch,
    sit,
    start,
)
from games.services.playing import Ack, act, back, ready
from games.services.presence import arrive, seen
from games.services.talking import say
from games.services.waking import wake

__all__ = [
    "Ack",
    "Opening",
    "act",
    "add_bot",
    "arrive",
    "back",
    "call_time",
    "cancel",
    "fill_with_bots",
    "forfeit",
    "join",
    "leave",
    "open_match",
    "open_matches",
    "ready",
    "rematch",
    "resign",
    "say",
    "seen",
    "sit",
    "start",
    "wake",
]
