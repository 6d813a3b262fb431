"""The rating formula: Glicko with a fixed drift, for matches of any number of sides.

Source: M. E. Glickman, "Parameter estimation in large dynamic paired comparison experiments",
Applied Statistics 48 (1999), with its update made after every match, its comparison of two used
for every pair of sides at a table of three or four, and partners taken as the mean of two persons.

Everything here is on the logit scale: a mean of 0 is shown as 1500, and a difference of 1 as
173.7178 points. Pure: no clock, no database.

States and changes are named tuples, as a replay makes four of them a match: a frozen dataclass
takes more than twice as long to make.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, pi, sqrt, tanh
from typing import NamedTuple

CENTRE = 1500.0
POINTS = 173.7178
"""Points of the shown rating for one unit of the logit scale (400 / ln 10)."""

DRIFT = (5 / POINTS) ** 2 / 7
"""Variance that a day adds: 5 points of standard deviation in a week."""

PLACES = 9
"""Means and variances are rounded to this many decimals before anyone stores them."""

_THREE_OVER_PI_SQUARED = 3 / pi**2


class State(NamedTuple):
    """What is known of a player in a pool: mean and variance on the logit scale.

    `day` is the ordinal of the day of the last rated match, None before the first.

    >>> State.shown(1600, 50).rating
    1600.0
    """

    mean: float
    variance: float
    day: int | None = None
    matches: int = 0

    @classmethod
    def shown(cls, rating: float, deviation: float, day: int | None = None) -> State:
        """The state that is shown as `rating` with `deviation` (both in points)."""
        return cls((rating - CENTRE) / POINTS, (deviation / POINTS) ** 2, day)

    @property
    def rating(self) -> float:
        return CENTRE + POINTS * self.mean

    @property
    def deviation(self) -> float:
        """The standard deviation in points (RD)."""
        return POINTS * sqrt(self.variance)


class Change(NamedTuple):
    """A player's state before a match and after it.

    `variance` is what the state's own had grown to by the day of the match. `expected` is the
    share of the other sides that the player's side was expected to beat: with two sides, its
    chance to win.
    """

    before: State
    variance: float
    after: State
    expected: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """A player's side against one other side.

    `rest` is the variance of both sides' means less the player's own share; `score` is 1, 1/2 or
    0; `share` is 1 / size of the player's side.
    """

    ours: float
    theirs: float
    rest: float
    score: float
    weight: float = 1.0
    scale: float = 1.0
    share: float = 1.0


def points_of(mean: float) -> int:
    """The rating that people read, in whole points.

    >>> points_of(0.5)
    1587
    """
    return round(CENTRE + POINTS * mean)


def variance_of(deviation: float) -> float:
    """The variance on the logit scale of a deviation in points."""
    return (deviation / POINTS) ** 2


def scale_of(target: int) -> float:
    """How much a match to `target` tells, compared with one to 100 (lambda).

    >>> scale_of(100), scale_of(1), scale_of(100_000)
    (1.0, 0.25, 2.0)
    """
    return min(max(sqrt(target / 100), 0.25), 2.0)


def aged(state: State, day: int, prior: float) -> State:
    """The state on `day`: what is known fades with time, never beyond the `prior` variance."""
    return State(state.mean, _aged(state, day, prior), state.day, state.matches)


def chance(ours: Sequence[State], theirs: Sequence[State], target: int) -> float:
    """The chance that one side beats another in a match to `target`, both uncertainties counted.

    >>> round(chance([State.shown(1600, 50)], [State.shown(1500, 130)], 150), 3)
    0.65
    """
    mean, variance = _side(ours)
    other_mean, other_variance = _side(theirs)
    return 0.5 + _lead(mean - other_mean, variance + other_variance, scale_of(target))


def update(state: State, comparisons: Sequence[Comparison]) -> tuple[float, float]:
    """The mean and variance after the comparisons of one match, rounded as they are stored."""
    terms = [
        _term(each.ours - each.theirs, each.rest, each.score, each.weight, each.scale, each.share)
        for each in comparisons
    ]
    return _settled(state.mean, state.variance, terms)


def rate(
    sides: Sequence[Sequence[State]],
    places: Sequence[int],
    *,
    target: int,
    day: int,
    prior: float,
    damping: Sequence[float] | None = None,
) -> tuple[tuple[Change, ...], ...]:
    """Every player's change by one match, side by side in the order given.

    `places` are 1-based and may be shared; `prior` is the variance of an unknown player; `damping`
    holds a factor for each pair of sides, in the order (0,1), (0,2), …, (1,2), ….
    Raises ValueError for fewer than two sides, an empty side, or lists that don't match.

    >>> fresh = State(0.0, variance_of(130))
    >>> (won,), (lost,) = rate([[fresh], [fresh]], [1, 2], target=100, day=0, prior=fresh.variance)
    >>> round(won.after.rating, 4), round(lost.after.rating, 4), round(won.after.deviation, 4)
    (1540.1606, 1459.8394, 122.8583)
    """
    factors = _factors(sides, places, damping)
    now = [[aged(state, day, prior) for state in side] for side in sides]
    summary = [_side(side) for side in now]
    scale = scale_of(target)
    return tuple(
        tuple(
            _change(i, before, state, 1 / len(side), summary, places, factors[i], scale, day)
            for before, state in zip(sides[i], side, strict=True)
        )
        for i, side in enumerate(now)
    )


def pair_index(i: int, j: int, count: int) -> int:
    """Where the pair of sides i < j stands in a list of all pairs of `count` sides.

    >>> [pair_index(*pair, 4) for pair in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))]
    [0, 1, 2, 3, 4, 5]
    """
    return i * (2 * count - i - 1) // 2 + j - i - 1


def _factors(
    sides: Sequence[Sequence[State]], places: Sequence[int], damping: Sequence[float] | None
) -> list[list[float]]:
    """The weight of each side against each other: 2 / number of sides, times the damping."""
    count = len(sides)
    if count < 2 or not all(sides):
        raise ValueError("A match has two sides or more, and no empty side.")
    if len(places) != count:
        raise ValueError(f"{count} sides need {count} places, not {len(places)}.")
    if damping is None:
        return [[2 / count] * count for _ in range(count)]
    if len(damping) != count * (count - 1) // 2:
        raise ValueError(f"{count} sides have {count * (count - 1) // 2} pairs to damp.")
    return [
        [
            0.0 if i == j else 2 / count * damping[pair_index(min(i, j), max(i, j), count)]
            for j in range(count)
        ]
        for i in range(count)
    ]


def duel(
    one: State,
    two: State,
    places: Sequence[int],
    weight: float,
    *,
    target: int,
    day: int,
    prior: float,
) -> tuple[Change, Change]:
    """One against one, where most matches are and replays spend their time.

    The same as `rate` gives, to the last bit, written out: no lists and no calls. `weight` is the
    damping of the pair.
    """
    scale = scale_of(target)
    mine, theirs = one.variance, two.variance
    if one.day is not None and day > one.day:
        mine = min(mine + DRIFT * (day - one.day), prior)
    if two.day is not None and day > two.day:
        theirs = min(theirs + DRIFT * (day - two.day), prior)
    spread = _THREE_OVER_PI_SQUARED * scale * scale
    difference = one.mean - two.mean
    score = 1.0 if places[0] < places[1] else 0.0 if places[0] > places[1] else 0.5
    lead = 0.5 * tanh(0.5 * (scale / sqrt(1 + spread * (mine + theirs))) * difference)

    slope = scale / sqrt(1 + spread * theirs)
    expected = 0.5 + 0.5 * tanh(0.5 * slope * difference)
    variance = 1 / (1 / mine + weight * slope * slope * expected * (1 - expected))
    mean = one.mean + variance * (weight * slope * (score - expected))
    after = State(round(mean, PLACES), round(variance, PLACES), day, one.matches + 1)
    first = Change(one, mine, after, 0.5 + lead)

    slope = scale / sqrt(1 + spread * mine)
    expected = 0.5 - 0.5 * tanh(0.5 * slope * difference)
    variance = 1 / (1 / theirs + weight * slope * slope * expected * (1 - expected))
    mean = two.mean + variance * (weight * slope * (1 - score - expected))
    after = State(round(mean, PLACES), round(variance, PLACES), day, two.matches + 1)
    return first, Change(two, theirs, after, 0.5 - lead)


def _change(
    own: int,
    before: State,
    state: State,
    share: float,
    summary: Sequence[tuple[float, float]],
    places: Sequence[int],
    weights: Sequence[float],
    scale: float,
    day: int,
) -> Change:
    """One player's change; `state` is `before` with the time since added, `own` the side."""
    mean, variance = summary[own]
    rest = variance - state.variance * share * share
    place, terms, leads = places[own], [], []
    for j, (other_mean, other_variance) in enumerate(summary):
        if j == own:
            continue
        score = 1.0 if place < places[j] else 0.0 if place > places[j] else 0.5
        difference = mean - other_mean
        terms.append(_term(difference, rest + other_variance, score, weights[j], scale, share))
        leads.append(_lead(difference, variance + other_variance, scale))
    after = State(*_settled(state.mean, state.variance, terms), day, state.matches + 1)
    return Change(before, state.variance, after, 0.5 + fsum(leads) / len(leads))


