"""`manage.py simulate`: a whole tournament, played."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from config.simulation import Plan, play_through_sockets, play_with_bots
from engine.errors import BadRules
from engine.rules import PRESETS
from games.models import Match
from tournaments.errors import TournamentError
from tournaments.formats import FORMATS, arena
from tournaments.models import Game, Tournament
from tournaments.selectors import standings


def _option(text: str) -> tuple[str, Any]:
    """``rounds=5`` as key and JSON value. Raises ValueError."""
    key, _, value = text.partition("=")
    return key, json.loads(value)


def _stage(text: str) -> dict[str, Any]:
    """``single_elimination:2@`` as a later stage: two of each group; without @, of all. How many
    is 8 if not said. Ties across the cut are drawn by lot. Raises ValueError.
    """
    format_id, _colon, count = text.partition(":")
    if format_id not in FORMATS:
        raise ValueError(format_id)
    stage: dict[str, Any] = {"format": format_id, "ties": "lot"}
    if count:
        stage |= {"take": int(count.rstrip("@")), "per_group": count.endswith("@")}
    return stage


def _timed(format_id: str, minutes: int | None) -> dict[str, int]:
    """The option that says how long an arena is, if that was said."""
    return {"minutes": minutes} if minutes is not None and format_id == arena.ID else {}


def _completed(
    format_id: str, stages: list[dict[str, Any]], minutes: int | None
) -> tuple[dict[str, Any], ...]:
    """The stages, with how many go on where that wasn't said, and how long arenas are."""
    before = [format_id, *(stage["format"] for stage in stages)]
    usual = {"groups": {"take": 2, "per_group": True}}
    return tuple(
        {
            **(usual.get(earlier, {}) if "take" not in stage else {}),
            **stage,
            "options": _timed(stage["format"], minutes),
        }
        for stage, earlier in zip(stages, before, strict=False)
    )


class Command(BaseCommand):
    help = "Bots play a whole tournament through the real services, and its places are printed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, default=16)
        parser.add_argument("--format", choices=sorted(FORMATS), default="single_elimination")
        parser.add_argument(
            "--option",
            metavar="KEY=VALUE",
            action="append",
            default=[],
            type=_option,
            help="a setting of the format, such as reset_final=false",
        )
        parser.add_argument(
            "--stage",
            metavar="FORMAT[:N[@]]",
            action="append",
            default=[],
            type=_stage,
            help="a stage after the others, of the best N of all or, with @, of each group;"
            " after groups the best 2 of each if not said, else the best 8",
        )
        parser.add_argument(
            "--pairs", action="store_true", help="fixed pairs: that many pairs of players"
        )
        parser.add_argument("--preset", choices=sorted(PRESETS), default="allfives")
        parser.add_argument("--target", type=int, help="points of a match; the preset's if absent")
        parser.add_argument("--minutes", type=int, help="of each arena, by a clock that runs fast")
        parser.add_argument("--best-of", type=int, choices=(1, 3), default=1)
        parser.add_argument(
            "--sockets",
            metavar="URL",
            help="play through WebSockets at the server running there, on this same database",
        )
        parser.add_argument("--no-progress", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        plan = Plan(
            players=options["players"],
            format=options["format"],
            preset=options["preset"],
            target=options["target"],
            best_of=options["best_of"],
            options=dict(options["option"]) | _timed(options["format"], options["minutes"]),
            later_stages=_completed(options["format"], options["stage"], options["minutes"]),
            pairs=options["pairs"],
        )
        if plan.pairs and options["sockets"]:
            raise CommandError("Pairs are simulated with bots only.")
        began = time.monotonic()
        with tqdm(unit=" pairings", disable=options["no_progress"] or None) as bar:

            def progress(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            try:
                if options["sockets"]:
                    tournament = play_through_sockets(plan, options["sockets"], progress)
                else:
                    tournament = play_with_bots(plan, progress)
            except (TournamentError, BadRules) as error:
                raise CommandError(str(error)) from error
        self._report(tournament, time.monotonic() - began)

    def _report(self, tournament: Tournament, seconds: float) -> None:
        played = Game.objects.filter(pairing__stage__tournament=tournament).values("match_id")
        moves = sum(Match.objects.filter(pk__in=played).values_list("seq", flat=True))
        for row in standings(tournament):
            self.stdout.write(f"{row.place or '-':>4}  {row.entrant.label}")
        self.stdout.write(
            f"{tournament.slug}: {len(played)} matches, {moves} events, {seconds:.1f} s"
        )
