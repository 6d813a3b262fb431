"""Helping: two who play for each other at tables where everyone plays for themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from fairplay.detectors.chance import beyond
from fairplay.detectors.rows import Finding, Sitting

KIND: Final = "helping"
MIN_TABLES: Final = 20
MIN_SHARE: Final = 0.5
IMPROBABLE: Final = 1e-4


def find(sittings: Iterable[Sitting]) -> list[Finding]:
    """Pairs who seek the same tables, and against the others there do far better than apart.

    Whoever helps each other at every table is rated as if they were that strong: they can't be
    told from two who are.
    """
    log = sorted(sittings, key=lambda each: (each.at, each.match))
    own: dict[int, list[Sitting]] = {}
    together: dict[tuple[int, int], list[Sitting]] = {}
    for sitting in log:
        for player in sitting.expected:
            own.setdefault(player, []).append(sitting)
        for pair in combinations(sorted(sitting.expected), 2):
            together.setdefault(pair, []).append(sitting)
    found = []
    for (one, two), shared in together.items():
        fewer = min(len(own[one]), len(own[two]))
        if len(shared) < max(MIN_TABLES, MIN_SHARE * fewer):
            continue
        apart = [
            (sitting, player)
            for player, other in ((one, two), (two, one))
            for sitting in own[player]
            if other not in sitting.expected
        ]
        surplus = sum(_of_two(sitting, one, two) for sitting in shared) / len(shared)
        p = beyond(*_contrast(shared, apart, surplus))
        if p < IMPROBABLE:
            facts = {
                "count": len(shared),
                "of": fewer,
                "surplus": round(100 * surplus),
                "apart": len(apart),
                "p": p,
            }
            found.append(Finding(KIND, (one, two), facts, tuple(each.match for each in shared)))
    return found


def _contrast(
    shared: Sequence[Sitting], apart: Sequence[tuple[Sitting, int]], surplus: float
) -> tuple[float, list[float]]:
    """By how much more than expected the two win together than apart, and its variances.

    Those are at most as if all were equally strong: those of the Mann-Whitney statistic.
    """
    variances = [_variance(sitting, 2) / len(shared) ** 2 for sitting in shared]
    if apart:
        alone = sum(sitting.beaten[who] - sitting.expected[who] for sitting, who in apart)
        surplus -= alone / len(apart)
        variances += [_variance(sitting, 1) / len(apart) ** 2 for sitting, _who in apart]
    return surplus, variances


def _of_two(sitting: Sitting, one: int, two: int) -> float:
    """By how much of the others the two beat more than was expected: a share, -1 to 1. What one
    of them takes from the other cancels out.
    """
    beaten = sitting.beaten[one] + sitting.beaten[two]
    expected = sitting.expected[one] + sitting.expected[two]
    others = len(sitting.expected) - 2
    return (beaten - expected) * (others + 1) / (2 * others)


def _variance(sitting: Sitting, side: int) -> float:
    """Of the share of the others that a side of so many players beats."""
    players = len(sitting.expected)
    return (players + 1) / (12 * side * (players - side))
