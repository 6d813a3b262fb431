"""What lies on the table: the open ends, where a tile fits, and the total (rules.md 4, 5).

A layout is two pairs of ends: the line's (left, right) and the arms' (up, down). There are only
some hundred different pairs; each is made once and knows what it is worth, which tiles fit, and
which pair each tile makes of it, so that a play is a step from one pair to another.

An end is a code that says which pip must be matched there and what the end counts:

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
>>> line = SPINNER.empty.after[parse("6-6")][0].after[parse("6-3")][0]
>>> line.worth, open_ends(line, line.arms)
(15, {'left': 3, 'right': 6})
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from engine.actions import ENDS, End
from engine.tiles import ALL, HIGH, LOW, PIPS, WITH_PIP, Tile, is_double

LEFT, RIGHT, UP, DOWN, LEAD = range(5)

DOUBLE: Final = 7
ARM: Final = 14
CLOSED: Final = 21
SPUN: Final = 22
_PIPS: Final = list(range(7))
_TWICE: Final = [2 * pip for pip in _PIPS]

PIP: Final = (*_PIPS, *_PIPS, *_PIPS, -1, *_PIPS)
VALUE: Final = (*_PIPS, *_TWICE, *([0] * 7), 0, *_TWICE)
FITS: Final = (*WITH_PIP, *WITH_PIP, *WITH_PIP, 0, *WITH_PIP)
NO_SPINNER: Final = -1


class Pair:
    """Two ends that belong together: left and right, or up and down. Made by a `Shape`.

    `codes` are the two ends; `fits` the tiles that can be played at either, as a bit set; `worth`
    what they count; `after[tile]` the pairs that a tile can make of this one, in the order of the
    ends (two where it fits both). `spinner` is the pip of the line's spinner, -1 without one, and
    `arms` the pair of arms as it opens, the closed one until then.
    """

    __slots__ = ("after", "arms", "codes", "fits", "spinner", "worth")

    def __init__(self, codes: tuple[int, int], grow: Callable[[Tile], tuple[Pair, ...]]) -> None:
        self.codes = codes
        self.fits = FITS[codes[0]] | FITS[codes[1]]
        self.worth = _worth(*codes)
        self.spinner = NO_SPINNER
        self.arms = self
        self.after = _After(grow)

    def __repr__(self) -> str:
        return f"Pair{self.codes}"

    def played(self, tile: Tile, second: bool) -> Pair:
        """The pair after `tile`, which fits, was added at the first or the second end."""
        made = self.after[tile]
        return made[second] if len(made) > 1 else made[0]


class _After(dict[Tile, tuple[Pair, ...]]):
    """What each tile makes of a pair, worked out when it is first asked for."""

    __slots__ = ("_grow",)

    def __init__(self, grow: Callable[[Tile], tuple[Pair, ...]]) -> None:
        self._grow = grow

    def __missing__(self, tile: Tile) -> tuple[Pair, ...]:
        made = self[tile] = self._grow(tile)
        return made


def _worth(first: int, second: int) -> int:
    """What two ends count. The same double at both is one tile that lies alone: it counts once."""
    if first == second and first >= DOUBLE:
        return VALUE[first]
    return VALUE[first] + VALUE[second]


def _outer(code: int, tile: Tile, double: int) -> int:
    """The code of an end after `tile` was added where `code` was."""
    return PIP[code] + double if is_double(tile) else PIPS[tile] - PIP[code]


class Shape:
    """How layouts grow under one rule set: with a spinner or not, and when its arms open."""

    def __init__(self, *, spinner: bool, at_once: bool) -> None:
        self.spinner = spinner
        self.at_once = at_once
        self._made: dict[tuple[int, int, int], Pair] = {}
        self.closed = Pair((CLOSED, CLOSED), lambda _: ())
        self.empty = Pair((CLOSED, CLOSED), self._lead)
        self.empty.fits = ALL
        self.empty.arms = self.closed

    def _lead(self, tile: Tile) -> tuple[Pair, ...]:
        pip = HIGH[tile]
        if not is_double(tile):
            return (self._line((pip, LOW[tile]), NO_SPINNER),)
        if not self.spinner:
            return (self._line((pip + DOUBLE, pip + DOUBLE), NO_SPINNER),)
        return (self._line((pip + SPUN, pip + SPUN), pip),)

    def _line(self, codes: tuple[int, int], spinner: int) -> Pair:
        key = (*codes, spinner)
        pair = self._made.get(key)
        if pair is None:
            pair = Pair(codes, partial(self._grow_line, codes, spinner))
            pair.spinner = spinner
            opens = spinner != NO_SPINNER and (self.at_once or max(codes) < SPUN)
            pair.arms = self._arms((spinner + ARM, spinner + ARM)) if opens else self.closed
            pair = self._made.setdefault(key, pair)
        return pair

    def _grow_line(self, codes: tuple[int, int], spinner: int, tile: Tile) -> tuple[Pair, ...]:
        comes = self.spinner and spinner == NO_SPINNER and is_double(tile)
        now, double = (HIGH[tile], SPUN) if comes else (spinner, DOUBLE)
        return tuple(self._line(grown, now) for grown in _grown(codes, tile, double))

    def _arms(self, codes: tuple[int, int]) -> Pair:
        key = (*codes, CLOSED)
        pair = self._made.get(key)
        if pair is None:
            pair = self._made.setdefault(key, Pair(codes, partial(self._grow_arms, codes)))
        return pair

    def _grow_arms(self, codes: tuple[int, int], tile: Tile) -> tuple[Pair, ...]:
        return tuple(self._arms(grown) for grown in _grown(codes, tile, DOUBLE))


def _grown(codes: tuple[int, int], tile: Tile, double: int) -> list[tuple[int, int]]:
    """The codes that `tile` can make of two ends, in the order of the ends."""
    first, second = codes
    grown = []
    if FITS[first] >> tile & 1:
        grown.append((_outer(first, tile, double), second))
    if FITS[second] >> tile & 1:
        grown.append((first, _outer(second, tile, double)))
    return grown


LINE: Final = Shape(spinner=False, at_once=False)
SPINNER: Final = Shape(spinner=True, at_once=False)
SPINNER_AT_ONCE: Final = Shape(spinner=True, at_once=True)


def shape_of(spinner: bool, arms: str) -> Shape:
    """The shape for the rules `spinner` and `arms`."""
    if not spinner:
        return LINE
    return SPINNER_AT_ONCE if arms == "any" else SPINNER


def open_ends(line: Pair, arms: Pair) -> dict[End, int]:
    """The pips to match, by end, of the ends that are open."""
    codes = line.codes + arms.codes
    return {name: PIP[code] for name, code in zip(ENDS, codes, strict=True) if code != CLOSED}
