"""The table's socket, as a browser meets it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.layers import get_channel_layer
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError

from config.sockets import websocket_urlpatterns
from games import consumers, events, limits, scenes, selectors, services
from games.models import Match
from players.models import Player
from tests.sockets import in_thread, one_loop

pytestmark = pytest.mark.django_db(transaction=True)

Make = Callable[..., Match]
Sockets = Callable[..., Any]
router = URLRouter(websocket_urlpatterns)


class Client:
    """A browser's end of a socket."""

    def __init__(self, path: str, player: Player | None) -> None:
        bare, _mark, query = path.partition("?")
        scope = {
            "type": "websocket", "path": bare, "query_string": query.encode(), "headers": []
        }  # fmt: skip
        self.app = ApplicationCommunicator(router, scope | {"user": player or AnonymousUser()})

    async def connect(self) -> None:
        await self.app.send_input({"type": "websocket.connect"})
        assert (await self.app.receive_output(20))["type"] == "websocket.accept"

    async def disconnect(self) -> None:
        await self.app.send_input({"type": "websocket.disconnect", "code": 1005})
        await self.app.wait(20)

    async def frame(self, text: str | None = None, data: bytes | None = None) -> None:
        await self.app.send_input({"type": "websocket.receive", "text": text, "bytes": data})

    async def say(self, **message: Any) -> None:
        await self.frame(json.dumps(message))

    async def heard(self, kind: str | None = None) -> dict[str, Any]:
        """The next message, or the next of a kind."""
        while True:
            output = await self.app.receive_output(20)
            assert output["type"] == "websocket.send", output
            message: dict[str, Any] = json.loads(output["text"])
            if kind in (None, message["t"]):
                return message

    async def hello(self, seq: int | None = None) -> dict[str, Any]:
        await self.say(t="hello", seq=seq)
        return await self.heard("state")

    async def until(self, seq: int) -> dict[str, Any]:
        """The state at `seq` or later."""
        while True:
            state = await self.heard("state")
            if state["seq"] >= seq:
                return state

    async def closed(self) -> tuple[dict[str, Any] | None, int]:
        """The last message and the code that the socket is closed with."""
        last = None
        while True:
            output = await self.app.receive_output(20)
            if output["type"] == "websocket.close":
                return last, output["code"]
            last = json.loads(output["text"])

    async def settle(self) -> None:
        """Hear out what is still on its way."""
        while not await self.silent():
            await self.heard()

    async def silent(self, seconds: float = 0.3) -> bool:
        return bool(await self.app.receive_nothing(seconds, 0.02))


@asynccontextmanager
async def socket(
    match_id: str, player: Player | None = None, language: str = "en"
) -> AsyncIterator[Client]:
    client = Client(f"/ws/table/{match_id}?lang={language}", player)
    await client.connect()
    try:
        yield client
    finally:
        await client.disconnect()


@pytest.fixture(autouse=True)
async def _one_loop() -> AsyncIterator[None]:
    async with one_loop():
        yield


async def players_of(match: Match) -> list[Player]:
    def find() -> list[Player]:
        return [seat.player for seat in match.seat_set.select_related("player").order_by("index")]

    found: list[Player] = await in_thread(find)()
    return found


async def test_hello_brings_the_whole_view_and_no_events(make_match: Make) -> None:
    match = await in_thread(make_match)()
    player = (await players_of(match))[0]
    async with socket(match.pk, player) as client:
        state = await client.hello()
    assert (state["seq"], state["events"]) == (match.seq, [])
    view = state["view"]
    assert (view["match"], view["seq"], view["me"], view["status"]) == (
        match.pk,
        match.seq,
        0,
        "running",
    )
    assert len(view["hand"]) == 7
    assert view["seats"][0]["present"]
    assert not view["seats"][1]["present"]
    assert 0 < view["left_ms"] <= 15_000
    assert abs(view["deadline"] - view["now"] - view["left_ms"]) <= 1


