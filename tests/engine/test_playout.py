"""The fast core plays by the same rules as `Round`, step by step."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine.layout import Pair
from engine.playout import BIT, Sprint
from engine.round import Deal, Round
from engine.rules import RuleSet
from engine.scoring import in_play
from engine.search import greedy
from engine.tiles import bits


@pytest.mark.parametrize("seed", range(8))
def test_a_sprint_and_a_round_play_the_same(
    variant: RuleSet, seed: int, shuffled: Callable[[RuleSet, random.Random], Deal]
) -> None:
    chance = random.Random(seed)
    round = Round(variant, shuffled(variant, chance), leader=0)
    gains = [0] * variant.sides
    round.play(*round.moves()[0])
    sprint, pick = Sprint(variant), greedy(variant.multiple)
    hands, boneyard = list(round.hands), [BIT[tile] for tile in round.boneyard]

    def follow(playable: int, line: Pair, arms: Pair) -> tuple[int, Pair, Pair]:
        """The sprint's pick, made in the round as well."""
        tile, new_line, new_arms = pick(playable, line, arms)
        while not round.playable():
            if round.drawable:
                round.draw()
            else:
                round.skip()
        assert round.playable() == playable
        assert (round.line, round.arms) == (line, arms)
        seat = round.turn
        assert seat is not None
        for end in round.ends_for(tile):
            round.play(tile, end)
            if (round.line, round.arms) == (new_line, new_arms):
                break
            round.undo()
        else:
            pytest.fail("the sprint made a layout that the round can't")
        gains[variant.side_of(seat)] += in_play(variant, round.total, score=1)
        return tile, new_line, new_arms

    sprint.run(hands, boneyard, round.line, round.arms, 1 % variant.seats, chance.random, follow)
    while round.turn is not None:
        round.draw()
    assert sprint.gains == gains
    assert sprint.out == round.out
    assert sprint.hands == round.hands


def test_random_rounds_are_whole_rounds(variant: RuleSet) -> None:
    chance, sprint = random.Random(3).random, Sprint(variant)
    outs = set()
    for _ in range(300):
        sprint.deal(chance)
        outs.add(sprint.out)
        assert (sprint.out is None) == all(sprint.hands)
        assert all(gain % 5 == 0 for gain in sprint.gains)
        assert sum(len(bits(hand)) for hand in sprint.hands) < 28
    assert set(range(variant.seats)) <= outs
