"""Matches of minds: the same chance, the same match; and strength shows."""

from __future__ import annotations

from random import Random

import pytest

from engine.bout import between, of_level, played
from engine.rules import PRESETS, RuleSet

EASY, MEDIUM = of_level("easy"), of_level("medium")


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_chance_plays_the_same_match_to_its_target(preset: str) -> None:
    rules = RuleSet.parse({"preset": preset, "target": 60}, 3)
    once, again = (played(rules, [EASY, MEDIUM, EASY], Random(4)) for _ in range(2))
    assert once == again
    assert once.reason == "target"
    assert once.winner is not None
    assert once.scores[once.winner] == max(once.scores) >= 60


def test_the_stronger_mind_wins_more_and_one_between_them_less_so() -> None:
    rules = RuleSet.parse({"preset": "allfives"}, 2)

    def won(mind: object) -> int:
        """Of 100 matches against the easy bot, the seats by turns."""
        wins = 0
        for number in range(100):
            seat = number % 2
            minds = [EASY, mind] if seat else [mind, EASY]
            wins += played(rules, minds, Random(number)).winner == seat
        return wins

    assert 40 < won(EASY) < 60 <= won(between(EASY, MEDIUM, 0.5)) < won(MEDIUM) > 70
