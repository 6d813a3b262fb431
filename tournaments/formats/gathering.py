"""What formats have in common that gather entrants at tables round by round: who is in the next
round, what all have behind them, what follows, and the search for the best tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations, permutations
from random import Random

import rustworkx

from tournaments.formats import by_rounds
from tournaments.formats.model import Field, Pairing, Plan, Verdict
from tournaments.formats.ranking import outlook, ranked
from tournaments.standings.bounds import Ranks
from tournaments.standings.cards import Card, Encounter

REPEAT, AVOID, FAIR, SCORE = 1 << 94, 1 << 80, 1 << 60, 1 << 24
"""What one step of each tier costs: two who have met, two who should not, an unfair share, the
square of a difference in twelfths. A tier outweighs all below it, added up over all tables; below
them is the lot.
"""
OLDER = 1 << 5
"""Meeting again costs this by the times met, and one for each round that the last is younger."""
EXACT_UP_TO = 12
"""Up to so many entrants all ways to fill the tables are looked at."""
ALL_PAIRS_UP_TO = 64
MATCHED_UP_TO = 512
SEARCHED_UP_TO = 40
STARTS = 12
FEW, NEAR, FAR = 16, 12, 40
"""Up to so many tables all exchange with all; of more each with so many beside it, and with so many
where people meet again.
"""

Cost = Callable[[Sequence[int]], int]
Tables = list[list[int]]


@dataclass(slots=True)
class Past:
    """What matters of an entrant's earlier rounds for the next one. `seats` counts how often it
    had each place in the order of play, `small` the tables of three, `met` and `last_met` those at
    the same table, `partners` and `opposed` those on its own side and on the other.
    """

    points: int = 0
    byes: int = 0
    small: int = 0
    met: Counter[int] = field(default_factory=Counter)
    last_met: dict[int, int] = field(default_factory=dict)
    partners: Counter[int] = field(default_factory=Counter)
    opposed: Counter[int] = field(default_factory=Counter)
    seats: Counter[int] = field(default_factory=Counter)


def inside(entrants: Field, number: int | None = None) -> list[int]:
    """The seeds that are in; of a round, without those who rest, unless nobody would be left to
    play it.
    """
    every = [seed for seed in range(1, entrants.size + 1) if seed not in entrants.out]
    if number is None:
        return every
    ready = [seed for seed in every if (number, seed) not in entrants.rests]
    return ready if len(ready) > 1 else every


def plan(
    entrants: Field,
    verdicts: Mapping[int, Verdict],
    cards_of: Callable[[Field, Mapping[int, Pairing]], dict[int, Card]],
    criteria: Sequence[str],
    *,
    rounds: int,
    most_points: int,
    least: int = 2,
) -> Plan:
    """The rounds drawn so far, of as many as there are to be; `due` is the next, once all before
    are decided and `least` entrants are in. A round brings at most `most_points`. Raises
    BadVerdict.
    """
    found = by_rounds.pairings(entrants, verdicts)
    of_all = cards_of(entrants, found)
    rows = ranked(entrants, of_all, criteria)
    drawn = max((each.round for each in found.values()), default=0)
    decided = all(pairing.verdict is not None for pairing in found.values())
    goes_on = drawn < rounds and len(inside(entrants)) >= least
    over = decided and not goes_on
    places = {row.seed: row.rank for row in rows if over and row.rank is not None}
    due = drawn + 1 if decided and goes_on else None
    possible: Ranks = {seed: (rank, rank) for seed, rank in places.items()}
    if not over:
        possible = outlook(entrants, rows, found, rounds - drawn, most_points=most_points)
    return Plan(rounds, found, places, over, tuple(rows), due, of_all, possible)


def cards(
    entrants: Field,
    found: Mapping[int, Pairing],
    encounter: Callable[[Pairing, int], Encounter],
    rest: Callable[[int], int],
) -> dict[int, Card]:
    """All rounds of everyone that are decided; `encounter` is what a table is for one of its slots,
    `rest` what a rest of that many twelfths is worth. Rounds that an entrant was neither in nor
    resting are worth nothing.
    """
    met: dict[int, dict[int, Encounter | None]] = {s: {} for s in range(1, entrants.size + 1)}
    for pairing in found.values():
        for slot, seed in enumerate(pairing.seeds()):
            done = pairing.verdict is not None
            met[seed][pairing.round] = encounter(pairing, slot) if done else None
    last = max((pairing.round for pairing in found.values()), default=0)

    def unpaired(number: int, seed: int) -> Encounter:
        worth = entrants.rests.get((number, seed))
        if worth is None:
            return Encounter(number, (), 0, played=False, absent=True)
        return Encounter(number, (), rest(worth), played=False)

    return {
        seed: Card(
            seed,
            tuple(
                each
                for number in range(1, last + 1)
                if (each := rounds[number] if number in rounds else unpaired(number, seed))
            ),
        )
        for seed, rounds in met.items()
    }


def past_of(entrants: Field, found: Mapping[int, Pairing], made: Mapping[int, Card]) -> list[Past]:
    """What all have behind them, by seed; the first is nobody's."""
    past = [Past() for _ in range(entrants.size + 1)]
    for seed, card in made.items():
        past[seed].points = card.points
    for pairing in sorted(found.values(), key=lambda each: each.round):
        seeds = pairing.seeds()
        sides = pairing.sides or tuple(range(len(seeds)))
        if len(seeds) == 1:
            past[seeds[0]].byes += 1
        for at, seed in enumerate(seeds):
            past[seed].small += len(seeds) == 3
            past[seed].seats[at] += len(seeds) > 1
            for other, side in zip(seeds, sides, strict=True):
                if other != seed:
                    past[seed].met[other] += 1
                    past[seed].last_met[other] = pairing.round
                    (past[seed].partners if side == sides[at] else past[seed].opposed)[other] += 1
    return past


