"""A few tiles on a table, drawn and counted: the worked examples of the rules pages. Pure.

The main line lies from left to right, the spinner's arms up and down; it is for a dozen tiles, not
for a match. What counts and what pays is the engine's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from engine.actions import ENDS, End
from engine.layout import (
    ARM,
    CLOSED,
    LEFT,
    PIP,
    UP,
    VALUE,
    Pair,
    end_number,
    open_ends,
    shape_of,
    step,
)
from engine.rules import RuleSet
from engine.scoring import in_play
from engine.tiles import DOUBLES, HIGH, LOW, heaviest, is_double, mask_of, parse, text
from pages import drawing

Move = tuple[str, End | None]
"""A tile and the end it is played at; None for the lead."""

_HALF: Final = drawing.HALF
_MARGIN: Final = 60
_RIM: Final = 12
_LONG: Final = 3
"""A line that is so many times as wide as high is marked, so that a phone need not shrink it."""


@dataclass(frozen=True, slots=True)
class Counted:
    """An open end that counts something."""

    end: End
    value: int


@dataclass(frozen=True, slots=True)
class Scene:
    """A position: `counted` ends, their `total`, what it `pays`, and its picture."""

    counted: tuple[Counted, ...]
    total: int
    pays: int
    picture: SafeString

    @property
    def sum(self) -> str:
        """ "6 + 0 + 4 = 10", or the bare total of a single end."""
        parts = " + ".join(str(each.value) for each in self.counted)
        return f"{parts} = {self.total}" if len(self.counted) > 1 else str(self.total)


@dataclass(frozen=True, slots=True)
class Choice:
    """A play that the hand allows; `end` None: it leads."""

    tile: str
    end: End | None

    @property
    def key(self) -> str:
        return f"{self.tile}@{self.end}" if self.end else self.tile

    @property
    def move(self) -> Move:
        return self.tile, self.end


def scene(moves: Sequence[Move], rules: RuleSet) -> Scene:
    """The position after the moves, each of which must be legal; what the last one pays.

    In a game without points in play the picture shows the pips to match, not what the ends count.
    """
    line, arms = _played(moves, rules)
    codes = line.codes + arms.codes
    shown = [
        Counted(name, VALUE[code])
        for at, (name, code) in enumerate(zip(ENDS, codes, strict=True))
        if at < UP or code < ARM
    ]
    total = line.worth + arms.worth
    if len(shown) == 2 and shown[0].value == shown[1].value == total:
        shown = shown[:1]  # a double that lies alone is one end, not two
    drawn = shown if rules.multiple else _to_match(line, arms)
    return Scene(tuple(shown), total, in_play(rules, total, 0), _picture(moves, rules, drawn))


def _to_match(line: Pair, arms: Pair) -> list[Counted]:
    return [Counted(end, pip) for end, pip in open_ends(line, arms).items()]


def choices(moves: Sequence[Move], hand: Sequence[str], rules: RuleSet) -> list[Choice]:
    """What may be played from the hand, tile by tile, end by end.

    Where nothing lies the hand leads, and is taken to hold the highest double of all.
    """
    if not moves:
        held = mask_of(map(parse, hand))
        must = text(heaviest(held & DOUBLES or held))
        free = rules.first_lead != "highest_double"
        return [Choice(tile, None) for tile in hand if free or tile == must]
    open_now = ends(moves, rules)
    return [
        Choice(tile, end)
        for tile in hand
        for end, pip in open_now.items()
        if pip in (HIGH[parse(tile)], LOW[parse(tile)])
    ]


def ends(moves: Sequence[Move], rules: RuleSet) -> dict[End, int]:
    """The pip to match at each end that is open after the moves."""
    return open_ends(*_played(moves, rules))


def _played(moves: Sequence[Move], rules: RuleSet) -> tuple[Pair, Pair]:
    shape = shape_of(rules.spinner, rules.arms)
    line, arms = shape.empty, shape.closed
    for tile, end in moves:
        line, arms = step(line, arms, parse(tile), LEFT if end is None else end_number(end))
    return line, arms


@dataclass(slots=True)
class _Reach:
    """How far the drawing has come, and the pip that each end shows."""

    left: int = 0
    right: int = 0
    up: int = 0
    down: int = 0
    centre: int = 0


def _picture(moves: Sequence[Move], rules: RuleSet, counted: Sequence[Counted]) -> SafeString:
    reach, faces = _Reach(), []
    shape = shape_of(rules.spinner, rules.arms)
    line, arms = shape.empty, shape.closed
    spun = not rules.spinner
    for tile, end in moves:
        number = parse(tile)
        code = (line.codes + arms.codes)[end_number(end)] if end else CLOSED
        inner = HIGH[number] if end is None else PIP[code]
        outer = HIGH[number] + LOW[number] - inner
        faces.append(_face(reach, end, inner, outer, is_double(number)))
        if is_double(number) and not spun and end in (None, "left", "right"):
            spun = True
            reach.centre = _centre(reach, end)
            reach.up, reach.down = -_HALF, _HALF
        line, arms = step(line, arms, number, LEFT if end is None else end_number(end))
    spots = {
        "left": (reach.left - 26, 0),
        "right": (reach.right + 26, 0),
        "up": (reach.centre, reach.up - 26),
        "down": (reach.centre, reach.down + 26),
    }
    badges = [(*spots[each.end], spots[each.end][1] + 6, each.value) for each in counted]
    rim = _MARGIN if any(each.end in ("up", "down") for each in counted) else _RIM
    top, bottom = min(reach.up, -_HALF) - rim, max(reach.down, _HALF) + rim
    return format_html(
        '<svg class="lesson"{} viewBox="{} {} {} {}" aria-hidden="true" focusable="false">'
        "{}{}</svg>",
        SafeString(" data-long") if reach.right - reach.left > _LONG * (bottom - top) else "",
        reach.left - _MARGIN,
        top,
        reach.right - reach.left + 2 * _MARGIN,
        bottom - top,
        format_html_join("", '<g transform="{}">{}</g>', faces),
        format_html_join(
            "",
            '<circle class="end" cx="{}" cy="{}" r="20"/>'
            '<text class="end-text" x="{}" y="{}" text-anchor="middle">{}</text>',
            [(x, y, x, text_y, value) for x, y, text_y, value in badges],
        ),
    )


def _centre(reach: _Reach, end: End | None) -> int:
    """The middle of a double that was just laid in the main line."""
    if end == "left":
        return reach.left + _HALF // 2
    return reach.right - _HALF // 2


def _face(
    reach: _Reach, end: End | None, inner: int, outer: int, double: bool
) -> tuple[str, SafeString]:
    """A tile's transform and face; `reach` grows by it. Doubles lie across."""
    half = _HALF // 2
    if end in (None, "right"):
        x = reach.right
        reach.right += _HALF if double else 2 * _HALF
        if double:
            return f"translate({x} {-_HALF})", drawing.shape(inner, outer)
        return f"translate({x} {half}) rotate(-90)", drawing.shape(inner, outer)
    if end == "left":
        reach.left -= _HALF if double else 2 * _HALF
        if double:
            return f"translate({reach.left} {-_HALF})", drawing.shape(outer, inner)
        return f"translate({reach.left} {half}) rotate(-90)", drawing.shape(outer, inner)
    tall = _HALF if double else 2 * _HALF
    if end == "up":
        reach.up -= tall
        if double:
            return (
                f"translate({reach.centre - _HALF} {reach.up + _HALF}) rotate(-90)",
                drawing.shape(outer, inner),
            )
        return f"translate({reach.centre - half} {reach.up})", drawing.shape(outer, inner)
    y = reach.down
    reach.down += tall
    if double:
        return (
            f"translate({reach.centre - _HALF} {y + _HALF}) rotate(-90)",
            drawing.shape(inner, outer),
        )
    return f"translate({reach.centre - half} {y})", drawing.shape(inner, outer)
