"""`manage.py verify_deal MATCH [ROUND]`: check deals against what was published of them.

Works on what everyone can see, the log and the record, and asks no master key.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import proof, selectors
from games.errors import GameError


class Command(BaseCommand):
    help = (
        "Recompute the deals of a match's finished rounds from the seeds that were revealed, and "
        "compare them with what was played. The exit status is 1 if any differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match", metavar="MATCH", help="the match's id")
        parser.add_argument("round", metavar="ROUND", nargs="?", type=int, help="one round only")

    def handle(self, *args: Any, **options: Any) -> None:
        match_id, wanted = options["match"], options["round"]
        try:
            events = selectors.events_since(match_id, None, 0)
            record = selectors.record_of(match_id)
        except GameError as error:
            raise CommandError(f"{match_id}: there is no such match") from error
        checked = {
            number: faults
            for number, faults in proof.check_deals(record, events).items()
            if wanted in (None, number)
        }
        if not checked:
            raise CommandError("no finished round to check")
        for number, faults in checked.items():
            self.stdout.write(f"round {number}: {'; '.join(faults) or 'the deal is as committed'}")
        if any(checked.values()):
            raise CommandError("a deal is not as it was committed", returncode=1)
