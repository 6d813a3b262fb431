"""Rounds played out fast, on plain ints: for bots that sample, and for statistics.

The same layouts as `Round`; tests play both side by side. Left out is what a round in itself
knows nothing of: calling and claiming, the gate, the target.

>>> import random
>>> from engine.rules import RuleSet
>>> sprint = Sprint(RuleSet.parse({"preset": "allfives"}, 2))
>>> sprint.deal(random.Random(7).random)
>>> sum(sprint.gains) % 5
0
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.layout import Pair, shape_of
from engine.rules import RuleSet
from engine.tiles import COUNT, DOUBLES, HIGH_BITS, LOW_BITS, PIPS, heaviest

Chance = Callable[[], float]
# Chooses among the playable tiles (a bit set) on a line and its arms: the tile, and the line and
# the arms that it makes of them.
Picker = Callable[[int, Pair, Pair], tuple[int, Pair, Pair]]

BIT: Final = tuple(1 << tile for tile in range(COUNT))


class Sprint:
    """Plays rounds under one rule set.

    After a run `gains` holds the points made in play, by side; `hands` what is left; `out` the
    seat that went out, None if the round was blocked.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.shape = shape_of(rules.spinner, rules.arms)
        self.gains = [0] * rules.sides
        self.hands: list[int] = []
        self.out: int | None = None
        self._side_of = tuple(rules.side_of(seat) for seat in range(rules.seats))

    def deal(self, chance: Chance) -> None:
        """Shuffle, deal, let the highest double lead, and play the round at random."""
        order = sorted(BIT, key=lambda _: chance())
        size, dealt = self.rules.hand_size, self.rules.seats * self.rules.hand_size
        hands = [sum(order[start : start + size]) for start in range(0, dealt, size)]
        held = sum(hands)
        lead = (held & DOUBLES).bit_length() - 1
        if lead < 0:
            lead = heaviest(held)
        turn = 0
        while not hands[turn] & BIT[lead]:
            turn += 1
        hands[turn] ^= BIT[lead]
        line = self.shape.empty.after[lead][0]
        self.run(hands, order[dealt:], line, line.arms, (turn + 1) % len(hands), chance)
        if self.rules.multiple and PIPS[lead] % self.rules.multiple == 0:
            self.gains[self._side_of[turn]] += PIPS[lead]

    def run(
        self,
        hands: list[int],
        boneyard: list[int],
        line: Pair,
        arms: Pair,
        turn: int,
        chance: Chance,
        pick: Picker | None = None,
    ) -> None:
        """Play a led round to its end, `pick` choosing (None: any tile and any end by chance).

        `hands` is used up. `boneyard` lists what is still in it, each tile as a bit set of one.
        """
        multiple, side_of, closed = self.rules.multiple, self._side_of, self.shape.closed
        gains, seats = [0] * self.rules.sides, len(hands)
        limit = len(boneyard) - self.rules.keep if self.rules.draw else 0
        drawn, held, out = 0, sum(hands), None
        fits = line.fits | arms.fits
        while held & fits or drawn < limit:
            hand = hands[turn]
            playable = hand & fits
            while not playable and drawn < limit:
                new = boneyard[drawn]
                drawn += 1
                hand |= new
                held |= new
                playable = new & fits
            if playable:
                if pick is not None:
                    tile, line, arms = pick(playable, line, arms)
                else:
                    if playable & (playable - 1):
                        tiles = LOW_BITS[playable & 16383] + HIGH_BITS[playable >> 14]
                        tile = tiles[int(chance() * len(tiles))]
                    else:
                        tile = playable.bit_length() - 1
                    if arms is closed:
                        made = line.after[tile]
                        line = made[0] if len(made) == 1 else made[chance() < 0.5]
                        arms = line.arms
                    else:
                        line, arms = _any_end(tile, line, arms, chance)
                bit = BIT[tile]
                hand ^= bit
                held ^= bit
                fits = line.fits | arms.fits
                if multiple:
                    worth = line.worth + arms.worth
                    if worth % multiple == 0:
                        gains[side_of[turn]] += worth
                if not hand:
                    hands[turn] = 0
                    out = turn
                    break
            hands[turn] = hand
            turn += 1
            if turn == seats:
                turn = 0
        self.gains, self.hands, self.out = gains, hands, out


def _any_end(tile: int, line: Pair, arms: Pair, chance: Chance) -> tuple[Pair, Pair]:
    """Play `tile` at one of the ends it fits, each as likely, where the arms are open."""
    on_line, on_arms = line.after[tile], arms.after[tile]
    at = int(chance() * (len(on_line) + len(on_arms)))
    if at < len(on_line):
        return on_line[at], arms
    return line, on_arms[at - len(on_line)]
