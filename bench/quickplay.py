#!/usr/bin/env python
"""Pairing those who wait in a queue, as ratios: to a bare loop, and to opening the tables alone.

    .venv/bin/python bench/quickplay.py [--waiting 1000] [--times 5]

Everybody waits in one queue at once, each with a rating, a last opponent and a while behind them.
The bare loop sorts them by rating and seats neighbours. Through the database the floor is opening
as many tables, with the same people, in transactions of the same size: what quick play adds to it
is reading the seeks, locking them, pairing them again for each transaction, and closing them.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)  # not this folder: files in it are called as apps are

from bench.site import set_up
from quickplay.pairing import Waiting, pair

GOAL_SECONDS, MOST_TO_FLOOR = 1.0, 1.5
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


def seconds_of(work: Callable[..., object], *args: object, **given: object) -> float:
    began = time.perf_counter()
    work(*args, **given)
    return time.perf_counter() - began


def in_memory(count: int, times: int) -> float:
    """Prints what pairing takes; the worst time."""
    ours, floor = [], []
    for number in range(times):
        people = crowd(count, random.Random(number))
        ours.append(seconds_of(pair, people, seats=2))
        floor.append(seconds_of(bare, people))
    gaps = sorted(table.gap for table in pair(people, seats=2))
    print(
        f"{count} waiting: {1000 * statistics.median(ours):.1f} ms, {len(gaps)} tables, nine in "
        f"ten within {gaps[len(gaps) * 9 // 10]:.0f} points; "
        f"{statistics.median(ours) / statistics.median(floor):.1f} times the bare loop"
    )
    return max(ours)


def through_the_database(count: int) -> float:
    """Prints what opening the tables of everybody takes; its ratio to opening them alone."""
    from django.db import transaction
    from django.utils import timezone

    from games.services import open_match
    from players.models import Player
    from quickplay import selectors, services
    from quickplay.models import Seek
    from quickplay.queues import QUEUES

    queue, chance = QUEUES[QUEUE], random.Random(1)
    people = Player.objects.bulk_create(
        Player(handle=f"p{n}", name=f"P{n}", name_key=f"p{n}", password="!")
        for n in range(2 * count)
    )
    waiting, others = people[:count], people[count:]

    def alone(people: list[Player]) -> None:
        with transaction.atomic():
            for pair in zip(people[::2], people[1::2], strict=True):
                open_match(
                    rules=queue.rules, seats=2, players=pair, host=pair[0],
                    turn_seconds=queue.turn_seconds, bank_seconds=queue.bank_seconds,
                    context={"quick": queue.key}, sit_by=timezone.now() + services.SIT_WITHIN,
                )  # fmt: skip

    now = timezone.now()
    Seek.objects.bulk_create(
        Seek(
            player=player, queue=QUEUE, rated=True, unrated=False,
            rating=chance.gauss(1500, 130), deviation=90,
            created_at=now - 5 * selectors.PRESENT * chance.random(),
            seen_at=now + services.LAPSE,
        )
        for player in waiting
    )  # fmt: skip
    ours, floor = [], []
    for start in range(0, count, 2 * services.AT_ONCE):
        floor.append(seconds_of(alone, others[start : start + 2 * services.AT_ONCE]))
        ours.append(seconds_of(services.match_waiting, queue=QUEUE, rounds=1))
    ratio = statistics.median(ours) / statistics.median(floor)
    seated = Seek.objects.filter(closed_as="matched").count()
    print(
        f"{seated} of {count} seated in {sum(ours):.2f} s, {2 * services.AT_ONCE} at once in "
        f"{statistics.median(ours):.2f} s; {ratio:.2f} times opening the tables alone"
    )
    return ratio


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--waiting", type=int, default=1000)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        set_up(folder)
        worst, ratio = (
            in_memory(given.waiting, given.times),
            through_the_database(given.waiting),
        )
    reached = worst < GOAL_SECONDS and ratio <= MOST_TO_FLOOR
    print(
        f"goal: paired below {GOAL_SECONDS:g} s, seated in at most {MOST_TO_FLOOR:g} times: "
        f"{'reached' if reached else 'missed'}"
    )
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