def _aged(state: State, day: int, prior: float) -> float:
    """The variance on `day`."""
    if state.day is None or day <= state.day:
        return state.variance
    return min(state.variance + DRIFT * (day - state.day), prior)


def _side(players: Sequence[State]) -> tuple[float, float]:
    """Mean and variance of a side: the mean of its players."""
    if len(players) == 1:
        return players[0].mean, players[0].variance
    size = len(players)
    return (
        fsum(player.mean for player in players) / size,
        fsum(player.variance for player in players) / size**2,
    )


def _term(
    difference: float, rest: float, score: float, weight: float, scale: float, share: float
) -> tuple[float, float]:
    """What one comparison adds to the information and to the gradient."""
    slope = scale / sqrt(1 + _THREE_OVER_PI_SQUARED * scale * scale * rest)
    expected = 0.5 + 0.5 * tanh(0.5 * slope * difference)
    slope *= share
    return (
        weight * slope * slope * expected * (1 - expected),
        weight * slope * (score - expected),
    )


def _settled(
    mean: float, variance: float, terms: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    variance = 1 / (1 / variance + fsum(term[0] for term in terms))
    mean = mean + variance * fsum(term[1] for term in terms)
    return round(mean, PLACES), round(variance, PLACES)


def _lead(difference: float, variance: float, scale: float) -> float:
    """By how much the chance to win is over one half.

    The logistic curve by its other name: tanh is odd to the last bit, and never overflows.
    """
    slope = scale / sqrt(1 + _THREE_OVER_PI_SQUARED * scale * scale * variance)
    return 0.5 * tanh(0.5 * slope * difference)
