"""Who goes on from a stage to the next, and in which order: pure.

Those who go on are counted from the table that people see. Where some are level across the cut,
nobody is preferred by accident: an order has to be given, by a play-off, a decision or a lot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import groupby

import rustworkx

from tournaments.formats.elimination import seed_order
from tournaments.formats.model import Plan
from tournaments.standings.bounds import certain

Levels = Sequence[Sequence[int]]
"""Seeds, the best first; those in one list are level."""

SEEDINGS = ("crossed", "table", "lot")


@dataclass(frozen=True, slots=True)
class Order:
    """How some who were level came to stand: by a play-off, a decision, or a lot."""

    seeds: frozenset[int]
    levels: Levels


@dataclass(frozen=True, slots=True)
class Tie:
    """Seeds that are level, of which only so many go on; the group they are in, 0 for all."""

    seeds: tuple[int, ...]
    places: int
    group: int


@dataclass(frozen=True, slots=True)
class Cut:
    """Those who go on, in their new order; or the tie that has to be broken first."""

    through: tuple[int, ...]
    tie: Tie | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """How many go on, of all or of each group, and in which order: "crossed" (groupmates apart),
    "table" (as they stand across), or "lot". `lot` gives each seed a number drawn by lot; `by_lot`
    lets it break ties across the cut too.
    """

    take: int
    per_group: bool
    seeding: str
    lot: Callable[[int], str]
    by_lot: bool = False


def cut(plan: Plan, way: Way, absent: frozenset[int], orders: Sequence[Order] = ()) -> Cut:
    """Who of a stage that is over goes on; those `absent` don't, and others move up."""
    through: list[int] = []
    for group, levels in _groups(plan, way, absent):
        taken, tie = first(levels, way.take, orders, way.lot if way.by_lot else None)
        if tie is not None:
            return Cut((), Tie(tuple(tie[0]), tie[1], group))
        through += taken
    return Cut(_seeded(plan, way, through))


def first(
    levels: Levels,
    count: int,
    orders: Sequence[Order] = (),
    lot: Callable[[int], str] | None = None,
) -> tuple[list[int], tuple[Sequence[int], int] | None]:
    """The first so many; or those who are level across the cut, and how many of them go on.

    An order serves whom it was made for, once: what it leaves level has to be ordered anew.
    """
    taken: list[int] = []
    for level in levels:
        room = count - len(taken)
        if room <= 0:
            break
        if len(level) <= room:
            taken += level
            continue
        given = next((at for at, each in enumerate(orders) if each.seeds == set(level)), None)
        if given is not None:
            later = [*orders[:given], *orders[given + 1 :]]
            inside, tie = first(orders[given].levels, room, later, lot)
        elif lot is not None:
            inside, tie = sorted(level, key=lot)[:room], None
        else:
            return [], (level, room)
        if tie is not None:
            return [], tie
        taken += inside
    return taken, None


def levels_of(places: Iterable[tuple[int, int]], absent: frozenset[int]) -> list[list[int]]:
    """Seeds by their place, in the order they are given where it is shared."""
    inside = [(place, seed) for seed, place in places if seed not in absent]
    ordered = sorted(inside, key=lambda each: each[0])
    return [
        [seed for _place, seed in level]
        for _place, level in groupby(ordered, key=lambda each: each[0])
    ]


def sure(plan: Plan, take: int, *, per_group: bool, absent: frozenset[int]) -> dict[int, str]:
    """Who of a stage goes on for certain ("through") or can't any more ("out"), by seed; those of
    whom neither is certain are not in it, nor those `absent`. Others move up for the absent.
    """
    grouped = any(row.group for row in plan.table)
    if not plan.over and grouped and not per_group:
        return {}  # the ranks that are possible are those in the group
    found: dict[int, str] = {}
    for seeds, ranks in _outlooks(plan, absent, per_group=per_group):
        gone = len(seeds & absent)
        for seed in seeds - absent:
            best, worst = ranks[seed]
            if word := certain((best if plan.over else best - gone, worst), take):
                found[seed] = word
    return found


