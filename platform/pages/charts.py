"""A rating's way as points of an SVG polyline. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 600, 140
_LEAST_SPAN = 40


@dataclass(frozen=True, slots=True)
class Chart:
    """`points` for the polyline; the last point, as text, since some languages would write a comma
    in a number; and the values of its upper and lower edge.
    """

    points: str
    last_x: str
    last_y: str
    low: int
    high: int
    width: int = WIDTH
    height: int = HEIGHT


def line(values: Sequence[int]) -> Chart | None:
    """The values from left to right, the oldest first; None for fewer than two.

    >>> line([1500, 1540]).points
    '0,140 600,0'
    """
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    missing = max(0, _LEAST_SPAN - (high - low))
    low, high = low - missing // 2, high + (missing + 1) // 2
    step = WIDTH / (len(values) - 1)
    places = [
        (round(step * n, 1), round(HEIGHT * (high - value) / (high - low), 1))
        for n, value in enumerate(values)
    ]
    points = " ".join(f"{x:g},{y:g}" for x, y in places)
    last_x, last_y = (f"{each:g}" for each in places[-1])
    return Chart(points, last_x, last_y, low, high)


@dataclass(frozen=True, slots=True)
class Curves:
    """Several lines over the same steps: `lines` as points of polylines, their last points,
    upright `marks`, the height of the `goal`, and the values of the lower and upper edge.
    """

    lines: list[str]
    lasts: list[tuple[float, float]]
    marks: list[float]
    goal: float
    low: int
    high: int
    steps: int
    width: int = WIDTH
    height: int = HEIGHT


def curves(rows: Sequence[Sequence[int]], marks: Sequence[int], goal: int) -> Curves:
    """Each row's values from left to right; `marks` are steps, counted from 0.

    >>> curves([[0, 10, 40], [0, 0, 20]], [1], 40).lines
    ['0,140 300,105 600,0', '0,140 300,140 600,70']
    """
    values = [value for row in rows for value in row]
    low, high = min(0, *values), max(goal, *values)
    steps = len(rows[0]) - 1
    across = WIDTH / max(1, steps)

    def height(value: int) -> float:
        return round(HEIGHT * (high - value) / (high - low), 1)

    places = [[(round(across * n, 1), height(value)) for n, value in enumerate(r)] for r in rows]
    return Curves(
        lines=[" ".join(f"{x:g},{y:g}" for x, y in row) for row in places],
        lasts=[row[-1] for row in places],
        marks=[round(across * n, 1) for n in marks],
        goal=height(goal),
        low=low,
        high=high,
        steps=steps,
    )
