from __future__ import annotations

import pytest

from engine import tiles
from engine.errors import BadTile


def test_the_set_has_28_tiles_and_168_pips() -> None:
    assert tiles.COUNT == 28
    assert sum(tiles.PIPS) == 168
    assert tiles.pips_of(tiles.ALL) == 168


def test_tiles_are_numbered_in_the_order_of_dsh_1() -> None:
    assert [tiles.text(tile) for tile in (0, 1, 6, 7, 13, 27)] == [
        "0-0", "1-0", "6-0", "1-1", "2-2", "6-6",
    ]  # fmt: skip


def test_both_spellings_name_the_same_tile() -> None:
    for tile in range(28):
        high, low = tiles.HIGH[tile], tiles.LOW[tile]
        assert tiles.parse(f"{high}-{low}") == tiles.parse(f"{low}-{high}") == tile
        assert tiles.text(tile) == f"{high}-{low}"


@pytest.mark.parametrize(
    "name", ["7-1", "6-", "66", "6_6", "", "6-6 ", "٦-٦", "-1-2", None, 27, ["6-6"], "6-6" * 99]
)
def test_what_names_no_tile_is_refused(name: object) -> None:
    with pytest.raises(BadTile) as caught:
        tiles.parse(name)
    assert caught.value.code == "bad_tile"
    assert len(caught.value.detail) < 90


def test_hands_are_bit_sets() -> None:
    hand = tiles.mask_of([27, 0, 13])
    assert tiles.bits(hand) == (0, 13, 27)
    assert tiles.texts(hand) == ("0-0", "2-2", "6-6")
    assert tiles.texts([27, 0]) == ("6-6", "0-0")
    assert tiles.pips_of(hand) == 16
    assert tiles.bits(tiles.ALL) == tuple(range(28))
    assert tiles.bits(0) == ()


def test_doubles_and_suits() -> None:
    assert tiles.texts(tiles.DOUBLES) == ("0-0", "1-1", "2-2", "3-3", "4-4", "5-5", "6-6")
    assert all(tiles.is_double(tile) == bool(tiles.DOUBLES >> tile & 1) for tile in range(28))
    assert tiles.texts(tiles.WITH_PIP[3]) == ("3-0", "3-1", "3-2", "3-3", "4-3", "5-3", "6-3")


def test_of_equal_pips_the_higher_half_is_heavier() -> None:
    assert tiles.text(tiles.heaviest(tiles.mask_of(map(tiles.parse, ("5-4", "6-3"))))) == "6-3"
    assert tiles.text(tiles.heaviest(tiles.mask_of(map(tiles.parse, ("5-5", "6-4"))))) == "6-4"
