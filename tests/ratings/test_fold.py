"""The fold: damping, places, and what is not rated."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from ratings.fold import Entry, Meetings, fold
from ratings.glicko import State, variance_of
from ratings.pools import POOLS, UNRATED, Seat, kind_of, places_of, pool_key, why_unrated

MONDAY = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)
HUMANS = [Seat(1), Seat(2)]


def entry(number, *sides, days=0.0, places=None, trust=1.0):
    return Entry(
        match_id=f"m{number:03}",
        finished_at=MONDAY + timedelta(days=days),
        target=150,
        sides=sides,
        places=tuple(places or range(1, len(sides) + 1)),
        trust=trust,
    )


def test_the_kth_match_of_the_same_two_in_a_week_weighs_one_over_k():
    meetings = Meetings()
    weights = [meetings.note(entry(k, (1,), (2,), days=k)) for k in range(4)]
    assert weights == [(1.0,), (1 / 2,), (1 / 3,), (1 / 4,)]


def test_who_sat_where_does_not_matter_for_damping():
    meetings = Meetings()
    meetings.note(entry(1, (1,), (2,)))
    assert meetings.note(entry(2, (2,), (1,))) == (0.5,)


def test_after_a_week_a_meeting_is_forgotten():
    meetings = Meetings()
    meetings.note(entry(1, (1,), (2,)))
    assert meetings.note(entry(2, (1,), (2,), days=6.999)) == (0.5,)
    assert meetings.note(entry(3, (1,), (2,), days=7)) == (0.5,)
    assert meetings.note(entry(4, (1,), (2,), days=30)) == (1.0,)


def test_at_a_table_each_two_are_damped_by_themselves():
    meetings = Meetings()
    meetings.note(entry(1, (1,), (2,), (3,)))
    assert meetings.note(entry(2, (1,), (2,), (4,))) == (0.5, 1.0, 1.0)


def test_other_partners_are_another_meeting():
    meetings = Meetings()
    meetings.note(entry(1, (1, 3), (2, 4)))
    assert meetings.note(entry(2, (1, 2), (3, 4))) == (1.0,)
    assert meetings.note(entry(3, (2, 4), (1, 3))) == (0.5,)


def test_trust_halves_the_weight():
    assert Meetings().note(entry(1, (1,), (2,), trust=0.5)) == (0.5,)


def test_farming_one_opponent_pays_less_each_time():
    states = {1: State(0.0, variance_of(130)), 2: State(0.0, variance_of(130))}
    entries = [entry(k, (1,), (2,), days=k / 24) for k in range(6)]
    gains = [
        each.changes[1].after.mean - each.changes[1].before.mean
        for each in fold(entries, states, prior=variance_of(130))
    ]
    assert gains == sorted(gains, reverse=True)
    assert gains[5] < gains[0] / 6


def test_pools_are_games_by_kinds():
    assert len(POOLS) == len(set(POOLS)) == 9
    assert pool_key("allfives", kind_of(2, partners=False)) == "allfives-1v1"
    assert pool_key("draw", kind_of(3, partners=False)) == "draw-table"
    assert pool_key("block", kind_of(4, partners=True)) == "block-partners"
    with pytest.raises(ValueError, match="chess-1v1"):
        pool_key("chess", "1v1")


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({}, None),
        ({"reason": "resigned"}, None),
        ({"reason": "resigned", "reached_half": False}, "stopped"),
        ({"reason": "adjudicated", "reached_half": False}, "stopped"),
        ({"reason": "forfeit"}, "forfeit"),
        ({"reason": "walk_over"}, "walk_over"),
        ({"reason": "no_show", "reached_half": False}, "no_show"),
        ({"reason": "bye"}, "bye"),
        ({"rated": False}, "not_rated"),
        ({"seats": [Seat(1), Seat(2, guest=True)]}, "guest"),
        ({"seats": [Seat(1), Seat(9, bot=True)], "rated": False}, "bot"),
        ({"seats": [Seat(1), Seat(None)]}, "empty_seat"),
    ],
)
def test_what_is_not_rated_and_why(facts, reason):
    """R4: and each reason can be said in words."""
    usual = {"rated": True, "reason": "target", "reached_half": True, "seats": HUMANS}
    assert why_unrated(**{**usual, **facts}) == reason
    assert reason is None or str(UNRATED[reason]).endswith(".")


def test_who_left_takes_the_last_place():
    assert places_of([1, 2], []) == (1, 2)
    assert places_of([1, 2, 3, 4], [0]) == (4, 1, 2, 3)
    assert places_of([1, 2, 3, 3], [2, 3]) == (1, 2, 3, 3)
    assert places_of([2, 1], [0, 1]) == (1, 1)


def test_swapping_two_independent_matches_changes_nothing():
    prior = variance_of(130)
    one, two = entry(1, (1,), (2,)), entry(2, (3,), (4,))
    there = {player: State(0.0, prior) for player in range(1, 5)}
    back = dict(there)
    assert Fraction(0) == sum(
        Fraction(each.changes[player].after.mean)
        for each in fold([one, two], there, prior=prior)
        for player in each.changes
    )
    list(fold([two, one], back, prior=prior))
    assert there == back
