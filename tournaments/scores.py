"""The one form of a score."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

AGAINST: Final = "\N{EN DASH}\N{WORD JOINER}"
"""Between the points of two sides; no line breaks there."""


def score(points: Iterable[object]) -> str:
    """A match's score, one side after the other: "150–95"."""
    return AGAINST.join(map(str, points))
