"""Pokes: "something happened at this table", from any thread, through one event loop.

A poke carries a number and no state. Losing one does no harm: the next, the client's heartbeat or
a new connection brings its viewer up to date. The channel layer must be used from one loop only,
since its queues (in memory) and connections (Redis) belong to the loop that made them.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import logging
import os
import secrets
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, Final

from channels.layers import get_channel_layer
from django.db import transaction

from games.hub import GROUP, Hub

logger = logging.getLogger(__name__)
LOBBY: Final = "lobby"
"""The topic of the lists of tables."""

_lock = threading.Lock()
_name = secrets.token_hex(8)
_hub: Hub | None = None
_own: asyncio.AbstractEventLoop | None = None


def bind_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Say which loop this process's sockets live on (called when a web process starts)."""
    global _hub
    unbind_loop()
    _hub = Hub(loop, _name)


def unbind_loop() -> None:
    global _hub
    if _hub is not None:
        _hub.close()
    _hub = None


def hub() -> Hub:
    """The sockets that live on the running loop."""
    loop = asyncio.get_running_loop()
    if _hub is None or _hub.loop is not loop:
        bind_loop(loop)
    assert _hub is not None
    return _hub


def of_player(player_id: int) -> str:
    """The topic of what one player is told: their notices, the tables that wait, their seek."""
    return f"player:{player_id}"


def changed(*topics: str) -> None:
    """Tell the pages that show these topics to look again, once the transaction is through."""
    transaction.on_commit(lambda: poke_tables(dict.fromkeys(topics)), robust=True)


def poke_tables(seqs: Mapping[str, int | None]) -> None:
    """Tell everyone at these tables that their logs have reached these numbers; topics of pages
    go the same way, without a number.
    """
    poke(GROUP, {"type": "tables.poke", "tables": dict(seqs), "from": _name})


def refresh_table(match_id: str) -> None:
    """Tell everyone at a table to look again though the log stands still (new ratings, say)."""
    poke(GROUP, {"type": "tables.poke", "tables": {match_id: None}, "from": _name})


def poke(group: str, payload: dict[str, Any]) -> None:
    """Send `payload` to this process's sockets and to a channel layer's group.

    A failure is logged, never raised.
    """
    if group == GROUP:
        _hand_out(payload)
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


def _hand_out(payload: dict[str, Any]) -> None:
    """Those in this process need not wait for the layer."""
    hub = _hub
    if hub is not None:
        with contextlib.suppress(RuntimeError):  # The loop was closed.
            # In a context of its own: the database thread's must not be what sockets act in.
            hub.loop.call_soon_threadsafe(hub.deliver, payload, context=contextvars.Context())


def _log_failure(done: Future[None]) -> None:
    error = None if done.cancelled() else done.exception()
    if error is not None:
        logger.warning("poke not sent: %s: %s", type(error).__name__, error)


def _loop() -> asyncio.AbstractEventLoop:
    hub = _hub
    if hub is not None and hub.loop.is_running():
        return hub.loop
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
    global _hub, _own, _lock, _name
    _hub = _own = None
    _lock, _name = threading.Lock(), secrets.token_hex(8)


os.register_at_fork(after_in_child=_forget)
