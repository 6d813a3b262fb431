#!/usr/bin/env python
"""Pairing and seating those who wait in a queue, as ratios: to a bare loop, and to bare inserts.

    .venv/bin/python bench/quickplay.py [--waiting 1000] [--times 5] [--database URL]

Everybody waits in one queue at once, each with a rating, a last opponent and a while behind them.
The bare loop sorts them by rating and seats neighbours. Through the database the floor is writing
the rows of the same tables again, as many in a transaction, with nothing thought: what opening adds
is the checks and the engine, and what quick play adds is reading the seeks, locking them, pairing
them again for each transaction, and closing them.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)  # not this folder: files in it are called as apps are

from bench.bare import ratio_to_floor
from bench.site import scratch, set_up, timed
from quickplay.pairing import Waiting, pair

GOAL_SECONDS, MOST_TO_FLOOR = 1.0, 5.0
QUEUE = "allfives-100-normal"


def crowd(count: int, chance: random.Random) -> list[Waiting]:
    return [
        Waiting(
            key, (key,), chance.gauss(1500, 130), chance.choice((50.0, 90.0, 130.0)),
            waited=40 * chance.random(), avoid=frozenset({chance.randrange(count)}),
        )
        for key in range(count)
    ]  # fmt: skip


def bare(people: list[Waiting]) -> list[tuple[Waiting, Waiting]]:
    """Neighbours in rating, whatever else there is to them."""
    ordered = sorted(people, key=lambda each: (each.mean, each.key))
    return list(zip(ordered[::2], ordered[1::2], strict=False))


def in_memory(count: int, times: int) -> float:
    """Prints what pairing takes; the worst time."""
    ours, floor = [], []
    for number in range(times):
        people = crowd(count, random.Random(number))
        ours.append(timed(partial(pair, people, seats=2)))
        floor.append(timed(partial(bare, people)))
    gaps = sorted(table.gap for table in pair(people, seats=2))
    print(
        f"{count} waiting: {1000 * statistics.median(ours):.1f} ms, {len(gaps)} tables, nine in "
        f"ten within {gaps[len(gaps) * 9 // 10]:.0f} points; "
        f"{statistics.median(ours) / statistics.median(floor):.1f} times the bare loop"
    )
    return max(ours)


def through_the_database(count: int) -> float:
    """Prints what seating everybody takes; its ratio to the bare inserts."""
    from quickplay import services
    from quickplay.models import Seek

    wait(count)
    seconds = timed(lambda: services.match_waiting(queue=QUEUE))
    ratio = ratio_to_floor(seconds, services.AT_ONCE)
    seated = Seek.objects.filter(closed_as="matched").count()
    print(f"{seated} of {count} seated in {seconds:.2f} s, {ratio:.2f} times writing the same rows")
    return ratio


def wait(count: int) -> None:
    """So many people, all of them waiting."""
    from django.utils import timezone

    from players.models import Player
    from quickplay import selectors, services
    from quickplay.models import Seek

    now, chance = timezone.now(), random.Random(1)
    people = Player.objects.bulk_create(
        Player(handle=f"p{n}", name=f"P{n}", name_key=f"p{n}", password="!") for n in range(count)
    )
    Seek.objects.bulk_create(
        Seek(
            player=player, queue=QUEUE, rated=True, unrated=False,
            rating=chance.gauss(1500, 130), deviation=90,
            created_at=now - 5 * selectors.PRESENT * chance.random(),
            seen_at=now + services.LAPSE,
        )
        for player in people
    )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--waiting", type=int, default=1000)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--database", default="", help="a PostgreSQL server's (default: SQLite)")
    given = parser.parse_args()
    with scratch(given.database) as database, tempfile.TemporaryDirectory() as folder:
        set_up(folder, database)
        worst = in_memory(given.waiting, given.times)
        ratio = through_the_database(given.waiting)
    reached = worst < GOAL_SECONDS and ratio <= MOST_TO_FLOOR
    print(
        f"goal: paired below {GOAL_SECONDS:g} s, seated in at most {MOST_TO_FLOOR:g} times: "
        f"{'reached' if reached else 'missed'}"
    )
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
