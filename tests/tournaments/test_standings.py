"""Standings: the cases of cases.md, and FIDE's own exercise as the oracle for Buchholz."""

from __future__ import annotations

import pytest

from tournaments.standings.cards import POINT, Card, Encounter
from tournaments.standings.criteria import buchholz, buchholz_cut, buchholz_median, direct
from tournaments.standings.table import table

FIDE_TEXT = """
 2 +10 +7 =1 +16 =3        1 +9 =13 =2 +15 =4        3 =11 +6 +8 =4 =2
 4 +12 HPB +13 =3 =1      16 =8 +11 +7 -2 +15        6 -14 -3 PAB +10 +8
 5 -13 -15 +11 =7 +10      8 =16 +14 -3 +13 -6      11 =3 -16 -5 +F9 +7
12 -4 PAB +F14 ZPB ZPB    14 +6 -8 -F12 ZPB +13     15 -7 +5 +10 -1 -16
 7 +15 -2 -16 =5 -11       9 -1 -10 HPB -F11 PAB    13 +5 =1 -4 -8 -14
10 -2 +9 -15 -6 -5
"""
FIDE = FIDE_TEXT.split()
BUCHHOLZ = {
    2: 13, 3: 15.5, 4: 14, 1: 12.5, 16: 12.5, 6: 11.5, 8: 13.5, 11: 12.5, 5: 8.5, 15: 12,
    12: 11.5, 14: 11, 7: 14.5, 13: 14, 9: 9, 10: 13,
}  # fmt: skip
RESULTS = {"+": POINT, "=": POINT // 2, "-": 0, "P": POINT, "H": POINT // 2, "Z": 0}


def fide_cards() -> dict[int, Card]:
    cards = {}
    for start in range(0, len(FIDE), 6):
        seed = int(FIDE[start])
        rounds = [encounter(n, FIDE[start + n]) for n in range(1, 6)]
        cards[seed] = Card(seed, tuple(rounds))
    return cards


def encounter(number: int, text: str) -> Encounter:
    points = RESULTS[text[0]]
    if text.endswith("B"):
        return Encounter(number, (), points, played=False, absent=text[0] in "HZ")
    return Encounter(number, (int(text[1:].lstrip("F")),), points, played="F" not in text)


def cards_of(*won: tuple[int, int]) -> dict[int, Card]:
    """Cards from pairs of winner and loser."""
    seeds = {seed for pair in won for seed in pair}
    return {
        seed: Card(
            seed,
            tuple(
                Encounter(n, (other if seed == one else one,), POINT * (seed == one), played=True)
                for n, (one, other) in enumerate(won)
                if seed in (one, other)
            ),
        )
        for seed in seeds
    }


def test_buchholz_is_as_fide_computes_it() -> None:
    cards = fide_cards()
    assert {seed: value / POINT for seed, value in buchholz(cards, list(cards)).items()} == BUCHHOLZ


def test_cut_leaves_out_the_lowest_and_median_the_highest_too() -> None:
    cards = fide_cards()  # 2 met 10, 7, 1, 16, 3 with 1, 1½, 3½, 3½, 3½ points
    assert buchholz_cut(cards, [2])[2] == 12 * POINT
    assert buchholz_median(cards, [2])[2] == 8.5 * POINT


def test_equal_points_share_a_rank_and_the_next_is_left_out() -> None:  # S1
    cards = {s: Card(s, (Encounter(1, (), p, played=False),))
             for s, p in {1: 10, 2: 8, 3: 8, 4: 6, 5: 12}.items()}  # fmt: skip
    rows = table(cards, ("wins",), last=[5])
    assert [(row.seed, row.rank) for row in rows] == [(1, 1), (2, 2), (3, 2), (4, 4), (5, None)]
    assert [row.decided for row in rows] == ["", "shared", "shared", "", ""]


def test_a_circle_is_not_separated_by_direct_encounter() -> None:  # S2
    cards = cards_of((1, 2), (2, 3), (3, 1))
    assert direct(cards, [1, 2, 3]) == {1: POINT, 2: POINT, 3: POINT}
    assert {row.decided for row in table(cards, ("direct",))} == {"shared"}


def test_direct_encounter_starts_again_for_those_it_left_together() -> None:  # S2
    # 1, 2, 3, 4 all have two points. Among them 4 lost to all; then only 1, 2, 3 are a circle,
    # and in the other case the one separated leaves two whose own meeting decides.
    cards = cards_of((1, 2), (1, 3), (2, 3), (3, 4), (4, 5), (4, 6), (2, 6), (3, 5))
    level = [seed for seed in cards if cards[seed].points == 2 * POINT]
    assert sorted(level) == [1, 2, 3, 4]
    assert direct(cards, level) is None  # not all have met
    cards = cards_of((1, 2), (2, 3), (1, 3), (3, 9), (3, 8), (2, 9))
    rows = [row for row in table(cards, ("direct",)) if row.points == 2 * POINT]
    assert [(row.seed, row.decided) for row in rows] == [
        (1, "direct"), (2, "direct"), (3, "direct")]  # fmt: skip


def test_direct_encounter_needs_all_to_have_met() -> None:
    cards = cards_of((1, 3), (2, 4))
    assert direct(cards, [1, 2]) is None


def test_nobody_has_to_have_played() -> None:  # S4
    cards = {1: Card(1, ()), 2: Card(2, ())}
    rows = table(cards, ("wins", "direct", "buchholz", "buchholz_median", "sonneborn"))
    assert [(row.rank, row.points) for row in rows] == [(1, 0), (1, 0)]


@pytest.mark.parametrize("size", [1, 2, 5])
def test_every_entrant_has_a_row(size: int) -> None:
    cards = {seed: Card(seed, ()) for seed in range(1, size + 1)}
    assert len(table(cards, ())) == size
