"""How much one socket may send."""

from __future__ import annotations

import time
from collections import deque
from typing import Final

RATE: Final = 10.0
BURST: Final = 30.0
BAD_FRAMES: Final = 10
BAD_FRAMES_SECONDS: Final = 10.0


class TokenBucket:
    """Ten frames a second, thirty at once."""

    def __init__(self) -> None:
        self._tokens = BURST
        self._at = time.monotonic()

    def take(self) -> bool:
        """Whether one more frame is within the limit."""
        now = time.monotonic()
        self._tokens = min(BURST, self._tokens + RATE * (now - self._at))
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class BadFrames:
    """Ten bad frames within ten seconds are too many."""

    def __init__(self) -> None:
        self._at: deque[float] = deque(maxlen=BAD_FRAMES)

    def too_many(self) -> bool:
        """Count one more."""
        self._at.append(time.monotonic())
        full = len(self._at) == BAD_FRAMES
        return full and self._at[-1] - self._at[0] <= BAD_FRAMES_SECONDS
