"""The strongest bot's thinking: sample what is hidden, play it out, compare.

Every candidate is tried on the same sampled deals, so that luck falls on all alike. The cost is
bounded by the number of play-outs, never by a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine import scoring
from engine.actions import ENDS, Play
from engine.inference import Unseen
from engine.layout import LEAD, Pair, step
from engine.playout import BIT, Chance, Picker, Sprint
from engine.rules import RuleSet
from engine.tiles import HIGH_BITS, LOW_BITS, PIPS, mask_of
from engine.view import View

PLAYOUTS: Final = 600
_WON: Final = 50


def best_move(view: View, plays: Sequence[Play], chance: Chance) -> Play:
    """The play that does best over sampled deals."""
    assert view.seat is not None
    unseen = Unseen(view)
    hand = mask_of(view.hand or ())
    sprint = Sprint(view.rules)
    pick = greedy(view.rules.multiple)
    value = _value(view)
    sums = [0.0] * len(plays)
    moves = [_Move(view, unseen, play) for play in plays]
    for _ in range(max(1, PLAYOUTS // len(plays))):
        hands, boneyard = unseen.sample(hand, chance)
        for index, move in enumerate(moves):
            sums[index] += value(*move.play_out(sprint, list(hands), boneyard, chance, pick))
    return plays[sums.index(max(sums))]


class _Move:
    """A candidate: the layout it makes and the points it pays now."""

    def __init__(self, view: View, unseen: Unseen, play: Play) -> None:
        assert view.seat is not None
        self.seat = view.seat
        self.side = view.rules.side_of(view.seat)
        self.next = (view.seat + 1) % view.rules.seats
        self.bit = BIT[play.tile]
        end = LEAD if play.end is None else ENDS.index(play.end)
        self.line, self.arms = step(unseen.line, unseen.arms, play.tile, end)
        total = self.line.worth + self.arms.worth
        self.pays = scoring.in_play(view.rules, total, view.scores[self.side])

    def play_out(
        self, sprint: Sprint, hands: list[int], boneyard: list[int], chance: Chance, pick: Picker
    ) -> tuple[list[int], list[int], int | None]:
        """What is gained in play by side, the hands left, and who went out."""
        hands[self.seat] ^= self.bit
        if hands[self.seat]:
            sprint.run(hands, boneyard, self.line, self.arms, self.next, chance, pick)
            gains, left, out = sprint.gains, sprint.hands, sprint.out
        else:
            gains, left, out = [0] * sprint.rules.sides, hands, self.seat
        gains[self.side] += self.pays
        return gains, left, out


def _value(view: View) -> Callable[[list[int], list[int], int | None], float]:
    """How good a played-out round is for the viewer: points ahead of the others, and the match."""
    rules: RuleSet = view.rules
    side = rules.side_of(view.seat or 0)
    others = [other for other in range(rules.sides) if other != side]

    def value(gains: list[int], hands: list[int], out: int | None) -> float:
        settled = scoring.settle(rules, hands, out).points
        scores = [
            score + gain + points
            for score, gain, points in zip(view.scores, gains, settled, strict=True)
        ]
        mine, best = scores[side], max(scores[other] for other in others)
        ahead = mine - sum(scores[other] for other in others) / len(others)
        if max(mine, best) >= rules.target and mine != best:
            ahead += _WON if mine > best else -_WON
        return ahead

    return value


def greedy(multiple: int) -> Picker:
    """Play out by points now and heavy tiles first."""

    def pick(playable: int, line: Pair, arms: Pair) -> tuple[int, Pair, Pair]:
        best = -1
        chosen = (0, line, arms)
        for tile in LOW_BITS[playable & 16383] + HIGH_BITS[playable >> 14]:
            for new in line.after[tile]:
                grown = new.arms if arms is line.arms else arms
                worth = new.worth + grown.worth
                key = PIPS[tile] + (3 * worth if multiple and not worth % multiple else 0)
                if key > best:
                    best, chosen = key, (tile, new, grown)
            for new in arms.after[tile]:
                worth = line.worth + new.worth
                key = PIPS[tile] + (3 * worth if multiple and not worth % multiple else 0)
                if key > best:
                    best, chosen = key, (tile, line, new)
        return chosen

    return pick
