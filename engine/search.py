"""The strongest bot's thinking: sample what is hidden, play it out, compare.

Every candidate is tried on the same sampled deals, so that luck falls on all alike. The cost is
bounded by the number of play-outs, never by a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine import scoring
from engine.actions import Play
from engine.inference import Unseen
from engine.layout import Pair
from engine.playout import BIT, Chance, Picker, Sprint
from engine.rules import RuleSet
from engine.tiles import HIGH_BITS, LOW_BITS, PIPS, mask_of
from engine.view import View

# Play-outs in a stage. Ten plays take three stages, twenty take four.
STAGE = 240
_WON: Final = 50
# What a point made now weighs in a play-out against a pip got rid of.
_POINT: Final = 3


def best_move(view: View, plays: Sequence[Play], chance: Chance) -> Play:
    """The play that does best over sampled deals; the worse half drops out after each stage."""
    unseen = Unseen(view)
    hand = mask_of(view.hand or ())
    sprint = Sprint(view.rules)
    pick = greedy(view.rules.multiple)
    value = _value(view)
    moves = [_Move(view, unseen, play) for play in plays]
    while len(moves) > 1:
        for _ in range(STAGE // len(moves)):
            hands, boneyard = unseen.sample(hand, chance)
            for move in moves:
                gains, left, out = move.play_out(sprint, list(hands), boneyard, chance, pick)
                move.sum += value(gains, left, out)
        moves.sort(key=lambda move: -move.sum)
        moves = moves[: len(moves) // 2]
    return moves[0].play


class _Move:
    """A candidate: the layout it makes and the points it pays now."""

    def __init__(self, view: View, unseen: Unseen, play: Play) -> None:
        assert view.seat is not None
        self.play = play
        self.sum = 0.0
        self.seat = view.seat
        self.side = view.rules.side_of(view.seat)
        self.next = (view.seat + 1) % view.rules.seats
        self.bit = BIT[play.tile]
        self.line, self.arms = unseen.after(play)
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
    paid = [_POINT * total if multiple and total % multiple == 0 else 0 for total in range(64)]

    def pick(playable: int, line: Pair, arms: Pair) -> tuple[int, Pair, Pair]:
        best, chosen = -1, (0, line, arms)
        on_line, on_arms, unopened = line.after, arms.after, arms is line.arms
        beside = line.worth
        for tile in LOW_BITS[playable & 16383] + HIGH_BITS[playable >> 14]:
            pips = PIPS[tile]
            for new in on_line[tile]:
                grown = new.arms if unopened else arms
                key = pips + paid[new.worth + grown.worth]
                if key > best:
                    best, chosen = key, (tile, new, grown)
            for new in on_arms[tile]:
                key = pips + paid[beside + new.worth]
                if key > best:
                    best, chosen = key, (tile, line, new)
        return chosen

    return pick
