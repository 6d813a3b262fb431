"""How an event will go, as far as its settings say: rounds, matches, and about how long.

Pure. How many moves a point takes was counted over whole matches of bots at the usual targets;
people take a few seconds a move, and a round lasts as long as its slowest table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, comb, log2
from typing import Any, Final

from engine.rules import RuleSet, game_of
from tournaments import formats
from tournaments.formats import pod_bracket, pod_elimination

MOVES_A_POINT: Final = {"allfives": 0.5, "draw": 1.7, "block": 1.6}
DEALS_A_POINT: Final = 0.04
SECONDS_A_MOVE, SECONDS_AT_A_BOARD = 5, 8
SECONDS_TO_SHUFFLE, MINUTES_TO_SIT = 45, 2
FASTEST, SLOWEST = 0.8, 1.6
"""What a round takes of the usual time of a match: few tables and good luck; many, and bad."""

Shape = tuple[int, int]
"""Rounds one after another, and matches."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stage as it will be with so many `entrants`; it takes from `least` to `most` minutes.
    Of an arena nobody knows how many rounds and matches there are: 0.
    """

    format: str
    entrants: int
    rounds: int
    matches: int
    least: int
    most: int


def parts(settings: Mapping[str, Any], entrants: int) -> tuple[Part, ...]:
    """The stages of an event with so many entrants. `settings` are checked: format, options,
    best_of, rules, play, turn_seconds, break_seconds, round_minutes, later_stages.
    """
    first = {key: settings[key] for key in ("format", "options", "best_of", "rules")}
    found = [_part(settings, first, entrants)]
    before = first
    for stage in settings["later_stages"]:
        groups = before["options"].get("groups", 1) if stage["per_group"] else 1
        entrants = min(entrants, stage["take"] * groups)
        found.append(_part(settings, stage, entrants))
        before = stage
    return tuple(found)


def match_minutes(
    rules: Mapping[str, Any], *, turn_seconds: int, break_seconds: int, board: bool
) -> float:
    """How long a match usually takes, in minutes."""
    settled = RuleSet.parse(dict(rules), 4 if rules.get("partners") else 2)
    moves = settled.target * MOVES_A_POINT[game_of(settled.preset)]
    deals = settled.target * DEALS_A_POINT
    each = SECONDS_AT_A_BOARD if board else min(SECONDS_A_MOVE, turn_seconds)
    pause = SECONDS_TO_SHUFFLE if board else break_seconds
    return (moves * each + deals * pause) / 60


def _part(event: Mapping[str, Any], stage: Mapping[str, Any], entrants: int) -> Part:
    format_id = stage["format"]
    options = formats.settled(format_id, stage["options"])
    if "minutes" in options:
        return Part(format_id, entrants, 0, 0, options["minutes"], options["minutes"] + 10)
    rounds, matches = SHAPES.get(format_id, _by_halves)(entrants, options)
    usual = match_minutes(
        stage["rules"] or event["rules"],
        turn_seconds=stage.get("turn_seconds") or event["turn_seconds"],
        break_seconds=event["break_seconds"],
        board=event["play"] == "board",
    )
    usual *= usual_games(stage["best_of"])
    limit = stage.get("round_minutes")
    limit = event["round_minutes"] if limit is None else limit
    least, most = usual * FASTEST, usual * SLOWEST
    if limit:
        least, most = min(least, limit), min(most, limit + usual / 4)
    wait = MINUTES_TO_SIT
    return Part(
        format_id,
        entrants,
        rounds,
        matches,
        ceil(rounds * (least + wait)),
        ceil(rounds * (most + wait)),
    )


def usual_games(best_of: int) -> float:
    """How many games a best of that many takes where luck decides.

    >>> usual_games(1), usual_games(3), usual_games(5)
    (1.0, 2.5, 4.125)
    """
    needed = best_of // 2 + 1
    over_at = ((games, comb(games - 1, needed - 1)) for games in range(needed, best_of + 1))
    return sum(games * ways / float(2 ** (games - 1)) for games, ways in over_at)


def _by_halves(n: int, options: Mapping[str, Any]) -> Shape:
    return ceil(log2(max(n, 2))), n - 1 + bool(options.get("third_place"))


def _double(n: int, options: Mapping[str, Any]) -> Shape:
    winners = ceil(log2(max(n, 2)))
    return 2 * winners + bool(options.get("reset_final")), 2 * n - 2


def _everybody(n: int, options: Mapping[str, Any]) -> Shape:
    legs = options.get("legs", 1)
    return (n - 1 + n % 2) * legs, n * (n - 1) // 2 * legs


def _groups(n: int, options: Mapping[str, Any]) -> Shape:
    count = min(options["groups"], max(1, n // 2))
    small, larger = divmod(n, count)
    shapes = [_everybody(small + (at < larger), options) for at in range(count)]
    return max(rounds for rounds, _ in shapes), sum(matches for _, matches in shapes)


def _in_rounds(seats: int) -> Callable[[int, Mapping[str, Any]], Shape]:
    def shape(n: int, options: Mapping[str, Any]) -> Shape:
        tables = -(-n // seats) if seats == 4 and "meeting" in options else n // seats
        return options["rounds"], options["rounds"] * tables

    return shape


def _by_tables(n: int, options: Mapping[str, Any]) -> Shape:
    rounds = pod_bracket.course(max(n, pod_elimination.MIN_SIZE), options["advance"], "bye")
    return len(rounds), sum(map(len, rounds))


SHAPES: Final[Mapping[str, Callable[[int, Mapping[str, Any]], Shape]]] = {
    "single_elimination": _by_halves,
    "double_elimination": _double,
    "round_robin": _everybody,
    "groups": _groups,
    "swiss": _in_rounds(2),
    "pods": _in_rounds(4),
    "rotating": _in_rounds(4),
    "pod_elimination": _by_tables,
}
