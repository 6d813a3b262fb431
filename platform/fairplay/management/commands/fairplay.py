"""`manage.py fairplay`: what looks like foul play becomes cases for moderators."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from fairplay import trial, watching


class Command(BaseCommand):
    help = (
        "Runs the detectors over the rated matches of the last two months and opens cases for "
        "moderators; nobody is punished by it. Safe to run again: what is known stays as it is."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry", action="store_true", help="say what is found, open no case")
        parser.add_argument(
            "--trial", type=int, metavar="PEOPLE",
            help="try the detectors on so many made-up people instead, and a few who cheat",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        if options["trial"]:
            self._try(options["trial"])
        elif options["dry"]:
            for found in watching.findings(timezone.now()):
                self.stdout.write(f"{found.kind} {found.subject}: {found.facts}")
        else:
            self.stdout.write(f"New cases: {watching.look()}.")

    def _try(self, people: int) -> None:
        made = trial.with_cheaters(trial.honest(people, 50 * people, seed=1), max(1, people // 25))
        made.rate()
        self.stdout.write(f"{'':12}{'named':>7}{'of':>5}{'false alarms':>14}{'of':>6}")
        for kind, score in trial.scores(made).items():
            self.stdout.write(
                f"{kind:12}{score.named:>7}{score.cheaters:>5}{score.false_alarms:>14}{people:>6}"
            )
