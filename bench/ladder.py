#!/usr/bin/env python
"""The ladder's pages with 100,000 ranked players: queries, and time as ratios to an empty page.

    .venv/bin/python bench/ladder.py [--players 100000] [--times 5] [--database URL]

Each page is read by somebody signed in who is ranked in the middle: first with nothing kept, then
as it is read within the seconds for which a long order is kept. With `--explain` the plans too.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parents[1])  # not this folder: see bench/events.py

from bench.corrections import POOL
from bench.site import scratch, seconds, set_up

PAGES = (
    f"/ladder?pool={POOL}",
    f"/ladder?pool={POOL}&page=1500",
    f"/ladder?pool={POOL}&name=player+77",
    f"/ladder?pool={POOL}&country=PE",
    f"/ladder?pool={POOL}&season=2",
    f"/ladder?pool={POOL}&season=2&division=3",
    f"/ladder?pool={POOL}&season=1&page=900",
    f"/ladder/seasons?pool={POOL}",
    f"/api/v1/ratings/{POOL}/?around=",  # and who reads it
)


def fill(count: int) -> None:
    """So many ranked players, in two seasons too, the first of which is closed."""
    from django.utils import timezone

    from players.models import Player
    from ratings import services
    from ratings.models import LadderSeason, Rating, SeasonRating

    chance, now = random.Random(1), timezone.now()
    people = Player.objects.bulk_create(
        (
            Player(
                handle=f"p{n}", name=f"Player {n}", name_key=f"player {n}", password="!",
                country=chance.choice(("PE", "HR", "TR", "")),
            )
            for n in range(count)
        ),
        batch_size=5000,
    )  # fmt: skip
    first = LadderSeason.objects.create(
        number=1, begins_on=now - timedelta(days=60), ends_on=now - timedelta(days=31)
    )
    second = LadderSeason.objects.create(
        number=2, begins_on=now - timedelta(days=30), ends_on=now + timedelta(days=60)
    )

    def known(player: Any) -> dict[str, Any]:
        day = now - timedelta(days=chance.random() * 30)
        return {
            "player": player, "pool": POOL, "mean": chance.gauss(0, 0.6), "matches": 40,
            "variance": chance.uniform(0.04, 0.14), "opponents": 12, "last_day": day.date(),
        }  # fmt: skip

    Rating.objects.bulk_create((Rating(**known(p), last_at=now) for p in people), batch_size=5000)
    for season in (first, second):
        rows = (SeasonRating(season=season, **known(player)) for player in people)
        SeasonRating.objects.bulk_create(rows, batch_size=5000)
    began = time.perf_counter()
    services.close_season(1)
    print(f"a season of {count} closed in {time.perf_counter() - began:.1f} s")


def measure(reader: str, times: int, explain: bool) -> None:
    from django.db import connection
    from django.test import Client

    from players.models import Player
    from ratings import ranking

    client = Client()
    client.force_login(Player.objects.get(handle=reader))
    floor = seconds(partial(client.get, "/about"), times * 3)
    print(f"{'':<44}{'queries':>8}{'first':>9}{'then':>9}{'÷ /about':>10}")
    for path in [each + reader if each.endswith("=") else each for each in PAGES]:
        ranking._kept.clear()
        made: list[tuple[str, Any]] = []

        def counted(execute: Any, sql: str, given: Any, *rest: Any, to: Any = made) -> Any:
            to.append((sql, given))
            return execute(sql, given, *rest)

        with connection.execute_wrapper(counted):
            first = seconds(partial(client.get, path), 1)
        then = seconds(partial(client.get, path), times)
        print(f"{path:<44}{len(made):8}{first * 1000:6.0f} ms{then * 1000:6.0f} ms"
              f"{then / floor:10.1f}")  # fmt: skip
        if explain:
            explained([each for each in made if "rating" in each[0]])


def explained(queries: list[tuple[str, Any]]) -> None:
    from django.db import connection

    word = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        for sql, given in queries:
            cursor.execute(f"{word} {sql}", given)
            plan = "; ".join(str(row[-1]).strip() for row in cursor.fetchall()[:6])
            print(f"    {sql[-90:]}\n        {plan}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--database", default="", help="a PostgreSQL server's (default: SQLite)")
    parser.add_argument("--explain", action="store_true")
    given = parser.parse_args()
    with scratch(given.database) as database, tempfile.TemporaryDirectory() as folder:
        set_up(folder, database)
        fill(given.players)
        measure(f"p{given.players // 2}", given.times, given.explain)
    return 0


if __name__ == "__main__":
    sys.exit(main())
