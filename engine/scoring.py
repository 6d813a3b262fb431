"""What is paid: for a play, and at the end of a round (rules.md 5, 6).

>>> rounded(13, 5), rounded(12, 5), rounded(4, 5), rounded(2, 5), rounded(13, 1)
(15, 10, 5, 0, 13)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.rules import RuleSet
from engine.tiles import pips_of


def in_play(rules: RuleSet, total: int, score: int) -> int:
    """The points a play worth `total` pays to a side that has `score` points."""
    if not rules.multiple or total <= 0 or total % rules.multiple:
        return 0
    return 0 if score == 0 and total < rules.gate else total


def rounded(pips: int, to: int) -> int:
    """Pips to the nearest multiple of `to` (5 never meets a half)."""
    return (pips + to // 2) // to * to


@dataclass(frozen=True, slots=True)
class Settlement:
    """`winner`: a side or None; `pips` by seat; `points` by side, negative where deducted."""

    winner: int | None
    pips: tuple[int, ...]
    points: tuple[int, ...]


def settle(rules: RuleSet, hands: Sequence[int], out: int | None) -> Settlement:
    """Settle a round that `out` ended by going out, or that was blocked (None)."""
    pips = tuple(pips_of(hand) for hand in hands)
    winner = lightest(rules, hands, pips) if out is None else rules.side_of(out)
    points = [0] * rules.sides
    if rules.settle == "each_deducts":
        for seat, left in enumerate(pips):
            points[rules.side_of(seat)] -= rounded(left, rules.rounding)
    elif winner is not None:
        left_to_others = [p for seat, p in enumerate(pips) if rules.side_of(seat) != winner]
        if rules.settle == "winner_collects_total":
            left_to_others = [sum(left_to_others)]
        points[winner] = sum(rounded(left, rules.rounding) for left in left_to_others)
    return Settlement(winner, pips, tuple(points))


def lightest(rules: RuleSet, hands: Sequence[int], pips: Sequence[int]) -> int | None:
    """The side that wins a block: fewest pips, then fewest tiles; None if still equal."""
    left = [[0, 0] for _ in range(rules.sides)]
    for seat, hand in enumerate(hands):
        held = left[rules.side_of(seat)]
        held[0] += pips[seat]
        held[1] += hand.bit_count()
    least = min(left)
    return left.index(least) if left.count(least) == 1 else None
