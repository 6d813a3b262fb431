"""The socket of those who watch several tables at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from games import events, selectors, services, watching
from games.models import Match
from players.models import Player
from tests.sockets import Listener, in_thread, listening, one_loop

pytestmark = pytest.mark.django_db(transaction=True)

Make = Callable[..., Match]
Move = Callable[..., services.Ack]


def watcher(player: Player | None = None) -> AbstractAsyncContextManager[Listener]:
    return listening("/ws/watch", player)


@pytest.fixture(autouse=True)
async def _one_loop(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    monkeypatch.setattr(watching, "EVERY", 0.05)
    async with one_loop():
        yield


async def test_each_table_is_shown_at_once_and_when_something_happened(
    make_match: Make, move: Move
) -> None:
    one, other = await in_thread(make_match)(), await in_thread(make_match)()
    async with watcher() as client:
        await client.say(t="watch", tables=[one.pk, other.pk])
        first = [await client.heard(), await client.heard()]
        assert {each["match"] for each in first} == {one.pk, other.pk}
        assert all(each["line"] == [] for each in first)
        ack = await in_thread(move)(other)
        told = await client.heard()
        assert (told["t"], told["match"]) == ("table", other.pk)
        assert told["seq"] >= ack.seq
        assert len(told["line"]) == 1


async def test_even_a_player_sees_here_what_spectators_see(make_match: Make, move: Move) -> None:
    match = await in_thread(make_match)(spectator_delay=1)
    player = await in_thread(lambda: match.seat_set.get(index=0).player)()
    await in_thread(move)(match)
    async with watcher(player) as client:
        await client.say(t="watch", tables=[match.pk])
        told = await client.heard()
        assert told["line"] == []
        assert told.keys() == {
            "t", "match", "seq", "status", "winner", "seats", "scores", "turn", "round", "line",
            "ends", "spinner", "counts",
        }  # fmt: skip
        seen = await in_thread(selectors.snapshot_for)(match.pk, None)
        assert told["seq"] == seen["seq"]


async def test_nothing_comes_during_a_pause(make_match: Make, move: Move) -> None:
    match = await in_thread(make_match)()
    async with watcher() as client:
        await client.say(t="watch", tables=[match.pk])
        await client.heard()
        await client.say(t="watch", tables=[])
        await client.say(t="ping", sent=5)
        assert await client.heard() == {"t": "pong", "sent": 5}
        await in_thread(move)(match)
        assert await client.hears_nothing()


async def test_a_heartbeat_brings_what_a_lost_poke_did_not(
    make_match: Make, move: Move, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await in_thread(make_match)()
    async with watcher() as client:
        await client.say(t="watch", tables=[match.pk])
        await client.heard()
        with monkeypatch.context() as patch:
            patch.setattr(events, "poke_tables", lambda seqs: None)
            await in_thread(move)(match)
        await client.say(t="ping", sent=1)
        heard = [await client.heard(), await client.heard()]
        assert {each["t"] for each in heard} == {"pong", "table"}


async def test_a_table_that_is_none_is_said_to_be_gone(make_match: Make) -> None:
    async with watcher() as client:
        await client.say(t="watch", tables=["abcdefghijkl"])
        assert await client.heard() == {"t": "gone", "match": "abcdefghijkl"}


@pytest.mark.parametrize(
    "message",
    [
        {"t": "watch"},
        {"t": "watch", "tables": "abcdefghijkl"},
        {"t": "watch", "tables": ["../../secret"]},
        {"t": "watch", "tables": [None]},
        {"t": "watch", "tables": [f"abcdefghij{n:02}" for n in range(13)]},
        {"t": "act", "id": "1", "seq": 1, "action": {"pass": True}},
        {"t": "ping"},
    ],
)
async def test_what_is_no_message_is_refused_and_the_socket_stays(message: dict[str, Any]) -> None:
    async with watcher() as client:
        await client.say(**message)
        assert (await client.heard())["code"] == "bad_frame"
        await client.say(t="ping", sent=1)
        assert await client.heard() == {"t": "pong", "sent": 1}
