"""Swiss: a set number of rounds, each among those with about as many points who haven't met.

A round is drawn when the one before is decided, by a maximum-weight matching of all who are in.
What has been drawn is part of the field, and never drawn again: later corrections change standings
and the rounds to come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations

import rustworkx

from tournaments.formats.model import (
    BadVerdict,
    Bye,
    Entrant,
    Field,
    Meeting,
    Option,
    Pairing,
    Plan,
    Slot,
    Step,
    Verdict,
)
from tournaments.formats.round_robin import encounter
from tournaments.standings.cards import POINT, Card, Encounter
from tournaments.standings.table import table

ID = "swiss"
RULES = "swiss/1"
MIN_SIZE = 2
MAX_SIZE = 512
DRAWS = True
SEATS: tuple[int, ...] = (2,)
OPTIONS: Mapping[str, Option] = {"rounds": Option(5, range(1, 21))}
CRITERIA = ("buchholz_cut", "buchholz", "direct", "wins", "difference")

HALF = POINT // 2
REMATCH, SCORE, FLOAT, SEAT, DISTANCE = 1 << 100, 1 << 80, 1 << 67, 1 << 52, 1 << 33
"""What one step of each tier costs. A tier outweighs all below it, added up over 512 pairs."""
OLDER = 1 << 10
"""A rematch costs this by the times met, and one for each round that the last is younger."""
BYE = 0


@dataclass(slots=True)
class Past:
    """What matters of an entrant's earlier rounds for the next one."""

    points: int = 0
    byes: int = 0
    met: Counter[int] = field(default_factory=Counter)
    last_met: dict[int, int] = field(default_factory=dict)
    floated: int = 0
    balance: int = 0
    led_last: bool = False

    @property
    def owed(self) -> int:
        """1 if the lead is owed, −1 if the answer is, 0 before the first round."""
        if self.balance:
            return -1 if self.balance > 0 else 1
        return 0 if not self.met else -1 if self.led_last else 1


def plan(entrants: Field, verdicts: Mapping[int, Verdict]) -> Plan:
    """The rounds drawn so far; `due` is the next to be drawn, once all before are decided."""
    pairings = _pairings(entrants, verdicts)
    rounds = max((pairing.round for pairing in pairings.values()), default=0)
    decided = all(pairing.verdict is not None for pairing in pairings.values())
    goes_on = rounds < _rounds(entrants) and len(_inside(entrants)) > 1
    cards = {seed: _card(pairings, seed, rounds) for seed in range(1, entrants.size + 1)}
    rows = tuple(table(cards, CRITERIA, last=entrants.disqualified))
    over = decided and not goes_on
    places = {row.seed: row.rank for row in rows if over and row.rank is not None}
    due = rounds + 1 if decided and goes_on else None
    return Plan(_rounds(entrants), pairings, places, over, rows, due)


def steps(entrants: Field) -> Sequence[Step]:
    """All rounds there are to be."""
    of = _rounds(entrants)
    return tuple(Step(number, "rounds", number, of) for number in range(1, of + 1))


def dependents(entrants: Field, number: int) -> tuple[int, ...]:
    """None: a drawn round stays, whatever is corrected before it."""
    return ()


def draw(entrants: Field, verdicts: Mapping[int, Verdict]) -> tuple[Meeting, ...]:
    """The next round, by the points of all before. Raises ValueError when none is due.

    Rematches come in only if there is no round without one; then the fewest, and the oldest.
    """
    now = plan(entrants, verdicts)
    if now.due is None:
        raise ValueError("No round is due.")
    past = _past(entrants, now.pairings)
    drawing = _Drawing(entrants, past, now.due)
    pairs = drawing.pairs()
    pairs.sort(key=lambda pair: drawing.importance(*pair))
    first = len(now.pairings) + 1
    return tuple(
        drawing.meeting(first + at, at + 1, one, other) for at, (one, other) in enumerate(pairs)
    )


