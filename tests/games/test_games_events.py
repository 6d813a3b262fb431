"""Pokes: from any thread, through one loop, and never an error of the sender's."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from channels.layers import get_channel_layer

from games import events


@pytest.fixture(autouse=True)
def _unbound() -> Iterator[None]:
    events.unbind_loop()
    yield
    events.unbind_loop()


class Layer:
    """A layer that remembers what it was given, and on which thread."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error, self.sent = error, threading.Event()
        self.seen: list[tuple[str, dict[str, Any], str]] = []

    async def group_send(self, group: str, payload: dict[str, Any]) -> None:
        self.seen.append((group, payload, threading.current_thread().name))
        self.sent.set()
        if self.error:
            raise self.error


def test_a_process_without_sockets_pokes_from_a_thread_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    layer = Layer()
    monkeypatch.setattr(events, "get_channel_layer", lambda: layer)
    events.poke_tables({"abcdefghijkl": 7})
    assert layer.sent.wait(10)
    group, payload, thread = layer.seen[0]
    assert group == "tables"
    assert payload.pop("from")
    assert payload == {"type": "tables.poke", "tables": {"abcdefghijkl": 7}}
    assert thread == "pokes"


async def test_a_web_process_pokes_through_the_loop_of_its_sockets() -> None:
    events.bind_loop(asyncio.get_running_loop())
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add("tables", channel)
    await asyncio.to_thread(events.poke_tables, {"abcdefghijkl": 3})
    message = await asyncio.wait_for(layer.receive(channel), 10)
    assert (message["type"], message["tables"]) == ("tables.poke", {"abcdefghijkl": 3})
    await layer.group_discard("tables", channel)


def test_a_poke_that_fails_is_logged_and_not_raised(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    layer, logged = Layer(ConnectionError("no Redis")), threading.Event()
    monkeypatch.setattr(events, "get_channel_layer", lambda: layer)
    real = events._log_failure

    def log(done: Any) -> None:
        real(done)
        logged.set()

    monkeypatch.setattr(events, "_log_failure", log)
    with caplog.at_level(logging.WARNING, logger="games"):
        events.refresh_table("abcdefghijkl")
        assert logged.wait(10)
    assert [record.message for record in caplog.records] == [
        "poke not sent: ConnectionError: no Redis"
    ]


def test_without_a_layer_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "get_channel_layer", lambda: None)
    events.refresh_table("abcdefghijkl")


class Viewer:
    """Somebody at a table, who keeps what was heard."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[int | None] = asyncio.Queue()

    def look(self, seq: int | None) -> None:
        self.heard.put_nowait(seq)


async def test_pokes_reach_the_viewers_of_their_table_once_with_or_without_the_layer() -> None:
    """Those of this process come directly, and are not heard again when the layer brings them."""
    here, there = Viewer(), Viewer()
    await events.hub().join("abcdefghijkl", here)
    await events.hub().join("mnopqrstuvwx", there)
    await asyncio.to_thread(events.poke_tables, {"abcdefghijkl": 3})
    assert await asyncio.wait_for(here.heard.get(), 10) == 3
    foreign = {"type": "tables.poke", "tables": {"abcdefghijkl": 4}, "from": "another process"}
    await get_channel_layer().group_send("tables", foreign)
    assert await asyncio.wait_for(here.heard.get(), 10) == 4
    events.hub().leave("abcdefghijkl", here)
    await get_channel_layer().group_send("tables", foreign)
    await asyncio.sleep(0.2)
    assert here.heard.empty()
    assert there.heard.empty()
