"""Arena: for a set time, who waits is paired, again and again, with somebody near in the standings.

There are no rounds that all play: each time people are paired is a round of its own, of those who
waited then. Points follow from an entrant's matches in the order they were paired, which is also
the order they ended in, since nobody is seated twice. What was in course when the time ended is a
fact of the field (``closed``), and whether it counts is a setting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby

import rustworkx

from tournaments.formats.model import (
    BadVerdict,
    Entrant,
    Field,
    Meeting,
    Option,
    Pairing,
    Plan,
    Step,
    Verdict,
)
from tournaments.standings.cards import POINT
from tournaments.standings.table import SHARED, Row

ID = "arena"
RULES = "arena/1"
MIN_SIZE = 2
MAX_SIZE = 2000
DRAWS = True
SEATS: tuple[int, ...] = (2,)
OPTIONS: Mapping[str, Option] = {
    "minutes": Option(60, range(1, 721)),
    "in_course": Option("count", ("count", "finished")),
}

WIN, DRAW = 2 * POINT, POINT
STREAK = 2
"""So many wins in a row, and from then on every match is worth double until one isn't won."""
REPEAT_AFTER = 20
"""Seconds that both wait before they meet again at once, while somebody else may still come."""
NEAR, ANYBODY_AFTER = 10, 40
"""Places apart that are always near enough; seconds after which everybody is."""
NEIGHBOURS = 8
MET = 36
"""Each earlier meeting costs as much as standing six places apart."""

LAST, WAIT, DISTANCE = 1 << 84, 1 << 60, 1 << 26
"""What one step of each tier weighs. A tier outweighs all below it, added up over 2,000 people."""
LONGEST, FARTHEST, OFTEN, LOT = (1 << 12) - 1, (1 << 12) - 1, 9, 16


@dataclass(slots=True)
class Sheet:
    """What an entrant has done so far; `scores` are the points of its matches, in twelfths.

    `balance` is how often it led less how often it answered.
    """

    seed: int
    scores: list[int] = field(default_factory=list)
    wins: int = 0
    draws: int = 0
    losses: int = 0
    streak: int = 0
    difference: int = 0
    last: int = 0
    balance: int = 0
    met: Counter[int] = field(default_factory=Counter)

    @property
    def points(self) -> int:
        return sum(self.scores)

    @property
    def is_doubled(self) -> bool:
        """Whether its next match is worth double."""
        return self.streak >= STREAK

    def enter(self, worth: int) -> None:
        """A match more: WIN, DRAW or 0 before doubling."""
        self.scores.append(2 * worth if self.is_doubled else worth)
        self.wins += worth == WIN
        self.draws += worth == DRAW
        self.losses += worth == 0
        self.streak = self.streak + 1 if worth == WIN else 0


@dataclass(frozen=True, slots=True)
class Waiting:
    """Who waits for an opponent, for so many seconds, and what matters of its past.

    `place` counts from 1 in the order of strength now: standings first, then rating. `apart` are
    the seeds it should not meet.
    """

    seed: int
    place: int
    waited: int = 0
    points: int = 0
    last: int = 0
    balance: int = 0
    met: Mapping[int, int] = field(default_factory=dict)
    apart: frozenset[int] = frozenset()


def plan(entrants: Field, verdicts: Mapping[int, Verdict]) -> Plan:
    """All that were paired, and the standings; over when the time is, and nothing is in course."""
    pairings = _pairings(entrants, verdicts)
    found = sheets(entrants, verdicts)
    rows = standings(found, last=entrants.disqualified)
    rounds = max((pairing.round for pairing in pairings.values()), default=0)
    decided = all(pairing.verdict is not None for pairing in pairings.values())
    over = closed(entrants) is not None and decided
    places = {row.seed: row.rank for row in rows if over and row.rank is not None}
    return Plan(rounds, pairings, places, over, rows)


def steps(entrants: Field) -> Sequence[Step]:
    """The rounds there have been."""
    of = max((meeting.round for meeting in entrants.drawn), default=0)
    return tuple(Step(number, "rounds", number, of) for number in range(1, of + 1))


def dependents(entrants: Field, number: int) -> tuple[int, ...]:
    """None: who was paired stays paired, whatever is corrected."""
    return ()


def closed(entrants: Field) -> frozenset[int] | None:
    """The matches that were in course when the time ended; None while it runs."""
    numbers = entrants.options.get("closed")
    return None if numbers is None else frozenset(numbers)