async def test_a_move_is_acknowledged_and_seen_by_all(make_match: Make) -> None:
    match = await in_thread(make_match)()
    players = await players_of(match)
    assert match.turn is not None
    async with (
        socket(match.pk, players[match.turn]) as mine,
        socket(match.pk, players[1 - match.turn]) as other,
        socket(match.pk) as spectator,
    ):
        view = (await mine.hello())["view"]
        await other.hello()
        await spectator.hello()
        action = {"play": view["legal"][0]["play"]}
        await mine.say(t="act", id="c-1", seq=view["seq"], action=action)
        ack = await mine.heard("ack")
        assert ack == {"t": "ack", "id": "c-1", "seq": match.seq + 1}
        for client in (mine, other, spectator):
            state = await client.until(ack["seq"])
            played = next(e for e in state["events"] if e["kind"] == "played")
            assert (played["seq"], played["seat"], played["tile"]) == (
                ack["seq"],
                match.turn,
                action["play"],
            )
            assert [e["seq"] for e in state["events"]] == list(
                range(match.seq + 1, state["seq"] + 1)
            )
            assert state["view"]["round"]["line"][0]["tile"] == action["play"]
            assert (state["view"]["hand"] is None) == (client is spectator)
        # The same frame again: the same answer, and nobody sees anything new.
        await other.settle()
        await mine.say(t="act", id="c-1", seq=view["seq"], action=action)
        assert await mine.heard("ack") == ack
        assert await other.silent()


async def test_what_is_refused_is_told_to_its_sender_alone(make_match: Make) -> None:
    match = await in_thread(make_match)()
    players = await players_of(match)
    assert match.turn is not None
    async with socket(match.pk, players[1 - match.turn]) as other, socket(match.pk) as spectator:
        await other.hello()
        await spectator.hello()
        await spectator.settle()
        await other.say(t="act", id="x", seq=match.seq, action={"pass": True})
        refused = await other.heard("refused")
        assert (refused["id"], refused["code"], refused["seq"]) == (
            "x",
            "not_your_turn",
            match.seq,
        )
        assert refused["detail"] == "It is not your turn."
        await other.say(t="act", id="y", seq=match.seq, action={"play": "7-7"})
        assert (await other.heard("refused"))["code"] == "bad_action"
        await other.say(t="act", id="z", seq=match.seq - 1, action={"pass": True})
        assert (await other.heard("refused"))["code"] == "stale_seq"
        assert (await other.heard("state"))["seq"] == match.seq
        assert await spectator.silent()


@pytest.mark.parametrize(
    "message",
    [
        {"t": "act", "id": "a", "seq": 5, "action": {"pass": True}},
        {"t": "resign", "id": "a"},
        {"t": "rematch", "id": "a"},
        {"t": "ready"},
        {"t": "back"},
        {"t": "bots", "level": "easy"},
    ],
    ids=lambda message: message["t"],
)
async def test_a_spectator_only_watches(make_match: Make, message: dict[str, Any]) -> None:
    match = await in_thread(make_match)()
    async with socket(match.pk) as client:
        await client.hello()
        await client.say(**message)
        refused = await client.heard()
        assert (refused["t"], refused["code"]) == ("refused", "not_seated")
        assert refused["id"] == message.get("id")
        assert await client.silent()
    assert await in_thread(selectors.seq_of)(match.pk) == match.seq


async def test_resuming_brings_every_event_since(make_match: Make, move: Any) -> None:
    """cases.md G17, G22: the clock went on, and the view is the one that others have."""
    match = await in_thread(make_match)()
    players = await players_of(match)
    async with socket(match.pk, players[0]) as first:
        seen = (await first.hello())["seq"]
    for _ in range(3):
        await in_thread(move)(match)
    await in_thread(match.refresh_from_db)()
    async with socket(match.pk, players[0]) as back, socket(match.pk, players[0]) as constant:
        state = await back.hello(seen)
        whole = await constant.hello()
        assert [e["seq"] for e in state["events"]] == list(range(seen + 1, match.seq + 1))
        ours, theirs = dict(state["view"]), dict(whole["view"])
        for clocked in ("now", "left_ms"):
            ours.pop(clocked), theirs.pop(clocked)
        assert ours == theirs
        if match.turn == 0:
            entry = state["view"]["legal"][0]
            action = {k: entry[k] for k in ("play", "at") if k in entry}
            await back.say(t="act", id="on", seq=match.seq, action=action)
            assert (await back.heard("ack"))["seq"] == match.seq + 1


