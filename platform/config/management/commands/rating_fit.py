"""`manage.py rating_fit`: which prior width and drift would have predicted best?"""

from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from ratings.pools import POOLS
from ratings.reports import fitted

ENOUGH = 0.0005


class Command(BaseCommand):
    help = (
        "Tries prior widths (RD of an unknown player) and drifts on a pool's log and proposes the "
        "pair with the least log-loss. It changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pool", choices=POOLS, help="one pool (default: all)")
        parser.add_argument("--weeks", type=int, default=26, help="judged by the last weeks (26)")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["weeks"] <= 520:
            raise CommandError("--weeks is a whole number from 1 to 520.")
        since = timezone.now() - dt.timedelta(weeks=options["weeks"])
        for pool in [options["pool"]] if options["pool"] else POOLS:
            found = fitted(pool, since, lambda pairs: tqdm(pairs, leave=False, disable=None))
            if found is None:
                continue
            now, best = found
            self.stdout.write(
                f"{pool}: RD {now.deviation:.0f} and {now.weekly:g} points a week give "
                f"{now.log_loss:.4f}; best is RD {best.deviation:g} and {best.weekly:g} points a "
                f"week with {best.log_loss:.4f}."
            )
            gain = now.log_loss - best.log_loss
            self.stdout.write(
                "  Worth a change."
                if gain > ENOUGH
                else f"  No change is worth it: the difference is under {ENOUGH}."
            )