def dropped(entrants: Field) -> frozenset[int]:
    """The matches that don't count, since they were not over in time."""
    late = closed(entrants)
    if late is None or entrants.options.get("in_course", "count") == "count":
        return frozenset()
    return late


def sheets(entrants: Field, verdicts: Mapping[int, Verdict]) -> dict[int, Sheet]:
    """Everybody's sheet, by seed, from the matches in the order of their numbers."""
    found = {seed: Sheet(seed) for seed in range(1, entrants.size + 1)}
    late = dropped(entrants)
    for meeting in sorted(entrants.drawn, key=lambda each: each.number):
        one, other = (found[seed] for seed in meeting.seeds)
        for sheet, opponent, step in ((one, other, 1), (other, one, -1)):
            sheet.last = opponent.seed
            sheet.met[opponent.seed] += 1
            sheet.balance += step
        verdict = verdicts.get(meeting.number)
        if verdict is None or meeting.number in late:
            continue
        for slot, sheet in enumerate((one, other)):
            sheet.enter(_worth(verdict, sheet.seed))
            if verdict.scores:
                sheet.difference += verdict.scores[slot] - verdict.scores[1 - slot]
    return found


def standings(found: Mapping[int, Sheet], last: Iterable[int] = ()) -> list[Row]:
    """The rows, the best first: by points, wins, then points at the tables; those of `last`
    behind all others, without a rank.
    """
    without = set(last)
    ranked = sorted((s for s in found.values() if s.seed not in without), key=_order)
    rows: list[Row] = []
    for _points, level in groupby(ranked, key=_by_points):
        for group, decided in _separated(list(level)):
            rank = len(rows) + 1
            rows += [_row(sheet, rank, decided) for sheet in group]
    behind = sorted((found[seed] for seed in without if seed in found), key=_order)
    return rows + [_row(sheet, None, "") for sheet in behind]


def pair(
    waiting: Sequence[Waiting], *, number: int, round: int, active: int, randomness: str
) -> tuple[Meeting, ...]:
    """Who of those waiting plays whom: as many as can, and those who waited longest first.

    `number` is the first meeting's, `active` how many play or wait. People near in the standings
    meet, and the longer they wait the farther that reaches; those who have just met don't, while
    somebody else is there or may come soon; those to be kept apart only where nobody else is left.
    The same input gives the same meetings.
    """
    pairs = _pairs(
        sorted(waiting, key=lambda each: (each.place, each.seed)), round, active, randomness
    )
    return tuple(
        _meeting(number + at, round, at + 1, *sorted(each, key=lambda w: (w.balance, w.place)))
        for at, each in enumerate(pairs)
    )


def _pairs(
    ordered: Sequence[Waiting], round: int, active: int, randomness: str
) -> list[tuple[Waiting, Waiting]]:
    """Everybody, or all but the one who came last, if that can be; else as many as can.

    Weighing the waiting in makes the matching many times slower, and only matters where somebody
    is left over.
    """
    count = len(ordered)
    even = list(ordered)
    if count % 2:
        even.remove(min(ordered, key=lambda each: (each.waited, -each.place)))
    found = _Drawing(even, round, active, randomness).pairs()
    if len(found) == count // 2:
        return found
    return _Drawing(ordered, round, active, randomness, WAIT).pairs()


