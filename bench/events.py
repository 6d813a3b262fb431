#!/usr/bin/env python
"""An event's pages and commands by the size of its field, as ratios to an empty page of that site.

    .venv/bin/python bench/events.py [--entrants 1000] [--rounds 5] [--times 3] [--database URL]

A Swiss over the board, its rounds drawn by the site's own services, its results by lot. A page is
read as a visitor reads it; the floor is a view that answers with the same bytes, through the same
middleware. Entering one result is the service's own work, the event's lock included. The tables of
a round that is played live are opened as the event's tick opens them; the floor is writing their
rows again, with nothing thought.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)  # not this folder: files in it are called as apps are

from bench.bare import ratio_to_floor
from bench.site import scratch, seconds, set_up, timed

PAGES = ("", "/pairings", "/standings", "/entrants", "/info", "/screen")


def begun(count: int, rounds: int) -> Any:
    """The event with so many guests in it, its first round drawn."""
    from config.simulation import organiser
    from players.models import Player
    from tournaments import services
    from tournaments.models import Entrant, Tournament

    by = organiser()
    event = services.create(
        organiser=by,
        name="Bench",
        rules={"preset": "allfives"},
        format="swiss",
        options={"rounds": rounds},
        play="board",
        capacity=count,
    )
    services.open_registration(tournament_id=event.pk, by=by)
    guests = Player.objects.bulk_create(
        Player(handle=f"bench-{n}", name=f"Guest {n}", is_guest=True, password="!")
        for n in range(count)
    )
    Entrant.objects.bulk_create(Entrant(tournament=event, player=player) for player in guests)
    Tournament.objects.filter(pk=event.pk).update(taken=count)
    services.start(tournament_id=event.pk, by=by)
    services.draw_due(tournament_id=event.pk)
    event.refresh_from_db()
    return event


def decide(event: Any, chance: random.Random, leave: int = 0) -> None:
    """Results by lot for all open pairings but the last few, written as the services write them."""
    from tournaments.models import Pairing, Result

    open_pairings = Pairing.objects.filter(stage__tournament=event).exclude(status="decided")
    found = list(open_pairings.prefetch_related("slots").order_by("number"))
    results = []
    for pairing in found[: len(found) - leave]:
        slots = sorted(pairing.slots.all(), key=lambda slot: slot.index)
        won = chance.randrange(2)
        lost = 5 * chance.randrange(29)
        scores = [150, lost] if won == 0 else [lost, 150]
        results.append(
            Result(
                pairing=pairing,
                version=1,
                outcome="played",
                winner_id=slots[won].entrant_id,
                games=[1 - won, won],
                scores=scores,
                by=event.organiser,
            )
        )
    Result.objects.bulk_create(results, batch_size=500)
    done = [result.pairing_id for result in results]
    for at in range(0, len(done), 500):
        Pairing.objects.filter(pk__in=done[at : at + 500]).update(status="decided")


def enter_one(event: Any) -> None:
    """One result by the service."""
    from tournaments import services
    from tournaments.models import Pairing

    pairing = Pairing.objects.filter(stage__tournament=event).exclude(status="decided").first()
    assert pairing is not None
    winner = pairing.slots.order_by("index")[0].entrant_id
    services.report_result(
        pairing_id=pairing.pk, by=event.organiser, outcome="played", winner=winner, scores=[150, 90]
    )


def pages(event: Any, times: int) -> None:
    """Every section: queries, the first reading, later readings, and later ones ÷ floor."""
    from django.db import connection
    from django.http import HttpResponse
    from django.test import Client, override_settings
    from django.urls import path

    body, queries = b"", 0

    def empty(_request: Any) -> HttpResponse:
        return HttpResponse(body)

    def counted(execute: Any, *given: Any) -> Any:
        nonlocal queries
        queries += 1
        return execute(*given)

    urls = type("Urls", (), {"urlpatterns": [path("empty", empty)]})
    client = Client()
    for suffix in PAGES:
        url, queries = f"/tournaments/{event.slug}{suffix}", 0
        began = time.process_time()
        with connection.execute_wrapper(counted):
            body = client.get(url).content
        first = time.process_time() - began
        again = seconds(partial(client.get, url), times)
        with override_settings(ROOT_URLCONF=urls):
            floor = seconds(partial(client.get, "/empty"), times * 5)
        print(
            f"{suffix or '/':<12} {queries:3} queries {first * 1000:7.0f} ms first"
            f" {again * 1000:7.0f} ms then, {again / floor:6.1f} times the floor,"
            f" {len(body) // 1000} kB"
        )


def live_round(count: int) -> None:
    """The tables of a first round, all of them opened at once: seconds, and those ÷ floor."""
    from games.models import Match
    from tournaments.models import Round, Tournament
    from tournaments.services import tables

    event = begun(count, 1)
    Tournament.objects.filter(pk=event.pk).update(play="live")
    Round.objects.filter(stage__tournament=event).update(status=Round.Status.STARTED)
    took = timed(lambda: tables.open_ready(event.pk, limit=count))
    opened = Match.objects.count()
    ratio = ratio_to_floor(took, tables.TOGETHER)
    print(f"{opened} tables of a round opened in {took:.2f} s, {ratio:.1f} times the same rows")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entrants", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--database", default="", help="a PostgreSQL server's (default: SQLite)")
    given = parser.parse_args()
    with scratch(given.database) as database, tempfile.TemporaryDirectory() as folder:
        set_up(folder, database)
        from tournaments import services

        chance = random.Random(1)
        began = time.process_time()
        event = begun(given.entrants, given.rounds)
        print(f"{given.entrants} entrants: started in {time.process_time() - began:.2f} s")
        for number in range(1, given.rounds):
            decide(event, chance)
            began = time.process_time()
            services.draw_due(tournament_id=event.pk)
            print(f"round {number + 1} drawn in {time.process_time() - began:.2f} s")
        decide(event, chance, leave=given.times + 2)
        print(f"one result: {seconds(lambda: enter_one(event), given.times) * 1000:.0f} ms")
        pages(event, given.times)
        live_round(given.entrants)
    return 0


if __name__ == "__main__":
    sys.exit(main())
