"""The rating formula: Glicko with a fixed drift, for matches of any number of sides.

Source: M. E. Glickman, "Parameter estimation in large dynamic paired comparison experiments",
Applied Statistics 48 (1999), with its update made after every match, its comparison of two used
for every pair of sides at a table of three or four, and partners taken as the mean of two persons.

Everything here is on the logit scale: a mean of 0 is shown as 1500, and a difference of 1 as
173.7178 points. Pure: no clock, no database.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, pi, sqrt, tanh

CENTRE = 1500.0
POINTS = 173.7178
"""Points of the shown rating for one unit of the logit scale (400 / ln 10)."""

DRIFT = (5 / POINTS) ** 2 / 7
"""Variance that a day adds: 5 points of standard deviation in a week."""

PLACES = 9
"""Means and variances are rounded to this many decimals before anyone stores them."""

_THREE_OVER_PI_SQUARED = 3 / pi**2


@dataclass(frozen=True, slots=True)
class State:
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


@dataclass(frozen=True, slots=True)
class Change:
    """A player's state before a match (the time since the last one added) and after it.

    `expected` is the share of the other sides that the player's side was expected to beat: with
    two sides, its chance to win.
    """

    before: State
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
    if state.day is None or day <= state.day:
        return state
    variance = min(state.variance + DRIFT * (day - state.day), prior)
    return State(state.mean, variance, state.day, state.matches)


def chance(ours: Sequence[State], theirs: Sequence[State], target: int) -> float:
    """The chance that one side beats another in a match to `target`, both uncertainties counted.

    >>> round(chance([State.shown(1600, 50)], [State.shown(1500, 130)], 150), 3)
    0.64
    """
    mean, variance = _side(ours)
    other_mean, other_variance = _side(theirs)
    return _expected(mean - other_mean, variance + other_variance, scale_of(target))[0]


def update(state: State, comparisons: Sequence[Comparison]) -> tuple[float, float]:
    """The mean and variance after the comparisons of one match, rounded as they are stored."""
    information = []
    gradient = []
    for each in comparisons:
        expected, slope = _expected(each.ours - each.theirs, each.rest, each.scale)
        slope *= each.share
        information.append(each.weight * slope * slope * expected * (1 - expected))
        gradient.append(each.weight * slope * (each.score - expected))
    variance = 1 / (1 / state.variance + fsum(information))
    mean = state.mean + variance * fsum(gradient)
    return round(mean, PLACES), round(variance, PLACES)


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

    `places` are 1-based and may be shared; `prior` is the variance of an unknown player;
    `damping` holds a factor for each pair of sides, in the order (0,1), (0,2), …, (1,2), ….
    Raises ValueError for fewer than two sides, an empty side, or lists that don't match.

    >>> fresh = State(0.0, variance_of(130))
    >>> (won,), (lost,) = rate([[fresh], [fresh]], [1, 2], target=100, day=0, prior=fresh.variance)
    >>> round(won.after.rating, 4), round(lost.after.rating, 4), round(won.after.deviation, 4)
    (1540.1606, 1459.8394, 122.8583)
    """
    if len(sides) == len(places) == 2 and len(sides[0]) == len(sides[1]) == 1:
        weight = damping[0] if damping else 1.0
        return _duel(sides[0][0], sides[1][0], places, weight, scale_of(target), day, prior)
    factors = _factors(sides, places, damping)
    now = [[aged(state, day, prior) for state in side] for side in sides]
    summary = [_side(side) for side in now]
    scale = scale_of(target)
    return tuple(
        tuple(_change(i, player, now, summary, places, factors[i], scale, day) for player in side)
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


def _duel(
    one: State,
    two: State,
    places: Sequence[int],
    weight: float,
    scale: float,
    day: int,
    prior: float,
) -> tuple[tuple[Change, ...], ...]:
    """One against one, where most matches are and replays spend their time.

    The same sums as `_change` makes, to the last bit, without the lists.
    """
    one, two = aged(one, day, prior), aged(two, day, prior)
    difference = one.mean - two.mean
    score = 1.0 if places[0] < places[1] else 0.0 if places[0] > places[1] else 0.5
    chance_of_one = round(_expected(difference, one.variance + two.variance, scale)[0], PLACES)
    other = round(1 - chance_of_one, PLACES)
    return (
        (_learn(one, difference, two.variance, score, weight, scale, day, chance_of_one),),
        (_learn(two, -difference, one.variance, 1 - score, weight, scale, day, other),),
    )


def _learn(
    player: State,
    difference: float,
    rest: float,
    score: float,
    weight: float,
    scale: float,
    day: int,
    chances: float,
) -> Change:
    expected, slope = _expected(difference, rest, scale)
    variance = 1 / (1 / player.variance + weight * slope * slope * expected * (1 - expected))
    mean = round(player.mean + variance * (weight * slope * (score - expected)), PLACES)
    after = State(mean, round(variance, PLACES), day, player.matches + 1)
    return Change(player, after, chances)


def _change(
    own: int,
    player: State,
    sides: list[list[State]],
    summary: list[tuple[float, float]],
    places: Sequence[int],
    factors: list[float],
    scale: float,
    day: int,
) -> Change:
    mean, variance = summary[own]
    share = 1 / len(sides[own])
    own_share = player.variance * share * share
    comparisons = []
    chances = []
    for j, (other_mean, other_variance) in enumerate(summary):
        if j == own:
            continue
        both = variance + other_variance
        score = 1.0 if places[own] < places[j] else 0.0 if places[own] > places[j] else 0.5
        comparisons.append(
            Comparison(mean, other_mean, both - own_share, score, factors[j], scale, share)
        )
        chances.append(_expected(mean - other_mean, both, scale)[0])
    after = State(*update(player, comparisons), day, player.matches + 1)
    return Change(player, after, round(fsum(chances) / len(chances), PLACES))


def _side(players: Sequence[State]) -> tuple[float, float]:
    """Mean and variance of a side: the mean of its players."""
    if len(players) == 1:
        return players[0].mean, players[0].variance
    size = len(players)
    return (
        fsum(player.mean for player in players) / size,
        fsum(player.variance for player in players) / size**2,
    )


def _expected(difference: float, variance: float, scale: float) -> tuple[float, float]:
    """The expected score for a difference of means, and the slope (lambda times g)."""
    slope = scale / sqrt(1 + _THREE_OVER_PI_SQUARED * scale * scale * variance)
    # The logistic curve by its other name: tanh neither overflows nor needs two branches.
    return 0.5 + 0.5 * tanh(0.5 * slope * difference), slope
