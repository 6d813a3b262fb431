"""What lies on the table: the open ends, where a tile fits, and the total (rules.md 4, 5).

A layout is four end codes, one each for left, right, up and down. A code says which pip must be
matched there and what the end counts:

====== ================================ ===== =======
codes  what lies at the end             pip   counts
====== ================================ ===== =======
0–6    the half of an ordinary tile     p     p
7–13   a double that is not the spinner p     2p
14–20  an arm of the spinner, open      p     0
21     nothing: the end is closed       none  0
22–28  the spinner itself               p     2p
====== ================================ ===== =======

    >>> from engine.tiles import parse
    >>> ends = SPINNER.after(SPINNER.after(EMPTY, parse("6-6"), LEAD), parse("6-3"), LEFT)
    >>> total(ends), open_ends(ends)
    (15, {'left': 3, 'right': 6})
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.actions import ENDS, End
from engine.tiles import COUNT, HIGH, LOW, PIPS, WITH_PIP, Tile, is_double

Ends = tuple[int, int, int, int]

LEFT, RIGHT, UP, DOWN, LEAD = range(5)

DOUBLE: Final = 7
ARM: Final = 14
CLOSED: Final = 21
SPUN: Final = 22
CODES: Final = 29
EMPTY: Final[Ends] = (CLOSED, CLOSED, CLOSED, CLOSED)


def _by_code(line: list[int], double: list[int], arm: list[int], none: int) -> tuple[int, ...]:
    return (*line, *double, *arm, none, *double)


_PIP_RANGE: Final = list(range(7))
_TWICE: Final = [2 * pip for pip in _PIP_RANGE]
PIP: Final = _by_code(_PIP_RANGE, _PIP_RANGE, _PIP_RANGE, -1)
VALUE: Final = _by_code(_PIP_RANGE, _TWICE, [0] * 7, 0)
FITS: Final = _by_code(list(WITH_PIP), list(WITH_PIP), list(WITH_PIP), 0)


def _outer(tile: Tile, code: int, double: int) -> int:
    """The code of an end after `tile` was added where `code` was; -1 if it doesn't fit."""
    if PIP[code] not in (LOW[tile], HIGH[tile]):
        return -1
    return PIP[code] + double if is_double(tile) else PIPS[tile] - PIP[code]


# Row tile * 32 + code: the end's next code. The first double becomes the spinner, later ones not.
ORDINARY: Final = tuple(
    _outer(tile, code, DOUBLE) if code < CODES else -1
    for tile in range(COUNT)
    for code in range(32)
)
FIRST_DOUBLE: Final = tuple(
    _outer(tile, code, SPUN) if code < CODES else -1 for tile in range(COUNT) for code in range(32)
)


@dataclass(frozen=True, slots=True)
class Shape:
    """How layouts grow under one rule set: with a spinner or not, and when its arms open."""

    spinner: bool
    arms_at_once: bool

    def after(self, ends: Ends, tile: Tile, end: int) -> Ends:
        """The layout after `tile` at `end`, where it must fit (LEAD: the first tile)."""
        if end == LEAD:
            return self._lead(tile)
        left, right, up, down = ends
        becomes = FIRST_DOUBLE if self.spinner and not has_spinner(ends) else ORDINARY
        row = tile << 5
        if end == LEFT:
            covered, other = left, right
            left = becomes[row | left]
            new = left
        elif end == RIGHT:
            covered, other = right, left
            right = becomes[row | right]
            new = right
        elif end == UP:
            return left, right, becomes[row | up], down
        else:
            return left, right, up, becomes[row | down]
        if new >= SPUN and self.arms_at_once:
            up = down = new - SPUN + ARM
        elif covered >= SPUN and other < SPUN and up == CLOSED:
            up = down = covered - SPUN + ARM
        return left, right, up, down

    def _lead(self, tile: Tile) -> Ends:
        if not is_double(tile):
            return HIGH[tile], LOW[tile], CLOSED, CLOSED
        if not self.spinner:
            return HIGH[tile] + DOUBLE, HIGH[tile] + DOUBLE, CLOSED, CLOSED
        arm = HIGH[tile] + ARM if self.arms_at_once else CLOSED
        return HIGH[tile] + SPUN, HIGH[tile] + SPUN, arm, arm


LINE: Final = Shape(spinner=False, arms_at_once=False)
SPINNER: Final = Shape(spinner=True, arms_at_once=False)
SPINNER_AT_ONCE: Final = Shape(spinner=True, arms_at_once=True)


def shape_of(spinner: bool, arms: str) -> Shape:
    if not spinner:
        return LINE
    return SPINNER_AT_ONCE if arms == "any" else SPINNER


def has_spinner(ends: Ends) -> bool:
    """Whether a spinner lies: its arms are open, or it is itself an end of the line."""
    return ends[UP] != CLOSED or ends[LEFT] >= SPUN or ends[RIGHT] >= SPUN


def total(ends: Ends) -> int:
    """What the open ends add up to. A double that is both left and right counts once."""
    left, right, up, down = ends
    if left == right and left >= DOUBLE:
        left = CLOSED
    return VALUE[left] + VALUE[right] + VALUE[up] + VALUE[down]


def fitting(ends: Ends) -> int:
    """The tiles of the set that fit an open end, as a bit set."""
    left, right, up, down = ends
    return FITS[left] | FITS[right] | FITS[up] | FITS[down]


def open_ends(ends: Ends) -> dict[End, int]:
    """The pips to match, by end, of the ends that are open."""
    return {name: PIP[code] for name, code in zip(ENDS, ends, strict=True) if code != CLOSED}
