"""Rotating partners: two against two, with another partner in each round; each for themselves.

Where there is a whist schedule for the field, it is played: everyone partners everyone once and
opposes everyone twice. Else each round is drawn so that the fewest partner each other again, then
that the fewest oppose each other again. Those left over at the tables of four rest, fairly shared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product

from tournaments.formats import by_rounds, gathering
from tournaments.formats.gathering import Past
from tournaments.formats.model import Field, Meeting, Option, Pairing, Plan, Step, Verdict
from tournaments.formats.schedules import whist
from tournaments.standings.cards import POINT, Card, Encounter

ID = "rotating"
RULES = "rotating/1"
MIN_SIZE = 4
MAX_SIZE = 512
DRAWS = True
SEATS: tuple[int, ...] = ()
BYES = {"half": POINT // 2, "win": POINT, "nothing": 0}
OPTIONS: Mapping[str, Option] = {
    "rounds": Option(7, range(1, 41)),
    "rest": Option("half", tuple(BYES)),
}
CRITERIA = ("difference", "scored")
SIDES = (0, 1, 0, 1)

PARTNERED, APART, OPPOSED = 1 << 66, 1 << 54, 1 << 16
"""What one step of each tier costs: partners again, two who should not meet, opponents again."""


def misfit(size: int, options: Mapping[str, object]) -> str | None:
    """Fewer than four fill no table."""
    return "too_few_partners" if size < MIN_SIZE else None


def plan(entrants: Field, verdicts: Mapping[int, Verdict]) -> Plan:
    """The rounds drawn so far; `due` is the next to be drawn, once all before are decided."""
    return gathering.plan(
        entrants,
        verdicts,
        _cards,
        CRITERIA,
        rounds=_rounds(entrants),
        most_points=POINT,
        least=MIN_SIZE,
    )


def steps(entrants: Field) -> Sequence[Step]:
    """All rounds there are to be."""
    return by_rounds.steps(_rounds(entrants))


def dependents(entrants: Field, number: int) -> tuple[int, ...]:
    """None: a drawn round stays, whatever is corrected before it."""
    return ()


def draw(entrants: Field, verdicts: Mapping[int, Verdict]) -> tuple[Meeting, ...]:
    """The next round. Raises ValueError when none is due."""
    now = plan(entrants, verdicts)
    if now.due is None:
        raise ValueError("No round is due.")
    past = gathering.past_of(entrants, now.pairings, now.cards)
    drawing = _Drawing(entrants, past, now.due)
    tables, resting, rule = drawing.round()
    first = len(now.pairings) + 1
    meetings = [
        Meeting(first + at, now.due, at + 1, each, drawing.why(each, rule), SIDES)
        for at, each in enumerate(tables)
    ]
    meetings += [
        Meeting(first + at, now.due, at + 1, (seed,), drawing.why_resting(seed))
        for at, seed in enumerate(resting, start=len(tables))
    ]
    return tuple(meetings)


class _Drawing:
    """One round being drawn."""

    def __init__(self, entrants: Field, past: Sequence[Past], number: int) -> None:
        self.entrants, self.past, self.number = entrants, past, number
        self.inside = gathering.inside(entrants, number)
        if len(self.inside) < MIN_SIZE:
            self.inside = gathering.inside(entrants)

    def round(self) -> tuple[list[tuple[int, ...]], list[int], str]:
        """The tables in the order of their seats, those who rest, and the rule."""
        known = self._from_schedule()
        if known is not None:
            playing = {seed for table in known for seed in table}
            return known, [seed for seed in self.inside if seed not in playing], "whist"
        order = gathering.shuffled(self.entrants, self.inside, "order", self.number)
        order.sort(key=lambda seed: self.past[seed].byes)
        count = len(order) % 4
        resting, playing_now = order[:count], sorted(order[count:])
        tables = self._exchanged(self._matched(playing_now))
        return [self._turned(each) for each in tables], resting, "rotating"

    def why(self, seats: Sequence[int], rule: str) -> dict[str, object]:
        """By which rule a table was made; how many partners it repeats, and how many opponents."""
        a, b, c, d = seats
        past = self.past
        again = (past[a].partners[c] > 0) + (past[b].partners[d] > 0)
        opposed = sum(past[one].opposed[other] > 0 for one in (a, c) for other in (b, d))
        apart = sum(pair in self.entrants.avoid for pair in combinations(sorted(seats), 2))
        return {"rule": rule, "met_before": again, "opposed_before": opposed, "apart": apart}

    def why_resting(self, seed: int) -> dict[str, object]:
        return {"rule": "rotating_bye", "byes_before": self.past[seed].byes,
                "worth": _bye(self.entrants)}  # fmt: skip

    def _from_schedule(self) -> list[tuple[int, ...]] | None:
        """The round of the whist schedule, while the field is the one it was made for and all
        before was drawn from it.
        """
        size = self.entrants.size
        rounds = whist(size)
        if len(self.inside) < size or self.number > len(rounds):
            return None
        order = gathering.shuffled(self.entrants, range(1, size + 1), "schedule")
        made = [[tuple(order[at] for at in each) for each in tables] for tables in rounds]
        drawn = {(each.round, each.seeds) for each in self.entrants.drawn if not each.is_bye}
        due = {(at + 1, each) for at, tables in enumerate(made) for each in tables}
        return made[self.number - 1] if drawn <= due else None

    def _matched(self, playing: Sequence[int]) -> list[list[int]]:
        """Partners first, then the sides against each other: a and b against c and d."""
        sides = gathering.matched([[seed] for seed in playing], lambda a, b: self._side(*a, *b))
        return gathering.matched(sides, lambda one, other: self._opposing(one, other))

    def _exchanged(self, tables: list[list[int]]) -> list[list[int]]:
        """After all exchanges of two players, between tables and at one, that make it better: from
        where somebody meets again in any way.
        """
        for _ in range(8):
            better = False
            for one in [each for each in tables if self._cost(each) >= OPPOSED]:
                for other, i, j in product(tables, range(4), range(4)):
                    better |= self._exchange(one, i, other, j)
            if not better:
                break
        return tables

    def _exchange(self, one: list[int], i: int, other: list[int], j: int) -> bool:
        both = [one] if one is other else [one, other]
        before = sum(map(self._cost, both))
        one[i], other[j] = other[j], one[i]
        if sum(map(self._cost, both)) < before:
            return True
        one[i], other[j] = other[j], one[i]
        return False

    def _cost(self, table: Sequence[int]) -> int:
        a, b, c, d = table
        return self._side(a, b) + self._side(c, d) + self._opposing((a, b), (c, d))

    def _side(self, one: int, other: int) -> int:
        """What two cost as partners."""
        return self.past[one].partners[other] ** 2 * PARTNERED + self._apart(one, other)

    def _opposing(self, one: Sequence[int], other: Sequence[int]) -> int:
        """What two sides cost at one table."""
        return sum(
            self.past[mine].opposed[theirs] ** 2 * OPPOSED + self._apart(mine, theirs)
            for mine in one
            for theirs in other
        )

    def _apart(self, one: int, other: int) -> int:
        low, high = min(one, other), max(one, other)
        unwanted = (low, high) in self.entrants.avoid
        return unwanted * APART + gathering.lot(self.entrants, self.number, low, high)

    def _turned(self, table: Sequence[int]) -> tuple[int, ...]:
        """The order of the seats, partners across, that gives the lead where it is due."""
        a, b, c, d = table
        ways = [(a, c, b, d), (b, c, a, d), (c, a, d, b), (d, a, c, b)]
        return min(
            ways,
            key=lambda way: sum(2 * self.past[seed].seats[at] + 1 for at, seed in enumerate(way)),
        )


def _rounds(entrants: Field) -> int:
    return by_rounds.rounds_of(entrants, OPTIONS["rounds"].default)


def _bye(entrants: Field) -> int:
    return BYES[str(entrants.options.get("rest", "half"))]


def _cards(entrants: Field, pairings: Mapping[int, Pairing]) -> dict[int, Card]:
    return gathering.cards(
        entrants,
        pairings,
        lambda pairing, slot: _encounter(entrants, pairing, slot),
        lambda twelfths: twelfths,
    )


def _encounter(entrants: Field, pairing: Pairing, slot: int) -> Encounter:
    """A table as the one in that slot has it on its card: its side's points are its own."""
    verdict, seeds = pairing.verdict, pairing.seeds()
    assert verdict is not None
    if len(seeds) == 1:
        return Encounter(pairing.round, (), _bye(entrants), played=False)
    own, scores = pairing.sides[slot], verdict.scores or (0,) * len(seeds)
    across = [at for at, side in enumerate(pairing.sides) if side != own]
    partner = next(at for at, side in enumerate(pairing.sides) if side == own and at != slot)
    won = seeds[slot] in pairing.winners()
    return Encounter(
        pairing.round,
        tuple(seeds[at] for at in across),
        POINT if won else POINT // 2 if verdict.is_drawn else 0,
        verdict.played,
        scores[slot],
        scores[across[0]],
        partner=seeds[partner],
        won=won,
    )
