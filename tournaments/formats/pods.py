"""Pods: rounds at tables of four, as many as possible, and of three; points by place, none for who
forfeits.

A table brings together those with about as many points who have not met, or, on wish, everybody
with as many others as possible. Rounds are drawn one after another; what has been drawn stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

from tournaments.formats import by_rounds, gathering
from tournaments.formats.gathering import AVOID, FAIR, OLDER, REPEAT, SCORE, Past
from tournaments.formats.model import (
    Field,
    Meeting,
    Option,
    Pairing,
    Plan,
    Scale,
    Step,
    Verdict,
)
from tournaments.formats.schedules import strangers
from tournaments.standings.cards import POINT, Card, Encounter

ID = "pods"
RULES = "pods/1"
ENGINE = "pods/2"
"""What draws the rounds. A stored round is drawn again, to check it, only by what drew it."""
MIN_SIZE = 3
MAX_SIZE = 10_000
DRAWS = True
SEATS: tuple[int, ...] = (2, 3, 4)
FOUR, THREE = [6, 5, 3, 1], [6, 4, 1]
OPTIONS: Mapping[str, Option] = {
    "rounds": Option(4, range(1, 21)),
    "meeting": Option("points", ("points", "mixed")),
    "five": Option("refuse", ("refuse", "bye", "two")),
    "points_four": Scale(FOUR, (FOUR,), 4),
    "points_three": Scale(THREE, (THREE,), 3),
}
CRITERIA = ("wins", "strength", "direct", "scored")


def misfit(size: int, options: Mapping[str, object]) -> str | None:
    """Two entrants fill no table, five neither one nor two, unless it is said what to do then."""
    if size < MIN_SIZE:
        return "too_few_for_tables"
    return "five" if size == 5 and options.get("five", "refuse") == "refuse" else None


def sizes(entrants: int, five: str = "bye") -> tuple[int, ...]:
    """The tables for that many: the number of threes is what is missing to a multiple of four. One
    table of two is for two who are left, and of five where `five` says so; else one has a bye.

    >>> [sizes(number) for number in (5, 6, 9, 13)]
    [(4, 1), (3, 3), (3, 3, 3), (4, 3, 3, 3)]
    """
    if entrants < 3:
        return (entrants,)
    if entrants == 5:
        return (3, 2) if five == "two" else (4, 1)
    threes = -entrants % 4
    return (4,) * ((entrants - 3 * threes) // 4) + (3,) * threes


def shares(scale: Sequence[int], places: Sequence[int]) -> list[int]:
    """The points of each place in twelfths; who shares places shares their points (cases.md S5).

    >>> shares([6, 5, 3, 1], [1, 2, 2, 4])
    [72, 48, 48, 12]
    """
    return [
        sum(scale[place - 1 : place - 1 + places.count(place)]) * POINT // places.count(place)
        for place in places
    ]


def plan(entrants: Field, verdicts: Mapping[int, Verdict]) -> Plan:
    """The rounds drawn so far; `due` is the next to be drawn, once all before are decided."""
    most = max(_scale(entrants, 4)[0], _scale(entrants, 3)[0]) * POINT
    rounds = _rounds(entrants)
    return gathering.plan(entrants, verdicts, _cards, CRITERIA, rounds=rounds, most_points=most)


def steps(entrants: Field) -> Sequence[Step]:
    """All rounds there are to be."""
    return by_rounds.steps(_rounds(entrants))


def dependents(entrants: Field, number: int) -> tuple[int, ...]:
    """None: a drawn round stays, whatever is corrected before it."""
    return ()


def draw(entrants: Field, verdicts: Mapping[int, Verdict]) -> tuple[Meeting, ...]:
    """The next round. Raises ValueError when none is due.

    The fewest meet again, and those whose meeting is the longest ago; then come those who should
    not meet, a fair share of the small tables, and the points.
    """
    now = plan(entrants, verdicts)
    if now.due is None:
        raise ValueError("No round is due.")
    past = gathering.past_of(entrants, now.pairings, now.cards)
    drawing = _Drawing(entrants, past, now.due)
    found = sorted(drawing.tables(), key=drawing.importance)
    first = len(now.pairings) + 1
    return tuple(drawing.meeting(first + at, at + 1, each) for at, each in enumerate(found))


class _Drawing:
    """One round being drawn."""

    def __init__(self, entrants: Field, past: Sequence[Past], number: int) -> None:
        self.entrants, self.past, self.number = entrants, past, number
        self.inside = gathering.inside(entrants, number)
        self.mixed = entrants.options.get("meeting") == "mixed"
        self.fewest_small = min(past[seed].small for seed in self.inside)

    def tables(self) -> list[list[int]]:
        """Who sits together; one alone has the bye."""
        if self.mixed and (known := self._from_schedule()):
            return known
        left = gathering.shuffled(self.entrants, self.inside, "order", self.number)
        if not self.mixed:
            left.sort(key=lambda seed: -self.past[seed].points)
        wanted = sizes(len(left), str(self.entrants.options.get("five", "bye")))
        alone: list[list[int]] = []
        if 1 in wanted:
            rests = min(left, key=lambda s: (self.past[s].byes, self.past[s].points, -s))
            left, wanted, alone = [s for s in left if s != rests], wanted[:-1], [[rests]]
        chance = Random(f"{self.entrants.randomness}|{self.number}")  # noqa: S311  # published
        return [*gathering.best(left, wanted, self._pair, self._small, chance), *alone]

    def importance(self, seeds: Sequence[int]) -> tuple[object, ...]:
        """The order of the tables: most points first, the bye last."""
        points = sorted(-self.past[seed].points for seed in seeds)
        return (len(seeds) == 1, points if not self.mixed else [], min(seeds))

    def meeting(self, number: int, position: int, seeds: Sequence[int]) -> Meeting:
        """A table as it is stored, in the order of the seats, with why."""
        past = self.past
        if len(seeds) == 1:
            (seed,) = seeds
            why: dict[str, object] = {"rule": "pods_bye", "byes_before": past[seed].byes}
            return Meeting(number, self.number, position, (seed,), why)
        order = gathering.seated(seeds, past)
        pairs = list(combinations(sorted(seeds), 2))
        again = sum(past[one].met[other] > 0 for one, other in pairs)
        why = {
            "rule": "pods_mixed" if self.mixed else "pods",
            "points": [past[seed].points for seed in order],
            "met_before": again,
            "apart": sum(pair in self.entrants.avoid for pair in pairs),
        }
        return Meeting(number, self.number, position, order, why, tuple(range(len(order))))

    def _from_schedule(self) -> list[list[int]] | None:
        """The round of a schedule in which nobody meets twice, while the field is the one it was
        made for and all before was drawn from it.
        """
        rounds = strangers(self.entrants.size)
        if len(self.inside) < self.entrants.size or self.number > len(rounds):
            return None
        order = gathering.shuffled(self.entrants, range(1, self.entrants.size + 1), "schedule")
        made = [[[order[at] for at in each] for each in tables] for tables in rounds]
        drawn = {(each.round, frozenset(each.seeds)) for each in self.entrants.drawn}
        due = {(at + 1, frozenset(each)) for at, tables in enumerate(made) for each in tables}
        return made[self.number - 1] if drawn <= due else None

    def _pair(self, one: int, other: int) -> int:
        """What two cost at one table."""
        past = self.past[one]
        cost = gathering.lot(self.entrants, self.number, one, other)
        if times := past.met[other]:
            cost += (times * OLDER + past.last_met[other]) * REPEAT
        if (one, other) in self.entrants.avoid:
            cost += AVOID
        if not self.mixed:
            cost += (past.points - self.past[other].points) ** 2 * SCORE
        return cost

    def _small(self, seed: int) -> int:
        """What one costs at a table of three: the more, the more of them it has had."""
        return (self.past[seed].small - self.fewest_small) ** 2 * FAIR


def _rounds(entrants: Field) -> int:
    return by_rounds.rounds_of(entrants, OPTIONS["rounds"].default)


def _scale(entrants: Field, size: int) -> list[int]:
    """The points by place at a table; at one of two those of the first and the last of three."""
    four = list(entrants.options.get("points_four", FOUR))
    three = list(entrants.options.get("points_three", THREE))
    return four if size == 4 else three if size == 3 else [three[0], three[-1]]


def _cards(entrants: Field, pairings: Mapping[int, Pairing]) -> dict[int, Card]:
    first = _scale(entrants, 4)[0]
    return gathering.cards(
        entrants,
        pairings,
        lambda pairing, slot: _encounter(entrants, pairing, slot),
        lambda twelfths: twelfths * first,
    )


def _encounter(entrants: Field, pairing: Pairing, slot: int) -> Encounter:
    """A table as the one in that slot has it on its card. A bye is worth a second place."""
    verdict, seeds = pairing.verdict, pairing.seeds()
    assert verdict is not None
    if len(seeds) == 1:
        return Encounter(pairing.round, (), _scale(entrants, 4)[1] * POINT, played=False)
    others = tuple(seed for at, seed in enumerate(seeds) if at != slot)
    scores = verdict.scores or (0,) * len(seeds)
    places = verdict.places or tuple(1 if seed == verdict.winner else 2 for seed in seeds)
    points = shares(_scale(entrants, len(seeds)), places)[slot]
    left_alone = not verdict.places and not verdict.played and seeds[slot] != verdict.winner
    if slot in verdict.forfeits or left_alone:
        points = 0  # forfeited: there was nothing to come second in, or they were not there for it
    if verdict.winner is None and not verdict.places:
        points = 0
    return Encounter(
        pairing.round,
        others,
        points,
        verdict.played,
        scores[slot],
        sum(scores) - scores[slot],
        won=seeds[slot] == verdict.winner,
    )