class _Drawing:
    """One round being drawn."""

    def __init__(self, entrants: Field, past: Mapping[int, Past], number: int) -> None:
        self.entrants, self.past, self.number = entrants, past, number
        self.inside = _inside(entrants)
        self.fewest_byes = min(past[seed].byes for seed in self.inside)
        self.lowest = min(past[seed].points for seed in self.inside)
        self.groups: dict[int, list[int]] = {}
        for seed in self.inside:
            self.groups.setdefault(past[seed].points, []).append(seed)
        self.at = {s: at for group in self.groups.values() for at, s in enumerate(group)}
        self.nodes = ([] if len(self.inside) % 2 == 0 else [BYE]) + self.inside

    def pairs(self) -> list[tuple[int, int]]:
        """Who meets whom, BYE first where somebody rests."""
        fresh = [pair for pair in self._possible() if not self._met(*pair)]
        found = self._matched(fresh)
        if 2 * len(found) < len(self.nodes):
            found = self._matched(self._possible())
        return found

    def importance(self, one: int, other: int) -> tuple[int, ...]:
        """The order of the tables: most points first, the bye last."""
        points = sorted((self._points(one), self._points(other)), reverse=True)
        return (one == BYE, -points[0], -points[1], min(one, other))

    def meeting(self, number: int, position: int, one: int, other: int) -> Meeting:
        """A pair as it is stored, whoever is owed the lead first, with why."""
        if one == BYE:
            why: dict[str, object] = {
                "rule": "swiss_bye",
                "points": self.past[other].points,
                "byes_before": self.past[other].byes,
            }
            return Meeting(number, self.number, position, (other,), why)
        lead, answer = sorted((one, other), key=self._claim_to_lead)
        group = self.groups[self.past[lead].points]
        return Meeting(
            number,
            self.number,
            position,
            (lead, answer),
            {
                "rule": "swiss",
                "points": [self.past[lead].points, self.past[answer].points],
                "met_before": self._met(lead, answer),
                "group": len(group),
                "group_met_before": sum(self._met(lead, each) > 0 for each in group),
            },
        )

    def _possible(self) -> list[tuple[int, int]]:
        return [
            (one, other)
            for one, other in combinations(self.nodes, 2)
            if one != BYE or self.past[other].byes == self.fewest_byes
        ]

    def _matched(self, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(self.nodes)
        at = {seed: index for index, seed in enumerate(self.nodes)}
        graph.add_edges_from([(at[a], at[b], -self._cost(a, b)) for a, b in pairs])
        found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
        return [(self.nodes[min(a, b)], self.nodes[max(a, b)]) for a, b in found]

    def _cost(self, one: int, other: int) -> int:
        gap = abs(self._points(one) - self._points(other)) // HALF
        cost = gap * gap * SCORE + self._lot(one, other)
        if one == BYE:
            return cost
        first, second = self.past[one], self.past[other]
        if times := self._met(one, other):
            cost += (times * OLDER + first.last_met[other]) * REMATCH
        if gap:
            down, up = (first, second) if first.points > second.points else (second, first)
            cost += ((down.floated < 0) + (up.floated > 0)) * FLOAT
        else:
            cost += self._distance(one, other) * DISTANCE
        return cost + (first.owed * second.owed > 0) * SEAT

    def _distance(self, one: int, other: int) -> int:
        """How far from the wanted partner, inside a group: the upper half slides onto the lower;
        in the last round the first of the top group meets its last.
        """
        points = self.past[one].points
        group = self.groups[points]
        above, below = sorted((self.at[one], self.at[other]))
        if self.number == _rounds(self.entrants) > 1 and points == max(self.groups):
            return abs(above + below - (len(group) - 1))
        return abs(below - above - len(group) // 2)

    def _points(self, seed: int) -> int:
        return self.lowest - POINT if seed == BYE else self.past[seed].points

    def _met(self, one: int, other: int) -> int:
        return 0 if one == BYE else self.past[one].met[other]

    def _claim_to_lead(self, seed: int) -> tuple[int, bool, int]:
        past = self.past[seed]
        return past.balance, past.led_last, self._lot(seed, seed)

    def _lot(self, one: int, other: int) -> int:
        """24 bits by the event's seed: one optimum, whatever the order of the edges."""
        text = f"{self.entrants.randomness}|{self.number}|{one}|{other}"
        return int.from_bytes(sha256(text.encode()).digest()[:3], "big")


def _rounds(entrants: Field) -> int:
    return int(entrants.options.get("rounds", OPTIONS["rounds"].default))


def _inside(entrants: Field) -> list[int]:
    return [seed for seed in range(1, entrants.size + 1) if seed not in entrants.out]


def _pairings(entrants: Field, verdicts: Mapping[int, Verdict]) -> dict[int, Pairing]:
    meetings = {meeting.number: meeting for meeting in entrants.drawn}
    if unknown := verdicts.keys() - meetings.keys():
        raise BadVerdict(min(unknown), "there is no such match.")
    pairings: dict[int, Pairing] = {}
    for number, meeting in sorted(meetings.items()):
        given = verdicts.get(number)
        if given is not None and given.winner not in (None, *meeting.seeds):
            raise BadVerdict(number, "the winner is neither of the two.")
        slots: tuple[Slot, ...] = tuple(Entrant(seed) for seed in meeting.seeds)
        if meeting.is_bye:
            if given is not None and given.winner != meeting.seeds[0]:
                raise BadVerdict(number, "nothing can win against, or as, an empty place.")
            slots, given = (*slots, Bye()), Verdict(meeting.seeds[0], played=False)
        pairings[number] = Pairing(
            number,
            meeting.round,
            meeting.position,
            slots,
            (None, None),
            given,
            "bye" if meeting.is_bye else None,
            because=meeting.because,
        )
    return pairings


def _card(pairings: Mapping[int, Pairing], seed: int, rounds: int) -> Card:
    """All decided rounds of an entrant; those it was not in are worth nothing."""
    own = {p.round: p for p in pairings.values() if seed in p.seeds()}
    found: list[Encounter] = []
    for number in range(1, rounds + 1):
        pairing = own.get(number)
        if pairing is None:
            found.append(Encounter(number, (), 0, played=False, absent=True))
        elif pairing.automatic == "bye":
            found.append(Encounter(number, (), POINT, played=False))
        elif pairing.verdict is not None:
            found.append(encounter(pairing, pairing.seeds().index(seed)))
    return Card(seed, tuple(found))


def _past(entrants: Field, pairings: Mapping[int, Pairing]) -> dict[int, Past]:
    """What all have behind them, round by round. Who won without playing has had a bye."""
    past = {seed: Past() for seed in range(1, entrants.size + 1)}
    last = max((pairing.round for pairing in pairings.values()), default=0)
    before: dict[int, int] = dict.fromkeys(past, 0)
    for pairing in sorted(pairings.values(), key=lambda each: each.round):
        assert pairing.verdict is not None
        winner, seeds = pairing.verdict.winner, pairing.seeds()
        if winner is not None:
            past[winner].points += POINT
            past[winner].byes += not pairing.verdict.played
        if pairing.round < last:
            before |= {seed: past[seed].points for seed in seeds}
        if len(seeds) == 2:
            _remember(past, pairing)
        if pairing.round == last and len(seeds) == 2:
            one, other = seeds
            past[one].floated = before[other] - before[one]
            past[other].floated = before[one] - before[other]
    return past


def _remember(past: Mapping[int, Past], pairing: Pairing) -> None:
    """Who has met whom, and who led; also where one did not come."""
    one, other = pairing.seeds()
    for seed, opponent, step in ((one, other, 1), (other, one, -1)):
        past[seed].met[opponent] += 1
        past[seed].last_met[opponent] = pairing.round
        past[seed].balance += step
        past[seed].led_last = step > 0
