"""The door of whoever only listens: what to hear of comes in, what has happened goes out.

What all such sockets share: their limits, and that what is new is told by one task at a time.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar, Protocol

from games import protocol
from games.consumers import (
    CLOSE_BAD_FRAMES,
    CLOSE_TOO_FAST,
    CLOSE_TRY_LATER,
    LeanConsumer,
    NoAnswer,
)
from games.limits import BadFrames, TokenBucket
from games.protocol import BadFrame


class Parser(Protocol):
    def __call__(self, text: str, /) -> Any: ...


class ListeningConsumer(LeanConsumer):
    """Subclasses say how a frame is read, what it does, and what is told."""

    parse: ClassVar[Parser]

    async def connect(self) -> None:
        self.bucket, self.bad_frames = TokenBucket(), BadFrames()
        self.telling: asyncio.Task[None] | None = None
        self.closing = False
        await self.accept()

    async def take(self, message: Any) -> None:
        """Do what a message asks for."""
        raise NotImplementedError

    async def tell(self) -> None:
        """Say what is new, until there is nothing."""
        raise NotImplementedError

    def leave(self) -> None:
        """Listen to nothing any more."""
        raise NotImplementedError

    def gone(self) -> None:
        self.closing = True
        if hasattr(self, "telling"):
            self.leave()
            if self.telling is not None:
                self.telling.cancel()

    def hurry(self) -> None:
        """See that what is new is told, unless that is being done."""
        if not self.closing and (self.telling is None or self.telling.done()):
            self.telling = asyncio.create_task(self.tell())

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.closing:
            return
        if not self.bucket.take():
            await self.end(CLOSE_TOO_FAST, "too_fast")
            return
        try:
            if text_data is None:
                raise BadFrame("frames are text")
            message = self.parse(text_data)
        except BadFrame as error:
            await self._bad_frame(error)
            return
        try:
            await self.take(message)
        except NoAnswer:
            await self.end(CLOSE_TRY_LATER, "try_later")

    async def _bad_frame(self, error: BadFrame) -> None:
        await self.send(protocol.dump({"t": "error", "code": "bad_frame", "detail": str(error)}))
        if self.bad_frames.too_many():
            await self.end(CLOSE_BAD_FRAMES, "bad_frames")

    async def end(self, close_code: int, reason: str) -> None:
        self.closing = True
        await self.give_up(close_code, reason)
