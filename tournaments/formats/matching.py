"""Who meets whom in a round of pairs: a maximum-weight matching with lexicographic costs.

Each tier of costs outweighs all below it, added up over the whole round. Up to EXACT entrants all
pairs are weighed; above, only those near to what is wanted, more of them until all are paired; and
above LARGE the middles of big groups are paired in blocks, and the ends of groups and small groups
together. Where somebody is left over, more pairs are weighed and the middles are shorter. Whatever
the way, the same input gives the same pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import rustworkx
from numpy.typing import NDArray

from tournaments.formats.history import BYE, History, Ints

EXACT, LARGE = 200, 600
WIDTH = 8
"""Partners on either side of the wanted one that are weighed, at first."""
BLOCK = 16
"""Tables in a block of a big group."""
LOT_BITS = 24
HIGHEST = 1 << 120
"""What the matching's 128 bits hold with room for its sums."""

Bools = NDArray[np.bool_]
Pairs = tuple[Ints, Ints]


class Lots:
    """Numbers drawn by the event's seed for a round: the same for the same ids."""

    def __init__(self, randomness: str, number: int) -> None:
        digest = sha256(f"{randomness}|{number}".encode()).digest()
        self._keys = np.frombuffer(digest[:16], dtype="<u8").astype(np.uint64)

    def of(self, one: Ints, other: Ints) -> NDArray[np.uint64]:
        """64 bits for each pair of ids; the pair's order matters."""
        mixed = _mixed(one.astype(np.uint64) ^ self._keys[0])
        return _mixed(mixed ^ (other.astype(np.uint64) + self._keys[1]))


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of splitmix64."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


