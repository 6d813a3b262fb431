"""How good the ratings' predictions are, against a coin and against Elo. Pure.

Every pair of sides of a match is one forecast: the chance that the first beats the second, given
before the match from what was known then, and what came of it (1, ½ or 0).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum, inf, log, sqrt, tanh
from statistics import fmean, stdev

from ratings.fold import Entry, Meetings, fold
from ratings.glicko import State, aged, chance

ELO_START, ELO_K, ELO_SCALE = 1500.0, 16.0, 400.0
EDGE = 1e-6
"""No forecast is surer than this: a single surprise would cost an infinite log-loss."""


DEVIATIONS = (30, 50, 70, 90, 110, 130, 160, 200, 250, 350)
"""What a fit tries: RD of an unknown player, in points."""
ENOUGH = 0.0005
"""Less log-loss than this is no reason to change anything."""


@dataclass(frozen=True, slots=True)
class Forecast:
    chance: float
    score: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """How forecasts did. `log_loss` in nats (a coin: 0.6931) and `brier` (a coin: 0.25) are means.

    `slope` is the factor by which the forecasts' log-odds would have to be multiplied to fit best:
    1 is calibrated, less is too sure, more too timid; `error` is its standard error.
    """

    count: int
    log_loss: float
    brier: float
    slope: float
    error: float


@dataclass(frozen=True, slots=True)
class Bin:
    """Forecasts of about the same chance: their mean, and what share of the points came of them."""

    count: int
    chance: float
    score: float

    @property
    def error(self) -> float:
        """With 95 % what came is within this of what had to come."""
        return 1.96 * sqrt(self.chance * (1 - self.chance) / self.count)


def glicko_forecasts(
    entries: Iterable[Entry],
    states: MutableMapping[int, State],
    *,
    prior: float,
    meetings: Meetings | None = None,
) -> Iterator[tuple[Entry, list[Forecast]]]:
    """Each match with its forecasts by the rating rule; `states` and `meetings` as for `fold`."""
    meetings = meetings or Meetings()
    for entry in entries:
        day = entry.finished_at.toordinal()
        sides = [[aged(states[player], day, prior) for player in side] for side in entry.sides]
        yield (
            entry,
            [
                Forecast(chance(sides[i], sides[j], entry.target), _score(entry.places, i, j))
                for i, j in combinations(range(len(sides)), 2)
            ],
        )
        deque(fold([entry], states, prior=prior, meetings=meetings), maxlen=0)


def elo_forecasts(entries: Iterable[Entry]) -> Iterator[tuple[Entry, list[Forecast]]]:
    """The same by Elo with K 16: each pair of sides a game, partners by their mean."""
    ratings: dict[int, float] = {}
    for entry in entries:
        means = [
            fsum(ratings.get(player, ELO_START) for player in side) / len(side)
            for side in entry.sides
        ]
        forecasts, moves = [], [0.0] * len(means)
        for i, j in combinations(range(len(means)), 2):
            expected = 1 / (1 + 10 ** ((means[j] - means[i]) / ELO_SCALE))
            score = _score(entry.places, i, j)
            forecasts.append(Forecast(expected, score))
            step = ELO_K * (score - expected) / (len(means) - 1)
            moves[i] += step
            moves[j] -= step
        yield entry, forecasts
        for side, move in zip(entry.sides, moves, strict=True):
            for player in side:
                ratings[player] = ratings.get(player, ELO_START) + move


def judged(forecasts: Sequence[Forecast]) -> Verdict:
    """How they did. Raises ValueError for none.

    >>> coin = judged([Forecast(0.5, 1), Forecast(0.5, 0)])
    >>> round(coin.log_loss, 4), coin.brier
    (0.6931, 0.25)
    """
    if not forecasts:
        raise ValueError("There is nothing to judge.")
    safe = [(_inside(each.chance), each.score) for each in forecasts]
    squares = ((s - p) ** 2 for p, s in safe)
    slope, error = _slope([(log(p / (1 - p)), s) for p, s in safe])
    return Verdict(len(safe), fmean(map(_loss, forecasts)), fsum(squares) / len(safe), slope, error)


def bins_of(forecasts: Iterable[Forecast], count: int = 10) -> list[Bin]:
    """The forecasts by chance in `count` steps of equal width; empty ones left out.

    Each is seen from the favourite's side, so that the order of the sides says nothing.
    """
    found: dict[int, list[Forecast]] = {}
    for each in forecasts:
        turned = each if each.chance >= 0.5 else Forecast(1 - each.chance, 1 - each.score)
        step = min(count - 1, int((turned.chance - 0.5) * 2 * count))
        found.setdefault(step, []).append(turned)
    return [
        Bin(
            len(inside),
            fsum(each.chance for each in inside) / len(inside),
            fsum(each.score for each in inside) / len(inside),
        )
        for _step, inside in sorted(found.items())
    ]


@dataclass(frozen=True, slots=True)
class Fit:
    """The RD of an unknown player in use and the best of those tried, with their log-losses.

    `error` is the standard error of the difference, forecast by forecast.
    """

    in_use: float
    loss: float
    best: float
    best_loss: float
    error: float

    @property
    def gain(self) -> float:
        return self.loss - self.best_loss

    @property
    def is_sure(self) -> bool:
        """Whether a change is worth it, and more than luck."""
        return self.gain > max(ENOUGH, 2 * self.error)


def best_of(in_use: float, forecasts: Mapping[float, Sequence[Forecast]]) -> Fit:
    """The best of some widths by the forecasts that each gives of the same matches."""
    losses = {width: [_loss(each) for each in told] for width, told in forecasts.items()}
    best = min(losses, key=lambda width: fsum(losses[width]))
    gains = [a - b for a, b in zip(losses[in_use], losses[best], strict=True)]
    error = stdev(gains) / sqrt(len(gains)) if len(gains) > 1 else inf
    return Fit(in_use, fmean(losses[in_use]), best, fmean(losses[best]), error)


def _loss(forecast: Forecast) -> float:
    chance, score = _inside(forecast.chance), forecast.score
    return -(score * log(chance) + (1 - score) * log(1 - chance))


def _score(places: Sequence[int], i: int, j: int) -> float:
    return 1.0 if places[i] < places[j] else 0.0 if places[i] > places[j] else 0.5


def _inside(value: float) -> float:
    return min(max(value, EDGE), 1 - EDGE)


def _slope(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The best factor for the log-odds, by Newton's method, and its standard error.

    Forecasts that are all even say nothing about it: NaN, and an infinite error.
    """
    slope = 1.0
    for _step in range(50):
        chances = [(x, s, 0.5 + 0.5 * tanh(0.5 * slope * x)) for x, s in points]
        information = fsum(x * x * p * (1 - p) for x, _s, p in chances)
        if information < 1e-12:
            return float("nan"), inf
        step = fsum(x * (s - p) for x, s, p in chances) / information
        slope += min(max(step, -1.0), 1.0)
        if abs(step) < 1e-9:
            break
    return slope, 1 / sqrt(information)
