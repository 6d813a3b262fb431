"""Time at a table: pure functions from moments to moments.

A turn's `deadline` is the end that people are shown. After it the seat's bank is used up, if it
has one, and then the server still waits for the seat's `lag` before it acts, so that a move sent in
the last moment is not lost on its way. The lag costs no bank and is not shown: it makes up for the
network and is no time to think in. Whoever answers late to have a longer one gains no more than
`LAG` in a turn and `LAG_POOL` in a round.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

_MILLISECOND: Final = timedelta(milliseconds=1)
# The longest lag of a turn, also of a seat whose way was never measured; the shortest, which the
# server itself may take to read a message; and all that a seat may use in a round.
LAG: Final = timedelta(milliseconds=500)
LEAST_LAG: Final = timedelta(milliseconds=100)
LAG_POOL: Final = timedelta(seconds=2)
CLAIM_WINDOW: Final = timedelta(seconds=5)
# Time for people to say "muggins" before the server's own move ends their chance.
CLAIM_PAUSE: Final = timedelta(seconds=3)
PRESENT_FOR: Final = timedelta(seconds=25)
OPEN_FOR: Final = timedelta(minutes=30)
REMATCH_FOR: Final = timedelta(minutes=2)


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


def lag(trip_ms: int | None, left_ms: int) -> timedelta:
    """What a turn of a seat is given for the network: what messages take there and back, as the
    server measured it, and never more than is `left_ms` of the round's.
    """
    trip = LAG if trip_ms is None else trip_ms * _MILLISECOND
    return min(LAG, max(LEAST_LAG, trip), left_ms * _MILLISECOND)


def lag_left(deadline: datetime, left_ms: int, moved_at: datetime, given: timedelta) -> int:
    """What is left of a round's lag when the turn ended at `moved_at`: what came after the deadline
    is used of it, up to what the turn was `given`.
    """
    used = min(given, max(timedelta(0), moved_at - deadline))
    return max(0, left_ms - used // _MILLISECOND)


def last_moment(deadline: datetime, bank_ms: int, given: timedelta = LAG) -> datetime:
    """Until when a move of the seat in turn counts; `given` is its lag."""
    return deadline + bank_ms * _MILLISECOND + given


def bank_after(deadline: datetime, bank_ms: int, moved_at: datetime, given: timedelta = LAG) -> int:
    """What is left of a bank when the turn ended at `moved_at`."""
    over = moved_at - deadline - given
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
