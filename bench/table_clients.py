#!/usr/bin/env python
"""People at many tables, as lean as a client can be: what `moves.py` plays with.

It reads only what it needs of a frame and parses no JSON, so that the server is what is measured.
Reads from standard input a line of JSON (address, [match, cookie] pairs, pace) and then "go";
writes "in" when every socket has been shown its table, and at the end one line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import secrets
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

import uvloop

# The server lets a socket send ten frames a second.
SPACING: Final = 0.102
WARM_UP: Final = 2.0
_AT_ONCE: Final = 20
_SEQ: Final = re.compile(rb'"seq":(\d+)')
_LEGAL: Final = re.compile(rb'"legal":\[(\{[^}]*\})')
_READY: Final = re.compile(rb'"ready":(true|false)')
_ME: Final = re.compile(rb'"me":(\d)')


@dataclass
class Tally:
    """What all sockets of this process saw while it counted."""

    counting: bool = False
    playing: bool = False
    moves: list[float] = field(default_factory=list)
    pongs: list[float] = field(default_factory=list)
    refused: int = 0
    lost: int = 0
    wanting: deque[Player] = field(default_factory=deque)


class Player(asyncio.Protocol):
    """One seat's socket. With a pace it does not move by itself, but says that it could."""

    def __init__(self, tally: Tally, match: str, cookie: str, site: str, paced: bool) -> None:
        self.tally, self.match, self.cookie, self.site = tally, match, cookie, site
        self.paced = paced
        self.shown = asyncio.Event()
        self.buffer = b""
        self.open = False
        self.seq, self.acked, self.number = b"0", -1, 0
        self.name = secrets.token_hex(4).encode()
        self.legal: bytes | None = None
        self.wants_ready = False
        self.asked_ready = b""
        self.sent_at: float | None = None
        self.pinged_at: float | None = None
        self.next_frame = 0.0
        self.due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        host = urlsplit(self.site).netloc
        lines = (
            f"GET /ws/table/{self.match} HTTP/1.1", f"Host: {host}", "Upgrade: websocket",
            "Connection: Upgrade", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Version: 13", f"Origin: {self.site}", f"Cookie: {self.cookie}", "", "",
        )  # fmt: skip
        transport.write("\r\n".join(lines).encode())

    def connection_lost(self, exc: Exception | None) -> None:
        self.tally.lost += self.tally.playing
        self.shown.set()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.open:
            head, end, rest = self.buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                raise RuntimeError(head.decode("latin-1"))
            self.open, self.buffer = True, rest
            self.send(b'{"t":"hello","seq":null}')
        while (frame := self.frame()) is not None:
            self.heard(frame)

    def frame(self) -> bytes | None:
        """The payload of the next whole text frame; others (pings) are dropped."""
        while len(self.buffer) >= 2:
            size, start = self.buffer[1] & 127, 2
            if size == 126:
                size, start = int.from_bytes(self.buffer[2:4], "big"), 4
            elif size == 127:
                size, start = int.from_bytes(self.buffer[2:10], "big"), 10
            if len(self.buffer) < start + size:
                return None
            kind, payload = self.buffer[0] & 15, self.buffer[start : start + size]
            self.buffer = self.buffer[start + size :]
            if kind == 1:
                return payload
        return None

    def send(self, payload: bytes) -> None:
        """A text frame, masked with zeros."""
        size = len(payload)
        head = bytes((129, 128 | size)) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + payload)
        self.next_frame = time.perf_counter() + SPACING

    def heard(self, frame: bytes) -> None:
        kind = frame[6:9]
        if kind == b"sta":
            self.look(frame)
        elif kind == b"ack":
            self.count(self.tally.moves, self.sent_at)
            self.sent_at = None
            self.acked = int(_SEQ.search(frame)[1])  # type: ignore[index]
        elif kind == b"pon":
            self.count(self.tally.pongs, self.pinged_at)
            self.pinged_at = None
        elif kind == b"ref":
            self.tally.refused += 1
            self.sent_at = None
            self.send(b'{"t":"hello","seq":%b}' % self.seq)
        self.want()

    def count(self, times: list[float], since: float | None) -> None:
        if self.tally.counting and since is not None:
            times.append(time.perf_counter() - since)

    def look(self, frame: bytes) -> None:
        view = frame.index(b'"view":')
        self.seq = _SEQ.search(frame)[1]  # type: ignore[index]
        legal = _LEGAL.search(frame, view)
        self.legal = legal[1].split(b',"total"')[0].rstrip(b"}") + b"}" if legal else None
        self.wants_ready = b'"phase":"between"' in frame
        if self.wants_ready:
            me = int(_ME.search(frame, view)[1])  # type: ignore[index]
            self.wants_ready = _READY.findall(frame, view)[me] == b"false"
        self.shown.set()

    def want(self) -> None:
        """Do what there is to do, as soon as this socket may send again."""
        if not self.tally.playing or self.due is not None or self.sent_at is not None:
            return
        if self.legal is not None and int(self.seq) >= self.acked and self.paced:
            self.tally.wanting.append(self)
        elif self.legal is not None or self.wants_ready:
            wait = max(0.0, self.next_frame - time.perf_counter())
            self.due = asyncio.get_running_loop().call_later(wait, self.do)

    def do(self) -> None:
        self.due = None
        if self.wants_ready:
            self.wants_ready = False
            self.send(b'{"t":"ready"}')
        else:
            self.move()

    def move(self) -> None:
        if self.legal is None or self.sent_at is not None or int(self.seq) < self.acked:
            return
        self.number += 1
        self.sent_at = time.perf_counter()
        self.send(
            b'{"t":"act","id":"%b-%d","seq":%b,"action":%b}'
            % (self.name, self.number, self.seq, self.legal)
        )
        self.legal = None

    def ping(self) -> None:
        if self.pinged_at is None and time.perf_counter() >= self.next_frame:
            self.pinged_at = time.perf_counter()
            self.send(b'{"t":"ping","sent":0,"seq":null}')


