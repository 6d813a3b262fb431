"""A round paired by hand: is it a round at all, and what does it cost?

The same question is asked of the arbiter's tables and of the engine's, so that they can be
compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.formats.model import Field, Plan

Tables = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Flag:
    """What is to be said of one table (its place in the list, from 0): "rematch" (`times` met
    before), "second_bye" (`times` had one), or "avoid".
    """

    table: int
    kind: str
    seeds: tuple[int, ...]
    times: int = 1


@dataclass(frozen=True, slots=True)
class Cost:
    """`gap` is the difference in points at the tables added up, in twelfths."""

    rematches: int = 0
    gap: int = 0
    byes: int = 0
    second_byes: int = 0
    avoided: int = 0


@dataclass(frozen=True, slots=True)
class Check:
    """Seeds seated `twice`, `missing` though they are in, `strangers` who are not in; tables whose
    number of `seats` the format does not know. None of these may be; flags may.
    """

    twice: tuple[int, ...]
    missing: tuple[int, ...]
    strangers: tuple[int, ...]
    seats: tuple[int, ...]
    flags: tuple[Flag, ...]
    cost: Cost

    @property
    def is_legal(self) -> bool:
        return not (self.twice or self.missing or self.strangers or self.seats)


def check(
    tables: Tables, inside: Iterable[int], seats: Sequence[int], entrants: Field, before: Plan
) -> Check:
    """What is wrong with the tables, and what they cost after the rounds `before`. A table of one
    is a bye; those who are `inside` are to be in it, once.
    """
    seated = Counter(seed for table in tables for seed in table)
    wanted = set(inside)
    met, byes = _past(before)
    points = {row.seed: row.points for row in before.table}
    flags = tuple(
        flag
        for at, table in enumerate(tables)
        for flag in _flags(at, table, met, byes, entrants.avoid)
    )
    kinds = Counter(flag.kind for flag in flags)
    return Check(
        twice=tuple(sorted(seed for seed, times in seated.items() if times > 1)),
        missing=tuple(sorted(wanted - seated.keys())),
        strangers=tuple(sorted(seated.keys() - wanted)),
        seats=tuple(at for at, table in enumerate(tables) if len(table) not in (1, *seats)),
        flags=flags,
        cost=Cost(
            rematches=sum(flag.times for flag in flags if flag.kind == "rematch"),
            gap=sum(_gap(table, points) for table in tables),
            byes=sum(len(table) == 1 for table in tables),
            second_byes=kinds["second_bye"],
            avoided=kinds["avoid"],
        ),
    )


def _flags(
    at: int,
    table: Sequence[int],
    met: Mapping[tuple[int, int], int],
    byes: Mapping[int, int],
    avoid: frozenset[tuple[int, int]],
) -> Iterable[Flag]:
    if len(table) == 1 and byes[table[0]]:
        yield Flag(at, "second_bye", tuple(table), byes[table[0]])
    for one, other in combinations(sorted(table), 2):
        if met[one, other]:
            yield Flag(at, "rematch", (one, other), met[one, other])
        if (one, other) in avoid:
            yield Flag(at, "avoid", (one, other))


def _past(before: Plan) -> tuple[Counter[tuple[int, int]], Counter[int]]:
    """How often each two have met, and who has had byes: who won without playing has too."""
    met: Counter[tuple[int, int]] = Counter()
    byes: Counter[int] = Counter()
    for pairing in before.pairings.values():
        met.update(combinations(sorted(pairing.seeds()), 2))
        verdict = pairing.verdict
        if verdict is not None and not verdict.played and verdict.winner is not None:
            byes[verdict.winner] += 1
    return met, byes


def _gap(table: Sequence[int], points: Mapping[int, int]) -> int:
    own = [points.get(seed, 0) for seed in table]
    return max(own) - min(own) if len(own) > 1 else 0