def lot(entrants: Field, *about: object) -> int:
    """A number below 1,024 by the event's seed: the same for the same question."""
    text = "|".join(map(str, (entrants.randomness, *about)))
    return int.from_bytes(sha256(text.encode()).digest()[:2], "big") & 1023


def shuffled(entrants: Field, seeds: Iterable[int], *about: object) -> list[int]:
    """The seeds in an order by lot."""
    order = list(seeds)
    text = "|".join(map(str, (entrants.randomness, *about)))
    Random(text).shuffle(order)  # noqa: S311  # the stage's published randomness
    return order


def seated(table: Sequence[int], past: Sequence[Past]) -> tuple[int, ...]:
    """The table in the order of the seats: everyone where it sat least often, the lead first."""
    return min(
        permutations(table),
        key=lambda order: [
            sum((2 * past[seed].seats[at] + 1) for at, seed in enumerate(order)),
            *(past[seed].seats[0] for seed in order[:1]),
        ],
    )


def best(
    seeds: Sequence[int],
    sizes: Sequence[int],
    pair: Callable[[int, int], int],
    alone: Callable[[int], int],
    chance: Random,
) -> Tables:
    """The tables of those sizes that cost least. `pair` is what two cost at one table, `alone`
    what one costs at a table of three. Neighbours in `seeds` suit each other best.

    All ways for a few, the best by matching and by exchanges for more: the same input gives the
    same tables.
    """
    known: dict[tuple[int, int], int] = {}

    def cost(table: Sequence[int]) -> int:
        total = sum(map(alone, table)) if len(table) == 3 else 0
        for one, other in combinations(table, 2):
            key = (one, other) if one < other else (other, one)
            if key not in known:
                known[key] = pair(*key)
            total += known[key]
        return total

    if len(seeds) <= EXACT_UP_TO:
        ways = _all_ways(list(seeds), tuple(sizes))
        return [list(each) for each in min(ways, key=lambda way: sum(map(cost, way)))]
    if len(seeds) <= MATCHED_UP_TO:
        found = _by_matching(seeds, sizes.count(3), cost, alone)
    else:
        found = _blocks(seeds, sizes)
    found = exchanged(found, cost)
    if len(seeds) <= SEARCHED_UP_TO:
        found = _searched(found, cost, chance)
    return found


def _blocks(seeds: Sequence[int], sizes: Sequence[int]) -> Tables:
    """The tables from the first seeds to the last."""
    ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
    return [list(seeds[end - size : end]) for end, size in zip(ends, sizes, strict=True)]


