"""Who sits down with whom: what holds for whoever waits."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quickplay.pairing import AGAIN_AFTER, ANYBODY_AFTER, Table, Waiting, pair, reach_after

SHAPES = [(2, False), (3, False), (4, False), (4, True)]
LONG = ANYBODY_AFTER + 1


def waiting(key: int, points: float = 1500, waited: float = 0, **more: object) -> Waiting:
    players = more.pop("players", (key,))
    return Waiting(key, players, points, more.pop("deviation", 60.0), waited, **more)  # type: ignore[arg-type]


def keys(tables: tuple[Table, ...]) -> list[set[int]]:
    return [{each.key for each in table.waiting} for table in tables]


@st.composite
def crowds(draw: st.DrawFn) -> tuple[list[Waiting], int, bool]:
    seats, partners = draw(st.sampled_from(SHAPES))
    people = []
    for key in range(draw(st.integers(0, 14))):
        size = draw(st.integers(1, 2)) if partners else 1
        rated = draw(st.booleans())
        people.append(
            waiting(
                key,
                draw(st.sampled_from([1200, 1400, 1450, 1500, 1580, 1900])),
                draw(st.sampled_from([0, 1, 5, 12, 29, 31, 90])),
                players=tuple(10 * key + at for at in range(size)),
                rated=rated,
                unrated=not rated or draw(st.booleans()),
                avoid=frozenset({10 * draw(st.integers(0, 13))}),
            )
        )
    return people, seats, partners


@given(crowds(), st.randoms(use_true_random=False))
def test_nobody_sits_twice_whatever_the_order(
    crowd: tuple[list[Waiting], int, bool], chance: random.Random
) -> None:
    people, seats, partners = crowd
    tables = pair(people, seats=seats, partners=partners)
    seated = [player for table in tables for player in table.players]
    assert len(seated) == len(set(seated)) == seats * len(tables)
    for table in tables:
        assert set(table.players) == {p for each in table.waiting for p in each.players}
        assert all(each.rated if table.rated else each.unrated for each in table.waiting)
        elder = table.waiting[0]
        limit = reach_after(elder.waited, elder.deviation)
        assert all(abs(each.mean - elder.mean) <= limit for each in table.waiting)
        if partners:
            sides = {table.players[0::2], table.players[1::2]}
            for two in (each.players for each in table.waiting if len(each.players) == 2):
                assert {frozenset(two)} & {frozenset(side) for side in sides}
    chance.shuffle(people)
    assert pair(people, seats=seats, partners=partners) == tables


@given(crowds())
def test_who_has_waited_long_sits_down_if_anybody_can_sit_with_them(
    crowd: tuple[list[Waiting], int, bool],
) -> None:
    """Nobody starves: of those left over none who reaches everybody could sit at a table."""
    people, seats, partners = crowd
    seated = {each.key for t in pair(people, seats=seats, partners=partners) for each in t.waiting}
    left = [each for each in people if each.key not in seated]
    for size in range(1, seats + 1):
        for company in combinations(left, size):
            fits = sum(len(each.players) for each in company) == seats
            alike = all(e.rated for e in company) or all(e.unrated for e in company)
            assert not (fits and alike and max(each.waited for each in company) > ANYBODY_AFTER)


def test_who_waited_longest_is_served_first_with_the_nearest() -> None:
    people = [waiting(1, 1500, 3), waiting(2, 1590, 9), waiting(3, 1560, 1), waiting(4, 1480, 2)]
    assert keys(pair(people, seats=2)) == [{2, 3}, {1, 4}]
    assert keys(pair(people[:3], seats=2)) == [{2, 3}]


def test_how_far_somebody_reaches_grows_until_it_is_everybody() -> None:
    far = [waiting(1, 1500), waiting(2, 1800)]
    assert pair(far, seats=2) == ()
    assert keys(pair([waiting(1, 1500, 9.9), far[1]], seats=2)) == []
    assert keys(pair([waiting(1, 1500, 10), far[1]], seats=2)) == [{1, 2}]
    assert keys(pair([waiting(1, 1000, LONG), waiting(2, 2400)], seats=2)) == [{1, 2}]
    unknown = waiting(1, 1500, deviation=130.0)
    assert keys(pair([unknown, waiting(2, 1630)], seats=2)) == [{1, 2}]


def test_two_who_just_met_meet_again_only_when_nobody_else_comes() -> None:
    one, other = waiting(1, 1500, 1, avoid=frozenset({2})), waiting(2, 1500, 1)
    third = waiting(3, 1599)
    assert pair([one, other], seats=2) == ()
    assert keys(pair([one, other, third], seats=2)) == [{1, 3}]
    late = waiting(1, 1500, AGAIN_AFTER, avoid=frozenset({2}))
    assert keys(pair([late, other], seats=2)) == [{1, 2}]
    assert keys(pair([late, other, third], seats=2)) == [{1, 3}]


def test_rated_wins_where_both_take_it_and_guests_play_who_takes_unrated() -> None:
    both = waiting(1, 1500, 5, unrated=True)
    guest = waiting(2, 1500, rated=False, unrated=True)
    account = waiting(3, 1550)
    assert [table.rated for table in pair([both, guest, account], seats=2)] == [True]
    assert [table.rated for table in pair([both, guest], seats=2)] == [False]
    assert pair([account, guest], seats=2) == ()


def test_four_single_people_are_balanced() -> None:
    people = [waiting(1, 1560), waiting(2, 1540), waiting(3, 1520), waiting(4, 1500)]
    [table] = pair(people, seats=4, partners=True)
    assert {frozenset(table.players[0::2]), frozenset(table.players[1::2])} == {
        frozenset({1, 4}),
        frozenset({2, 3}),
    }


def test_a_party_stays_together_and_takes_two_places() -> None:
    party = waiting(1, 1500, 2, players=(10, 11))
    singles = [waiting(2, 1490), waiting(3, 1510)]
    [table] = pair([party, *singles], seats=4, partners=True)
    assert {table.players[0], table.players[2]} == {10, 11}
    assert pair([party, singles[0]], seats=4, partners=True) == ()
    near = waiting(4, 1501, players=(40, 41))
    [table] = pair([party, *singles, near], seats=4, partners=True)
    assert keys((table,)) == [{1, 4}]


def test_whoever_is_in_two_places_waits_once() -> None:
    assert pair([waiting(1, players=(7,)), waiting(2, players=(7,))], seats=2) == ()


@pytest.mark.parametrize(("seats", "partners"), SHAPES)
def test_opponents_are_nearer_than_by_lot_and_with_time_everybody_plays(
    seats: int, partners: bool
) -> None:
    chance = random.Random(seats)
    people = [waiting(key, chance.gauss(1500, 150)) for key in range(120)]
    tables = pair(people, seats=seats, partners=partners)
    by_lot = [people[at : at + seats] for at in range(0, 120, seats)]
    widest = max(max(e.mean for e in t) - min(e.mean for e in t) for t in by_lot)
    assert len(tables) * seats > 90
    assert max(table.gap for table in tables) <= 200 < widest
    patient = [waiting(each.key, each.mean, LONG) for each in people]
    assert len(pair(patient, seats=seats, partners=partners)) * seats == 120
