#!/usr/bin/env python
"""Durable moves a second through WebSockets, as a share of pgbench's one-row inserts.

One web process as deployed, on PostgreSQL and Redis; people (this process) play at many tables at
once, each sending a move as soon as it is in turn. A move counts when it is acknowledged, which is
after its commit. The floor is measured in the same run, before and after.

    .venv/bin/python bench/moves.py [--tables 50] [--seconds 8]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from deploy.stack import Stack, free_port, scratch_database

PGBENCH = sorted(Path("/usr/lib/postgresql").glob("*/bin/pgbench"))
WARM_UP_SECONDS = 2.0


def floor(database: str, seconds: int, clients: int) -> float:
    """pgbench's transactions a second: one row inserted and committed in each."""
    script = Path(tempfile.gettempdir()) / f"insert-{os.getpid()}.sql"
    script.write_text("insert into floor (body) values (repeat('x', 200));\n")
    command = [
        str(PGBENCH[-1]), "--no-vacuum", "--client", str(clients), "--jobs", "2",
        "--time", str(seconds), "--file", str(script), database,
    ]  # fmt: skip
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    script.unlink()
    [line] = [line for line in output.splitlines() if line.startswith("tps")]
    return float(line.split("=")[1].split()[0])


def server_environment(database: str, redis: str, folder: Path) -> dict[str, str]:
    """What a web process needs, with a site address of its own."""
    key = folder / "master.key"
    key.write_bytes(secrets.token_bytes(32))
    return {
        "MUGGINS_MODE": "server",
        "DATABASE_URL": database,
        "REDIS_URL": redis,
        "SECRET_KEY": secrets.token_urlsafe(60),
        "MUGGINS_MASTER_KEY_FILE": str(key),
        "VAR_DIR": str(folder / "var"),
        "SITE_URL": f"http://127.0.0.1:{free_port()}",
        "ALLOWED_HOSTS": "127.0.0.1",
    }


def open_tables(count: int, site: str) -> list[Any]:
    """Two people at each of `count` tables that go on for ever; their sockets' players."""
    from config.socket_player import SocketPlayer, signed_in_cookie
    from games.services import open_match
    from players.services import create_guest

    players = []
    for _ in range(count):
        pair = [create_guest(), create_guest()]
        match = open_match(
            rules={"preset": "allfives", "target": 10_000},
            seats=2,
            players=pair,
            turn_seconds=300,
            break_seconds=0,
        )
        players += [
            SocketPlayer(base_url=site, match_id=match.id, cookie=signed_in_cookie(player))
            for player in pair
        ]
    return players


async def play(players: list[Any], seconds: float) -> float:
    """Acknowledged moves a second, once everyone is warm."""
    stop = asyncio.Event()
    until: Callable[[Any], bool] = lambda _player: stop.is_set()  # noqa: E731
    tasks = [asyncio.create_task(player.play(until=until)) for player in players]
    await asyncio.sleep(WARM_UP_SECONDS)
    before, began = sum(len(player.acks) for player in players), time.perf_counter()
    await asyncio.sleep(seconds)
    after, ended = sum(len(player.acks) for player in players), time.perf_counter()
    stop.set()
    await asyncio.gather(*tasks)
    return (after - before) / (ended - began)


def main() -> None:
    """Measures and prints the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=int, default=8)
    arguments = parser.parse_args()
    admin = os.environ.get("DATABASE_URL", "postgresql://postgres@127.0.0.1:5432/postgres")
    redis = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/12")
    with tempfile.TemporaryDirectory() as name, scratch_database(admin) as database:
        folder = Path(name)
        environment = server_environment(database, redis, folder)
        os.environ.update(environment, DJANGO_SETTINGS_MODULE="config.settings")
        stack = Stack(environment, folder)
        try:
            moves, inserts = measure(stack, database, arguments.tables, arguments.seconds)
        finally:
            stack.stop()
    print(f"pgbench, one-row insert and commit: {inserts:.0f}/s")
    print(f"durable moves through WebSockets, {arguments.tables} tables: {moves:.0f}/s")
    print(f"ratio: {moves / inserts:.3f}")


def measure(stack: Stack, database: str, tables: int, seconds: int) -> tuple[float, float]:
    """Moves a second, and inserts a second (the mean of before and after)."""
    import django
    from django.conf import settings

    stack.run("sh", "deploy/run/release.sh")
    django.setup()
    site = str(settings.SITE_URL)
    port = urlsplit(site).port
    assert port is not None
    stack.start_web("web", port)
    subprocess.run(
        ["psql", "-q", database, "-c", "create table floor (id bigserial primary key, body text)"],
        check=True,
    )
    players = open_tables(tables, site)
    inserts = [floor(database, seconds // 2, 50)]
    moves = asyncio.run(play(players, seconds))
    inserts.append(floor(database, seconds // 2, 50))
    return moves, statistics.mean(inserts)


if __name__ == "__main__":
    main()
