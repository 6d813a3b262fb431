"""Which bot is offered to whom waits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

STRENGTHS: Final[Mapping[str, float]] = {"easy": 1400.0, "medium": 1500.0, "hard": 1600.0}
"""About the ratings that the bots would have; they have none, since their matches don't count."""


def level_for(rating: float) -> str:
    """The strength of bot nearest to a rating.

    >>> level_for(1700), level_for(1500), level_for(1450.0)
    ('hard', 'medium', 'easy')
    """
    return min(STRENGTHS, key=lambda level: abs(STRENGTHS[level] - rating))
