"""`manage.py rating_fit`: which width of an unknown player would have predicted best?"""

from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from ratings.pools import POOLS
from ratings.reports import fitted


class Command(BaseCommand):
    help = (
        "Tries widths (the RD of an unknown player) on a pool's log, proposes the one with the "
        "least log-loss, and says whether it is more than luck. It changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pool", choices=POOLS, help="one pool (default: all)")
        parser.add_argument("--weeks", type=int, default=26, help="judged by the last weeks (26)")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["weeks"] <= 520:
            raise CommandError("--weeks is a whole number from 1 to 520.")
        since = timezone.now() - dt.timedelta(weeks=options["weeks"])
        worth: list[str] = []
        found = False
        for pool in [options["pool"]] if options["pool"] else POOLS:
            fit = fitted(pool, since, partial(tqdm, desc=pool, leave=False, disable=None))
            if fit is None:
                continue
            found = True
            self.stdout.write(
                f"{pool}: RD {fit.in_use:g} gives {fit.loss:.4f}; best is RD {fit.best:g} with "
                f"{fit.best_loss:.4f}, less by {fit.gain:.4f} ± {2 * fit.error:.4f}."
            )
            if fit.is_sure:
                worth.append(f"{pool}={fit.best:g}")
        if worth:
            self.stdout.write(
                f"Worth a change: set RATING_WIDTHS={','.join(worth)} (and what it holds for other "
                "pools), start anew, and have these pools recomputed in the admin."
            )
        elif found:
            self.stdout.write("No change is worth it: the differences are small, or luck.")
        else:
            self.stdout.write(f"No rated match in the last {options['weeks']} weeks.")
