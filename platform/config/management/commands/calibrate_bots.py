"""`manage.py calibrate_bots`: how strong are the bots, on the ladder's scale?"""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from ratings.calibrating import calibrate
from ratings.pools import POOLS

MOST = 100_000


class Command(BaseCommand):
    help = (
        "Lets bots of all strengths play each other, looks at what they did against people, and "
        "keeps how strong each is in each pool. Bots are never rated nor on the ladder: this is "
        "what pages show of them. Doing it again changes nothing but what people have added."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pool", choices=POOLS, help="one pool (default: all)")
        parser.add_argument(
            "--matches", type=int, default=60, help="of each two strengths in each pool (60)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        matches = options["matches"]
        if not 0 <= matches <= MOST:
            raise CommandError(f"--matches is a whole number from 0 to {MOST}.")
        for pool in [options["pool"]] if options["pool"] else POOLS:
            rows = calibrate(pool, matches, partial(tqdm, desc=pool, leave=False, disable=None))
            found = ", ".join(
                f"{row.level} {row.state.rating:.0f} ({row.state.deviation:.0f})" for row in rows
            )
            self.stdout.write(
                f"{pool}: {found}; {rows[0].matches} matches of bots, "
                f"{rows[0].with_people} with people."
            )