async def test_a_lost_poke_is_healed_by_the_heartbeat(
    make_match: Make, move: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await in_thread(make_match)()
    async with socket(match.pk) as client:
        await client.hello()
        monkeypatch.setattr(events, "poke", lambda group, payload: None)
        ack = await in_thread(move)(match)
        assert await client.silent()
        await client.say(t="ping", sent=1_790_000_000_000, seq=match.seq)
        state = await client.heard("state")
        assert state["seq"] >= ack.seq
        pong = await client.heard("pong")
        assert pong["sent"] == 1_790_000_000_000
        assert pong["seq"] == state["seq"]


async def test_pokes_that_come_together_bring_one_update(make_match: Make) -> None:
    match = await in_thread(make_match)()
    async with socket(match.pk) as client:
        await client.hello()
        layer = get_channel_layer()
        for seq in (match.seq, match.seq - 1, 1):
            await layer.group_send(
                "tables", {"type": "tables.poke", "tables": {match.pk: seq}, "from": "another"}
            )
        assert await client.silent()


async def test_the_group_is_joined_before_the_state_is_read(
    make_match: Make, move: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R04: what happens between the two is not lost, wherever it happens."""
    match = await in_thread(make_match)()
    read = scenes.read

    def read_and_move(match_id: str) -> Any:
        scene = read(match_id)
        monkeypatch.setattr(scenes, "read", read)
        move(match)
        return scene

    monkeypatch.setattr(scenes, "read", read_and_move)
    async with socket(match.pk) as client:
        first = await client.hello()
        second = await client.heard("state")
    assert second["seq"] > first["seq"]
    assert second["seq"] == await in_thread(selectors.seq_of)(match.pk)


async def test_two_tabs_of_one_player(make_match: Make) -> None:
    """cases.md G20, R20."""
    match = await in_thread(make_match)()
    players = await players_of(match)
    assert match.turn is not None
    player = players[match.turn]
    async with socket(match.pk, player) as one:
        async with socket(match.pk, player) as two:
            view = (await one.hello())["view"]
            assert (await two.hello())["view"]["hand"] == view["hand"]
            action = {"play": view["legal"][0]["play"]}
            await one.say(t="act", id="tab", seq=view["seq"], action=action)
            await two.say(t="act", id="tab", seq=view["seq"], action=action)
            acks = [await one.heard("ack"), await two.heard("ack")]
            assert acks[0] == acks[1]
            assert (await two.until(acks[0]["seq"]))["view"]["round"]["line"]
        await one.say(t="ping", sent=1, seq=0)
        await one.heard("pong")
    state = await in_thread(selectors.snapshot_for)(match.pk, None)
    assert not state["seats"][match.turn]["away"]
    assert state["seats"][match.turn]["present"]
    assert len(state["round"]["line"]) == 1


async def test_hello_seats_a_reserved_player_and_starts_the_match(make_player: Any) -> None:
    from datetime import timedelta

    from django.utils import timezone

    people = [await in_thread(make_player)() for _ in range(2)]
    match = await in_thread(services.open_match)(
        rules={"preset": "allfives"},
        seats=2,
        players=people,
        sit_by=timezone.now() + timedelta(minutes=5),
    )
    async with socket(match.pk, people[0]) as one, socket(match.pk, people[1]) as two:
        assert (await one.hello())["view"]["status"] == "open"
        assert (await two.hello())["view"]["status"] == "running"
        while (await one.heard("state"))["view"]["status"] != "running":
            pass


async def test_the_host_calls_bots_and_asks_for_a_rematch(make_player: Any) -> None:
    host = await in_thread(make_player)()
    match = await in_thread(services.open_match)(rules={"preset": "allfives"}, seats=2, host=host)
    async with socket(match.pk, host) as client:
        assert (await client.hello())["view"]["host"]
        await client.say(t="bots", level="easy")
        while (state := await client.heard("state"))["view"]["status"] != "running":
            pass
        assert state["view"]["seats"][1]["kind"] == "bot"
        await client.say(t="resign", id="r")
        await client.heard("ack")
        await client.say(t="rematch", id="m")
        while (state := await client.heard("state"))["view"]["rematch"] is None:
            pass
        assert state["view"]["result"]["reason"] == "resigned"
    again = await in_thread(Match.objects.get)(pk=state["view"]["rematch"])
    assert again.status == "running"


async def test_a_turn_overdue_at_hello_is_played_without_a_sweep(make_match: Make) -> None:
    """R34: no beat, no worker; a reader is enough."""
    from datetime import timedelta

    from django.utils import timezone

    match = await in_thread(make_match)()
    past = timezone.now() - timedelta(minutes=1)
    await in_thread(Match.objects.filter(pk=match.pk).update)(deadline=past, wake_at=past)
    async with socket(match.pk) as client:
        state = await client.hello()
        assert state["seq"] > match.seq
        await in_thread(Match.objects.filter(pk=match.pk).update)(deadline=past, wake_at=past)
        await client.say(t="nudge", seq=state["seq"])
        assert (await client.heard("state"))["seq"] > state["seq"]


async def test_a_bad_frame_is_answered_and_the_socket_stays(
    make_match: Make, caplog: pytest.LogCaptureFixture
) -> None:
    """R15, R16: each input that crashes a naive consumer."""
    match = await in_thread(make_match)()
    caplog.set_level(logging.DEBUG, logger="games")
    bad = [
        "{nope",
        "[1]",
        "1",
        "",
        "[" * 9000,
        '{"t":"ping","sent":' + "1" * 5000 + "}",
        '{"t":NaN}',
    ]
    async with socket(match.pk) as client:
        for text in bad:
            await client.frame(text)
            answer = await client.heard()
            assert (answer["t"], answer["code"]) == ("error", "bad_frame")
        await client.frame(data=b"\x00\xff")
        assert (await client.heard())["code"] == "bad_frame"
        assert (await client.hello())["view"]["match"] == match.pk
    assert not [record for record in caplog.records if record.exc_info]


async def test_ten_bad_frames_are_too_many(
    make_match: Make, caplog: pytest.LogCaptureFixture
) -> None:
    match = await in_thread(make_match)()
    caplog.set_level(logging.INFO, logger="games")
    async with socket(match.pk) as client:
        for _ in range(10):
            await client.frame("{")
        assert await client.closed() == ({"t": "closed", "code": "bad_frames"}, 4400)
    assert sum("bad_frames" in record.message for record in caplog.records) == 1


async def test_a_flood_closes_the_socket(make_match: Make) -> None:
    match = await in_thread(make_match)()
    async with socket(match.pk) as client:
        for _ in range(int(limits.BURST) + 5):
            await client.say(t="ping", sent=1, seq=0)
        last, code = await client.closed()
    assert (last, code) == ({"t": "closed", "code": "too_fast"}, 4429)


@pytest.mark.parametrize("match_id", ["nosuchtable0", "x", "a" * 300, "..!", "%2e%2e"])
async def test_an_unknown_table_is_said_to_be_unknown(db: None, match_id: str) -> None:
    async with socket(match_id) as client:
        assert await client.closed() == ({"t": "closed", "code": "not_found"}, 4404)


async def test_an_unknown_path_is_no_traceback(db: None) -> None:
    client = Client("/ws/nope", None)
    await client.connect()
    assert await client.closed() == ({"t": "closed", "code": "not_found"}, 4404)


async def test_a_database_that_does_not_answer_once_is_asked_again(
    make_match: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await in_thread(make_match)()
    players = await players_of(match)
    assert match.turn is not None
    real, failures = services.act, iter((True, True, False))

    def flaky(**given: Any) -> Any:
        done = real(**given)
        if next(failures):
            raise OperationalError("the connection is lost, perhaps after the commit")
        return done

    monkeypatch.setattr(services, "act", flaky)
    async with socket(match.pk, players[match.turn]) as client:
        view = (await client.hello())["view"]
        action = {"play": view["legal"][0]["play"]}
        await client.say(t="act", id="once", seq=view["seq"], action=action)
        assert (await client.heard("ack"))["seq"] == match.seq + 1
    assert await in_thread(match.events.filter(client_id="once").count)() == 1


async def test_a_database_that_stays_away_closes_the_socket(
    make_match: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await in_thread(make_match)()
    monkeypatch.setattr(consumers, "TRY_AGAIN", (0.0,))

    def away(*args: Any) -> Any:
        raise OperationalError("away")

    monkeypatch.setattr(scenes, "read", away)
    async with socket(match.pk) as client:
        await client.say(t="hello", seq=None)
        assert await client.closed() == ({"t": "closed", "code": "try_later"}, 1013)


async def test_a_layer_that_is_down_keeps_nobody_from_playing(
    make_match: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await in_thread(make_match)()
    players = await players_of(match)
    assert match.turn is not None
    layer = get_channel_layer()

    async def down(*args: Any) -> None:
        raise ConnectionError("no Redis")

    monkeypatch.setattr(layer, "group_add", down)
    monkeypatch.setattr(layer, "group_send", down)
    async with socket(match.pk, players[match.turn]) as client:
        view = (await client.hello())["view"]
        action = {"play": view["legal"][0]["play"]}
        await client.say(t="act", id="c", seq=view["seq"], action=action)
        ack = await client.heard("ack")
        assert (await client.heard("state"))["seq"] >= ack["seq"]


async def test_a_broken_match_closes_its_sockets_without_a_traceback(
    make_match: Make, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    from games import store

    match = await in_thread(make_match)()
    settings.MUGGINS_MASTER_KEYS = {"k1": bytes(32)}
    store.cache.clear()
    async with socket(match.pk) as client:
        await client.say(t="hello", seq=None)
        assert await client.closed() == ({"t": "closed", "code": "broken"}, 4500)
    told = [
        record for record in caplog.records if "does not come out as committed" in record.message
    ]
    assert len(told) == 1
    assert told[0].exc_info is None


async def test_those_who_watch_are_counted_and_those_who_play_are_not(make_match: Make) -> None:
    match = await in_thread(make_match)()
    player = (await players_of(match))[0]
    async with socket(match.pk, player) as one, socket(match.pk) as two, socket(match.pk) as three:
        for client in (one, two, three):
            await client.hello()
        await one.say(t="ping", sent=1, seq=0)
        assert (await one.heard("pong"))["watching"] == 2
    async with socket(match.pk) as again:
        await again.hello()
        await again.say(t="ping", sent=1, seq=0)
        assert (await again.heard("pong"))["watching"] == 1


async def test_another_process_says_who_watches_there() -> None:
    there = {"type": "tables.watched", "counts": {"abcdefghijkl": 3}, "from": "elsewhere"}
    layer = get_channel_layer()
    assert layer is not None

    class Nobody:
        counts = False

        def look(self, seq: int | None) -> None:
            pass

    await events.hub().join("abcdefghijkl", Nobody())
    await layer.group_send("tables", there)
    async with asyncio.timeout(20):
        while events.hub().watching("abcdefghijkl") != 3:
            await asyncio.sleep(0.01)
    assert events.hub().watching("other") == 0


async def test_the_server_measures_how_long_messages_take_by_the_echo_of_its_pong(
    make_match: Make,
) -> None:
    match = await in_thread(make_match)()
    player = await in_thread(lambda: match.seat_set.exclude(index=match.turn).get().player)()
    async with socket(match.pk, player) as client:
        await client.hello()
        await client.say(t="ping", sent=1, seq=match.seq)
        pong = await client.heard("pong")
        await client.say(t="echo", now=pong["now"])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(consumers, "SEEN_EVERY", 0.0)
            await client.say(t="ping", sent=2, seq=match.seq)
            await client.heard("pong")
    seat = await in_thread(lambda: match.seat_set.get(player=player))()
    assert seat.trip_ms is not None
    assert 0 <= seat.trip_ms < 5000
