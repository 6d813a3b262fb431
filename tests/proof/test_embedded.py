"""`make run`'s server: turns run out, matches survive a kill, Ctrl-C ends it cleanly."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from config.socket_player import SocketPlayer
from deploy.embedded_site import Site, Visitor

pytestmark = pytest.mark.timeout(240)
Browser = Callable[[str], Visitor]


def table_against_a_bot(visitor: Visitor, **settings: object) -> str:
    """A visitor without an account opens a table with a bot; the match's id."""
    form = {
        "preset": "allfives",
        "target": 20,
        "turn_seconds": 5,
        "bank_seconds": 0,
        "size": "2",
        "opponents": "easy",
        "audience": "public",
        **settings,
    }
    path = visitor.post("/tables/new", "/tables/new", **form)
    assert path.startswith("/t/"), path
    return path.removeprefix("/t/")


def test_a_turn_that_runs_out_is_played_by_the_server_and_reaches_the_browser(
    site: Site, visitor: Browser
) -> None:
    site.start("--no-seed")
    guest = visitor(site.url)
    match_id = table_against_a_bot(guest)
    lazy = SocketPlayer(site.url, match_id, guest.cookie_header, choose=None)

    def has_been_played_for(player: SocketPlayer) -> bool:
        line = (player.view.get("round") or {}).get("line", [])
        return any(placed["seat"] == player.view["me"] for placed in line)

    asyncio.run(asyncio.wait_for(lazy.play(until=has_been_played_for), 60))
    assert lazy.acks == []
    code, seconds = site.interrupt()
    assert code == 0, site.log
    assert seconds < 10
    assert "Traceback" not in site.log


def test_bots_play_though_nobody_looks(site: Site) -> None:
    """Only beat and the worker move them: no socket is open that could nudge."""
    site.manage("migrate", "--verbosity", "0")
    match_id = site.manage(
        "shell",
        "--no-imports",
        "-c",
        "from games.services import open_match\n"
        "print(open_match(rules={'preset': 'allfives', 'target': 50}, seats=2,\n"
        "    bots={0: 'easy', 1: 'easy'}, bot_delay_ms=40, break_seconds=0).pk)",
    ).split()[-1]
    site.start("--no-seed")
    code = f"from games.models import Match; print(Match.objects.get(pk={match_id!r}).status)"
    deadline = time.monotonic() + 120
    while "finished" not in site.manage("shell", "--no-imports", "-c", code):
        assert time.monotonic() < deadline
    assert site.interrupt()[0] == 0


def test_a_match_goes_on_after_kill_9_and_nothing_acknowledged_is_lost(
    site: Site, visitor: Browser
) -> None:
    site.start("--no-seed")
    guest = visitor(site.url)
    match_id = table_against_a_bot(guest, turn_seconds=60, target=60)
    player = SocketPlayer(site.url, match_id, guest.cookie_header)

    async def play_through_two_kills() -> None:
        playing = asyncio.create_task(player.play())
        for kills in (1, 2):
            while len(player.acks) < 2 * kills and not playing.done():
                await asyncio.sleep(0.02)
            site.kill()
            await asyncio.to_thread(site.start, "--no-seed")
        await asyncio.wait_for(playing, 150)

    asyncio.run(play_through_two_kills())
    assert player.over
    assert player.connections >= 3
    site.kill()
    assert lost_acknowledgements(site, match_id, player) == []
    assert "follow from their logs" in site.manage("verify", "--quiet")


def lost_acknowledgements(site: Site, match_id: str, player: SocketPlayer) -> list[str]:
    """The acknowledged messages that the log does not hold, once, at the acknowledged number."""
    logged = site.manage(
        "shell",
        "--no-imports",
        "-c",
        "from games.models import MatchEvent\n"
        f"for row in MatchEvent.objects.filter(match={match_id!r}).exclude(client_id=''):\n"
        "    print(row.client_id, row.seq)",
    )
    found = [tuple(line.split()) for line in logged.splitlines()]
    return [ack for ack, seq in player.acks if found.count((ack, str(seq))) != 1]
