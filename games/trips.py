"""How long messages take to a client and back, measured by the server's clock alone.

A pong says when it was sent, and the client says so at once. Who answers late seems to be far away,
which gains no more than the cap (games.clock); who answers early must have had the pong.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta
from typing import Final

from games import clock

KEPT: Final = 8
_MILLISECOND: Final = timedelta(milliseconds=1)


class Trips:
    """The last trips of one socket."""

    def __init__(self) -> None:
        self._sent: datetime | None = None
        self._trips: deque[int] = deque(maxlen=KEPT)

    def sent(self, at: datetime) -> None:
        """A pong was sent, which said `at`; earlier ones are waited for no more."""
        self._sent = at

    def answered(self, said: int, at: datetime) -> None:
        """The client says which pong has come. Each counts once, and no other does."""
        if self._sent is not None and clock.ms(self._sent) == said:
            self._trips.append(max(0, (at - self._sent) // _MILLISECOND))
            self._sent = None

    @property
    def longest_ms(self) -> int | None:
        """The longest of the last trips, so that a line that stutters is believed."""
        return max(self._trips, default=None)
