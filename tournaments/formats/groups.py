"""Groups: a round robin in each of them, side by side.

Seeds go to the groups in a snake (1 to G, then back), so that sizes differ by at most one. Each
group plays by the Berger tables and has a table of its own. Across groups, those with the better
rank in their group stand first; of those with the same, points a match decide, then the difference
of points a match, since groups may differ in size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby

import rustworkx

from tournaments.formats import round_robin
from tournaments.formats.model import (
    BadVerdict,
    Entrant,
    Field,
    Option,
    Pairing,
    Plan,
    Step,
    Verdict,
)
from tournaments.standings.table import Row

ID = "groups"
RULES = "groups/1"
MIN_SIZE = 2
MAX_SIZE = 512
DRAWS = True
SEATS: tuple[int, ...] = (2,)
OPTIONS: Mapping[str, Option] = {
    "groups": Option(4, range(2, 33)),
    "legs": Option(1, (1, 2)),
    "difference_cap": round_robin.DIFFERENCE_CAP,
}

MEETS = 1 << 20
"""What two in a group cost that should not meet: more than any distance from the snake."""

Match = tuple[int, int, int, int]
"""Round, position in it, group, and the match's number in the group."""


def plan(entrants: Field, verdicts: Mapping[int, Verdict]) -> Plan:
    """All pairings from the start; places across the groups once all is decided. Raises
    BadVerdict.
    """
    groups = members(entrants)
    matches = _matches(tuple(map(len, groups)), _legs(entrants))
    if unknown := verdicts.keys() - range(1, len(matches) + 1):
        raise BadVerdict(min(unknown), "there is no such match.")
    own: list[dict[int, Verdict]] = [{} for _ in groups]
    exchanged = _exchanged_inside(entrants, groups, matches)
    for number, verdict in verdicts.items():
        _round, _position, group, inside = matches[number - 1]
        own[group - 1][inside] = _told_inside(number, verdict, groups[group - 1])
    plans = [
        round_robin.plan(_alone(entrants, group, swaps), given)
        for group, given, swaps in zip(groups, own, exchanged, strict=True)
    ]
    pairings = {
        number: _told_outside(
            plans[match[2] - 1].pairings[match[3]],
            number,
            match,
            groups[match[2] - 1],
            verdicts.get(number),
        )
        for number, match in enumerate(matches, start=1)
    }
    rows = [
        _row_outside(row, number, group)
        for number, (group, each) in enumerate(zip(groups, plans, strict=True), start=1)
        for row in each.table
    ]
    over = all(each.over for each in plans)
    places = _across(rows, pairings) if over else {}
    possible = {
        group[seed - 1]: ranks
        for group, each in zip(groups, plans, strict=True)
        for seed, ranks in each.possible.items()
    }
    return Plan(matches[-1][0], pairings, places, over, tuple(rows), possible=possible)


def steps(entrants: Field) -> Sequence[Step]:
    """The rounds of the largest group."""
    sizes = tuple(map(len, members(entrants)))
    rounds = _matches(sizes, _legs(entrants))[-1][0]
    return tuple(Step(number, "rounds", number, rounds) for number in range(1, rounds + 1))


def dependents(entrants: Field, number: int) -> tuple[int, ...]:
    """None: who meets whom was known from the start."""
    return ()


def members(entrants: Field) -> tuple[tuple[int, ...], ...]:
    """The seeds of each group, the first seed first. There are fewer groups than wished for where
    some would have nobody to meet, and more where one would be too large.
    """
    drawn = entrants.options.get("members")
    if drawn is not None:
        return tuple(map(tuple, drawn))
    wished = int(entrants.options.get("groups", OPTIONS["groups"].default))
    return _snake(entrants.size, count(wished, entrants.size))


