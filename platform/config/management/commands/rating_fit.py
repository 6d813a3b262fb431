"""`manage.py rating_fit`: which width of an unknown player would have predicted best?"""

from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from ratings.fitting import proposed
from ratings.pools import POOLS
from ratings.reports import fits


class Command(BaseCommand):
    help = (
        "Fits the widths (the RD of an unknown player) of the pools together, by their logs, and "
        "says whether the change is more than luck. It changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pool", choices=POOLS, help="one pool (default: all)")
        parser.add_argument("--weeks", type=int, default=26, help="judged by the last weeks (26)")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["weeks"] <= 520:
            raise CommandError("--weeks is a whole number from 1 to 520.")
        since = timezone.now() - dt.timedelta(weeks=options["weeks"])
        pools = tqdm([options["pool"]] if options["pool"] else POOLS, leave=False, disable=None)
        found = fits(pools, since)
        for pool, fit in found.items():
            self.stdout.write(
                f"{pool}: RD {fit.in_use:g} gives {fit.loss:.4f}; best is RD {fit.best} with "
                f"{fit.best_loss:.4f}, less by {fit.gain:.4f} ± {2 * fit.error:.4f}."
            )
        if worth := proposed(found):
            widths = {**settings.RATING_WIDTHS, **worth}
            listed = ",".join(f"{pool}={width:g}" for pool, width in widths.items())
            self.stdout.write(
                f"Worth a change: set RATING_WIDTHS={listed}, start anew, and have "
                f"{', '.join(worth)} recomputed in the admin."
            )
        elif found:
            self.stdout.write("No change is worth it: the differences are small, or luck.")
        else:
            self.stdout.write(f"No rated match in the last {options['weeks']} weeks.")
