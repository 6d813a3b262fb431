"""The sockets of one process, by what they look at: pokes come in once, and go to all who look on
here.

What is looked at has a key: a table its match's id, what pages show its topic (events.py). One
channel of the layer a process, in one group for all of them, since a poke names many at
once and most processes have somebody at some of them. What happened in this very process is
handed out directly; the layer is for the others.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any, Final, Protocol

from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)
GROUP: Final = "tables"
# How often membership is renewed: a layer may forget its members.
RENEW_SECONDS: Final = 8.0
# For how long another process's count of those who watch is believed.
COUNT_SECONDS: Final = 3 * RENEW_SECONDS
# How long after a failure the layer is left alone.
PAUSE_SECONDS: Final = 1.0


class Viewer(Protocol):
    """Whoever looks at a table. `look` must return at once; None: the log stands still.

    `counts`: one of the people who watch it.
    """

    counts: bool

    def look(self, seq: int | None) -> None: ...


class Hub:
    """Used on its own event loop only."""

    def __init__(self, loop: asyncio.AbstractEventLoop, name: str) -> None:
        self.loop, self.name = loop, name
        self._viewers: dict[str, set[Viewer]] = {}
        # Who watches in other processes: when each said so, and how many at which tables.
        self._elsewhere: dict[str, tuple[float, dict[str, int]]] = {}
        self._channel: str | None = None
        self._renewed = 0.0
        self._receiving: asyncio.Task[None] | None = None
        self._joining = asyncio.Lock()

    async def join(self, match_id: str, viewer: Viewer) -> None:
        """Add a viewer; again at heartbeats. When this returns no poke is missed.

        A layer that is down keeps nobody from playing: heartbeats bring what it can't.
        """
        self._viewers.setdefault(match_id, set()).add(viewer)
        async with self._joining:
            if time.monotonic() - self._renewed >= RENEW_SECONDS:
                await self._renew()

    def leave(self, match_id: str, viewer: Viewer) -> None:
        viewers = self._viewers.get(match_id)
        if viewers is not None:
            viewers.discard(viewer)
            if not viewers:
                del self._viewers[match_id]

    def deliver(self, payload: dict[str, Any]) -> None:
        """Hand a poke to the viewers whom it is for."""
        for match_id, seq in payload["tables"].items():
            for viewer in tuple(self._viewers.get(match_id, ())):
                viewer.look(seq)

    def watching(self, match_id: str) -> int:
        """How many people watch a table; in other processes as of some seconds ago."""
        since = time.monotonic() - COUNT_SECONDS
        elsewhere = (n.get(match_id, 0) for at, n in self._elsewhere.values() if at >= since)
        return self._here(match_id) + sum(elsewhere)

    def listening(self, key: str) -> int:
        """How many sockets of this process look at it."""
        return len(self._viewers.get(key, ()))

    def _here(self, match_id: str) -> int:
        return sum(viewer.counts for viewer in self._viewers.get(match_id, ()))

    def _told(self, payload: dict[str, Any]) -> None:
        """Another process says who watches there; those long silent are forgotten."""
        now = time.monotonic()
        self._elsewhere[payload["from"]] = (now, payload["counts"])
        known = self._elsewhere.items()
        self._elsewhere = {name: it for name, it in known if it[0] >= now - COUNT_SECONDS}

    def close(self) -> None:
        if self._receiving is not None and not self.loop.is_closed():
            self._receiving.cancel()

    async def _renew(self) -> None:
        layer = get_channel_layer()
        if layer is None:
            return
        self._renewed = time.monotonic()
        try:
            if self._channel is None or self._receiving is None or self._receiving.done():
                self._channel = await layer.new_channel()
                self._receiving = asyncio.create_task(self._receive(layer, self._channel))
            await layer.group_add(GROUP, self._channel)
            counts = {match_id: n for match_id in self._viewers if (n := self._here(match_id))}
            told = {"type": "tables.watched", "counts": counts, "from": self.name}
            await layer.group_send(GROUP, told)
        except Exception as error:
            logger.warning("no pokes from other processes: %r", error)

    async def _receive(self, layer: Any, channel: str) -> None:
        while True:
            try:
                payload = await layer.receive(channel)
                if payload["from"] == self.name:
                    continue
                if payload["type"] == "tables.watched":
                    self._told(payload)
                else:
                    self.deliver(payload)
            except Exception as error:
                logger.warning("no pokes from other processes: %r", error)
                await asyncio.sleep(PAUSE_SECONDS)
