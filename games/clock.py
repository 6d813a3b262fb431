"""Time at a table: pure functions from moments to moments.

A turn's `deadline` is the end that people are shown. After it the seat's bank is used up, if it
has one, and then the server still waits `LAG` before it acts, so that a move sent in the last
moment is not lost on its way. The lag costs no bank and is not shown: it makes up for the network
and is no time to think in.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

LAG: Final = timedelta(milliseconds=500)
CLAIM_WINDOW: Final = timedelta(seconds=5)
# Time for people to say "muggins" before the server's own move ends their chance.
CLAIM_PAUSE: Final = timedelta(seconds=3)
PRESENT_FOR: Final = timedelta(seconds=25)
OPEN_FOR: Final = timedelta(minutes=30)
REMATCH_FOR: Final = timedelta(minutes=2)
_MILLISECOND: Final = timedelta(milliseconds=1)


def now() -> datetime:
    """The server's clock, the only one that counts."""
    return timezone.now()


def ms(at: datetime) -> int:
    """Milliseconds since 1970, as the wire writes moments."""
    return int(at.timestamp() * 1000)


def turn_end(start: datetime, turn_seconds: float) -> datetime:
    return start + timedelta(seconds=turn_seconds)


def turn_start(deadline: datetime, turn_seconds: float) -> datetime:
    return deadline - timedelta(seconds=turn_seconds)


def last_moment(deadline: datetime, bank_ms: int) -> datetime:
    """Until when a move of the seat in turn counts."""
    return deadline + bank_ms * _MILLISECOND + LAG


def bank_after(deadline: datetime, bank_ms: int, moved_at: datetime) -> int:
    """What is left of a bank when the turn ended at `moved_at`."""
    over = moved_at - deadline - LAG
    return max(0, bank_ms - max(0, over // _MILLISECOND))


def server_delay(bot_delay_ms: int, match_id: str, seq: int) -> timedelta:
    """How long the server waits before it plays a seat: the table's pace, a quarter more or less.

    The jitter comes from the match and the event alone, so that no hand can be read from it.
    """
    digest = hashlib.blake2b(f"{match_id}:{seq}".encode(), digest_size=2).digest()
    share = int.from_bytes(digest, "big") / 65535
    return timedelta(milliseconds=round(bot_delay_ms * (0.75 + share / 2)))


def is_present(seen_at: datetime | None, at: datetime) -> bool:
    return seen_at is not None and at - seen_at <= PRESENT_FOR


def forfeit_at(away_since: datetime, forfeit_away_seconds: int) -> datetime:
    return away_since + timedelta(seconds=forfeit_away_seconds)
