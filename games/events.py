"""Pokes: "something happened at this table", from any thread, through one event loop.

A poke carries a number and no state. Losing one does no harm: the next, the client's heartbeat or
a new connection brings its viewer up to date. The channel layer must be used from one loop only,
since its queues (in memory) and connections (Redis) belong to the loop that made them.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from concurrent.futures import Future
from typing import Any, Final

from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)
LOBBY: Final = "lobby"

_lock = threading.Lock()
_bound: asyncio.AbstractEventLoop | None = None
_own: asyncio.AbstractEventLoop | None = None


def table_group(match_id: str) -> str:
    return f"table.{match_id}"


def bind_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Say which loop this process's sockets live on (called when a web process starts)."""
    global _bound
    _bound = loop


def unbind_loop() -> None:
    global _bound
    _bound = None


def poke_table(match_id: str, seq: int) -> None:
    """Tell everyone at a table that its log has reached `seq`."""
    poke(table_group(match_id), {"type": "table.poke", "match": match_id, "seq": seq})


def refresh_table(match_id: str) -> None:
    """Tell everyone at a table to look again though the log stands still (new ratings, say)."""
    poke(table_group(match_id), {"type": "table.refresh", "match": match_id})


def poke_lobby(match_id: str, status: str) -> None:
    """Tell the lists of tables that one was opened, changed or ended."""
    poke(LOBBY, {"type": "lobby.poke", "match": match_id, "status": status})


def poke(group: str, payload: dict[str, Any]) -> None:
    """Send `payload` to a channel layer's group; a failure is logged, never raised."""
    layer = get_channel_layer()
    if layer is None:
        return
    loop = _loop()
    sending = layer.group_send(group, payload)
    try:
        asyncio.run_coroutine_threadsafe(sending, loop).add_done_callback(_log_failure)
    except RuntimeError as error:  # The loop was closed: the process is going down.
        sending.close()
        logger.warning("poke not sent: %s", error)


def _log_failure(done: Future[None]) -> None:
    error = None if done.cancelled() else done.exception()
    if error is not None:
        logger.warning("poke not sent: %s: %s", type(error).__name__, error)


def _loop() -> asyncio.AbstractEventLoop:
    if _bound is not None and _bound.is_running():
        return _bound
    return _own_loop()


def _own_loop() -> asyncio.AbstractEventLoop:
    """The loop of a process without sockets: a daemon thread's, made when first needed."""
    global _own
    with _lock:
        if _own is None or _own.is_closed():
            _own = asyncio.new_event_loop()
            threading.Thread(target=_own.run_forever, name="pokes", daemon=True).start()
        return _own


def _forget() -> None:
    """A forked child has none of its parent's threads, so its loops stand still."""
    global _bound, _own, _lock
    _bound = _own = None
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget)