class _Drawing:
    """One matching of those who wait, who are in order."""

    def __init__(
        self, ordered: Sequence[Waiting], round: int, active: int, randomness: str, wait: int = 0
    ) -> None:
        self.ordered, self.active, self.wait = ordered, active, wait
        self.lot = f"{randomness}|{round}"

    def pairs(self) -> list[tuple[Waiting, Waiting]]:
        """The best matching among near neighbours; among farther ones if somebody is left over."""
        count, near, known = len(self.ordered), NEIGHBOURS, -1
        found: list[tuple[int, int]] = []
        while True:
            edges = self._edges(near)
            if len(edges) != known:
                found, known = self._matched(edges), len(edges)
            if len(found) == count // 2 or near >= count:
                break
            near *= 2
        return [(self.ordered[a], self.ordered[b]) for a, b in sorted(found)]

    def _edges(self, near: int) -> list[tuple[int, int, int]]:
        count = len(self.ordered)
        return [
            (at, other, self._weight(self.ordered[at], self.ordered[other]))
            for at in range(count)
            for other in range(at + 1, min(count, at + near + 1))
            if self._may_meet(self.ordered[at], self.ordered[other])
        ]

    def _may_meet(self, one: Waiting, other: Waiting) -> bool:
        if _just_met(one, other) and self.active > 2:
            return min(one.waited, other.waited) >= REPEAT_AFTER
        longest = max(one.waited, other.waited)
        reach = NEAR + longest * self.active // ANYBODY_AFTER
        return abs(one.place - other.place) <= reach or longest >= ANYBODY_AFTER

    def _weight(self, one: Waiting, other: Waiting) -> int:
        waited = min(one.waited, LONGEST) + min(other.waited, LONGEST)
        apart = min(abs(one.place - other.place), FARTHEST)
        cost = apart * apart + MET * min(one.met.get(other.seed, 0), OFTEN)
        again = (_just_met(one, other) + (other.seed in one.apart)) * LAST
        return waited * self.wait - cost * DISTANCE - again - self._chance(one.seed, other.seed)

    def _chance(self, one: int, other: int) -> int:
        """16 bits by the event's seed: one optimum, whatever the order of the edges."""
        text = f"{self.lot}|{min(one, other)}|{max(one, other)}"
        return int.from_bytes(sha256(text.encode()).digest()[: LOT // 8], "big")

    def _matched(self, edges: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]]:
        graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(len(self.ordered)))
        graph.add_edges_from(list(edges))
        found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
        return [(min(a, b), max(a, b)) for a, b in found]


def _just_met(one: Waiting, other: Waiting) -> bool:
    return one.last == other.seed or other.last == one.seed


def _meeting(number: int, round: int, position: int, lead: Waiting, answer: Waiting) -> Meeting:
    both = (lead, answer)
    why = {
        "rule": "arena",
        "places": [each.place for each in both],
        "points": [each.points for each in both],
        "waited": [each.waited for each in both],
        "met": lead.met.get(answer.seed, 0),
        "apart": int(answer.seed in lead.apart),
    }
    return Meeting(number, round, position, (lead.seed, answer.seed), why)


def _pairings(entrants: Field, verdicts: Mapping[int, Verdict]) -> dict[int, Pairing]:
    meetings = {meeting.number: meeting for meeting in entrants.drawn}
    if unknown := verdicts.keys() - meetings.keys():
        raise BadVerdict(min(unknown), "there is no such match.")
    late = dropped(entrants)
    pairings: dict[int, Pairing] = {}
    for number, meeting in sorted(meetings.items()):
        given = verdicts.get(number)
        if given is not None and given.winner not in (None, *meeting.seeds):
            raise BadVerdict(number, "the winner is neither of the two.")
        pairings[number] = Pairing(
            number,
            meeting.round,
            meeting.position,
            tuple(Entrant(seed) for seed in meeting.seeds),
            (None, None),
            Verdict(None, played=False) if number in late else given,
            "not_needed" if number in late else None,
            because=meeting.because,
        )
    return pairings


def _worth(verdict: Verdict, seed: int) -> int:
    if verdict.winner == seed:
        return WIN
    return DRAW if verdict.is_drawn else 0


def _order(sheet: Sheet) -> tuple[int, int, int, int]:
    return -sheet.points, -sheet.wins, -sheet.difference, sheet.seed


def _by_points(sheet: Sheet) -> int:
    return sheet.points


CRITERIA: tuple[tuple[str, Callable[[Sheet], int]], ...] = (
    ("wins", lambda sheet: sheet.wins),
    ("difference", lambda sheet: sheet.difference),
)


def _separated(level: list[Sheet], by: str = "", at: int = 0) -> list[tuple[list[Sheet], str]]:
    """Groups that stay level, in order, each with what it was last separated by."""
    if len(level) == 1:
        return [(level, by)]
    if at == len(CRITERIA):
        return [(level, SHARED)]
    key, value = CRITERIA[at]
    groups = [list(group) for _value, group in groupby(level, key=value)]
    by = key if len(groups) > 1 else by
    return [found for group in groups for found in _separated(group, by, at + 1)]


def _row(sheet: Sheet, rank: int | None, decided: str) -> Row:
    values = {key: value(sheet) for key, value in CRITERIA}
    return Row(sheet.seed, rank, sheet.points, values, decided)