def _outlooks(
    plan: Plan, absent: frozenset[int], *, per_group: bool
) -> list[tuple[set[int], Mapping[int, tuple[int, int]]]]:
    """The seeds that are cut together, with the best and the worst rank of each. When all is
    played, those who are level can only be parted by a decision.
    """
    if plan.over:
        way = Way(0, per_group, "table", str)
        found: list[tuple[set[int], Mapping[int, tuple[int, int]]]] = []
        for _group, levels in _groups(plan, way, absent):
            ranks: dict[int, tuple[int, int]] = {}
            before = 0
            for level in levels:
                ranks |= dict.fromkeys(level, (before + 1, before + len(level)))
                before += len(level)
            found.append((set(ranks), ranks))
        return found
    inside: dict[int, set[int]] = {}
    for row in plan.table:
        if row.seed in plan.possible:
            inside.setdefault(row.group, set()).add(row.seed)
    if not plan.table:
        inside[0] = set(plan.possible)
    return [(seeds, plan.possible) for seeds in inside.values()]


def lot_of(randomness: str) -> Callable[[int], str]:
    """A lot for each, that anybody can draw again from the event's published seed."""
    return lambda one: sha256(f"{randomness}|{one}".encode()).hexdigest()


@lru_cache(maxsize=64)
def crossed(tiers: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, int], ...]:
    """The order of a knockout's seeds, each as tier and group, from the groups of each tier:
    winners, runners-up, and so on.

    Winners have the first seeds, by group. Each further tier has the next ones, so that groupmates
    meet as late as can be, and otherwise by group (cases.md D13).

    >>> "".join("ABCD"[group] + str(tier + 1) for tier, group in crossed(((0, 1, 2, 3),) * 2))
    'A1B1C1D1B2A2D2C2'
    """
    size = sum(map(len, tiers))
    order = seed_order(1 << (size - 1).bit_length())
    at = {seed: place for place, seed in enumerate(order)}
    stands: dict[int, list[int]] = {}
    found: dict[int, tuple[int, int]] = {}
    begin = 1
    for tier, groups in enumerate(tiers):
        seeds = range(begin, begin + len(groups))
        for seed, group in _spread(seeds, groups, stands, at).items():
            found[seed] = tier, group
            stands.setdefault(group, []).append(at[seed])
        begin += len(groups)
    return tuple(found[seed] for seed in sorted(found))


def _spread(
    seeds: range, groups: Sequence[int], stands: dict[int, list[int]], at: dict[int, int]
) -> dict[int, int]:
    """A seed for each group, by the cheapest matching."""
    rounds = len(at).bit_length()
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([*seeds, *groups])
    for row, seed in enumerate(seeds):
        for column, group in enumerate(groups):
            # They meet in the round after the highest bit in which their places differ.
            meets = [(at[seed] ^ other).bit_length() for other in stands.get(group, ())]
            apart = sum(64 ** (rounds - each) for each in meets)
            digest = sha256(f"{row}|{column}".encode()).digest()[:3]
            cost = (apart << 40) - (row * column << 24) + int.from_bytes(digest, "big")
            graph.add_edge(row, len(seeds) + column, -cost)
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    pairs = [sorted(pair) for pair in found]
    return {seeds[row]: groups[column - len(seeds)] for row, column in pairs}


def _groups(plan: Plan, way: Way, absent: frozenset[int]) -> list[tuple[int, list[list[int]]]]:
    """What is cut: all together, or each group for itself, with its number."""
    if not way.per_group or not any(row.group for row in plan.table):
        order = [row.seed for row in plan.table] or sorted(plan.places)
        places = [(seed, plan.places[seed]) for seed in order if seed in plan.places]
        return [(0, levels_of(places, absent))]
    return [
        (
            group,
            levels_of([(row.seed, row.rank) for row in rows if row.rank is not None], absent),
        )
        for group, rows in groupby(plan.table, key=lambda row: row.group)
    ]


def _seeded(plan: Plan, way: Way, through: Sequence[int]) -> tuple[int, ...]:
    """Those who go on, from the first seed to the last."""
    if way.seeding == "lot":
        return tuple(sorted(through, key=way.lot))
    group_of = {row.seed: row.group for row in plan.table}
    if way.seeding == "crossed" and any(group_of.values()):
        return _crossed(through, group_of)
    return tuple(sorted(through, key=lambda seed: (plan.places[seed], through.index(seed))))


def _crossed(through: Sequence[int], group_of: dict[int, int]) -> tuple[int, ...]:
    """By what they are among those of their group who go on: first, second, and so on."""
    by_group: dict[int, list[int]] = {}
    for seed in through:
        by_group.setdefault(group_of[seed], []).append(seed)
    groups = sorted(by_group)
    deepest = max(map(len, by_group.values()), default=0)
    tiers = tuple(
        tuple(group for group in groups if len(by_group[group]) > tier) for tier in range(deepest)
    )
    return tuple(by_group[group][tier] for tier, group in crossed(tiers))
