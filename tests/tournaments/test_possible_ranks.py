"""Possible final ranks: whatever comes, nobody ends where it was said not to be possible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from tournaments.formats import round_robin, swiss
from tournaments.formats.model import Field, Plan, Verdict
from tournaments.standings.bounds import certain, possible_ranks


def outcomes(seeds: list[int]) -> list[Verdict]:
    one, other = seeds
    return [
        Verdict(one, (150, 0)),
        Verdict(other, (0, 150)),
        Verdict(None, (90, 90), places=(1, 1)),
        Verdict(None, played=False),
    ]


def open_ones(plan: Plan) -> dict[int, list[int]]:
    return {n: p.seeds() for n, p in plan.pairings.items() if p.verdict is None}


def completions(plan: Plan) -> Iterator[dict[int, Verdict]]:
    """Every way in which the pairings that are open can end."""
    left = open_ones(plan)
    for chosen in product(*(outcomes(seeds) for seeds in left.values())):
        yield dict(zip(left, chosen, strict=True))


def assert_kept(before: Mapping[int, tuple[int, int]], end: Plan) -> None:
    assert end.over
    for seed, rank in end.places.items():
        best, worst = before[seed]
        assert best <= rank <= worst, seed


@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_round_robin_never_ends_otherwise(size: int) -> None:
    for course in range(5):
        chance = Random(course)
        field, verdicts = Field(size, "x"), {}
        plan = round_robin.plan(field, verdicts)
        while len(left := open_ones(plan)) > 4:
            number = chance.choice(sorted(left))
            verdicts[number] = chance.choice(outcomes(left[number]))
            plan = round_robin.plan(field, verdicts)
        for rest in completions(plan):
            end = round_robin.plan(field, verdicts | rest)
            assert_kept(plan.possible, end)


def test_a_round_robin_never_ends_otherwise_when_somebody_leaves() -> None:
    for course in range(20):
        chance = Random(course)
        field, verdicts = Field(5, "x"), {}
        for number, seeds in chance.sample(
            sorted(open_ones(round_robin.plan(field, {})).items()), 6
        ):
            verdicts[number] = chance.choice(outcomes(seeds))
        plan = round_robin.plan(field, verdicts)
        for leaver in range(1, 6):
            left = {
                number: Verdict(next((s for s in seeds if s != leaver), None), played=False)
                if leaver in seeds
                else chance.choice(outcomes(seeds))
                for number, seeds in open_ones(plan).items()
            }
            gone = replace(field, out=frozenset({leaver}))
            end = round_robin.plan(gone, verdicts | left)
            others = {seed: rank for seed, rank in end.places.items() if seed != leaver}
            assert_kept(plan.possible, replace(end, places=others))


@pytest.mark.parametrize("size", [4, 5, 6])
def test_a_swiss_never_ends_otherwise(size: int) -> None:
    for course in range(6):
        chance = Random(course)
        field, verdicts = Field(size, str(course), {"rounds": 3}), {}
        said: list[Mapping[int, tuple[int, int]]] = []
        while True:
            plan = swiss.plan(field, verdicts)
            said.append(plan.possible)
            if plan.over:
                break
            if plan.due is not None:
                field = replace(field, drawn=field.drawn + swiss.draw(field, verdicts))
                continue
            if plan.pairings[max(plan.pairings)].round == 3:
                for rest in completions(plan):
                    end = swiss.plan(field, verdicts | rest)
                    for before in said:
                        assert_kept(before, end)
            number = chance.choice(sorted(open_ones(plan)))
            verdicts[number] = chance.choice(outcomes(open_ones(plan)[number]))
        assert {seed: (rank, rank) for seed, rank in plan.places.items()} == plan.possible


def test_who_can_no_longer_be_caught_is_first_for_certain() -> None:
    ranks = possible_ranks({1: 36, 2: 24, 3: 12, 4: 0}, {1: 36, 2: 34, 3: 24, 4: 12})
    assert ranks == {1: (1, 1), 2: (2, 3), 3: (2, 4), 4: (3, 4)}
    assert [certain(ranks[seed], 2) for seed in (1, 2, 3, 4)] == ["through", "", "", "out"]
