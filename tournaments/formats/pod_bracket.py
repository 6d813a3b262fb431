"""The bracket of tables of three and four: who meets whom in which round, before all play.

A stage of n entrants becomes tables as `pods.sizes` says; of each the best go on, until one table
is left. Places are known from the start, as those of a knockout: "second of table 3".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import rustworkx

from tournaments.formats.model import Bye, Entrant, RankOf, Slot, Step
from tournaments.formats.pods import sizes

SURE = 1 << 10
"""That two certainly meet again at a table weighs as much as so many meetings that may be."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table before anything is played: `through` of it go on, none of the last. Whoever is out
    with the place p has `ranks[p - 1]`.
    """

    number: int
    round: int
    position: int
    slots: tuple[Slot, ...]
    through: int
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """All tables; sources stand before what they lead to."""

    steps: tuple[Step, ...]
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class _Source:
    """A place of a round and where it comes from. `past` has a bit for each table that whoever
    takes it may have sat at, `last` the one they did.
    """

    slot: Slot
    past: int = 0
    last: int = 0


def going_on(seats: int, advance: int) -> int:
    """How many go on from a table: never all, but for one who sits alone."""
    return min(advance, seats - 1) or 1


def course(entrants: int, advance: int, five: str = "bye") -> list[tuple[int, ...]]:
    """The tables of each round, the largest first, for that many entrants.

    >>> course(13, 2)
    [(4, 3, 3, 3), (4, 4), (4,)]
    """
    rounds = [sizes(entrants, five)]
    while len(rounds[-1]) > 1:
        left = sum(going_on(seats, advance) for seats in rounds[-1])
        rounds.append(sizes(left, five))
    return rounds


@lru_cache(maxsize=64)
def bracket(entrants: int, advance: int, five: str) -> Bracket:
    """The empty bracket. Tables are numbered round by round, who sits alone last."""
    rounds = course(entrants, advance, five)
    found = [_Source(Entrant(seed)) for seed in range(1, entrants + 1)]
    steps = tuple(
        Step(number, "tables", number, len(rounds)) for number in range(1, len(rounds) + 1)
    )
    alone = sum(1 in each for each in rounds)
    byes, number = iter(range(sum(map(len, rounds)) - alone + 1, 1 << 30)), 0
    tables: list[Table] = []
    for step, seats in zip(steps, rounds, strict=True):
        is_last = step.number == len(rounds)
        counts = {each: 0 if is_last else going_on(each, advance) for each in seats}
        # The best seeds have the tables of which most go on.
        ordered = sorted(seats, key=lambda each: (-Fraction(counts[each], each), each))
        ranks = _ranks(seats, counts)
        spread = _spread(found, ordered)
        found = []
        for position, sources in enumerate(spread, start=1):
            number += len(sources) > 1
            own = number if len(sources) > 1 else next(byes)
            slots = tuple(source.slot for source in sources)
            through = counts[len(slots)]
            tables.append(
                Table(own, step.number, position, slots if len(slots) > 1 else (*slots, Bye()),
                      through, ranks)
            )  # fmt: skip
        found = list(_leading_on(tables, spread, step.number))
    return Bracket(steps, tuple(tables))


def _ranks(seats: Sequence[int], through: dict[int, int]) -> tuple[int, ...]:
    """The rank of each place of a round for who is out with it: all with a better one that doesn't
    lead on, at any table of the round, stand before; and all who go on do.
    """
    found, rank = [], sum(through[each] for each in seats) + 1
    for place in range(1, max(seats) + 1):
        found.append(rank)
        rank += sum(through[each] < place <= each for each in seats)
    return tuple(found)


def _leading_on(
    tables: Sequence[Table], spread: Sequence[Sequence[_Source]], number: int
) -> Iterator[_Source]:
    """The places of the next round, the best first: all firsts in the order of their tables, then
    the seconds of the tables in the opposite order, and so on.
    """
    own = [table for table in tables if table.round == number]
    pairs = list(zip(own, spread, strict=True))
    for rank in range(1, max(table.through for table in own) + 1):
        for table, sources in pairs if rank % 2 else pairs[::-1]:
            if rank <= table.through:
                past = 1 << table.number
                for source in sources:
                    past |= source.past
                yield _Source(RankOf(table.number, rank), past, table.number)


def _spread(sources: Sequence[_Source], seats: Sequence[int]) -> list[list[_Source]]:
    """Who sits at which table, the best first: the first of the sources each at one of their own,
    then the next ones, each at another, so that who has met meets as late as can be; else the
    strongest go to where the weakest sit.
    """
    tables: list[list[_Source]] = [[] for _ in seats]
    strength = {source.slot: at for at, source in enumerate(sources)}
    begin = 0
    for tier in range(max(seats)):
        free = [table for table, size in zip(tables, seats, strict=True) if size > tier]
        free.sort(key=lambda table: -sum(strength[each.slot] for each in table) if tier else 0)
        own = sources[begin : begin + len(free)]
        begin += len(free)
        for source, table in zip(own, _apart(own, free), strict=True):
            table.append(source)
    return tables


def _apart(sources: Sequence[_Source], tables: Sequence[list[_Source]]) -> Sequence[list[_Source]]:
    """A table for each source, so that the fewest meet again; else in the order of both."""
    meets = [[_meetings(source, table) for table in tables] for source in sources]
    if not any(meets[at][at] for at in range(len(sources))):
        return tables
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    count = len(sources)
    graph.add_nodes_from(range(2 * count))
    graph.add_edges_from(
        [
            (row, count + column, -_cost(row, column, count, worth))
            for row, line in enumerate(meets)
            for column, worth in enumerate(line)
        ]
    )
    pairs = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    to = {min(pair): max(pair) - count for pair in pairs}
    return [tables[to[row]] for row in range(count)]


def _cost(row: int, column: int, count: int, worth: int) -> int:
    """Meetings first, then how far from its turn; last some number, so that one way is the best
    whatever version of the library looks for it.
    """
    lot = (row * 2_654_435_761 ^ column * 2_654_404_609) % (1 << 32)
    return ((worth * count**3 + (row - column) ** 2) << 40) + lot


def _meetings(source: _Source, table: Sequence[_Source]) -> int:
    return sum(
        SURE if source.last and source.last == each.last else (source.past & each.past).bit_count()
        for each in table
    )
