"""Schedules known to be the best there are, made by algebra: who sits at which table in each round.

Places are numbered from 0. Fields of few elements, and the differences between them, do the work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

Table = tuple[int, ...]
Rounds = tuple[tuple[Table, ...], ...]

STARTERS = {
    4: ((None, 0, 1, 2),),
    8: ((None, 0, 1, 3), (2, 6, 4, 5)),
    12: ((None, 0, 1, 3), (2, 9, 6, 7), (4, 10, 5, 8)),
    16: ((None, 0, 1, 2), (3, 6, 9, 11), (4, 13, 8, 12), (5, 10, 7, 14)),
}
"""The first round of a whist schedule: one stays (None), the others move on by one each round.
Among the partners' differences each number occurs once, among the opponents' twice, and so each
partners each other once and opposes each other twice.
"""

_POLYNOMIALS = {4: 0b111, 8: 0b1011}
"""Irreducible over the field of two, of degree 2 and 3: what products are reduced by."""


@lru_cache(maxsize=64)
def strangers(players: int) -> Rounds:
    """Rounds at tables of four, as many as possible, and of three in which nobody meets anybody
    twice; () where no such schedule of more than one round is known.

    Of q·4 players, four classes of q, the one with x in the class a sits in round m at the table
    x − m·a: two of different classes are there together for one m only, two of one class never.
    Three players fewer are all of the same class, so that no table loses two.

    >>> [len(strangers(players)) for players in (9, 12, 13, 16, 20, 28, 32)]
    [4, 0, 4, 5, 5, 7, 9]
    """
    if players == 9:
        return _lines(3, 3, players)
    order = -(-players // 4)
    if order not in (4, 5, 7, 8):
        return ()
    return _lines(order, 4, players)


def whist(players: int) -> Rounds:
    """Tables (a, b, c, d) of a and c against b and d, in the order of the seats. Everyone partners
    everyone once and opposes everyone twice; in fields of one more than a multiple of four everyone
    sits out once. () where no such schedule is made.

    >>> whist(4)
    (((3, 1, 0, 2),), ((3, 2, 1, 0),), ((3, 0, 2, 1),))
    """
    starter = _starter(players)
    moving = players - 1 if players % 4 == 0 else players
    return tuple(
        tuple(
            tuple(moving if x is None else (x + step) % moving for x in (a, c, b, d))
            for a, b, c, d in starter
        )
        for step in range(moving if starter else 0)
    )


def _starter(players: int) -> Sequence[tuple[int | None, int, int, int]]:
    """The tables of the first round: two partners, then their opponents.

    For a prime 4t + 1 they come from its powers (Baker): g a primitive root, g^i and g^(i+2t)
    against g^(i+t) and g^(i+3t).
    """
    if players in STARTERS:
        return STARTERS[players]
    if players not in (5, 13, 17, 29, 37):
        return ()
    root = next(g for g in range(2, players) if _order(g, players) == players - 1)
    step = (players - 1) // 4
    power = [pow(root, exponent, players) for exponent in range(players - 1)]
    return [
        (power[i], power[i + 2 * step], power[i + step], power[i + 3 * step]) for i in range(step)
    ]


def _order(element: int, modulus: int) -> int:
    product, count = element % modulus, 1
    while product != 1:
        product, count = product * element % modulus, count + 1
    return count


def _lines(order: int, classes: int, players: int) -> Rounds:
    """The rounds of `classes` classes over the field of that order, without the last places of the
    last class; one round more where a class itself fills tables.
    """
    times, minus = _field(order)
    places = [(a, x) for a in range(classes) for x in range(order)]
    rounds = [
        [
            [a * order + x for a, x in places if minus(x, times(m, a)) == line]
            for line in range(order)
        ]
        for m in range(order)
    ]
    whole = [[a * order + x for x in range(order)] for a in range(classes)]
    parts = [each[at : at + classes] for each in whole for at in range(0, order, classes)]
    if order % classes == 0:
        rounds.append(parts)
    made = [[[seat for seat in table if seat < players] for table in tables] for tables in rounds]
    return tuple(
        tuple(tuple(table) for table in tables)
        for tables in made
        if min(map(len, tables)) >= classes - 1 and min(map(len, tables)) >= 3
    )


def _field(order: int) -> tuple[Callable[[int, int], int], Callable[[int, int], int]]:
    """The product and the difference of the field of that many elements."""
    if order not in _POLYNOMIALS:
        return (lambda a, b: a * b % order), (lambda a, b: (a - b) % order)
    polynomial = _POLYNOMIALS[order]

    def times(a: int, b: int) -> int:
        product = 0
        while b:
            product ^= a * (b & 1)
            b >>= 1
            a <<= 1
            if a & order:
                a ^= polynomial
        return product

    return times, (lambda a, b: a ^ b)
