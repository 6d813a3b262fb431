"""All cards in arrays, so that a criterion is a few sums, whatever the field's size."""

from __future__ import annotations

from hashlib import sha256
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from tournaments.standings.cards import POINT, Card, Cards, Encounter

Ints = NDArray[np.int64]
UNPLAYED = "fide/2026"
"""How rounds that were not played count for Buchholz; stages keep the id they were played by.

fide/2026: FIDE C.07 of March 2026. An unplayed round is one against a dummy opponent with the
smallest of the entrant's own points, those of the opponent there was to be, and half a point a
round. Rounds that an opponent was absent from to the end are worth half a point each.
"""
NO_RULE = f"Unplayed rounds are counted by {UNPLAYED} here."
TICKETS = 1_000_000


class Sheet:
    """The cards, in the order of their seeds, with what criteria add up.

    `points`, `wins`, `games`, `scored` and `difference` (a round's capped at `cap`, if there is
    one) by entrant. `worth` is what it counts as an opponent. Meetings: `own` met `opponent` in a
    round worth `gained`, `share` of them at one table. Units: what the rounds of `unit_of` are
    worth for Buchholz, a table's opponents one by one.
    """

    def __init__(self, cards: Cards, *, randomness: str = "", cap: int = 0) -> None:
        self.cards, self.randomness, self.cap = cards, randomness, cap
        self.seeds = sorted(cards)
        self.at = {seed: at for at, seed in enumerate(self.seeds)}
        ordered = [cards[seed] for seed in self.seeds]
        self.points = _array([card.points for card in ordered])
        self.wins = _array([card.wins for card in ordered])
        self.games = _array([sum(each.games for each in card.encounters) for card in ordered])
        self.scored = _array([sum(each.scored for each in card.encounters) for card in ordered])
        self.difference = _array(
            [sum(self.lead(each) for each in card.encounters) for card in ordered]
        )
        self.worth = _array([worth(card) for card in ordered])
        self._meet(ordered)

    def _meet(self, ordered: list[Card]) -> None:
        at = self.at
        met = [
            (own, at[opponent], each.points, each.played)
            for own, card in enumerate(ordered)
            for each in card.encounters
            for opponent in each.opponents
        ]
        table = np.array(met, dtype=np.int64).reshape(len(met), 4)
        self.own, self.opponent, self.gained = table[:, 0], table[:, 1], table[:, 2]
        dummies = [
            (own, self.dummy(card, each))
            for own, card in enumerate(ordered)
            for each in card.encounters
            if not (each.played and each.opponents)
        ]
        unplayed = np.array(dummies, dtype=np.int64).reshape(len(dummies), 2)
        played = table[:, 3] == 1
        self.unit_of = np.concatenate((self.own[played], unplayed[:, 0]))
        self.units = np.concatenate((self.worth[self.opponent[played]], unplayed[:, 1]))

    def total(self, own: Ints, values: Ints) -> Ints:
        """What each entrant's values add up to."""
        found = np.zeros(len(self.seeds), dtype=np.int64)
        np.add.at(found, own, values)
        return found

    def lead(self, each: Encounter) -> int:
        """What a round adds to the points difference."""
        lead = each.scored - each.conceded
        return max(-self.cap, min(self.cap, lead)) if self.cap else lead

    def dummy(self, card: Card, unplayed: Encounter) -> int:
        """What an unplayed round counts, by UNPLAYED."""
        bounds = [card.points, len(card.encounters) * POINT // 2]
        bounds += [int(self.worth[self.at[opponent]]) for opponent in unplayed.opponents]
        return min(bounds)

    def ticket(self, seed: int) -> int:
        """The entrant's lot: 0 to 999,999, by the event's seed."""
        digest = sha256(f"{self.randomness}|lot|{seed}".encode()).digest()
        return int.from_bytes(digest[:6], "big") % TICKETS


def worth(card: Card) -> int:
    """What an opponent counts: rounds that it was absent from to the end are half a point each."""
    left = list(takewhile(lambda each: each.absent, reversed(card.encounters)))
    return card.points - sum(each.points for each in left) + len(left) * POINT // 2


def _array(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int64)
