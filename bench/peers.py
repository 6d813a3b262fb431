"""The packages that ratings are measured against, told the same log with their own defaults.

    pip install openskill glicko2

glicko2 knows no sides: partners count by their mean there, and a table of three or four is one
update against all others, as it rates a period.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from math import exp, pi, sqrt
from typing import Any

from ratings.fold import Entry
from ratings.quality import Forecast

Teller = Callable[[Iterable[Entry]], Iterator[tuple[Entry, list[Forecast]]]]


def openskill(entries: Iterable[Entry]) -> Iterator[tuple[Entry, list[Forecast]]]:
    """Plackett and Luce's model; the chance of each pair is its own `predict_win`."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known: dict[int, Any] = {}
    for entry in entries:
        teams = [[known.get(p) or model.rating() for p in side] for side in entry.sides]
        yield entry, _forecasts(entry, teams, lambda *two: model.predict_win(list(two))[0])
        rated = model.rate(teams, ranks=list(entry.places))
        for side, team in zip(entry.sides, rated, strict=True):
            known.update(zip(side, team, strict=True))


def glicko2(entries: Iterable[Entry]) -> Iterator[tuple[Entry, list[Forecast]]]:
    """Glicko-2, each match a period of its own; the chance counts both deviations."""
    from glicko2 import Player

    known: dict[int, Any] = {}
    for entry in entries:
        players = [[known.setdefault(p, Player()) for p in side] for side in entry.sides]
        sides = [_mean(side) for side in players]
        yield entry, _forecasts(entry, sides, _chance)
        for i, side in enumerate(players):
            others = [j for j in range(len(sides)) if j != i]
            for player in side:
                player.update_player(
                    [sides[j][0] for j in others],
                    [sides[j][1] for j in others],
                    [_score(entry.places, i, j) for j in others],
                )


def _mean(side: Sequence[Any]) -> tuple[float, float]:
    size = len(side)
    deviation = sqrt(sum(player.rd**2 for player in side)) / size
    return sum(player.rating for player in side) / size, deviation


def _chance(one: tuple[float, float], two: tuple[float, float]) -> float:
    points = 400 / 2.302585092994046
    spread = (one[1] ** 2 + two[1] ** 2) / points**2
    return 1 / (1 + exp(-(one[0] - two[0]) / points / sqrt(1 + 3 * spread / pi**2)))


def _forecasts(
    entry: Entry, sides: Sequence[Any], chance: Callable[[Any, Any], float]
) -> list[Forecast]:
    return [
        Forecast(chance(sides[i], sides[j]), _score(entry.places, i, j))
        for i, j in combinations(range(len(sides)), 2)
    ]


def _score(places: Sequence[int], i: int, j: int) -> float:
    return 1.0 if places[i] < places[j] else 0.0 if places[i] > places[j] else 0.5