@dataclass(eq=False, slots=True)
class Pool:
    """Those to be paired, the best group first, inside it in the order that is wanted; the bye
    last where their number is odd.

    By node: `seeds` (0 the bye), `half` points (rounded down), `group`, `at` the place in it,
    `size` of it, `floated` and `owed` as in History. `may_rest`: who may have the bye. `folds`: the
    first group wants its first to meet its last. `apart` are keys of pairs to be kept apart.
    """

    seeds: Ints
    half: Ints
    group: Ints
    at: Ints
    size: Ints
    floated: Ints
    owed: Ints
    may_rest: Bools
    folds: bool
    apart: Ints
    history: History
    lots: Lots

    def __len__(self) -> int:
        return len(self.seeds)

    def starts(self) -> list[tuple[int, int]]:
        """First node and size of each group, without the bye's."""
        firsts = np.flatnonzero((self.at == 0) & (self.seeds != BYE))
        return [(int(first), int(self.size[first])) for first in firsts]

    def distance(self, one: Ints, other: Ints) -> Ints:
        """How far a pair is from what is wanted, `one` being the earlier node. Inside a group the
        upper half slides onto the lower; between groups the last goes down, to the first.
        """
        at_one, at_other, size = self.at[one], self.at[other], self.size[one]
        inside = np.abs(at_other - at_one - size // 2)
        if self.folds:
            folded = np.abs(at_one + at_other - (size - 1))
            inside = np.where(self.group[one] == 0, folded, inside)
        across = (size - 1 - at_one) + at_other
        return np.where(self.group[one] == self.group[other], inside, across)

    def is_apart(self, one: Ints, other: Ints) -> Bools:
        """Whether a pair should not meet, for a reason outside the event."""
        keys = self.history.key_of(self.seeds[one], self.seeds[other])
        return np.isin(keys, self.apart) if len(self.apart) else np.zeros(len(one), dtype=bool)

    def met(self, one: Ints, other: Ints) -> tuple[Ints, Ints]:
        """Times met and round last met, of pairs of nodes."""
        return self.history.met(self.seeds[one], self.seeds[other])

    def resting(self, most: int) -> Ints:
        """The last of those who may have the bye."""
        return np.flatnonzero(self.may_rest)[-most:]

    def is_possible(self, one: Ints, other: Ints) -> Bools:
        """Whether a pair of nodes may be made at all: the bye only for those who may rest."""
        fine: Bools = (self.seeds[one] != BYE) | self.may_rest[other]
        fine &= (self.seeds[other] != BYE) | self.may_rest[one]
        return fine


class Costs:
    """The tiers, the lowest first: lot, distance, lead, floats, avoidance, points, rematches."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        tables = max(1, len(pool) // 2)
        groups = int(pool.size.max(initial=1))
        gap = int(pool.half.max(initial=0) - pool.half.min(initial=0)) ** 2
        self.distance = tables << LOT_BITS
        self.unit = self.distance * tables * 2 * groups
        self.floats = tables + 1
        self.apart = self.floats * (2 * tables + 1)
        self.score = self.apart * (tables + 1)
        self.rematch = self.score * (tables * gap + 1)
        self.older = tables * (int(pool.history.last.max(initial=0)) + 1)

    def of(self, one: Ints, other: Ints) -> list[int]:
        """What each pair costs; `one` the earlier node. Whole numbers below HIGHEST."""
        pool = self.pool
        lot = pool.lots.of(pool.seeds[one], pool.seeds[other]) >> np.uint64(64 - LOT_BITS)
        low = lot.astype(np.int64)
        rests = pool.seeds[other] == BYE
        low += np.where(rests, 0, pool.distance(one, other)) * self.distance
        gap = pool.half[one] - pool.half[other]
        high = ((pool.owed[one] * pool.owed[other]) > 0).astype(np.int64)
        again = (pool.floated[one] < 0).astype(np.int64) + (pool.floated[other] > 0)
        high += np.where((gap > 0) & ~rests, again, 0) * self.floats
        high += pool.is_apart(one, other) * self.apart
        high += gap * gap * self.score
        times, last = pool.met(one, other)
        repeats = times * self.older + last
        costs = [a * self.unit + b for a, b in zip(high.tolist(), low.tolist(), strict=True)]
        for edge in np.flatnonzero(times).tolist():
            costs[edge] += int(repeats[edge]) * self.rematch * self.unit
        return costs


def matched(pool: Pool) -> list[tuple[int, int]]:
    """Pairs of nodes, everybody in one: without a rematch if there is any such round, else with
    the fewest, and the oldest. The bye's is (who rests, the bye).
    """
    costs = Costs(pool)
    if len(pool) <= EXACT:
        every = _fresh(pool, _all_pairs(np.arange(len(pool))))
        found = _best(costs, every)
        if 2 * len(found) == len(pool):
            return found
        return _best(costs, _allowed(pool, _all_pairs(np.arange(len(pool)))))
    width = WIDTH
    while 2 * len(found := _paired_near(costs, width)) < len(pool):
        width *= 2
    return found


def _best(costs: Costs, pairs: Pairs) -> list[tuple[int, int]]:
    """The cheapest of the largest sets of pairs without a node twice."""
    one, other = pairs
    nodes, index = np.unique(np.concatenate(pairs), return_inverse=True)
    ends = index.reshape(2, len(one)).tolist()
    weights = [-cost for cost in costs.of(one, other)]
    assert min(weights, default=0) > -HIGHEST
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(nodes)))
    graph.add_edges_from(list(zip(*ends, weights, strict=True)))
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    at = nodes.tolist()
    return sorted((at[min(pair)], at[max(pair)]) for pair in found)


def _all_pairs(nodes: Ints) -> Pairs:
    upper = np.triu_indices(len(nodes), 1)
    return nodes[upper[0]], nodes[upper[1]]


def _allowed(pool: Pool, pairs: Pairs) -> Pairs:
    fine = pool.is_possible(*pairs)
    return pairs[0][fine], pairs[1][fine]


def _fresh(pool: Pool, pairs: Pairs) -> Pairs:
    """Those who may meet and haven't, each pair once and in order."""
    codes = np.unique(pairs[0] * len(pool) + pairs[1])
    one, other = _allowed(pool, (codes // len(pool), codes % len(pool)))
    never = pool.met(one, other)[0] == 0
    return one[never], other[never]


def _near(pool: Pool, width: int) -> Pairs:
    """Pairs within `width` of what is wanted, all in small groups, around each border and around
    the middle of each group (where one comes in above and another leaves below, their partners
    may have each other), and the last who may rest with the bye.
    """
    parts = [_inside(pool, first, size, width) for first, size in pool.starts()]
    middles = [first + size // 2 for first, size in pool.starts()]
    borders = [first for first, _size in pool.starts()[1:]]
    parts += [
        _all_pairs(np.arange(max(0, at - width), min(len(pool), at + width)))
        for at in borders + middles
    ]
    if pool.seeds[-1] == BYE:
        resting = pool.resting(2 * width)
        parts.append((resting, np.full(len(resting), len(pool) - 1)))
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def _inside(pool: Pool, first: int, size: int, width: int) -> Pairs:
    if size <= 4 * width + 2:
        return _all_pairs(np.arange(first, first + size))
    one = np.repeat(np.arange(size), 2 * width + 1)
    step = np.tile(np.arange(-width, width + 1), size)
    wanted = size - 1 - one if _is_folded(pool, first) else one + size // 2
    other = wanted + step
    fine = (one < other) & (other < size)
    return first + one[fine], first + other[fine]


def _is_folded(pool: Pool, first: int) -> bool:
    return pool.folds and first == 0


def _paired_near(costs: Costs, width: int) -> list[tuple[int, int]]:
    """The middles of big groups block by block, and all else together, by the pairs that are near
    what is wanted. Some may be left over.
    """
    pool = costs.pool
    rest = np.ones(len(pool), dtype=bool)
    found: list[tuple[int, int]] = []
    for block in _blocks(pool, width) if len(pool) > LARGE else ():
        pairs = _best(costs, _fresh(pool, _all_pairs(block)))
        if 2 * len(pairs) == len(block):
            rest[block] = False
            found += pairs
    one, other = _fresh(pool, _near(pool, width))
    both = rest[one] & rest[other]
    return found + _best(costs, (one[both], other[both]))


def _blocks(pool: Pool, width: int) -> Iterator[Ints]:
    """Nodes of big groups that want each other; left out are the ends of each group, twice as wide
    as what is near, and those who may come to have the bye.
    """
    kept = pool.resting(2 * width) if pool.seeds[-1] == BYE else np.arange(0)
    for first, size in pool.starts():
        half = size // 2
        for start in range(2 * width, half - 2 * width - BLOCK + 1, BLOCK):
            upper = np.arange(start, start + BLOCK)
            lower = size - 1 - upper if _is_folded(pool, first) else upper + half
            block = first + np.sort(np.concatenate((upper, lower)))
            if not np.isin(kept, block).any():
                yield block
