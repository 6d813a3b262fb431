"""Dominoes drawn as SVG, for pages that show one or a few. Pure.

One half is a square of 60 units; a tile stands upright with its first half on top.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

HALF = 60
_NEAR, _MID, _FAR = 15, 30, 45
_CORNERS = [(_NEAR, _NEAR), (_FAR, _FAR), (_FAR, _NEAR), (_NEAR, _FAR)]
_PLACES: dict[int, list[tuple[int, int]]] = {
    0: [],
    1: [(_MID, _MID)],
    2: _CORNERS[:2],
    3: [*_CORNERS[:2], (_MID, _MID)],
    4: _CORNERS,
    5: [*_CORNERS, (_MID, _MID)],
    6: [*_CORNERS, (_NEAR, _MID), (_FAR, _MID)],
}


def tile(first: int, second: int) -> SafeString:
    """An upright tile of its own, decoration to the text beside it."""
    return format_html(
        '<svg class="domino" viewBox="-2 -2 {} {}" aria-hidden="true" focusable="false">{}</svg>',
        HALF + 4,
        2 * HALF + 4,
        shape(first, second),
    )


@cache
def shape(first: int, second: int) -> SafeString:
    """The tile's face, middle bar and pips, to be put inside an SVG."""
    pips = [*_pips(first, 0), *_pips(second, HALF)]
    return format_html(
        '<rect class="face" width="60" height="120" rx="9"/><path class="mid" d="M10 60h40"/>{}',
        format_html_join("", '<circle class="pip" cx="{}" cy="{}" r="5.8"/>', pips),
    )


def _pips(value: int, down: int) -> Iterator[tuple[int, int]]:
    return ((x, y + down) for x, y in _PLACES[value])
