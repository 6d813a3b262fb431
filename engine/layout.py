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
>>> line = shape_of(True, "after_sides").empty.after[parse("6-6")][0].after[parse("6-3")][0]
>>> line.worth, open_ends(line, line.arms)
(15, {'left': 3, 'right': 6})
"""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.actions import ENDS, End
from engine.tiles import ALL, COUNT, HIGH, LOW, PIPS, WITH_PIP, Tile, is_double

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

_Codes = tuple[int, int]
_NOTHING_FITS: Final[tuple[tuple[Pair, ...], ...]] = ((),) * COUNT


class Pair:
    """Two ends that belong together: left and right, or up and down. Made by a `Shape`.

    `codes` are the two ends; `fits` the tiles that can be played at either, as a bit set; `worth`
    what they count; `after[tile]` the pairs that a tile makes of this one, in the order of the
    ends: none where it doesn't fit, two where it fits both. `arms` are, to a line, the arms as
    they open beside it: the closed ones until then.
    """

    __slots__ = ("after", "arms", "codes", "fits", "worth")

    def __init__(self, codes: _Codes, arms: Pair | None = None) -> None:
        self.codes = codes
        self.fits = FITS[codes[0]] | FITS[codes[1]]
        self.worth = _worth(*codes)
        self.arms = arms or self
        self.after: tuple[tuple[Pair, ...], ...] = _NOTHING_FITS

    def __repr__(self) -> str:
        return f"Pair{self.codes}"

    def played(self, tile: Tile, second: bool) -> Pair:
        """The pair after `tile`, which fits, was added at the first or the second end."""
        made = self.after[tile]
        return made[second] if len(made) > 1 else made[0]


def _worth(first: int, second: int) -> int:
    """What two ends count. The same double at both is one tile that lies alone: it counts once."""
    if first == second and first >= DOUBLE:
        return VALUE[first]
    return VALUE[first] + VALUE[second]


def _outer(code: int, tile: Tile, double: int) -> int:
    """The code of an end after `tile` was added where `code` was."""
    return PIP[code] + double if is_double(tile) else PIPS[tile] - PIP[code]


def _grown(codes: _Codes, tile: Tile, double: int) -> list[_Codes]:
    """What `tile` can make of two ends, in the order of the ends."""
    first, second = codes
    grown = []
    if FITS[first] >> tile & 1:
        grown.append((_outer(first, tile, double), second))
    if FITS[second] >> tile & 1:
        grown.append((first, _outer(second, tile, double)))
    return grown


class Shape:
    """All layouts under one rule set: with a spinner or not, its arms opening late or at once.

    `empty` is the line before the lead, which every tile fits; `closed` the arms until they open.
    """

    def __init__(self, *, spinner: bool, at_once: bool) -> None:
        self._spinner = spinner
        self._at_once = at_once
        self._lines: dict[tuple[_Codes, int], Pair] = {}
        self._arms: dict[_Codes, Pair] = {}
        self.closed = Pair((CLOSED, CLOSED))
        self.empty = Pair((CLOSED, CLOSED), self.closed)
        self.empty.fits = ALL
        self.empty.after = tuple((self._lead(tile),) for tile in range(COUNT))
        self._grow()

    def _grow(self) -> None:
        """Link every pair to those that a tile makes of it, until there is none left to link."""
        while loose := [key for key, pair in self._lines.items() if pair.after is _NOTHING_FITS]:
            for codes, spinner in loose:
                pair = self._lines[codes, spinner]
                pair.after = tuple(self._extend(codes, spinner, tile) for tile in range(COUNT))
        while loose_arms := [pair for pair in self._arms.values() if pair.after is _NOTHING_FITS]:
            for pair in loose_arms:
                pair.after = tuple(
                    tuple(self._arm(grown) for grown in _grown(pair.codes, tile, DOUBLE))
                    for tile in range(COUNT)
                )

    def _lead(self, tile: Tile) -> Pair:
        pip = HIGH[tile]
        if not is_double(tile):
            return self._line((pip, LOW[tile]), NO_SPINNER)
        if not self._spinner:
            return self._line((pip + DOUBLE, pip + DOUBLE), NO_SPINNER)
        return self._line((pip + SPUN, pip + SPUN), pip)

    def _extend(self, codes: _Codes, spinner: int, tile: Tile) -> tuple[Pair, ...]:
        double = DOUBLE
        if self._spinner and spinner == NO_SPINNER and is_double(tile):
            spinner, double = HIGH[tile], SPUN
        return tuple(self._line(grown, spinner) for grown in _grown(codes, tile, double))

    def _line(self, codes: _Codes, spinner: int) -> Pair:
        if (codes, spinner) not in self._lines:
            covered = max(codes) < SPUN
            opens = spinner != NO_SPINNER and (self._at_once or covered)
            arms = self._arm((spinner + ARM, spinner + ARM)) if opens else self.closed
            self._lines[codes, spinner] = Pair(codes, arms)
        return self._lines[codes, spinner]

    def _arm(self, codes: _Codes) -> Pair:
        return self._arms.setdefault(codes, Pair(codes))


@cache
def shape_of(spinner: bool, arms: str) -> Shape:
    """The shape for the rules `spinner` and `arms`."""
    return Shape(spinner=spinner, at_once=spinner and arms == "any")


def end_number(name: End | None) -> int:
    """The number of an end; LEAD for None."""
    return LEAD if name is None else ENDS.index(name)


def end_name(end: int) -> End | None:
    """The name of an end by its number; None for LEAD."""
    return None if end == LEAD else ENDS[end]


def step(line: Pair, arms: Pair, tile: Tile, end: int) -> tuple[Pair, Pair]:
    """The line and the arms after `tile` was played at `end`, where it must fit."""
    if end in (UP, DOWN):
        return line, arms.played(tile, end == DOWN)
    grown = line.played(tile, end == RIGHT)
    return grown, grown.arms if arms is line.arms else arms


def open_ends(line: Pair, arms: Pair) -> dict[End, int]:
    """The pips to match, by end, of the ends that are open."""
    codes = line.codes + arms.codes
    return {name: PIP[code] for name, code in zip(ENDS, codes, strict=True) if code != CLOSED}
