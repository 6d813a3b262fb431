"""The round robin: the Berger tables, the order of play, and the cases of cases.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from tournaments.formats import round_robin
from tournaments.formats.model import BadVerdict, Field, Plan, Verdict


def plan(size: int, verdicts: Mapping[int, Verdict] | None = None, **field: Any) -> Plan:
    return round_robin.plan(Field(size, **field), verdicts or {})


def rounds_of(now: Plan) -> list[list[tuple[int, ...]]]:
    rounds: list[list[tuple[int, ...]]] = [[] for _ in range(now.rounds)]
    for pairing in now.pairings.values():
        rounds[pairing.round - 1].append(tuple(pairing.seeds()))
    return rounds


def number_of(now: Plan, one: int, other: int) -> int:
    return next(n for n, p in now.pairings.items() if set(p.seeds()) == {one, other})


def test_six_meet_as_in_the_berger_table() -> None:
    text = "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1"
    wanted = [
        [tuple(map(int, pair.split("-"))) for pair in part.split()] for part in text.split("|")
    ]
    assert rounds_of(plan(6)) == wanted
    twice = rounds_of(plan(6, options={"legs": 2}))
    assert twice == wanted + [[pair[::-1] for pair in part] for part in wanted]


@pytest.mark.parametrize("size", range(2, 65))
@pytest.mark.parametrize("legs", [1, 2])
def test_everybody_meets_everybody(size: int, legs: int) -> None:
    rounds = rounds_of(plan(size, options={"legs": legs}))
    assert len(rounds) == legs * (size - 1 + size % 2)
    assert Counter(frozenset(p) for part in rounds for p in part) == Counter(
        {frozenset((a, b)): legs for a in range(1, size + 1) for b in range(1, a)}
    )
    leads = Counter(p for part in rounds for p in part)
    assert set(leads.values()) == {1}
    for part in rounds:
        seeds = [seed for pair in part for seed in pair]
        assert len(seeds) == len(set(seeds)) == size - size % 2


def test_a_match_waits_until_both_are_free() -> None:
    now = plan(4)
    assert [n for n, p in now.pairings.items() if p.is_ready] == [1, 2]
    now = plan(4, {1: Verdict(1)})  # 1-4 is over, 2-3 is not: 4-3 and 1-2 must wait
    assert [n for n, p in now.pairings.items() if p.is_ready] == [2]
    now = plan(4, {1: Verdict(1), 2: Verdict(3)})
    assert [n for n, p in now.pairings.items() if p.is_ready] == [3, 4]


def test_places_are_final_when_all_is_decided() -> None:
    verdicts = {n: Verdict(min(p.seeds()), (150, 100)) for n, p in plan(4).pairings.items()}
    last = verdicts.pop(6)
    now = plan(4, verdicts)
    assert (now.over, now.places) == (False, {})
    end = plan(4, {**verdicts, 6: last})
    assert (end.over, end.places) == (True, {1: 1, 2: 2, 3: 3, 4: 4})
    assert [row.points for row in end.table] == [36, 24, 12, 0]


def test_who_leaves_before_half_counts_for_nobody() -> None:  # S6
    now = plan(6)
    verdicts = {
        n: Verdict(min(p.seeds()), (150, 90), played=6 not in p.seeds())
        for n, p in now.pairings.items()
    }
    for other in (1, 4):  # the first two matches of 6: one lost, one won
        verdicts[number_of(now, 6, other)] = Verdict(6 if other == 4 else 1, (150, 90))
    end = plan(6, verdicts, out=frozenset({6}))
    rows = {row.seed: row for row in end.table}
    assert (rows[6].counts, rows[6].points, rows[6].rank) == (False, 0, 6)
    assert [rows[seed].points for seed in range(1, 6)] == [48, 36, 24, 12, 0]
    third = number_of(now, 6, 2)
    stays = plan(6, {**verdicts, third: Verdict(2, (150, 90))}, out=frozenset({6}))
    rows = {row.seed: row for row in stays.table}
    assert (rows[6].counts, rows[6].points) == (True, 12)
    assert [rows[seed].points for seed in range(1, 6)] == [60, 48, 36, 12, 12]


def test_the_disqualified_stand_last_and_leave_no_hole() -> None:  # S1
    now = plan(3)
    verdicts = {n: Verdict(min(p.seeds())) for n, p in now.pairings.items()}
    end = plan(3, verdicts, out=frozenset({1}), disqualified=frozenset({1}))
    assert [(row.seed, row.rank) for row in end.table] == [(2, 1), (3, 2), (1, None)]
    assert end.places == {2: 1, 3: 2}


def test_a_double_forfeit_is_nothing_for_both() -> None:
    end = plan(2, {1: Verdict(None, played=False)})
    assert (end.over, end.places) == (True, {1: 1, 2: 1})
    assert [row.decided for row in end.table] == ["shared", "shared"]


def test_verdicts_must_fit() -> None:
    with pytest.raises(BadVerdict, match="neither of the two"):
        plan(4, {1: Verdict(2)})
    with pytest.raises(BadVerdict, match="no such match"):
        plan(4, {7: Verdict(1)})


@pytest.mark.parametrize("size", range(2, 17))
def test_any_order_of_results_ends_and_gives_the_same_table(size: int) -> None:
    chance = Random(size)
    verdicts: dict[int, Verdict] = {}
    now = plan(size)
    while not now.over:
        ready = [p for p in now.pairings.values() if p.is_ready]
        assert ready
        playing = [seed for p in ready for seed in p.seeds()]
        assert len(playing) == len(set(playing))
        pairing = chance.choice(ready)
        winner = chance.choice([*pairing.seeds(), None])
        verdicts[pairing.number] = Verdict(winner, (chance.randint(0, 9), 5))
        now = plan(size, verdicts)
    assert plan(size, dict(sorted(verdicts.items()))) == now
    assert sorted(now.places) == list(range(1, size + 1))