def count(wished: int, size: int) -> int:
    """How many groups there are of a field.

    >>> count(4, 7), count(4, 8), count(2, 200)
    (3, 4, 4)
    """
    least = -(-size // round_robin.MAX_SIZE)
    return max(1, least, min(wished, size // 2))


def kept_apart(entrants: Field) -> tuple[tuple[int, ...], ...]:
    """The members of the groups, in which as few as can be are together that should not meet. Each
    row of the snake is dealt anew, as near to it as that allows: strength stays as it was. The
    stage keeps it as its option "members".
    """
    snake = members(entrants)
    groups: list[list[int]] = [[] for _ in snake]
    for row in range(max(map(len, snake))):
        places = {group[row]: at for at, group in enumerate(snake) if row < len(group)}
        for seed, at in _dealt(places, groups, entrants.avoid).items():
            groups[at].append(seed)
    return tuple(map(tuple, groups))


def _dealt(
    places: Mapping[int, int], groups: Sequence[Sequence[int]], avoid: frozenset[tuple[int, int]]
) -> dict[int, int]:
    """A row's seeds and the groups they come to: least of all together with whom they should not
    meet, then near to their `places` in the snake.
    """
    seeds = sorted(places)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(2 * len(seeds)))
    free = sorted(places.values())
    for at, seed in enumerate(seeds):
        for to, group in enumerate(free):
            met = sum((other, seed) in avoid for other in groups[group])
            cost = met * MEETS + (group - places[seed]) ** 2
            graph.add_edge(at, len(seeds) + to, -cost)
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    pairs = (sorted(pair) for pair in found)
    return {seeds[at]: free[to - len(seeds)] for at, to in pairs}


@lru_cache(maxsize=64)
def _snake(size: int, count: int) -> tuple[tuple[int, ...], ...]:
    groups: list[list[int]] = [[] for _ in range(count)]
    for seed in range(1, size + 1):
        row, column = divmod(seed - 1, count)
        groups[column if row % 2 == 0 else count - 1 - column].append(seed)
    return tuple(map(tuple, groups))


@lru_cache(maxsize=64)
def _matches(sizes: tuple[int, ...], legs: int) -> tuple[Match, ...]:
    """All matches in the order of their numbers: round by round, in each group by group."""
    inside = [
        (pairing.round, group, pairing.position, pairing.number)
        for group, size in enumerate(sizes, start=1)
        for pairing in round_robin.plan(Field(size, options={"legs": legs}), {}).pairings.values()
    ]
    return tuple(
        (round_no, position, group, number)
        for round_no, found in groupby(sorted(inside), key=lambda each: each[0])
        for position, (_round, group, _position, number) in enumerate(found, start=1)
    )


def _legs(entrants: Field) -> int:
    return int(entrants.options.get("legs", 1))


def _row_outside(row: Row, number: int, group: Sequence[int]) -> Row:
    """A row of a group's table, told by the seeds of the stage."""
    versus = row.versus
    if versus is not None:
        versus = replace(versus, seed=group[versus.seed - 1])
    return replace(row, seed=group[row.seed - 1], group=number, versus=versus)


def _exchanged_inside(
    entrants: Field, groups: Sequence[Sequence[int]], matches: Sequence[Match]
) -> list[dict[int, list[int]]]:
    """What was exchanged by hand (see round_robin), as each group numbers it."""
    found: list[dict[int, list[int]]] = [{} for _ in groups]
    for number, seeds in entrants.options.get("exchanged", {}).items():
        _round, _position, of, inside = matches[int(number) - 1]
        found[of - 1][inside] = [groups[of - 1].index(seed) + 1 for seed in seeds]
    return found


def _alone(entrants: Field, group: Sequence[int], exchanged: Mapping[int, list[int]]) -> Field:
    """A group as a field of its own."""
    return Field(
        len(group),
        entrants.randomness,
        {**entrants.options, "exchanged": exchanged},
        out=_inside(group, entrants.out),
        disqualified=_inside(group, entrants.disqualified),
        criteria=entrants.criteria,
    )


def _inside(group: Sequence[int], seeds: frozenset[int]) -> frozenset[int]:
    return frozenset(number for number, seed in enumerate(group, start=1) if seed in seeds)


def _told_inside(number: int, verdict: Verdict, group: Sequence[int]) -> Verdict:
    """A verdict with the winner as the group numbers it."""
    if verdict.winner is None:
        return verdict
    if verdict.winner not in group:
        raise BadVerdict(number, "the winner is neither of the two.")
    return replace(verdict, winner=group.index(verdict.winner) + 1)


def _told_outside(
    inside: Pairing, number: int, match: Match, group: Sequence[int], verdict: Verdict | None
) -> Pairing:
    """A pairing of a group as the stage numbers it."""
    seeds = inside.seeds()
    if verdict is not None and verdict.winner not in (None, *(group[seed - 1] for seed in seeds)):
        raise BadVerdict(number, "the winner is neither of the two.")
    round_no, position, of, _number = match
    return replace(
        inside,
        number=number,
        position=position,
        slots=tuple(Entrant(group[seed - 1]) for seed in seeds),
        verdict=verdict,
        because={"rule": "berger", "round": round_no, "group": of},
    )


def _across(rows: Sequence[Row], pairings: Mapping[int, Pairing]) -> dict[int, int]:
    """The places of all, equal ones shared."""
    counted = {row.seed for row in rows if row.counts}
    met: Counter[int] = Counter()
    for pairing in pairings.values():
        if counted.issuperset(pairing.seeds()):
            met.update(pairing.seeds())

    def worth(row: Row) -> tuple[int, Fraction, Fraction]:
        played = met[row.seed] or 1
        difference = row.values.get("difference", 0)
        return row.rank or 0, -Fraction(row.points, played), -Fraction(difference, played)

    keys = {row.seed: worth(row) for row in rows if row.rank is not None}
    return {seed: 1 + sum(other < key for other in keys.values()) for seed, key in keys.items()}
