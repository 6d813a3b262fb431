"""What tests of sockets share: a browser’s end of one that listens, and the loop they live on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser

from config.sockets import websocket_urlpatterns
from games import events
from players.models import Player

router = URLRouter(websocket_urlpatterns)


class Listener:
    def __init__(self, path: str, player: Player | None) -> None:
        scope = {"type": "websocket", "path": path, "query_string": b"", "headers": []}
        self.app = ApplicationCommunicator(router, scope | {"user": player or AnonymousUser()})

    async def say(self, **message: Any) -> None:
        text = json.dumps(message)
        await self.app.send_input({"type": "websocket.receive", "text": text, "bytes": None})

    async def heard(self) -> dict[str, Any]:
        output = await self.app.receive_output(20)
        assert output["type"] == "websocket.send", output
        message: dict[str, Any] = json.loads(output["text"])
        return message

    async def hears_nothing(self, seconds: float = 0.3) -> bool:
        return bool(await self.app.receive_nothing(seconds, 0.02))


@asynccontextmanager
async def listening(path: str, player: Player | None = None) -> AsyncIterator[Listener]:
    client = Listener(path, player)
    await client.app.send_input({"type": "websocket.connect"})
    assert (await client.app.receive_output(20))["type"] == "websocket.accept"
    try:
        yield client
    finally:
        await client.app.send_input({"type": "websocket.disconnect", "code": 1005})
        await client.app.wait(20)


@asynccontextmanager
async def one_loop() -> AsyncIterator[None]:
    """As a web process does: the pokes go through the loop that the sockets live on."""
    layer = get_channel_layer()
    events.bind_loop(asyncio.get_running_loop())
    yield
    events.unbind_loop()
    if hasattr(layer, "flush"):
        await layer.flush()


def in_thread(function: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    called: Callable[..., Awaitable[Any]] = database_sync_to_async(function)
    return called
