"""The one socket of an open page: it says what the page shows, and hears when that has changed.

Nothing that somebody could read goes out: topics' names, and within how many milliseconds to ask
for what they show (docs/protocol.md, "Pages").
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from games import events, protocol
from games.consumers import CLOSE_SIGNED_OUT, in_database
from games.listening import ListeningConsumer
from pages import topics
from players import sessions

# A page hears of each topic again after so many seconds at the soonest: what came meanwhile is one.
EVERY: Final = 2.0
# Within how many milliseconds pages ask, for each that listens: a thousand come over five seconds.
WITHIN_MS: Final = 300
EACH_MS: Final = 5
AT_MOST_MS: Final = 10_000


class Heard:
    """A topic that a page listens to: what the process's hub pokes."""

    counts = False

    def __init__(self, socket: PageConsumer, name: str, key: str) -> None:
        self.socket, self.name, self.key = socket, name, key

    def look(self, seq: int | None) -> None:
        self.socket.changed.add(self.name)
        self.socket.hurry()


class PageConsumer(ListeningConsumer):
    """A page that is open before somebody, or a visitor."""

    parse = staticmethod(protocol.parse_page)

    async def connect(self) -> None:
        user = self.scope.get("user")
        self.viewer = user if user is not None and user.is_authenticated else None
        self.heard: dict[str, Heard] = {}
        self.changed: set[str] = set()
        await super().connect()

    async def take(self, message: protocol.Hear | protocol.Ping) -> None:
        if isinstance(message, protocol.Hear):
            await self._hear(message.topics)
            await self.send(protocol.dump({"t": "heard", "topics": list(self.heard)}))
        elif await in_database(sessions.is_alive)(self.scope.get("session"), self.viewer):
            await self._hear(tuple(self.heard))
            await self.send(protocol.dump({"t": "pong", "sent": message.sent}))
        else:
            await self.end(CLOSE_SIGNED_OUT, "signed_out")

    async def _hear(self, names: tuple[str, ...]) -> None:
        """Listen to these from now on, as far as they are for this viewer, and to no others."""
        keys = await in_database(topics.keys_of)(names, self.viewer)
        for name in [known for known in self.heard if known not in keys]:
            self._leave(name)
        for name, key in keys.items():
            heard = self.heard.setdefault(name, Heard(self, name, key))
            await events.hub().join(key, heard)

    def _leave(self, name: str) -> None:
        heard = self.heard.pop(name)
        self.changed.discard(name)
        events.hub().leave(heard.key, heard)

    def leave(self) -> None:
        for name in list(self.heard):
            self._leave(name)

    async def tell(self) -> None:
        """At once what is new, and then nothing for a while, so that more of it comes together."""
        with contextlib.suppress(OSError):  # The socket went away.
            while self.changed:
                names, self.changed = sorted(self.changed), set()
                told = {"t": "changed", "topics": names, "within": self._within(names)}
                await self.send(protocol.dump(told))
                await asyncio.sleep(EVERY)

    def _within(self, names: list[str]) -> int:
        """The more pages listen here, the longer they take to ask."""
        listening = max(events.hub().listening(self.heard[name].key) for name in names)
        return min(AT_MOST_MS, WITHIN_MS + EACH_MS * listening)
