"""A player at the other end of a WebSocket: what the browser does, without the browser.

It knows nothing but what the server sends. Simulation, the deployment's trial and the proofs play
with it; it keeps every acknowledgement, so that they can ask whether one was lost.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from players.models import Player

Chooser = Callable[[dict[str, Any]], dict[str, Any]]
RESEND_SECONDS = 2.5


def signed_in_cookie(player: Player) -> str:
    """A session of `player`, as the ``Cookie`` header that a browser would send."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def best_paid(view: dict[str, Any]) -> dict[str, Any]:
    """Of the legal actions the one that pays most; among equals the tile with most pips."""

    def worth(action: dict[str, Any]) -> tuple[int, int]:
        tile = action.get("play", "0-0")
        return action.get("pays", 0), int(tile[0]) + int(tile[2])

    chosen = max(view["legal"], key=worth)
    return {key: value for key, value in chosen.items() if key not in ("total", "pays")}


@dataclass
class SocketPlayer:
    """Plays one seat of one table to its end, through any number of lost connections.

    `origin` is the site's address where it differs from the process connected to. `choose` None:
    it only looks on from its seat. `acks` holds (client message id, sequence number) of all that
    the server acknowledged, `seqs` the number of every event that arrived, in order of arrival.
    """

    base_url: str
    match_id: str
    cookie: str
    choose: Chooser | None = best_paid
    pause_seconds: float = 0.0
    origin: str = ""
    acks: list[tuple[str, int]] = field(default_factory=list)
    seqs: list[int] = field(default_factory=list)
    connections: int = 0
    view: dict[str, Any] = field(default_factory=dict)
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _name: str = field(default_factory=lambda: secrets.token_hex(4))
    _waiting: dict[str, Any] | None = None

    @property
    def over(self) -> bool:
        return self.view.get("status") in ("finished", "cancelled")

    async def play(self, *, until: Callable[[SocketPlayer], bool] | None = None) -> None:
        """Plays until the match is over, or `until` says so; comes back when the server goes."""
        while not self._done(until):
            try:
                async with self._connect() as socket:
                    self.connections += 1
                    await self._session(socket, until)
            except (ConnectionClosed, InvalidStatus, OSError):
                await asyncio.sleep(0.2)

    def _done(self, until: Callable[[SocketPlayer], bool] | None) -> bool:
        return self.over or (until is not None and until(self))

    def _connect(self) -> connect:
        host = self.base_url.removeprefix("http")
        return connect(
            f"ws{host}/ws/table/{self.match_id}",
            origin=self.origin or self.base_url,  # type: ignore[arg-type]
            additional_headers={"Cookie": self.cookie},
            compression=None,
            open_timeout=10,
        )

    async def _session(
        self, socket: ClientConnection, until: Callable[[SocketPlayer], bool] | None
    ) -> None:
        await self._send(socket, {"t": "hello", "seq": self.seqs[-1] if self.seqs else None})
        if self._waiting is not None:
            await self._send(socket, self._waiting)
        while not self._done(until):
            try:
                frame = await asyncio.wait_for(socket.recv(), RESEND_SECONDS)
            except TimeoutError:
                await self._send(
                    socket, self._waiting or {"t": "ping", "sent": 0, "seq": self._seq}
                )
                continue
            await self._receive(socket, json.loads(frame))

    @property
    def _seq(self) -> int:
        return int(self.view.get("seq", 0))

    async def _receive(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        kind = message["t"]
        if kind == "state":
            self.seqs.extend(event["seq"] for event in message["events"])
            if not self.seqs or message["seq"] > self.seqs[-1]:
                self.seqs.append(message["seq"])
            self.view = message["view"]
            await self._act(socket)
        elif kind == "ack":
            self.acks.append((message["id"], message["seq"]))
            self._forget(message["id"])
            await self._act(socket)
        elif kind == "refused":
            self._forget(message["id"])
            await self._send(socket, {"t": "hello", "seq": self._seq})

    def _forget(self, message_id: str) -> None:
        if self._waiting is not None and self._waiting["id"] == message_id:
            self._waiting = None

    async def _act(self, socket: ClientConnection) -> None:
        view = self.view
        me = view.get("me")
        if me is not None and view.get("phase") == "between" and not view["seats"][me]["ready"]:
            await self._send(socket, {"t": "ready"})
        if self.choose is None or self._waiting is not None:
            return
        if not view.get("legal") or view["turn"] != view["me"]:
            return
        if self.acks and self.acks[-1][1] > view["seq"]:
            return  # Acknowledged already; the state that shows it is on its way.
        if self.pause_seconds:
            await asyncio.sleep(self.pause_seconds)
        self._waiting = {
            "t": "act",
            "id": f"{self._name}-{next(self._numbers)}",
            "seq": view["seq"],
            "action": self.choose(view),
        }
        await self._send(socket, self._waiting)

    async def _send(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        await socket.send(json.dumps(message))
