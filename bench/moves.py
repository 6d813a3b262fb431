#!/usr/bin/env python
"""Durable moves a second through WebSockets, as a share of pgbench's one-row inserts.

Web processes as deployed, on PostgreSQL and Redis; people at many tables, two at each, in client
processes of their own (`table_clients.py`). First everyone connects and is shown the table; then
each sends a move as soon as it is in turn and the limit of ten frames a second allows. A move
counts when it is acknowledged, which is after its commit. The floor is measured in the same run,
before and after. With --pace, so many moves and as many pings a second are sent, evenly, and the
99th percentiles of their answers are compared.

    .venv/bin/python bench/moves.py [--tables 200] [--seconds 8] [--clients 2] [--webs 1] [--pace 0]
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)  # not this folder: files in it are called as apps are

from deploy.stack import Stack, free_port, scratch_database

PGBENCH = sorted(Path("/usr/lib/postgresql").glob("*/bin/pgbench"))


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
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "MUGGINS_MODE": "server",
        "DATABASE_URL": database,
        "REDIS_URL": redis,
        "SECRET_KEY": secrets.token_urlsafe(60),
        "MUGGINS_MASTER_KEY_FILE": str(key),
        "VAR_DIR": str(folder / "var"),
        "SITE_URL": f"http://127.0.0.1:{free_port()}",
        "ALLOWED_HOSTS": "127.0.0.1",
    }


def open_tables(count: int) -> list[tuple[str, str]]:
    """Two people at each of `count` tables that go on for ever: a match and a cookie for each."""
    from config.socket_player import signed_in_cookie
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
        players += [(match.id, signed_in_cookie(player)) for player in pair]
    return players


def play(
    players: list[tuple[str, str]], ports: list[int], pids: list[int], options: argparse.Namespace
) -> tuple[list[dict[str, Any]], float]:
    """What each client process counted, from when all of them were in, and the share of a
    processor that the web processes used meanwhile."""
    clients = []
    for number in range(options.clients):
        client = subprocess.Popen(
            [sys.executable, str(ROOT / "bench" / "table_clients.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        task = {
            "site": options.site,
            "connect": f"http://127.0.0.1:{ports[number % len(ports)]}",
            "players": players[number :: options.clients],
            "pace": options.pace / options.clients,
            "seconds": options.seconds,
        }
        assert client.stdin is not None
        client.stdin.write(json.dumps(task) + "\n")
        client.stdin.flush()
        clients.append(client)
    for client in clients:
        assert client.stdout is not None
        if client.stdout.readline() != "in\n":
            raise RuntimeError("a client could not connect")
    before, began = sum(map(cpu_seconds, pids)), time.perf_counter()
    counted = [json.loads(client.communicate()[0]) for client in _started(clients)]
    return counted, (sum(map(cpu_seconds, pids)) - before) / (time.perf_counter() - began)


def _started(clients: list[subprocess.Popen[str]]) -> list[subprocess.Popen[str]]:
    """All of them at once, before the first is waited for."""
    for client in clients:
        assert client.stdin is not None
        client.stdin.write("go\n")
        client.stdin.flush()
    return clients


def cpu_seconds(pid: int) -> float:
    """What a process has used of the processors so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentile(times: list[float], share: float) -> float:
    """In milliseconds; nothing was measured: not a number."""
    ordered = sorted(times)
    return 1000 * ordered[int(share * (len(ordered) - 1))] if ordered else float("nan")


def main() -> None:
    """Measures and prints the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--clients", type=int, default=2, help="client processes")
    parser.add_argument("--webs", type=int, default=1, help="web processes")
    parser.add_argument("--pace", type=float, default=0, help="moves a second; 0: all they can")
    options = parser.parse_args()
    admin = os.environ.get("DATABASE_URL", "postgresql://postgres@127.0.0.1:5432/postgres")
    redis = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/12")
    with tempfile.TemporaryDirectory() as name, scratch_database(admin) as database:
        folder = Path(name)
        environment = server_environment(database, redis, folder)
        os.environ.update(environment, DJANGO_SETTINGS_MODULE="config.settings")
        stack = Stack(environment, folder)
        try:
            measure(stack, database, options)
        finally:
            stack.stop()
            for web in stack.ports:
                sys.stderr.write(stack.log(web)[-2000:])


def measure(stack: Stack, database: str, options: argparse.Namespace) -> None:
    """One run: the floor, the moves, the floor again."""
    import django
    from django.conf import settings

    stack.run("sh", "deploy/run/release.sh")
    django.setup()
    site = str(settings.SITE_URL)
    port = urlsplit(site).port
    assert port is not None
    ports = [port, *(free_port() for _ in range(options.webs - 1))]
    for number, web_port in enumerate(ports):
        stack.start_web(f"web{number}", web_port)
    subprocess.run(
        ["psql", "-q", database, "-c", "create table floor (id bigserial primary key, body text)"],
        check=True,
    )
    players = open_tables(options.tables)
    print(f"load before: {' '.join(f'{load:.1f}' for load in os.getloadavg())}")
    inserts = [floor(database, max(2, options.seconds // 2), 50)]
    pids = [stack.processes[name].pid for name in stack.ports]
    options.site = site
    counted, used = play(players, ports, pids, options)
    inserts.append(floor(database, max(2, options.seconds // 2), 50))
    report(counted, statistics.mean(inserts), used, options)


def report(
    counted: list[dict[str, Any]], inserts: float, used: float, options: argparse.Namespace
) -> None:
    """Prints what was measured."""
    moves = sum(len(each["moves"]) / each["seconds"] for each in counted)
    acks = [time for each in counted for time in each["moves"]]
    pongs = [time for each in counted for time in each["pongs"]]
    shares = [f"{each['cpu']:.0%}" for each in counted]
    print(
        f"{options.tables} tables, {2 * options.tables} sockets, {options.webs} web process(es); "
        f"all in after {max(each['connecting'] for each in counted):.1f} s; "
        f"refused {sum(each['refused'] for each in counted)}, "
        f"lost sockets {sum(each['lost'] for each in counted)}; web processes used {used:.0%}, "
        f"clients {', '.join(shares)} of a processor"
    )
    print(
        f"durable moves through WebSockets: {moves:.0f}/s, "
        f"{1e6 * used / max(moves, 1):.0f} us of the web processes each"
    )
    print(f"pgbench, one-row insert and commit: {inserts:.0f}/s")
    print(f"ratio: {moves / inserts:.3f}")
    print(f"ack: p50 {percentile(acks, 0.5):.1f} ms, p99 {percentile(acks, 0.99):.1f} ms")
    if options.pace:
        ack, pong = percentile(acks, 0.99), percentile(pongs, 0.99)
        print(f"pong: p50 {percentile(pongs, 0.5):.1f} ms, p99 {pong:.1f} ms")
        print(f"p99 of an ack ÷ p99 of a pong: {ack / pong:.2f}")


if __name__ == "__main__":
    main()