def _all_ways(seeds: list[int], sizes: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to fill the tables, once: the first of the seeds sits at one of each size."""
    if not seeds:
        yield []
        return
    for size in sorted(set(sizes), reverse=True):
        left = list(sizes)
        left.remove(size)
        for others in combinations(seeds[1:], size - 1):
            rest = [seed for seed in seeds[1:] if seed not in others]
            for way in _all_ways(rest, tuple(left)):
                yield [(seeds[0], *others), *way]


def _by_matching(
    seeds: Sequence[int], threes: int, cost: Cost, alone: Callable[[int], int]
) -> Tables:
    """Pairs first, then pairs of pairs; at a table of three one of the pairs has an empty seat,
    which is a number below 1.
    """
    empty = [-number for number in range(threes)]

    def of_pair(one: Sequence[int], other: Sequence[int]) -> int | None:
        both = [*one, *other]
        if any(seat < 1 for seat in one):
            return None if any(seat < 1 for seat in other) else alone(other[0])
        return alone(one[0]) if any(seat < 1 for seat in other) else cost(both)

    def of_table(one: Sequence[int], other: Sequence[int]) -> int | None:
        both = [seat for seat in (*one, *other) if seat > 0]
        return cost(both) if len(both) > 2 else None

    pairs = matched([[seed] for seed in [*seeds, *empty]], of_pair)
    tables = matched(pairs, of_table)
    return [[seat for seat in table if seat > 0] for table in tables]


def matched(
    groups: Sequence[Sequence[int]], cost: Callable[[Sequence[int], Sequence[int]], int | None]
) -> Tables:
    """The groups joined two and two so that the sum of the costs is the least; None for two that
    can't be joined. Of many groups only those near each other in the list are looked at, of which
    more until all are joined.
    """
    width = len(groups) if len(groups) <= ALL_PAIRS_UP_TO else 16
    while True:
        graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(len(groups)))
        graph.add_edges_from(
            [
                (at, to, -worth)
                for at in range(len(groups))
                for to in _near(at, width, len(groups))
                if (worth := cost(groups[at], groups[to])) is not None
            ]
        )
        found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
        if 2 * len(found) == len(groups) or width >= len(groups):
            break
        width *= 2
    ordered = sorted((min(pair), max(pair)) for pair in found)
    return [[*groups[at], *groups[to]] for at, to in ordered]


def _near(at: int, width: int, count: int) -> Iterator[int]:
    """Those after it in the list, up to `width`; the last few reach everybody."""
    yield from range(at + 1, min(count, at + 1 + width))
    yield from range(max(at + 1 + width, count - 4), count)


def exchanged(tables: Tables, cost: Cost) -> Tables:
    """The tables after all exchanges of two entrants that make them cost less: between all tables
    where there are few, else between one that more than the lot speaks against and those near it;
    where people meet again, those far from it too.
    """
    tables = [list(table) for table in tables]
    worth = [cost(table) for table in tables]
    for _ in range(8):
        better = False
        for at in range(len(tables)):
            for to in _reach(at, worth):
                better |= _exchange(tables, worth, at, to, cost)
        if not better:
            break
    return tables


def _reach(at: int, worth: Sequence[int]) -> Iterator[int]:
    """The tables that one exchanges with."""
    count = len(worth)
    if count <= FEW:
        yield from range(at + 1, count)
    elif worth[at] >= SCORE:
        near = FAR if worth[at] >= REPEAT else NEAR
        yield from range(max(0, at - near), at)
        yield from range(at + 1, min(count, at + near + 1))


def _exchange(tables: Tables, worth: list[int], at: int, to: int, cost: Cost) -> bool:
    """Exchanges one of each of two tables while that helps; whether it did."""
    one, other = tables[at], tables[to]
    changed = False
    for i in range(len(one)):
        for j in range(len(other)):
            one[i], other[j] = other[j], one[i]
            mine, theirs = cost(one), cost(other)
            if mine + theirs < worth[at] + worth[to]:
                worth[at], worth[to], changed = mine, theirs, True
            else:
                one[i], other[j] = other[j], one[i]
    return changed


def _searched(found: Tables, cost: Cost, chance: Random) -> Tables:
    """From other starts, while somebody meets again."""
    least = sum(map(cost, found))
    for _ in range(STARTS):
        if least < REPEAT:
            break
        seats = [seed for table in found for seed in table]
        chance.shuffle(seats)
        tried = exchanged(_blocks(seats, [len(table) for table in found]), cost)
        if (total := sum(map(cost, tried))) < least:
            found, least = tried, total
    return found
