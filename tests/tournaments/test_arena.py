"""The arena's rules: who meets whom, and what the points are."""

from __future__ import annotations

import random
import time
from itertools import combinations

import pytest

from tournaments.formats import arena
from tournaments.formats.arena import Waiting
from tournaments.formats.model import BadVerdict, Field, Meeting, Verdict
from tournaments.standings.cards import POINT


def field_of(*pairs: tuple[int, int], size: int = 0, **options: object) -> Field:
    """A field in which those met, one after another."""
    drawn = tuple(Meeting(n, n, 1, pair, {}) for n, pair in enumerate(pairs, start=1))
    most = max((seed for pair in pairs for seed in pair), default=2)
    return Field(size or most, options=options, drawn=drawn)


def verdict(mark: str) -> Verdict:
    """+ the first wins, - the second, = a shared place, 0 neither came; by seeds 1 and 2."""
    if mark == "=":
        return Verdict(None, (50, 50), places=(1, 1))
    if mark == "0":
        return Verdict(None, played=False)
    return Verdict(1 if mark == "+" else 2, (100, 60) if mark == "+" else (60, 100))


def points(marks: str) -> tuple[list[int], list[int]]:
    """What each match of two who meet again and again is worth, to the first and the second."""
    field = field_of(*[(1, 2)] * len(marks))
    found = arena.sheets(field, {n: verdict(m) for n, m in enumerate(marks, start=1)})
    one, other = ([score // POINT for score in found[seed].scores] for seed in (1, 2))
    return one, other


@pytest.mark.parametrize(
    ("marks", "one", "other"),
    [
        ("+", [2], [0]),
        ("++", [2, 2], [0, 0]),
        ("+++", [2, 2, 4], [0, 0, 0]),
        ("++++-+", [2, 2, 4, 4, 0, 2], [0, 0, 0, 0, 2, 0]),
        ("++-++", [2, 2, 0, 2, 2], [0, 0, 2, 0, 0]),
        ("++=+", [2, 2, 2, 2], [0, 0, 1, 0]),
        ("==", [1, 1], [1, 1]),
        ("++0+", [2, 2, 0, 2], [0, 0, 0, 0]),
        ("---+", [0, 0, 0, 2], [2, 2, 4, 0]),
    ],
)
def test_two_wins_in_a_row_double_what_follows_until_one_is_not_won(
    marks: str, one: list[int], other: list[int]
) -> None:
    assert points(marks) == (one, other)


def test_a_corrected_result_recomputes_the_streaks_after_it() -> None:
    field = field_of(*[(1, 2)] * 4)
    before = {n: verdict("+") for n in range(1, 5)}
    after = before | {2: verdict("-")}
    assert arena.sheets(field, before)[1].points == (2 + 2 + 4 + 4) * POINT
    assert arena.sheets(field, after)[1].points == (2 + 0 + 2 + 2) * POINT
    shuffled = dict(sorted(after.items(), key=lambda item: -item[0]))
    assert arena.plan(field, shuffled) == arena.plan(field, after)


def test_level_on_points_wins_then_the_tables_decide() -> None:
    field = field_of((1, 2), (3, 4), (5, 6), (1, 2), size=6)
    verdicts = {
        1: Verdict(1, (100, 90)),
        2: Verdict(3, (100, 20)),
        3: Verdict(None, (100, 100), places=(1, 1)),
        4: Verdict(2, (90, 100)),
    }
    rows = arena.plan(field, verdicts).table
    assert [(row.seed, row.rank, row.decided) for row in rows] == [
        (3, 1, "difference"),
        (1, 2, "shared"),
        (2, 2, "shared"),
        (5, 4, "shared"),
        (6, 4, "shared"),
        (4, 6, ""),
    ]


def test_it_is_over_when_the_time_is_and_nothing_is_in_course() -> None:
    pairs = ((1, 2), (3, 4))
    won = {1: Verdict(1, (100, 50))}
    assert not arena.plan(field_of(*pairs), won).over
    running = arena.plan(field_of(*pairs, closed=[2], in_course="count"), won)
    assert (running.over, running.places) == (False, {})
    both = won | {2: Verdict(4, (1, 100))}
    ended = arena.plan(field_of(*pairs, closed=[2], in_course="count"), both)
    assert (ended.over, ended.places) == (True, {4: 1, 1: 2, 2: 3, 3: 4})


def test_what_is_not_over_in_time_does_not_count_if_so_declared() -> None:
    field = field_of((1, 2), (3, 4), closed=[2], in_course="finished")
    for late in ({}, {2: Verdict(4, (1, 100))}):
        found = arena.plan(field, {1: Verdict(1, (100, 50)), **late})
        assert found.pairings[2].automatic == "not_needed"
        assert (found.over, found.places) == (True, {1: 1, 3: 2, 4: 2, 2: 4})


def test_a_verdict_nobody_can_have_reached_is_refused() -> None:
    with pytest.raises(BadVerdict):
        arena.plan(field_of((1, 2), size=3), {1: Verdict(3)})
    with pytest.raises(BadVerdict):
        arena.plan(field_of((1, 2)), {2: Verdict(1)})


def paired(*waiting: Waiting, active: int = 0, randomness: str = "x") -> set[frozenset[int]]:
    found = arena.pair(
        waiting, number=1, round=1, active=active or len(waiting), randomness=randomness
    )
    return {frozenset(meeting.seeds) for meeting in found}


def test_those_near_in_the_standings_meet() -> None:
    waiting = [Waiting(seed, place=seed) for seed in (5, 2, 6, 1)]
    assert paired(*waiting) == {frozenset({1, 2}), frozenset({5, 6})}


def test_those_who_have_just_met_do_not_meet_again_when_another_is_there() -> None:
    waiting = [
        Waiting(1, 1, last=2, met={2: 1}),
        Waiting(2, 2, last=1, met={1: 1}),
        Waiting(3, 8),
        Waiting(4, 9),
    ]
    found = paired(*waiting)
    assert len(found) == 2
    assert frozenset({1, 2}) not in found


@pytest.mark.parametrize(
    ("waited", "active", "meet"), [(0, 4, False), (19, 4, False), (20, 4, True), (0, 2, True)]
)
def test_those_who_have_just_met_wait_for_another_a_while_if_one_may_come(
    waited: int, active: int, meet: bool
) -> None:
    waiting = [Waiting(1, 1, waited, last=2), Waiting(2, 2, waited, last=1)]
    assert bool(paired(*waiting, active=active)) is meet


def test_who_waited_longest_is_never_the_one_left_over() -> None:
    waiting = [Waiting(seed, seed, waited=50 if seed == 3 else seed) for seed in range(1, 8)]
    left = set(range(1, 8)) - {seed for pair in paired(*waiting) for seed in pair}
    assert left == {1}


def test_the_longer_one_waits_the_farther_away_an_opponent_may_stand() -> None:
    def meet(waited: int) -> bool:
        return bool(paired(Waiting(1, 1, waited), Waiting(2, 60, 0), active=100))

    assert [meet(waited) for waited in (0, 19, 20, 40)] == [False, False, True, True]


def test_the_same_people_get_the_same_meetings_whatever_their_order() -> None:
    chance = random.Random(5)
    waiting = [Waiting(seed, 1 + seed // 4, waited=seed % 3) for seed in range(1, 42)]
    first = paired(*waiting)
    for _ in range(5):
        chance.shuffle(waiting)
        assert paired(*waiting) == first


def test_nobody_is_seated_twice_and_no_pair_is_left_over_that_may_meet() -> None:
    chance = random.Random(1)
    for _case in range(60):
        count = chance.randrange(0, 25)
        seeds = chance.sample(range(1, 60), count)
        waiting = [
            Waiting(s, p, chance.randrange(0, 60), last=chance.choice([0, *seeds]))
            for p, s in enumerate(seeds, start=1)
        ]
        found = paired(*waiting, active=60)
        seated = [seed for pair in found for seed in pair]
        assert len(seated) == len(set(seated)) == 2 * len(found)
        drawing = arena._Drawing(waiting, 1, 60, "x")
        left = [each for each in waiting if each.seed not in seated]
        assert not any(drawing._may_meet(one, other) for one, other in combinations(left, 2))


def test_the_lead_goes_to_who_had_it_less_often() -> None:
    waiting = [Waiting(1, 1, balance=1), Waiting(2, 2, balance=-1)]
    (meeting,) = arena.pair(waiting, number=7, round=3, active=2, randomness="x")
    assert (meeting.seeds, meeting.number, meeting.round) == ((2, 1), 7, 3)
    assert meeting.because["places"] == [2, 1]


def test_a_thousand_who_wait_are_paired_at_once() -> None:
    chance = random.Random(2)
    waiting = [
        Waiting(s, s, chance.randrange(9), last=s % 1000 + 1, met={s % 1000 + 1: 1})
        for s in range(1, 1001)
    ]
    began = time.perf_counter()
    assert len(paired(*waiting)) == 500
    assert time.perf_counter() - began < 1
