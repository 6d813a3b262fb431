"""How good the ratings' predictions are, against a coin and against Elo. Pure.

Every pair of sides of a match is one forecast: the chance that the first beats the second, given
before the match from what was known then, and what came of it (1, ½ or 0).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum, inf, log, sqrt, tanh
from statistics import fmean

from ratings.fold import Entry, Meetings, fold
from ratings.glicko import State, aged, chance

ELO_START, ELO_K, ELO_SCALE = 1500.0, 16.0, 400.0
EDGE = 1e-6
"""No forecast is surer than this: a single surprise would cost an infinite log-loss."""


@dataclass(frozen=True, slots=True)
class Forecast:
    chance: float
    score: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """How forecasts did. `log_loss` in nats (a coin: 0.6931) and `brier` (a coin: 0.25) are means.

    `slope` is the factor by which the forecasts' log-odds would have to be multiplied to fit best:
    1 is calibrated, less is too sure, more too timid; `error` is its standard error. The forecasts
    of one match hang together, and count for it as one.
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


def judged(matches: Iterable[Sequence[Forecast]]) -> Verdict:
    """How they did, match by match. Raises ValueError for none.

    >>> coin = judged([[Forecast(0.5, 1)], [Forecast(0.5, 0)]])
    >>> round(coin.log_loss, 4), coin.brier
    (0.6931, 0.25)
    """
    told = [each for each in matches if each]
    if not told:
        raise ValueError("There is nothing to judge.")
    losses = [loss_of(each) for match in told for each in match]
    squares = [(each.score - _inside(each.chance)) ** 2 for match in told for each in match]
    slope, error = _slope([[_point(each) for each in match] for match in told])
    return Verdict(len(losses), fmean(losses), fmean(squares), slope, error)


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


def loss_of(forecast: Forecast) -> float:
    """What a forecast costs in log-loss, in nats."""
    chance, score = _inside(forecast.chance), forecast.score
    return -(score * log(chance) + (1 - score) * log(1 - chance))


def _score(places: Sequence[int], i: int, j: int) -> float:
    return 1.0 if places[i] < places[j] else 0.0 if places[i] > places[j] else 0.5


def _inside(value: float) -> float:
    return min(max(value, EDGE), 1 - EDGE)


def _point(forecast: Forecast) -> tuple[float, float]:
    """The log-odds that were given, and what came."""
    chance = _inside(forecast.chance)
    return log(chance / (1 - chance)), forecast.score


def _slope(matches: Sequence[Sequence[tuple[float, float]]]) -> tuple[float, float]:
    """The best factor for the log-odds, by Newton's method, and its standard error: the sandwich,
    with the matches as its clusters.

    Forecasts that are all even say nothing about it: NaN, and an infinite error.
    """
    slope = 1.0
    for _step in range(50):
        given = [[(x, s, 0.5 + 0.5 * tanh(0.5 * slope * x)) for x, s in each] for each in matches]
        information = fsum(x * x * p * (1 - p) for each in given for x, _s, p in each)
        if information < 1e-12:
            return float("nan"), inf
        pulls = [fsum(x * (s - p) for x, s, p in each) for each in given]
        step = fsum(pulls) / information
        slope += min(max(step, -1.0), 1.0)
        if abs(step) < 1e-9:
            break
    return slope, sqrt(fsum(pull * pull for pull in pulls)) / information
