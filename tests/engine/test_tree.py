"""The tree of actions, counted against a second implementation that is slow and plain."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from engine.layout import LEAD
from engine.round import Deal, Round
from engine.rules import RuleSet
from engine.tiles import HIGH, LOW

Half = tuple[int, int]


@dataclass(frozen=True)
class Naive:
    """A round on lists of halves. `line` runs from left to right, `up` and `down` outwards."""

    rules: RuleSet
    hands: tuple[frozenset[Half], ...]
    boneyard: tuple[Half, ...]
    turn: int
    lead: Half | None
    line: tuple[Half, ...] = ()
    arms: tuple[tuple[Half, ...], tuple[Half, ...]] = field(default=((), ()))

    def spinner_at(self) -> int | None:
        if not self.rules.spinner:
            return None
        doubles = [i for i, (a, b) in enumerate(self.line) if a == b]
        if not doubles:
            return None
        return min(doubles, key=lambda i: self.order.index(self.line[i]))

    # The order of play, to know which double came first.
    order: tuple[Half, ...] = ()

    def ends(self) -> dict[str, tuple[int, int]]:
        """Each open end: the pip to match, and what it counts."""
        if not self.line:
            return {}
        (left, a), (b, right) = self.line[0], self.line[-1]
        ends = {
            "left": (left, left * 2 if left == a else left),
            "right": (right, right * 2 if right == b else right),
        }
        if len(self.line) == 1 and left == right:
            ends["right"] = (right, 0)
        at = self.spinner_at()
        if at is not None:
            inside = 0 < at < len(self.line) - 1
            if inside or self.rules.arms == "any":
                for name, arm in zip(("up", "down"), self.arms, strict=True):
                    pip = self.line[at][0]
                    ends[name] = (pip, 0)
                    if arm:
                        near, far = arm[-1]
                        ends[name] = (far, far * 2 if near == far else far)
        return ends

    def total(self) -> int:
        return sum(count for _, count in self.ends().values())

    def moves(self) -> list[tuple[Half, str | None]]:
        hand = self.hands[self.turn]
        if not self.line:
            return [(tile, None) for tile in hand if self.lead in (None, tile)]
        return [
            (tile, end) for tile in hand for end, (pip, _) in self.ends().items() if pip in tile
        ]

    def can_draw(self) -> bool:
        return self.rules.draw and len(self.boneyard) > self.rules.keep

    def over(self) -> bool:
        if not all(self.hands):
            return True
        if not self.line or self.can_draw():
            return False
        pips = {pip for pip, _ in self.ends().values()}
        return not any(pips & set(tile) for hand in self.hands for tile in hand)

    def children(self) -> list[Naive]:
        if self.over():
            return []
        moves = self.moves()
        if moves:
            return [self.played(tile, end) for tile, end in moves]
        if self.can_draw():
            drawn = self.hands[self.turn] | {self.boneyard[0]}
            return [replace(self, hands=self.with_hand(drawn), boneyard=self.boneyard[1:])]
        return [replace(self, turn=self.following())]

    def following(self) -> int:
        return (self.turn + 1) % len(self.hands)

    def with_hand(self, hand: frozenset[Half]) -> tuple[frozenset[Half], ...]:
        return tuple(hand if s == self.turn else other for s, other in enumerate(self.hands))

    def played(self, tile: Half, end: str | None) -> Naive:
        line, arms = list(self.line), [list(arm) for arm in self.arms]
        low, high = tile
        if end is None:
            placed = (high, low)
            line = [placed]
        elif end == "left":
            pip = self.ends()["left"][0]
            placed = (high, low) if low == pip else (low, high)
            line.insert(0, placed)
        else:
            pip = self.ends()[end][0]
            placed = (low, high) if low == pip else (high, low)
            (line if end == "right" else arms[end == "down"]).append(placed)
        return replace(
            self,
            hands=self.with_hand(self.hands[self.turn] - {tile}),
            turn=self.following(),
            line=tuple(line),
            arms=(tuple(arms[0]), tuple(arms[1])),
            order=(*self.order, placed),
        )


def naive_of(rules: RuleSet, deal: Deal, leader: int | None) -> Naive:
    hands = tuple(frozenset((LOW[t], HIGH[t]) for t in hand) for hand in deal.hands)
    boneyard = tuple((LOW[t], HIGH[t]) for t in deal.boneyard)
    lead = None
    if leader is None:
        held = [tile for hand in hands for tile in hand]
        doubles = [tile for tile in held if tile[0] == tile[1]]
        lead = max(doubles or held, key=lambda tile: (sum(tile), tile[1]))
        leader = next(seat for seat, hand in enumerate(hands) if lead in hand)
    return Naive(rules, hands, boneyard, leader, lead)


def count_naive(state: Naive, depth: int, tally: list[list[int]]) -> None:
    """Add to `tally`, by ply: how many states there are, what they total, how many are over."""
    row = tally[depth]
    row[0] += 1
    row[1] += state.total()
    row[2] += state.over()
    if depth + 1 < len(tally):
        for child in state.children():
            count_naive(child, depth + 1, tally)


def count_round(round: Round, depth: int, tally: list[list[int]]) -> None:
    """The same of the engine's own round, played and unplayed."""
    row = tally[depth]
    row[0] += 1
    row[1] += round.total
    row[2] += round.turn is None
    if depth + 1 == len(tally) or round.turn is None:
        return
    moves = round.moves()
    for tile, end in moves:
        foreseen = round.total_after(tile, end)
        assert round.play(tile, end) == foreseen
        count_round(round, depth + 1, tally)
        round.undo()
    if not moves:
        if round.drawable:
            round.draw()
        else:
            round.skip()
        count_round(round, depth + 1, tally)
        round.undo()


@pytest.mark.parametrize("seed", range(6))
def test_both_count_the_same_tree(
    variant: RuleSet, seed: int, shuffled: Callable[[RuleSet, random.Random], Deal]
) -> None:
    chance = random.Random(seed)
    deal = shuffled(variant, chance)
    leader = chance.randrange(variant.seats) if variant.first_lead == "random" else None
    round, naive = Round(variant, deal, leader), naive_of(variant, deal, leader)
    # Some way into the round at random, so that arms, draws and passes are in the tree.
    for _ in range(chance.choice((0, 4, 8, 12))):
        children = naive.children()
        if not children:
            break
        moves = sorted(round.moves())
        if moves:
            tile, end = chance.choice(moves)
            name = None if end == LEAD else ("left", "right", "up", "down")[end]
            naive = naive.played((LOW[tile], HIGH[tile]), name)
            round.play(tile, end)
        else:
            (naive,) = children
            if round.drawable:
                round.draw()
            else:
                round.skip()
    plies = 5
    ours, theirs = ([[0, 0, 0] for _ in range(plies)] for _ in range(2))
    count_round(round, 0, ours)
    count_naive(naive, 0, theirs)
    assert ours == theirs