async def connect_all(tally: Tally, task: dict[str, Any]) -> list[Player]:
    """Everyone's socket, all at once but for a few at a time to be served first."""
    site = urlsplit(task["connect"])
    at_once = asyncio.Semaphore(_AT_ONCE)

    async def one(match: str, cookie: str) -> Player:
        player = Player(tally, match, cookie, task["site"], bool(task["pace"]))
        async with at_once:
            await asyncio.get_running_loop().create_connection(
                lambda: player, site.hostname, site.port
            )
            await player.shown.wait()
        return player

    return list(await asyncio.gather(*[one(*each) for each in task["players"]]))


async def keep_pace(tally: Tally, players: list[Player], pace: float) -> None:
    """So many moves a second and as many pings, evenly; whoever could move longest moves next."""
    step, due = 1 / pace, time.perf_counter()
    while True:
        due += step
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        if tally.wanting:
            tally.wanting.popleft().move()
        await asyncio.sleep(step / 2)
        random.choice(players).ping()


async def run(task: dict[str, Any]) -> dict[str, Any]:
    """Connect, play, and what was counted."""
    tally = Tally()
    began = time.perf_counter()
    players = await connect_all(tally, task)
    connecting = time.perf_counter() - began
    print("in", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    tally.playing = True
    for player in players:
        player.want()
    pacing = (
        asyncio.ensure_future(keep_pace(tally, players, task["pace"])) if task["pace"] else None
    )
    await asyncio.sleep(WARM_UP)
    tally.counting, began, cpu = True, time.perf_counter(), time.process_time()
    await asyncio.sleep(task["seconds"])
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    tally.playing = tally.counting = False
    if pacing is not None:
        pacing.cancel()
    return {
        "seconds": seconds, "connecting": connecting, "moves": tally.moves, "pongs": tally.pongs,
        "refused": tally.refused, "lost": tally.lost, "cpu": cpu / seconds,
    }  # fmt: skip


if __name__ == "__main__":
    answer = uvloop.run(run(json.loads(sys.stdin.readline())))
    print(json.dumps(answer), flush=True)
    os._exit(0)
