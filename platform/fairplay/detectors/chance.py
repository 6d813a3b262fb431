"""How likely results are, under the chances that the ratings gave beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from statistics import NormalDist

_STEPS = 25
_MIDDLES = tuple(NormalDist().inv_cdf((step + 0.5) / _STEPS) for step in range(_STEPS))


def at_least(wins: int, chances: Sequence[float]) -> float:
    """The chance of `wins` or more, of independent matches with these chances to win.

    >>> at_least(2, [0.5, 0.5]), at_least(0, [0.5]), at_least(2, [0.5])
    (0.25, 1.0, 0.0)
    """
    return min(1.0, fsum(_spread(chances)[max(wins, 0) :]))


def at_most(wins: int, chances: Sequence[float]) -> float:
    """The chance of `wins` or fewer.

    >>> at_most(0, [0.5, 0.2]), at_most(2, [0.5, 0.2])
    (0.4, 1.0)
    """
    return min(1.0, fsum(_spread(chances)[: wins + 1]))


def likely_means(mean: float, variance: float) -> list[float]:
    """What somebody's skill may be by a rating: values that are all equally likely."""
    return [mean + sqrt(variance) * middle for middle in _MIDDLES]


def beyond(surplus: float, variances: Sequence[float]) -> float:
    """How likely it is that so many shares add up to `surplus` more than expected, or to more.

    >>> beyond(0.0, [0.25] * 16), round(beyond(4.0, [0.25] * 16), 4)
    (0.5, 0.0228)
    """
    return 1 - NormalDist().cdf(surplus / sqrt(fsum(variances)))


def _spread(chances: Sequence[float]) -> list[float]:
    """For each number of wins how likely it is."""
    spread = [1.0]
    for chance in chances:
        lost, won = [*spread, 0.0], [0.0, *spread]
        spread = [a * (1 - chance) + b * chance for a, b in zip(lost, won, strict=True)]
    return spread
