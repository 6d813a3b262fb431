"""`manage.py rating_report`: do the ratings predict what happens?"""

from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template.loader import render_to_string
from django.utils import timezone

from ratings.pools import POOLS, title_of
from ratings.quality import Verdict
from ratings.reports import Report, report

SIZE = 300


class Command(BaseCommand):
    help = (
        "Per pool: log-loss, Brier score and calibration slope of the forecasts over the last "
        "weeks, against Elo with K 16 and a coin. A slope of 1 is calibrated, less is too sure."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pool", choices=POOLS, help="one pool (default: all)")
        parser.add_argument("--weeks", type=int, default=8)
        parser.add_argument("--plot", type=Path, help="write the calibration plots to this SVG")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["weeks"] <= 520:
            raise CommandError("--weeks is a whole number from 1 to 520.")
        since = timezone.now() - dt.timedelta(weeks=options["weeks"])
        pools = [options["pool"]] if options["pool"] else list(POOLS)
        found = [each for each in (report(pool, since) for pool in pools) if each is not None]
        if not found:
            self.stdout.write(f"No rated match in the last {options['weeks']} weeks.")
            return
        self.stdout.write(f"{'':16}{'forecasts':>10}{'log-loss':>10}{'Brier':>9}{'slope':>8}  ±")
        for each in found:
            self.stdout.write(f"{each.pool}: {each.matches} matches")
            self._line("  ratings", each.glicko)
            self._line("  Elo, K 16", each.elo)
            self.stdout.write(f"{'  coin':16}{each.glicko.count:>10}{0.6931:>10.4f}{0.25:>9.4f}")
        if options["plot"]:
            options["plot"].write_text(plot(found), encoding="utf-8")
            self.stdout.write(f"The plots are in {options['plot']}.")

    def _line(self, name: str, verdict: Verdict) -> None:
        self.stdout.write(
            f"{name:16}{verdict.count:>10}{verdict.log_loss:>10.4f}{verdict.brier:>9.4f}"
            f"{verdict.slope:>8.2f}  {verdict.error:.2f}"
        )


def plot(reports: list[Report]) -> str:
    """A picture a pool: what was forecast of favourites, from 50 to 100 %, and what came of it.

    The area of a dot is the number of forecasts. Dots on the line are calibrated; one whose bar
    crosses it may be off by luck.
    """
    panels = [
        {
            "title": title_of(each.pool),
            "y": index * (SIZE + 90),
            "dots": [
                {
                    "x": round((dot.chance - 0.5) * 2 * SIZE, 1),
                    "y": round(SIZE * (1 - dot.score), 1),
                    "r": round(2 + 14 * (dot.count / each.glicko.count) ** 0.5, 1),
                    "high": round(SIZE * (1 - min(1.0, dot.score + dot.error)), 1),
                    "low": round(SIZE * (1 - max(0.0, dot.score - dot.error)), 1),
                    "text": f"{dot.chance:.0%} forecast, {dot.score:.0%} came, {dot.count} times",
                }
                for dot in each.bins
            ],
        }
        for index, each in enumerate(reports)
    ]
    height = len(reports) * (SIZE + 90)
    return render_to_string(
        "reports/calibration.svg", {"panels": panels, "size": SIZE, "height": height}
    )
