"""`manage.py verify`: does everything that is shown follow from the logs?"""

from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from tqdm import tqdm

import games.store
import outbox.selectors
import ratings.selectors
import tournaments.selectors
from games.models import Match
from outbox.services import drain
from ratings.recomputing import pools_waiting
from ratings.services import recompute_in_background
from tournaments.ladders import selectors as ladders
from tournaments.models import Ladder, Tournament

CLAIMED_FOR = dt.timedelta(seconds=10)


class Command(BaseCommand):
    help = (
        "Replays every match's log, recomputes every bracket and every rating, and names what "
        "differs; exits with 1 if anything does."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--quiet", action="store_true", help="no progress bar")

    def handle(self, *args: Any, **options: Any) -> None:
        count = 0
        for difference in differences(quiet=options["quiet"]):
            count += 1
            self.stdout.write(difference)
        if count:
            self.stdout.write(self.style.ERROR(f"{count} differences"))
            raise SystemExit(1)
        self.stdout.write(
            f"{Match.objects.count()} matches, {Tournament.objects.count()} tournaments and all "
            "ratings follow from their logs."
        )


def differences(*, quiet: bool = True) -> Iterator[str]:
    """One sentence for each stored value that its log does not lead to.

    News still on its way is delivered first: a site that was just killed may have some, and have
    claimed it for a few seconds more. Ratings that wait to be recomputed are.
    """
    drain(limit=10_000, now=timezone.now() + CLAIMED_FOR)
    for pool in pools_waiting():
        recompute_in_background(pool)
    matches = list(Match.objects.order_by("created_at", "id").values_list("id", flat=True))
    for match_id in tqdm(matches, desc="matches", disable=quiet or None, leave=False):
        yield from games.store.verify(match_id)
    for tournament_id in Tournament.objects.order_by("pk").values_list("pk", flat=True):
        yield from tournaments.selectors.verify(tournament_id)
    for ladder in Ladder.objects.order_by("pk"):
        yield from ladders.verify(ladder)
    yield from ratings.selectors.verify()
    yield from outbox.selectors.verify()
