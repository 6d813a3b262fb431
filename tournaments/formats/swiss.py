"""Swiss: a set number of rounds, each among those with about as many points who haven't met.

A round is drawn when the one before is decided, by a maximum-weight matching of all who are in.
What has been drawn is part of the field, and never drawn again: later corrections change standings
and the rounds to come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tournaments.formats import by_rounds
from tournaments.formats.history import BYE, History, history
from tournaments.formats.matching import Lots, Pool, matched
from tournaments.formats.model import (
    Field,
    Meeting,
    Option,
    Pairing,
    Plan,
    Step,
    Verdict,
)
from tournaments.formats.ranking import outlook, ranked
from tournaments.formats.round_robin import DIFFERENCE_CAP, encounter
from tournaments.standings.cards import POINT, Card, Encounter

ID = "swiss"
RULES = "swiss/1"
ENGINE = "swiss/2"
"""What draws the rounds. A stored round is drawn again, to check it, only by what drew it."""
MIN_SIZE = 2
MAX_SIZE = 10_000
DRAWS = True
SEATS: tuple[int, ...] = (2,)
OPTIONS: Mapping[str, Option] = {
    "rounds": Option(5, range(1, 21)),
    "first_round": Option("slide", ("slide", "random")),
    "later_rounds": Option("slide", ("slide", "random")),
    "last_round": Option("fold", ("fold", "same")),
    "difference_cap": DIFFERENCE_CAP,
}
CRITERIA = ("buchholz_cut", "buchholz", "direct", "wins", "difference")
HALF = POINT // 2


def plan(entrants: Field, verdicts: Mapping[int, Verdict]) -> Plan:
    """The rounds drawn so far; `due` is the next to be drawn, once all before are decided."""
    pairings = by_rounds.pairings(entrants, verdicts)
    due, over = _next(entrants, pairings)
    cards = _cards(entrants, pairings, _begun(entrants, pairings, due, over))
    rows = tuple(ranked(entrants, cards, CRITERIA))
    places = {row.seed: row.rank for row in rows if over and row.rank is not None}
    possible = {seed: (rank, rank) for seed, rank in places.items()}
    if not over:
        drawn = max((pairing.round for pairing in pairings.values()), default=0)
        possible = dict(outlook(entrants, rows, pairings, _rounds(entrants) - drawn))
    return Plan(_rounds(entrants), pairings, places, over, rows, due, cards, possible)


def steps(entrants: Field) -> Sequence[Step]:
    """All rounds there are to be."""
    return by_rounds.steps(_rounds(entrants))


def dependents(entrants: Field, number: int) -> tuple[int, ...]:
    """None: a drawn round stays, whatever is corrected before it."""
    return ()


def draw(entrants: Field, verdicts: Mapping[int, Verdict]) -> tuple[Meeting, ...]:
    """The next round, by the points of all before. Raises ValueError when none is due.

    Rematches come in only if there is no round without one; then the fewest, and the oldest.
    """
    pairings = by_rounds.pairings(entrants, verdicts)
    number, _over = _next(entrants, pairings)
    if number is None:
        raise ValueError("No round is due.")
    past = history(entrants.size, pairings.values(), entrants.rests, number)
    drawing = _Drawing(entrants, past, number)
    return drawing.meetings(len(pairings) + 1)


class _Drawing:
    """One round being drawn."""

    def __init__(self, entrants: Field, past: History, number: int) -> None:
        self.entrants, self.past, self.number = entrants, past, number
        self.lots = Lots(entrants.randomness, number)
        self.pool = self._pool()
        self.points = past.points.tolist()
        self.opponents = past.opponents()
        self.group_of = dict(zip(self.pool.seeds.tolist(), self.pool.group.tolist(), strict=True))

    def meetings(self, first: int) -> tuple[Meeting, ...]:
        """The round's pairings, the tables with most points first, the bye last."""
        seeds = self.pool.seeds.tolist()
        found = [(a, b, seeds[a], seeds[b]) for a, b in matched(self.pool)]
        found.sort(key=lambda pair: self._importance(pair[2], pair[3]))
        return tuple(
            self._rest(first + at, at + 1, one)
            if other == BYE
            else self._meeting(first + at, at + 1, node, to)
            for at, (node, to, one, other) in enumerate(found)
        )

    def _pool(self) -> Pool:
        """All who are in, in order; see matching.Pool."""
        past = self.past
        inside = np.array(_inside(self.entrants, self.number), dtype=np.int64)
        half = past.points[inside] // HALF
        order = self.lots.of(inside, inside) if self._order() == "random" else inside
        inside = inside[np.lexsort((order, -half))]
        half = past.points[inside] // HALF
        byes = past.byes[inside]
        may_rest = byes == byes.min()
        if len(inside) % 2:
            inside = np.append(inside, BYE)
            half = np.append(half, half[-1] - 2)
            may_rest = np.append(may_rest, False)
        _points, group, size = np.unique(-half, return_inverse=True, return_counts=True)
        first = np.searchsorted(group, group)
        avoid = np.array(sorted(self.entrants.avoid), dtype=np.int64).reshape(-1, 2)
        return Pool(
            seeds=inside,
            half=half,
            group=group,
            at=np.arange(len(inside)) - first,
            size=size[group],
            floated=past.floated[inside],
            owed=past.owed[inside],
            may_rest=may_rest,
            folds=self._folds(),
            apart=past.key_of(avoid[:, 0], avoid[:, 1]),
            history=past,
            lots=self.lots,
        )

    def _order(self) -> str:
        return str(_option(self.entrants, "first_round" if self.number == 1 else "later_rounds"))

    def _folds(self) -> bool:
        is_last = self.number == _rounds(self.entrants) > 1
        return is_last and _option(self.entrants, "last_round") == "fold"

    def _importance(self, one: int, other: int) -> tuple[int, ...]:
        points = sorted((self.points[one], self.points[other]), reverse=True)
        return (other == BYE, -points[0], -points[1], min(one, other))

    def _rest(self, number: int, position: int, seed: int) -> Meeting:
        byes = self.past.byes
        why: dict[str, object] = {
            "rule": "swiss_bye",
            "points": self.points[seed],
            "byes_before": int(byes[seed]),
            "entrants": len(self.pool) - 1,
        }
        return Meeting(number, self.number, position, (seed,), why)

    def _meeting(self, number: int, position: int, node: int, to: int) -> Meeting:
        """A pair as it is stored, whoever is owed the lead first, with why."""
        one, other = int(self.pool.seeds[node]), int(self.pool.seeds[to])
        lead, answer = sorted((one, other), key=self._claim_to_lead)
        group = self.group_of[lead]
        met = self.opponents.get(lead, ())
        why: dict[str, object] = {
            "rule": "swiss",
            "points": [self.points[lead], self.points[answer]],
            "met_before": met_before(self.past, lead, answer),
            "group": int(self.pool.size[node if lead == one else to]),
            "group_met_before": sum(self.group_of.get(each) == group for each in met),
            **self._instead(node, to),
        }
        if self.pool.is_apart(np.array([node]), np.array([to]))[0]:
            why["apart"] = 1
        return Meeting(number, self.number, position, (lead, answer), why)

    def _instead(self, node: int, to: int) -> dict[str, object]:
        """Whom the order wanted for the first of the two, and what ruled that out: "met" before,
        kept "apart", both owed the same "seat", went "down" or "up" to another group, or the
        "whole" round comes out better.
        """
        pool = self.pool
        size, at = int(pool.size[node]), int(pool.at[node])
        floats = pool.group[node] != pool.group[to]
        place = size - 1 - at if pool.folds and pool.group[node] == 0 else (at + size // 2) % size
        wanted = node - at + place
        found: dict[str, object] = {"order": self._order(), "of": int(pool.seeds[node])}
        if floats:
            found |= {"float": int(pool.seeds[node]), "odd": size % 2 == 1}
        if wanted in (node, to):
            return found
        one, other = np.array([min(node, wanted)]), np.array([max(node, wanted)])
        _times, last = pool.met(one, other)
        found["wanted"] = int(pool.seeds[wanted])
        if last[0]:
            return found | {"ruled_out": "met", "met_in": int(last[0])}
        if pool.is_apart(one, other)[0]:
            return found | {"ruled_out": "apart"}
        if int(pool.group[wanted]) == int(pool.group[node]) and self._same_seat(node, wanted):
            return found | {"ruled_out": "seat"}
        return found | {"ruled_out": "whole"}

    def _same_seat(self, one: int, other: int) -> bool:
        return bool(self.pool.owed[one] * self.pool.owed[other] > 0)

    def _claim_to_lead(self, seed: int) -> tuple[int, bool, int]:
        own = np.array([seed])
        lot = int(self.lots.of(own, own)[0])
        return int(self.past.balance[seed]), bool(self.past.led_last[seed]), lot


def met_before(past: History, one: int, other: int) -> int:
    """How many times two seeds have met."""
    return int(past.met(np.array([one]), np.array([other]))[0][0])


def _rounds(entrants: Field) -> int:
    return by_rounds.rounds_of(entrants, OPTIONS["rounds"].default)


def _option(entrants: Field, key: str) -> int | str | bool:
    value: int | str | bool = entrants.options.get(key, OPTIONS[key].default)
    return value


def _inside(entrants: Field, number: int) -> list[int]:
    """Who is in that round: has not left, and does not rest."""
    return [
        seed
        for seed in range(1, entrants.size + 1)
        if seed not in entrants.out and (number, seed) not in entrants.rests
    ]


def _next(entrants: Field, pairings: Mapping[int, Pairing]) -> tuple[int | None, bool]:
    """The round to be drawn, if its time has come, and whether it is all over. A round that
    everybody rests in is left out.
    """
    if any(pairing.verdict is None for pairing in pairings.values()):
        return None, False
    drawn = max((pairing.round for pairing in pairings.values()), default=0)
    if entrants.size - len(entrants.out) < 2:
        return None, True
    for number in range(drawn + 1, _rounds(entrants) + 1):
        if _inside(entrants, number):
            return number, False
    return None, True


def _begun(entrants: Field, pairings: Mapping[int, Pairing], due: int | None, over: bool) -> int:
    """How many rounds stand on everybody's card."""
    drawn = max((pairing.round for pairing in pairings.values()), default=0)
    if due is not None:
        return due - 1
    everybody_left = entrants.size - len(entrants.out) < 2
    return _rounds(entrants) if over and not everybody_left else drawn


def _cards(entrants: Field, pairings: Mapping[int, Pairing], rounds: int) -> dict[int, Card]:
    """All decided rounds of everybody; those an entrant was not in are worth what its rest is."""
    found: dict[int, list[Encounter]] = {seed: [] for seed in range(1, entrants.size + 1)}
    paired: dict[int, list[int]] = {seed: [] for seed in found}
    for pairing in pairings.values():
        seeds = pairing.seeds()
        for seed in seeds:
            paired[seed].append(pairing.round)
        if pairing.automatic == "bye":
            found[seeds[0]].append(Encounter(pairing.round, (), POINT, played=False))
        elif pairing.verdict is not None:
            for slot, seed in enumerate(seeds):
                found[seed].append(encounter(pairing, slot))
    for seed, own in found.items():
        if len(paired[seed]) >= rounds:
            continue
        missed = set(range(1, rounds + 1)).difference(paired[seed])
        for number in missed:
            worth = entrants.rests.get((number, seed), 0)
            own.append(Encounter(number, (), worth, played=False, absent=True))
        own.sort(key=lambda each: each.round)
    return {seed: Card(seed, tuple(own)) for seed, own in found.items()}
