"""The socket of an open page: who may hear of what, when, and that nothing is said but that."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from django.db import transaction

from games import events
from games import services as games
from notices import services as notices
from pages import consumers
from players.models import Player
from quickplay import services as quick
from tests.sockets import Listener, in_thread, listening, one_loop
from tournaments import services as tournaments
from tournaments.ladders import services as ladders
from tournaments.models import Tournament
from tournaments.services.work import lock

pytestmark = pytest.mark.django_db(transaction=True)

Make = Callable[..., Any]


def page(player: Player | None = None) -> AbstractAsyncContextManager[Listener]:
    return listening("/ws/page", player)


async def hear(client: Listener, *topics: str) -> list[str]:
    """Those of the topics that this page hears from now on."""
    await client.say(t="hear", topics=topics)
    answer = await client.heard()
    assert answer.keys() == {"t", "topics"}
    return list(answer["topics"])


def changed(*topics: str, within: int = 305) -> dict[str, Any]:
    """The whole of what is ever said of a change."""
    return {"t": "changed", "topics": list(topics), "within": within}


@pytest.fixture(autouse=True)
async def _one_loop(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    monkeypatch.setattr(consumers, "EVERY", 0.2)
    async with one_loop():
        yield


async def test_what_is_ones_own_is_heard_by_nobody_else(make_player: Make) -> None:
    marta, other = await in_thread(make_player)("Marta"), await in_thread(make_player)("Ivo")
    async with page(marta) as hers, page(other) as his, page() as nobodys:
        assert await hear(hers, "me") == ["me"]
        assert await hear(his, "me") == ["me"]
        assert await hear(nobodys, "me", "lobby") == ["lobby"]
        given = {"players": [marta], "kind": "cancelled", "key": "1", "facts": {"event": "Cup"}}
        await in_thread(notices.tell)(**given)
        assert await hers.heard() == changed("me")
        assert await his.hears_nothing()
        assert await nobodys.hears_nothing()


@pytest.mark.parametrize("name", ["player:1", "seek:1", "event:-1", "event:x", "table:../..", "*"])
async def test_a_name_of_no_topic_is_refused(name: str) -> None:
    async with page() as client:
        await client.say(t="hear", topics=[name])
        assert (await client.heard())["code"] == "bad_frame"


async def test_a_page_listens_to_twelve_topics_at_most() -> None:
    async with page() as client:
        await client.say(t="hear", topics=[f"event:{n}" for n in range(13)])
        assert (await client.heard())["code"] == "bad_frame"


async def test_a_draft_is_heard_by_those_alone_who_may_see_it(
    make_player: Make, make_event: Make
) -> None:
    marta, other = await in_thread(make_player)("Marta"), await in_thread(make_player)("Ivo")
    event, hidden = [await in_thread(make_event)(marta) for _ in range(2)]
    drafts = Tournament.objects.filter(pk=hidden.pk)
    await in_thread(drafts.update)(status=Tournament.Status.DRAFT)
    public, draft = f"event:{event.pk}", f"event:{hidden.pk}"
    for viewer, hears in ((marta, [public, draft]), (other, [public]), (None, [public])):
        async with page(viewer) as client:
            assert await hear(client, public, draft, "event:999999999") == hears


async def test_who_may_not_see_an_event_any_more_hears_no_more_of_it(
    make_player: Make, make_event: Make
) -> None:
    event = await in_thread(make_event)(await in_thread(make_player)())
    async with page() as client:
        await hear(client, f"event:{event.pk}")
        hidden = Tournament.objects.filter(pk=event.pk)
        await in_thread(hidden.update)(status=Tournament.Status.DRAFT)
        await client.say(t="ping", sent=5)
        assert await client.heard() == {"t": "pong", "sent": 5}
        await in_thread(events.changed)(f"event:{event.pk}")
        assert await client.hears_nothing()


async def test_an_event_is_heard_of_once_its_transaction_is_through(
    make_player: Make, make_event: Make
) -> None:
    event = await in_thread(make_event)(await in_thread(make_player)())
    changing, go_on = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def change() -> None:
        with transaction.atomic():
            lock(event.pk)
            loop.call_soon_threadsafe(changing.set)
            asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(20)

    async with page() as client:
        await hear(client, f"event:{event.pk}")
        working = asyncio.ensure_future(asyncio.to_thread(change))
        await changing.wait()
        assert await client.hears_nothing()
        go_on.set()
        await working
        assert await client.heard() == changed(f"event:{event.pk}")


async def test_what_is_undone_is_not_heard_of(make_player: Make, make_event: Make) -> None:
    event = await in_thread(make_event)(await in_thread(make_player)())

    def undo() -> None:
        with transaction.atomic():
            lock(event.pk)
            transaction.set_rollback(True)

    async with page() as client:
        await hear(client, f"event:{event.pk}")
        await in_thread(undo)()
        assert await client.hears_nothing()


async def test_many_changes_are_heard_as_one_at_once_and_one_later(
    make_player: Make, make_event: Make
) -> None:
    event = await in_thread(make_event)(await in_thread(make_player)())
    topic = f"event:{event.pk}"

    def change() -> None:
        for _ in range(50):
            events.changed(topic, events.LOBBY)

    async with page() as client:
        await hear(client, topic, "lobby")
        await in_thread(events.changed)(topic)
        assert await client.heard() == changed(topic)
        await in_thread(change)()
        assert await client.heard() == changed(topic, "lobby")
        assert await client.hears_nothing(0.5)


async def test_the_more_pages_listen_the_longer_they_take_to_ask() -> None:
    async with page() as one, page() as other:
        for client in (one, other):
            await hear(client, "lobby")
        await in_thread(events.changed)(events.LOBBY)
        assert await one.heard() == changed("lobby", within=310)
        assert await other.heard() == changed("lobby", within=310)


async def test_a_table_that_is_opened_and_sat_at_is_heard_of_where_it_is_shown(
    make_player: Make,
) -> None:
    marta, guest = await in_thread(make_player)("Marta"), await in_thread(make_player)("Ivo")
    async with page(marta) as hers, page() as lobbys:
        await hear(hers, "me")
        await hear(lobbys, "lobby")
        given = {"rules": {"preset": "allfives"}, "seats": 2, "host": marta, "listed": True}
        match = await in_thread(games.open_match)(**given)
        assert await lobbys.heard() == changed("lobby")
        await in_thread(games.join)(match_id=match.pk, player=guest)
        assert await lobbys.heard() == changed("lobby")
        assert await hers.heard() == changed("me")


async def test_the_start_of_an_event_is_heard_by_its_page_and_its_players(
    make_player: Make, make_event: Make
) -> None:
    marta = await in_thread(make_player)("Marta")
    event = await in_thread(make_event)(marta, bots=1)
    await in_thread(tournaments.join)(tournament_id=event.pk, player=marta)
    async with page(marta) as hers, page() as events_page:
        await hear(hers, "me")
        await hear(events_page, f"event:{event.pk}")
        await in_thread(tournaments.start)(tournament_id=event.pk, by=marta)
        assert await events_page.heard() == changed(f"event:{event.pk}")
        assert await hers.heard() == changed("me")


async def test_a_ladder_is_heard_of(make_player: Make) -> None:
    marta = await in_thread(make_player)("Marta")
    ladder = await in_thread(ladders.create)(owner=marta, name="Club ladder")
    async with page() as client:
        assert await hear(client, f"ladder:{ladder.pk}", "ladder:999999999") == [
            f"ladder:{ladder.pk}"
        ]
        await in_thread(ladders.join)(ladder_id=ladder.pk, player=marta)
        assert await client.heard() == changed(f"ladder:{ladder.pk}")


async def test_who_waits_hears_that_a_table_was_found(make_player: Make) -> None:
    marta, other = await in_thread(make_player)("Marta"), await in_thread(make_player)("Ivo")
    async with page(marta) as hers, page() as counts:
        await in_thread(quick.seek)(player=marta, queue="allfives-100-normal")
        await hear(hers, "me")
        await hear(counts, "quick")
        await in_thread(quick.seek)(player=other, queue="allfives-100-normal")
        assert await hers.heard() == changed("me")
        assert await counts.heard() == changed("quick")
