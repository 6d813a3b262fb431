#!/usr/bin/env python
"""A corrected result deep in a large pool: how long until it is live, and who waits meanwhile.

    .venv/bin/python bench/corrections.py [--matches 100000] [--players 2000] [--database URL]
                                          [--redis URL] [--deep 0.0] [--apart]

A pool of that many matches over eight months; one of them, `--deep` of the way through the log (0
is the first: the worst case), is annulled and worked out in the background: in a thread of the
process that answers, as `make run` does it, or with `--apart` in a process of its own, as a worker
does. Meanwhile pages are read and another pool is written to, one after another; each is told as a
ratio to the same before. It takes some minutes, and so is no part of `make bench`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)  # not this folder: files in it are called as apps are

from bench.site import scratch, set_up, timed

POOL, OTHER = "allfives-1v1", "draw-1v1"
DAYS = 240


def fill(matches: int, players: int) -> list[int]:
    """The pool, rated, with its months' snapshots; the players' ids."""
    from players.models import Player
    from ratings import services
    from ratings.models import RatedMatch

    chance = random.Random(1)
    people = Player.objects.bulk_create(
        Player(handle=f"p{n}", name=f"Player {n}", name_key=f"player {n}", password="!")
        for n in range(players)
    )
    ids = [player.pk for player in people]
    strength = {pk: chance.gauss(0, 0.6) for pk in ids}
    begin = datetime.now(UTC) - timedelta(days=DAYS, hours=1)
    rows = []
    for n in range(matches):
        one, two = chance.sample(ids, 2)
        ahead = chance.gauss(strength[one] - strength[two], 1) > 0
        rows.append(
            RatedMatch(
                match_id=f"m{n:07}",
                pool=POOL,
                finished_at=begin + timedelta(days=DAYS * n / matches),
                target=150,
                sides=[[one], [two]],
                places=[1, 2] if ahead else [2, 1],
            )
        )
    RatedMatch.objects.bulk_create(rows, batch_size=5000)
    services.open_season()
    services.ask_to_recompute(pool=POOL)
    services.recompute_in_background(POOL)
    while services.take_snapshot(POOL) is not None:
        pass
    return ids


def other_match(number: int, ids: list[int]) -> None:
    """What somebody else writes meanwhile: a match of another pool, rated."""
    from ratings import services
    from ratings.fold import Entry

    one, two = random.sample(ids, 2)
    entry = Entry(f"o{number:07}", datetime.now(UTC), 100, ((one,), (two,)), (1, 2))
    services.enter(OTHER, entry)


def work_off(ready: Any, asked: Any) -> None:
    """Works off the correction once there is one; a process of its own has our surroundings."""
    import django

    django.setup()
    from django.db import connection

    from ratings import services

    ready.set()
    asked.wait()
    began = time.thread_time()
    try:
        services.recompute_in_background(POOL)
    finally:
        connection.close()
    print(f"of it, computing: {time.thread_time() - began:.1f} s", flush=True)


class Visits:
    """Pages and writes, one after another, each timed."""

    def __init__(self, ids: list[int]) -> None:
        from django.test import Client

        client, self.count = Client(), 0
        self.acts: dict[str, Callable[[], Any]] = {
            "/": lambda: client.get("/"),
            "/ladder": lambda: client.get("/ladder"),
            "/ladder, page 20": lambda: client.get("/ladder?page=20"),
            "/@p7": lambda: client.get("/@p7"),
            "a match of another pool": lambda: other_match(self.count, ids),
        }

    def once(self, spent: dict[str, list[float]]) -> None:
        for name, act in self.acts.items():
            self.count += 1
            spent.setdefault(name, []).append(timed(act))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=2_000)
    parser.add_argument("--database", default="", help="a PostgreSQL server's (default: SQLite)")
    parser.add_argument("--redis", default="", help="what tells processes of news")
    parser.add_argument("--deep", type=float, default=0.0, help="where in the log, 0 to 1")
    parser.add_argument("--apart", action="store_true", help="by a process of its own")
    given = parser.parse_args()
    with scratch(given.database) as database, tempfile.TemporaryDirectory() as folder:
        set_up(folder, database, given.redis)
        began = time.perf_counter()
        ids = fill(given.matches, given.players)
        took = time.perf_counter() - began
        print(f"{given.matches} matches of {given.players} people rated in {took:.1f} s")
        measure(ids, f"m{int(given.deep * (given.matches - 1)):07}", given.apart)
    return 0


def measure(ids: list[int], match_id: str, by_process: bool) -> None:
    from ratings import services
    from ratings.models import RatingChange

    visits, quiet, busy = Visits(ids), dict[str, list[float]](), dict[str, list[float]]()
    for _ in range(20):
        visits.once(quiet)
    apart: Any = multiprocessing.get_context("spawn")
    events, make = (apart, apart.Process) if by_process else (threading, threading.Thread)
    ready, asked = events.Event(), events.Event()
    worker = make(target=work_off, args=(ready, asked))
    worker.start()
    ready.wait()
    began = time.perf_counter()
    print(f"the correction itself: {timed(lambda: services.annul(match_id=match_id)):.2f} s")
    asked.set()
    while worker.is_alive():
        visits.once(busy)
    worker.join()
    live = time.perf_counter() - began
    assert not RatingChange.objects.filter(match_id=match_id).exists()
    print(f"live after {live:.1f} s (a minute is what is asked for)")
    print(f"{'':<26}{'quiet':>9}{'busy':>9}{'ratio':>7}{'longest':>10}")
    for name, spent in busy.items():
        usual, now = statistics.median(quiet[name]), statistics.median(spent)
        print(
            f"{name:<26}{usual * 1000:6.0f} ms{now * 1000:6.0f} ms{now / usual:7.1f}"
            f"{max(spent) * 1000:7.0f} ms"
        )


if __name__ == "__main__":
    sys.exit(main())
