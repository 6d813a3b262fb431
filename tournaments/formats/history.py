"""What the rounds before mean for the next one, by seed, in arrays.

Index 0 of each array stands for the bye.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tournaments.formats.model import Pairing, Verdict
from tournaments.standings.cards import POINT

Ints = NDArray[np.int64]
BYE = 0


@dataclass(eq=False, slots=True)
class History:
    """What each entrant has behind it.

    `points` in twelfths; `byes` counts the rounds that were won without playing; `floated` is the
    opponent's points in the last round less the own, at that time; `balance` the leads less the
    answers, `led_last` which of them was last, `begun` whether there was any. Pairs that have met
    are `keys`, sorted (`key_of`), with how many `times`, and in which round `last`.
    """

    points: Ints
    byes: Ints
    floated: Ints
    balance: Ints
    led_last: NDArray[np.bool_]
    begun: NDArray[np.bool_]
    keys: Ints
    times: Ints
    last: Ints

    @property
    def owed(self) -> Ints:
        """1 if the lead is owed, −1 if the answer is, 0 before the first round."""
        by_last = np.where(self.begun, np.where(self.led_last, -1, 1), 0)
        return np.where(self.balance != 0, -np.sign(self.balance), by_last)

    def key_of(self, one: Ints, other: Ints) -> Ints:
        """A number for each pair, whichever comes first."""
        return np.minimum(one, other) * len(self.points) + np.maximum(one, other)

    def met(self, one: Ints, other: Ints) -> tuple[Ints, Ints]:
        """How many times each pair has met, and in which round last; 0 for never."""
        if not len(self.keys):
            return np.zeros_like(one), np.zeros_like(one)
        wanted = self.key_of(one, other)
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        found = self.keys[at] == wanted
        return np.where(found, self.times[at], 0), np.where(found, self.last[at], 0)

    def opponents(self) -> dict[int, list[int]]:
        """Whom each has met, in order."""
        span = len(self.points)
        found: dict[int, list[int]] = {}
        for key in self.keys.tolist():
            low, high = divmod(key, span)
            found.setdefault(low, []).append(high)
            found.setdefault(high, []).append(low)
        return found


def earned(verdict: Verdict, seed: int) -> int:
    """What a decided pairing of two, or a bye, is worth to one of those in it, in twelfths."""
    if verdict.winner == seed:
        return POINT
    return POINT // 2 if verdict.is_drawn else 0


def history(
    size: int, pairings: Iterable[Pairing], rests: Mapping[tuple[int, int], int], before: int
) -> History:
    """All that came before the round `before`, of seeds 1 to `size`. All pairings are decided."""
    rows = [_row(pairing) for pairing in pairings]
    table = np.array(rows, dtype=np.int64).reshape(len(rows), 6)
    table = table[np.argsort(table[:, 0], kind="stable")]
    rounds, one, other = table[:, 0], table[:, 1], table[:, 2]
    points, byes = np.zeros(size + 1, dtype=np.int64), np.zeros(size + 1, dtype=np.int64)
    earlier = points.copy()
    last_round = int(rounds[-1]) if len(rounds) else 0
    for seeds, gained in ((one, table[:, 3]), (other, table[:, 4])):
        np.add.at(points, seeds, gained)
        np.add.at(earlier, seeds, np.where(rounds < last_round, gained, 0))
        np.add.at(byes, seeds, (gained == POINT) & (table[:, 5] == 0))
    paired = set(zip(rounds.tolist(), one.tolist(), strict=True))
    paired |= set(zip(rounds.tolist(), other.tolist(), strict=True))
    for (number, seed), worth in rests.items():
        if number < before and seed <= size and (number, seed) not in paired:
            points[seed] += worth
            byes[seed] += worth >= POINT
            earlier[seed] += worth if number < last_round else 0
    points[BYE] = byes[BYE] = earlier[BYE] = 0
    found = _seats(size, rounds, one, other)
    keys, index = np.unique(
        np.minimum(one, other)[other > 0] * (size + 1) + np.maximum(one, other)[other > 0],
        return_inverse=True,
    )
    last = np.zeros(len(keys), dtype=np.int64)
    np.maximum.at(last, index, rounds[other > 0])
    times = np.bincount(index, minlength=len(keys)).astype(np.int64)
    floated = _floats(size, table[rounds == last_round], earlier)
    return History(points, byes, floated, *found, keys, times, last)


def _row(pairing: Pairing) -> tuple[int, int, int, int, int, bool]:
    """Round, the two seeds (the second 0 in a bye), what each gained, whether it was played."""
    verdict, seeds = pairing.verdict, pairing.seeds()
    assert verdict is not None
    one, other = seeds if len(seeds) == 2 else (seeds[0], BYE)
    played = verdict.played
    return pairing.round, one, other, earned(verdict, one), earned(verdict, other), played


def _seats(
    size: int, rounds: Ints, one: Ints, other: Ints
) -> tuple[Ints, NDArray[np.bool_], NDArray[np.bool_]]:
    """Balance, led last, begun: also where an opponent did not come."""
    balance = np.zeros(size + 1, dtype=np.int64)
    led, begun = np.zeros(size + 1, dtype=bool), np.zeros(size + 1, dtype=bool)
    for number in np.unique(rounds):
        both = (rounds == number) & (other > 0)
        balance[one[both]] += 1
        balance[other[both]] -= 1
        led[one[both]], led[other[both]] = True, False
        begun[one[both]] = begun[other[both]] = True
    return balance, led, begun


def _floats(size: int, played: Ints, before: Ints) -> Ints:
    """By the last round; who rested with a bye went down."""
    floated = np.zeros(size + 1, dtype=np.int64)
    one, other = played[:, 1], played[:, 2]
    floated[one] = np.where(other > 0, before[other] - before[one], -1)
    floated[other] = before[one] - before[other]
    floated[BYE] = 0
    return floated
