"""The deployment as the compose file starts it, on PostgreSQL and Redis, behind nginx."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.socket_player import SocketPlayer
from deploy.stack import Stack, deployment, scratch_database

pytestmark = [pytest.mark.servers, pytest.mark.timeout(300)]

OPEN = """
import json
from config.socket_player import signed_in_cookie
from games.services import open_match
from players.services import create_guest
people = [create_guest(), create_guest()]
match = open_match(
    rules={"preset": "allfives", "target": 60}, seats=2, players=people, break_seconds=1
)
print(json.dumps([match.pk, [signed_in_cookie(player) for player in people]]))
"""
LOGGED = """
import json
from games.models import MatchEvent
rows = MatchEvent.objects.filter(match=%r).order_by("seq").values_list("client_id", "seq")
print(json.dumps(list(rows)))
"""
RACE = """
import time
from quickplay.models import Seek
from quickplay.services import match_waiting
print("ready", flush=True)
while not Seek.objects.exists():
    time.sleep(0.005)
print("opened", sum(match_waiting(queue="allfives-100-normal") for _ in range(40)))
"""
WAIT = """
import datetime as dt
import json
from django.utils import timezone
from players.models import Player
from quickplay.models import Seek
people = Player.objects.bulk_create(
    Player(handle=f"racer-{n}", name=f"Racer {n}", name_key=f"racer-{n}", password="!")
    for n in range(401)
)
Seek.objects.bulk_create(
    Seek(player=player, queue="allfives-100-normal", rated=True, unrated=False, rating=1500,
         deviation=60, created_at=timezone.now() - dt.timedelta(seconds=60))
    for player in people
)
print(json.dumps(len(people)))
"""
SEATED = """
import json
from games.models import Seat
from quickplay.models import Seek
seats = Seat.objects.filter(player__handle__startswith="racer-")
seeks = Seek.objects.filter(player__handle__startswith="racer-", match__isnull=False)
print(json.dumps([
    sorted(seats.values_list("player", "match")), sorted(seeks.values_list("player", "match"))
]))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stack, str]]:
    admin, redis = os.environ.get("DATABASE_URL", ""), os.environ.get("REDIS_URL", "")
    if not admin.startswith("postgres") or not redis:
        pytest.fail("Set DATABASE_URL to PostgreSQL and REDIS_URL to Redis for these tests.")
    folder = tmp_path_factory.mktemp("deployment")
    with (
        scratch_database(admin) as database,
        deployment(database, redis, Path(folder)) as running,
    ):
        yield running


def shell(stack: Stack, code: str) -> object:
    output = stack.run(sys.executable, "manage.py", "shell", "--no-imports", "-c", code)
    return json.loads(output.splitlines()[-1])


def two_players(stack: Stack, urls: tuple[str, str], origin: str) -> list[SocketPlayer]:
    match_id, cookies = shell(stack, OPEN)
    return [
        SocketPlayer(url, match_id, cookie, origin=origin, pause_seconds=0.05)
        for url, cookie in zip(urls, cookies, strict=True)
    ]


def assert_every_acknowledgement_is_logged_once(stack: Stack, players: list[SocketPlayer]) -> None:
    rows = [tuple(row) for row in shell(stack, LOGGED % players[0].match_id)]
    assert [seq for _, seq in rows] == list(range(1, len(rows) + 1))
    for player in players:
        assert player.acks
        for ack in player.acks:
            assert rows.count(ack) == 1


async def play(players: list[SocketPlayer], seconds: float = 120) -> None:
    async with asyncio.timeout(seconds):
        await asyncio.gather(*(player.play() for player in players))


def test_two_processes_share_a_table(site: tuple[Stack, str]) -> None:
    stack, origin = site
    webs = (f"http://127.0.0.1:{stack.ports['web1']}", f"http://127.0.0.1:{stack.ports['web2']}")
    players = two_players(stack, webs, origin)
    asyncio.run(play(players))
    one, two = (player.view for player in players)
    assert one["scores"] == two["scores"]
    assert one["result"]["winner"] == two["result"]["winner"] is not None
    assert [player.connections for player in players] == [1, 1]
    assert_every_acknowledgement_is_logged_once(stack, players)


def test_a_killed_web_process_loses_nothing_and_the_match_goes_on(
    site: tuple[Stack, str],
) -> None:
    stack, origin = site
    players = two_players(stack, (origin, origin), origin)

    async def play_through_a_kill() -> None:
        playing = asyncio.create_task(play(players))
        while len(players[0].acks) < 3 and not playing.done():
            await asyncio.sleep(0.01)
        stack.kill("web1")
        while len(players[0].acks) < 6 and not playing.done():
            await asyncio.sleep(0.01)
        await asyncio.to_thread(stack.start_web, "web1", stack.ports["web1"])
        await playing

    asyncio.run(play_through_a_kill())
    assert all(player.over for player in players)
    assert_every_acknowledgement_is_logged_once(stack, players)


def test_a_killed_clock_delays_no_turn_for_long(site: tuple[Stack, str]) -> None:
    """Bots move only when the clock wakes them: with one of two clocks killed they go on."""
    stack, origin = site
    match_id, _ = shell(
        stack,
        "import json\n"
        "from games.services import open_match\n"
        "match = open_match(rules={'preset': 'allfives', 'target': 100}, seats=2,\n"
        "    bots={0: 'easy', 1: 'easy'}, bot_delay_ms=50, break_seconds=1)\n"
        "print(json.dumps([match.pk, 0]))",
    )
    stack.kill("clock1")
    watcher = SocketPlayer(origin, match_id, "", choose=None)
    asyncio.run(play([watcher], 90))
    assert watcher.over
    stack.start("clock1", ["sh", "deploy/run/clock.sh"])


def test_a_tournament_of_bots_is_played_and_verified(site: tuple[Stack, str]) -> None:
    stack, _ = site
    manage = (sys.executable, "manage.py")
    played = stack.run(*manage, "simulate", "--players", "16", "--target", "50", "--no-progress")
    assert "15 matches" in played
    assert "follow from their logs" in stack.run(*manage, "verify", "--quiet")


def test_processes_that_match_at_once_seat_nobody_twice(site: tuple[Stack, str]) -> None:
    """Three of their own beside those of the site, whose clocks and beat match too."""
    stack, _ = site
    racers = ("racer1", "racer2", "racer3")
    for name in racers:
        stack.start(name, [sys.executable, "manage.py", "shell", "--no-imports", "-c", RACE])
    deadline = time.monotonic() + 60
    while not all("ready" in stack.log(name) for name in racers):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert shell(stack, WAIT) == 401
    for name in racers:
        assert stack.processes.pop(name).wait(60) == 0
        assert "opened" in stack.log(name)
    seats, seeks = shell(stack, SEATED)
    assert seats == seeks
    assert len({player for player, _ in seats}) == len(seats) == 400
    assert len({match for _, match in seats}) == 200


def test_people_play_a_tournament_through_nginx(site: tuple[Stack, str]) -> None:
    stack, origin = site
    manage = (sys.executable, "manage.py")
    played = stack.run(
        *manage, "simulate", "--players", "4", "--target", "30", "--no-progress",
        "--sockets", origin,
    )  # fmt: skip
    assert "3 matches" in played
    assert "follow from their logs" in stack.run(*manage, "verify", "--quiet")


def test_no_process_wrote_a_traceback(site: tuple[Stack, str]) -> None:
    stack, _ = site
    for name in (*stack.processes, "web1"):
        assert "Traceback" not in stack.log(name), name
