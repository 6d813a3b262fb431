"""Standings: the cases of cases.md, and FIDE's own exercise as the oracle for Buchholz."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from tournaments.standings import criteria
from tournaments.standings.cards import POINT, Card, Encounter
from tournaments.standings.criteria import KEYS
from tournaments.standings.reasons import reasons
from tournaments.standings.sheet import Sheet
from tournaments.standings.table import Versus, table

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


def values_of(key: str, cards: dict[int, Card]) -> dict[int, int]:
    sheet = Sheet(cards, randomness="x")
    return dict(zip(sheet.seeds, criteria.CRITERIA[key](sheet).tolist(), strict=True))


def direct(cards: dict[int, Card], level: list[int]) -> dict[int, int] | None:
    found = criteria.direct(Sheet(cards), level)
    return None if found is None else dict(found)


def test_buchholz_is_as_fide_computes_it() -> None:
    cards = fide_cards()
    assert {seed: value / POINT for seed, value in values_of("buchholz", cards).items()} == BUCHHOLZ


def test_cut_leaves_out_the_lowest_and_median_the_highest_too() -> None:
    cards = fide_cards()  # 2 met 10, 7, 1, 16, 3 with 1, 1½, 3½, 3½, 3½ points
    assert values_of("buchholz_cut", cards)[2] == 12 * POINT
    assert values_of("buchholz_median", cards)[2] == 8.5 * POINT


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


def test_the_reason_names_both_values_and_the_criterion_that_separates_from_the_next() -> None:
    # Level on a point each: 1, 2 and 3. 1 scored 20, the others 10; of those 2 has the better lead.
    def card(seed: int, scored: int, conceded: int) -> Card:
        return Card(seed, (Encounter(1, (seed + 10,), POINT, True, scored, conceded),))

    losers = {n: Card(n, (Encounter(1, (n - 10,), 0, True),)) for n in (11, 12, 13)}
    cards = {1: card(1, 20, 19), 2: card(2, 10, 2), 3: card(3, 10, 5), **losers}
    rows = {row.seed: row for row in table(cards, ("scored", "difference"))}
    assert (rows[1].decided, rows[1].versus) == ("scored", Versus(2, 20, 10))
    assert (rows[2].decided, rows[2].versus) == ("difference", Versus(3, 8, 5))
    assert (rows[3].decided, rows[3].versus) == ("difference", Versus(2, 5, 8))


def test_points_difference_counts_up_to_the_cap_in_each_round() -> None:
    rounds = (Encounter(1, (2,), POINT, True, 150, 20), Encounter(2, (2,), 0, True, 0, 30))
    cards = {1: Card(1, rounds), 2: Card(2, ())}
    assert Sheet(cards).difference.tolist() == [100, 0]
    assert Sheet(cards, cap=50).difference.tolist() == [20, 0]


def test_lots_part_everybody_and_follow_from_the_seed_of_the_event() -> None:
    cards = {seed: Card(seed, ()) for seed in range(1, 41)}
    rows = table(cards, ("lot",), randomness="one")
    assert sorted(row.rank or 0 for row in rows) == list(range(1, 41))
    assert rows == table(cards, ("lot",), randomness="one")
    assert [r.seed for r in rows] != [r.seed for r in table(cards, ("lot",), randomness="two")]


def test_direct_encounter_at_a_table_of_four_is_who_came_before_whom() -> None:
    at_table = {1: 72, 2: 60, 3: 36, 4: 12}
    cards = {
        seed: Card(seed, (Encounter(1, tuple({1, 2, 3, 4} - {seed}), points, True),))
        for seed, points in at_table.items()
    }
    assert direct(cards, [2, 3]) == {2: POINT, 3: 0}
    assert direct(cards, [1, 2, 4]) == {1: 2 * POINT, 2: POINT, 4: 0}


def test_a_partner_is_no_opponent() -> None:
    rounds = {1: (2, (3, 4), 12), 2: (1, (3, 4), 12), 3: (4, (1, 2), 0), 4: (3, (1, 2), 0)}
    cards = {
        seed: Card(seed, (Encounter(1, others, points, True, partner=partner),))
        for seed, (partner, others, points) in rounds.items()
    }
    assert direct(cards, [1, 2]) is None
    assert values_of("buchholz", cards) == {1: 0, 2: 0, 3: 24, 4: 24}


def test_another_rule_for_unplayed_rounds_is_not_taken_for_this_one() -> None:
    with pytest.raises(ValueError, match="fide/2026"):
        table({1: Card(1, ())}, (), unplayed="fide/2031")


def random_cards(number: int) -> dict[int, Card]:
    chance = Random(number)
    size = chance.randint(1, 9)
    rounds: dict[int, list[Encounter]] = {seed: [] for seed in range(1, size + 1)}
    for at in range(1, chance.randint(1, 7)):
        left = chance.sample(sorted(rounds), size)
        while left:
            table_of, left = left[: (many := chance.choice((2, 2, 2, 4)))], left[many:]
            for seed in table_of:
                others = tuple(other for other in table_of if other != seed)
                played = bool(others) and chance.random() < 0.8
                points = chance.choice((0, 6, 12))
                score = chance.choice((0, 50, 150))
                rounds[seed].append(
                    Encounter(at, others, points, played, score, 70, not others, games=points // 6)
                )
    return {seed: Card(seed, tuple(own)) for seed, own in rounds.items()}


@pytest.mark.parametrize("number", range(30))
def test_every_criterion_is_the_sum_of_its_parts(number: int) -> None:
    cards = random_cards(number)
    rows = table(cards, KEYS, randomness="x", cap=60)
    for row in rows:
        level = [each.seed for each in rows if each.points == row.points]
        for reason in reasons(cards, KEYS, row.seed, level, randomness="x", cap=60):
            total = sum(part.value for part in reason.parts if part.counts)
            if reason.key == "points":
                assert reason.value == total == row.points
            elif reason.key != "direct":
                assert reason.value == total // reason.per == row.values[reason.key], reason.key
            elif reason.value is not None:
                assert reason.value == total


@pytest.mark.parametrize("number", range(30))
def test_neighbours_who_are_level_are_parted_by_what_the_rows_say(number: int) -> None:
    rows = table(random_cards(number), KEYS[:-1], randomness="x")
    for one, other in pairwise(rows):
        if one.points != other.points:
            continue
        if one.rank == other.rank:
            assert one.decided == other.decided == "shared"
        elif one.versus is not None:
            assert one.versus.own > one.versus.other
            if one.decided != "direct":
                assert one.values[one.decided] == one.versus.own
                assert other.values[one.decided] == one.versus.other
