"""`manage.py replay FILE…`: replay game records through the engine (rules.md 9)."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from io import TextIOWrapper
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.record import records, replay_line


class Command(BaseCommand):
    help = (
        "Replay game records (domino-record/1) and print one JSON line for each. "
        "The exit status is 1 if any record was bad."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a file, or - for stdin")

    def handle(self, *args: Any, **options: Any) -> None:
        bad = 0
        for path in options["files"]:
            for record in records(_lines(path)):
                answer = replay_line(record)
                bad += "error" in answer
                self.stdout.write(json.dumps(answer, allow_nan=False))
        if bad:
            raise CommandError(f"bad records: {bad}", returncode=1)


def _lines(path: str) -> Iterator[str]:
    if path == "-":
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
        yield from sys.stdin
        return
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            yield from file
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
