"""Groups, who goes on from them, and in which order: pure."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from tournaments.formats import groups, single_elimination
from tournaments.formats.elimination import seed_order
from tournaments.formats.model import BadVerdict, Field, Plan, Verdict
from tournaments.formats.onward import Cut, Order, Tie, Way, crossed, cut, lot_of


def field(size: int, count: int, **more: object) -> Field:
    return Field(size, options={"groups": count, "legs": 1}, **more)  # type: ignore[arg-type]


def played(entrants: Field, chance: Random | None = None) -> dict[int, Verdict]:
    """The lower seed wins each match, or chance."""
    verdicts = {}
    for number, pairing in groups.plan(entrants, {}).pairings.items():
        seeds = pairing.seeds()
        winner = min(seeds) if chance is None else chance.choice(seeds)
        verdicts[number] = Verdict(winner, (150, 100) if seeds[0] == winner else (100, 150))
    return verdicts


def way(
    take: int, *, per_group: bool = True, seeding: str = "crossed", by_lot: bool = False
) -> Way:
    return Way(take, per_group, seeding, lambda seed: lot_of("x")(seed), by_lot)


@pytest.mark.parametrize("size", range(2, 41))
@pytest.mark.parametrize("count", [2, 3, 4, 8])
def test_groups_differ_by_one_at_most_and_everybody_meets_in_each(size: int, count: int) -> None:
    entrants = field(size, count)
    found = groups.members(entrants)
    sizes = [len(group) for group in found]
    assert sorted(seed for group in found for seed in group) == list(range(1, size + 1))
    assert max(sizes) - min(sizes) <= 1
    assert len(found) == min(count, size // 2)
    met = Counter(frozenset(p.seeds()) for p in groups.plan(entrants, {}).pairings.values())
    wanted = Counter(frozenset(pair) for group in found for pair in combinations(group, 2))
    assert met == wanted


def test_seeds_go_to_the_groups_in_a_snake() -> None:
    assert groups.members(field(10, 4)) == ((1, 8, 9), (2, 7, 10), (3, 6), (4, 5))


def test_each_group_has_its_own_table_and_ranks() -> None:
    entrants = field(16, 4)
    now = groups.plan(entrants, played(entrants))
    assert [(row.group, row.seed, row.rank) for row in now.table][:8] == [
        (1, 1, 1), (1, 8, 2), (1, 9, 3), (1, 16, 4),
        (2, 2, 1), (2, 7, 2), (2, 10, 3), (2, 15, 4)]  # fmt: skip
    assert now.over
    assert [now.places[seed] for seed in (1, 2, 3, 4, 5, 8, 16)] == [1, 1, 1, 1, 5, 5, 13]


def test_across_groups_of_different_size_points_a_match_decide() -> None:
    entrants = field(7, 2)
    assert groups.members(entrants) == ((1, 4, 5), (2, 3, 6, 7))
    verdicts = played(entrants)
    now = groups.plan(entrants, verdicts)
    assert (now.places[1], now.places[2]) == (1, 1)  # 2 of 2 and 3 of 3
    assert now.places[3] < now.places[4]  # 2 of 3 and 1 of 2


def test_a_verdict_must_fit_its_match() -> None:
    with pytest.raises(BadVerdict, match="neither of the two"):
        groups.plan(field(8, 2), {1: Verdict(2)})
    with pytest.raises(BadVerdict, match="no such match"):
        groups.plan(field(8, 2), {99: Verdict(1)})


def first_round(order: str) -> list[str]:
    names = [order[at : at + 2] for at in range(0, len(order), 2)]
    places = seed_order(1 << (len(names) - 1).bit_length())
    met = [names[seed - 1] if seed <= len(names) else "-" for seed in places]
    return ["–".join(pair) for pair in zip(met[::2], met[1::2], strict=True)]


def text(tiers: tuple[tuple[int, ...], ...]) -> str:
    return "".join("ABCDEFGH"[group] + str(tier + 1) for tier, group in crossed(tiers))


def test_two_of_four_groups_cross_over() -> None:  # D13
    assert first_round(text(((0, 1, 2, 3),) * 2)) == ["A1–C2", "D1–B2", "B1–D2", "C1–A2"]


@pytest.mark.parametrize("count", range(2, 33))
@pytest.mark.parametrize("each", [1, 2, 3, 4])
def test_groupmates_meet_as_late_as_can_be(count: int, each: int) -> None:
    order = crossed((tuple(range(count)),) * each)
    size = 1 << (len(order) - 1).bit_length()
    at = {seed: place for place, seed in enumerate(seed_order(size))}
    stands: dict[int, list[int]] = {}
    for seed, (_tier, group) in enumerate(order, start=1):
        stands.setdefault(group, []).append(at[seed])
    if each == 2:  # in opposite halves
        assert all(one ^ other >= size // 2 for one, other in stands.values())
    if each == 4 and count & (count - 1) == 0:  # one in each quarter
        assert all(len({place // (size // 4) for place in own}) == 4 for own in stands.values())


def test_winners_meet_runners_up_where_nobody_has_a_bye() -> None:
    for count in (2, 4, 8, 16):
        order = crossed((tuple(range(count)),) * 2)
        pairings = single_elimination.plan(Field(2 * count), {}).pairings.values()
        for pairing in pairings:
            if seeds := pairing.seeds():
                (tier, group), (other_tier, other_group) = (order[seed - 1] for seed in seeds)
                assert (tier != other_tier, group != other_group) == (True, True)


def table_of_ties() -> tuple[Field, Plan]:
    """Two groups of three; in the first all beat one another in a circle."""
    entrants = field(6, 2)
    verdicts = played(entrants)
    circle = {frozenset((1, 4)): 1, frozenset((4, 5)): 4, frozenset((1, 5)): 5}
    for number, pairing in groups.plan(entrants, {}).pairings.items():
        if winner := circle.get(frozenset(pairing.seeds())):
            verdicts[number] = Verdict(winner)
    return entrants, groups.plan(entrants, verdicts)


def test_a_tie_across_the_cut_waits() -> None:  # D14
    _entrants, now = table_of_ties()
    assert cut(now, way(2), frozenset()) == Cut((), Tie((1, 4, 5), 2, 1))
    assert cut(now, way(1), frozenset()).tie == Tie((1, 4, 5), 1, 1)
    assert cut(now, way(3), frozenset()).tie is None  # level, but all of them go on


def test_an_order_breaks_a_tie_and_leaves_one_to_break() -> None:
    _entrants, now = table_of_ties()
    ordered = Order(frozenset({1, 4, 5}), [[5], [1], [4]])
    assert set(cut(now, way(2), frozenset(), [ordered]).through) == {5, 1, 2, 3}
    shared = Order(frozenset({1, 4, 5}), [[5], [1, 4]])
    assert cut(now, way(2), frozenset(), [shared]).tie == Tie((1, 4), 1, 1)
    again = [shared, Order(frozenset({1, 4}), [[4], [1]])]
    assert set(cut(now, way(2), frozenset(), again).through) == {5, 4, 2, 3}
    level = Order(frozenset({1, 4, 5}), [[1, 4, 5]])
    assert cut(now, way(2), frozenset(), [level]).tie == Tie((1, 4, 5), 2, 1)


def test_a_lot_breaks_ties_by_itself_where_that_is_set() -> None:
    _entrants, now = table_of_ties()
    one = cut(now, way(2, by_lot=True), frozenset())
    assert one.tie is None
    assert one == cut(now, way(2, by_lot=True), frozenset())
    expected = set(sorted((1, 4, 5), key=lot_of("x"))[:2])
    assert set(one.through) == expected | {2, 3}


def test_who_left_does_not_go_on_and_the_next_does() -> None:
    entrants = field(16, 4)
    now = groups.plan(entrants, played(entrants))
    assert set(cut(now, way(2), frozenset({1, 7})).through) == {8, 9, 2, 10, 3, 6, 4, 5}


def test_the_best_thirds_fill_up() -> None:
    entrants = field(12, 3)
    now = groups.plan(entrants, played(entrants))
    found = cut(now, way(8, per_group=False, by_lot=True), frozenset())
    group_of = {row.seed: (row.group, row.rank) for row in now.table}
    ranks = Counter(group_of[seed][1] for seed in found.through)
    assert ranks == {1: 3, 2: 3, 3: 2}


@pytest.mark.parametrize("number", range(40))
def test_whoever_goes_on_is_never_behind_somebody_who_does_not(number: int) -> None:
    chance = Random(number)
    entrants = field(chance.randint(4, 40), chance.randint(2, 8))
    now = groups.plan(entrants, played(entrants, chance))
    take = chance.randint(1, 4)
    found = cut(now, way(take, by_lot=True), frozenset())
    for group in {row.group for row in now.table}:
        rows = [row for row in now.table if row.group == group]
        inside = [row.rank for row in rows if row.seed in found.through]
        outside = [row.rank for row in rows if row.seed not in found.through]
        assert len(inside) == min(take, len(rows))
        assert not outside or max(inside) <= min(outside)  # type: ignore[type-var]


def test_the_cap_of_the_points_difference_holds_in_groups_too() -> None:
    entrants = Field(4, options={"groups": 2, "legs": 1, "difference_cap": 20})
    verdicts = {
        number: Verdict(pairing.seeds()[0], (150, 10))
        for number, pairing in groups.plan(entrants, {}).pairings.items()
    }
    rows = groups.plan(entrants, verdicts).table
    assert sorted(row.values["difference"] for row in rows) == [-20, -20, 20, 20]
