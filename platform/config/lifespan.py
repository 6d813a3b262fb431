"""What a web process does when it starts: it says which event loop its sockets live on."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final

from games import events

# Python's own 5 ms would be added to each answer of the database that the writer waits for.
SWITCH_SECONDS: Final = 0.0005


async def lifespan(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    """ASGI's lifespan protocol; `scope` is unused, as it carries nothing."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            events.bind_loop(asyncio.get_running_loop())
            sys.setswitchinterval(SWITCH_SECONDS)
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            events.unbind_loop()
            await send({"type": "lifespan.shutdown.complete"})
            return
