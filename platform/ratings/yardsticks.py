"""How strong the site's own players are, on the ratings' scale: fitted to what they did. Pure.

Bots don't learn, so that all their matches count alike. Each level is an unknown player of its pool
to begin with, 1500 and RD₀: that is what puts levels on the scale that have only met each other.
Where they have met people, whose ratings are held fast, that moves all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum, pi

import numpy as np

from engine.bots import LEVELS
from ratings.glicko import PLACES, State, scale_of

Member = str | State
"""Who sits on a side: a level of the bots, or somebody whose rating is known."""

STEPS = 50


@dataclass(frozen=True, slots=True)
class Trial:
    """A side against another: by how much each level's strength counts in the difference of their
    means, the part of the difference that is known and its variance, and what came of it (1, ½, 0).
    """

    shares: tuple[float, ...]
    known: float
    variance: float
    score: float
    weight: float
    scale: float


def trials_of(sides: Sequence[Sequence[Member]], places: Sequence[int], target: int) -> list[Trial]:
    """What a match says of the levels: each two sides, but those between which no level differs."""
    found = []
    for i, j in combinations(range(len(sides)), 2):
        ours, theirs = _summed(sides[i]), _summed(sides[j])
        shares = tuple(a - b for a, b in zip(ours[0], theirs[0], strict=True))
        if any(shares):
            score = 1.0 if places[i] < places[j] else 0.0 if places[i] > places[j] else 0.5
            known, variance = ours[1] - theirs[1], ours[2] + theirs[2]
            weight = 2 / len(sides)
            found.append(Trial(shares, known, variance, score, weight, scale_of(target)))
    return found


def fitted(trials: Sequence[Trial], prior: float) -> dict[str, State]:
    """Each level's most likely mean, and its variance, by Newton's method.

    >>> trials = trials_of([["hard"], [State(0.0, 0.01)]], [1, 2], 100)
    >>> {level: round(state.rating) for level, state in fitted(trials, 0.5).items()}
    {'easy': 1500, 'medium': 1500, 'hard': 1539}
    """
    shares = np.array([each.shares for each in trials]).reshape(len(trials), len(LEVELS))
    known, variance, score, weight, scale = (
        np.array([getattr(each, name) for each in trials], dtype=float)
        for name in ("known", "variance", "score", "weight", "scale")
    )
    slope = scale / np.sqrt(1 + 3 / pi**2 * scale**2 * variance)
    unknown = np.eye(len(LEVELS)) / prior
    means = np.zeros(len(LEVELS))
    for _step in range(STEPS):
        expected = 0.5 + 0.5 * np.tanh(0.5 * slope * (shares @ means + known))
        gradient = shares.T @ (weight * slope * (score - expected)) - unknown @ means
        informed = weight * slope**2 * expected * (1 - expected)
        information = unknown + (shares * informed[:, None]).T @ shares
        step = np.linalg.solve(information, gradient)
        means = means + step
        if np.abs(step).max() < 10**-PLACES:
            break
    variances = np.linalg.inv(information).diagonal()
    return {
        level: State(round(float(mean), PLACES), round(float(variance), PLACES))
        for level, mean, variance in zip(LEVELS, means, variances, strict=True)
    }


def _summed(side: Sequence[Member]) -> tuple[list[float], float, float]:
    """A side's mean: the levels' shares in it, and what is known of the rest and its variance."""
    size = len(side)
    people = [member for member in side if isinstance(member, State)]
    return (
        [sum(member == level for member in side) / size for level in LEVELS],
        fsum(person.mean for person in people) / size,
        fsum(person.variance for person in people) / size**2,
    )
