"""The double-six set: 28 tiles as numbers, as text, and as bit sets.

A tile is a number from 0 to 27 in the order of DSH-1 (shuffle.md 3): 0 = 0-0, 1 = 1-0, …,
6 = 6-0, 7 = 1-1, …, 27 = 6-6. A hand is an int: bit t is set when tile t is in it.

    >>> text(parse("3-4")), parse("4-3")
    ('4-3', 19)
    >>> texts(mask_of([parse("6-6"), parse("1-0")]))
    ('1-0', '6-6')
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.errors import BadTile

Tile = int

_PAIRS: Final = tuple((low, high) for low in range(7) for high in range(low, 7))

COUNT: Final = len(_PAIRS)
LOW: Final = tuple(low for low, _ in _PAIRS)
HIGH: Final = tuple(high for _, high in _PAIRS)
PIPS: Final = tuple(low + high for low, high in _PAIRS)
ALL: Final = (1 << COUNT) - 1
DOUBLES: Final = sum(1 << tile for tile in range(COUNT) if LOW[tile] == HIGH[tile])
# WITH_PIP[p]: the seven tiles that have p on a half, as a bit set.
WITH_PIP: Final = tuple(
    sum(1 << tile for tile in range(COUNT) if pip in _PAIRS[tile]) for pip in range(7)
)
# Heaviest first: most pips, among equals the higher half (rules.md 3, 8).
BY_WEIGHT: Final = tuple(sorted(range(COUNT), key=lambda t: (-PIPS[t], -HIGH[t])))

_TEXT: Final = tuple(f"{high}-{low}" for low, high in _PAIRS)
_PARSED: Final = {
    spelling: tile
    for tile, (low, high) in enumerate(_PAIRS)
    for spelling in (f"{low}-{high}", f"{high}-{low}")
}

# Tables by half of the set: any hand's tiles, and its pips, in two look-ups.
_HALF: Final = COUNT // 2
_HALF_MASK: Final = (1 << _HALF) - 1


def _spread(offset: int) -> tuple[tuple[Tile, ...], ...]:
    rows: list[tuple[Tile, ...]] = [()]
    for bit in range(_HALF):
        rows += [(*row, bit + offset) for row in rows]
    return tuple(rows)


def _sums(offset: int) -> tuple[int, ...]:
    sums = [0]
    for bit in range(_HALF):
        sums += [pips + PIPS[bit + offset] for pips in sums]
    return tuple(sums)


LOW_BITS: Final = _spread(0)
HIGH_BITS: Final = _spread(_HALF)
_LOW_PIPS: Final = _sums(0)
_HIGH_PIPS: Final = _sums(_HALF)


def parse(name: object) -> Tile:
    """The tile that `name` ("6-4" or "4-6") stands for. Raises BadTile."""
    tile = _PARSED.get(name) if isinstance(name, str) else None
    if tile is None:
        raise BadTile(f"no tile of the double-six set: {_shown(name)}", tile=_shown(name))
    return tile


def text(tile: Tile) -> str:
    """A tile as written, the higher half first."""
    return _TEXT[tile]


def is_double(tile: Tile) -> bool:
    return LOW[tile] == HIGH[tile]


def bits(mask: int) -> tuple[Tile, ...]:
    """The tiles of a hand, in ascending order."""
    return LOW_BITS[mask & _HALF_MASK] + HIGH_BITS[mask >> _HALF]


def mask_of(tiles: Iterable[Tile]) -> int:
    """The hand that holds `tiles`."""
    mask = 0
    for tile in tiles:
        mask |= 1 << tile
    return mask


def texts(tiles: int | Iterable[Tile]) -> tuple[str, ...]:
    """A hand (an int), or tiles in their order, as text."""
    return tuple(_TEXT[tile] for tile in (bits(tiles) if isinstance(tiles, int) else tiles))


def pips_of(mask: int) -> int:
    """The pips of a hand."""
    return _LOW_PIPS[mask & _HALF_MASK] + _HIGH_PIPS[mask >> _HALF]


def heaviest(mask: int) -> Tile:
    """The heaviest tile of a hand that is not empty."""
    return next(tile for tile in BY_WEIGHT if mask >> tile & 1)


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else shown[:37] + "..."
