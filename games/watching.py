"""The door of those who watch several tables at once: one socket, small pictures, no hurry.

Whoever is on the other end, it shows what spectators see (docs/protocol.md, "Watching").
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Final

from games import events, protocol, scenes, selectors, store
from games.consumers import CLOSE_TRY_LATER, NoAnswer, in_database
from games.errors import GameError
from games.listening import ListeningConsumer
from games.picture import Scene

logger = logging.getLogger(__name__)

# A table is shown again after so many seconds at the soonest, whatever happens at it.
EVERY: Final = 1.0


class Watched:
    """One of the tables that a socket watches: what the process's hub pokes.

    Who glances at many tables is not counted at each.
    """

    counts = False

    def __init__(self, socket: WatchConsumer, match_id: str) -> None:
        self.socket, self.match_id = socket, match_id
        # Numbers of the log: heard of, looked at, and shown (of a delayed table an earlier one).
        self.wanted, self.looked, self.shown = 0, -1, -1

    def look(self, seq: int | None) -> None:
        self.wanted = max(self.wanted, self.looked + 1 if seq is None else seq)
        self.socket.hurry()


class WatchConsumer(ListeningConsumer):
    """A socket that says which tables it watches, and is sent each when something happened."""

    parse = staticmethod(protocol.parse_watch)

    async def connect(self) -> None:
        self.tables: dict[str, Watched] = {}
        await super().connect()

    async def take(self, message: protocol.Watch | protocol.Ping) -> None:
        if isinstance(message, protocol.Watch):
            await self._watch(message.tables)
        else:
            await self._heartbeat(message.sent)

    async def _watch(self, match_ids: tuple[str, ...]) -> None:
        """Watch these tables from now on, and no others. Each is shown once at the start."""
        self._leave(*(known for known in self.tables if known not in match_ids))
        for match_id in match_ids:
            watched = self.tables.setdefault(match_id, Watched(self, match_id))
            await events.hub().join(match_id, watched)
            watched.look(None)

    def _leave(self, *match_ids: str) -> None:
        for match_id in match_ids:
            watched = self.tables.pop(match_id)
            events.hub().leave(match_id, watched)

    async def _heartbeat(self, sent: int) -> None:
        """Stay in the hub, and catch up with whatever pokes were lost."""
        for match_id, seq in (await in_database(selectors.seqs_of)(tuple(self.tables))).items():
            watched = self.tables.get(match_id)
            if watched is not None:
                await events.hub().join(match_id, watched)
                if seq > watched.wanted:
                    watched.look(seq)
        await self.send(protocol.dump({"t": "pong", "sent": sent}))

    def leave(self) -> None:
        self._leave(*self.tables)

    async def tell(self) -> None:
        """Show what is new, all of it together and then nothing for a while."""
        with contextlib.suppress(OSError):  # The socket went away.
            while late := [each for each in self.tables.values() if each.wanted > each.looked]:
                for watched in late:
                    await self._show(watched)
                await asyncio.sleep(EVERY)

    async def _show(self, watched: Watched) -> None:
        match_id, wanted = watched.match_id, watched.wanted
        try:
            scene = await in_database(_read)(match_id, wanted)
        except GameError:
            self._leave(match_id)
            await self.send(protocol.dump({"t": "gone", "match": match_id}))
            return
        except NoAnswer:
            await self.end(CLOSE_TRY_LATER, "try_later")
            return
        except (store.LogBroken, store.DealBroken) as error:
            logger.error("table %s is broken: %s", match_id, error)
            watched.looked = wanted
            return
        watched.looked = max(wanted, scene.card.seq)
        if watched.shown != scene.card.seq:
            watched.shown = scene.card.seq
            await self.send(protocol.dump({"t": "table", **selectors.glance_of(scene)}))


def _read(match_id: str, seq: int) -> Scene:
    return scenes.seen_by(scenes.at_least(match_id, seq), None)
