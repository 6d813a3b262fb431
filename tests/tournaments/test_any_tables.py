"""Whatever happens to entrants at tables of three and four, and to rotating partners: every round
is one, and the end is within what was possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from tournaments.formats import gathering, pods, rotating
from tournaments.formats.model import DrawnFormat, Field, Meeting, Plan, Verdict

Ranks = Mapping[int, tuple[int, int]]


class Event:
    """An event in which anything may happen between two rounds, and within one."""

    def __init__(self, module: DrawnFormat, chance: Random, **options: object) -> None:
        self.module, self.chance = module, chance
        self.field = Field(chance.randint(4, 40), str(chance.random()), options)
        self.verdicts: dict[int, Verdict] = {}
        self.said: list[Ranks] = []

    def plan(self) -> Plan:
        """The plan, the same in whatever order results came."""
        found = self.module.plan(self.field, self.verdicts)
        mixed = list(self.verdicts.items())
        self.chance.shuffle(mixed)
        assert self.module.plan(self.field, dict(mixed)) == found
        self.said.append(found.possible)
        return found

    def draw(self) -> tuple[Meeting, ...]:
        drawn = self.module.draw(self.field, self.verdicts)
        self.field = replace(self.field, drawn=(*self.field.drawn, *drawn))
        return drawn

    def verdict(self, meeting: Meeting) -> Verdict:
        """Places by chance, some shared; forfeits; a decision; or nobody came."""
        chance, sides = self.chance, sorted(set(meeting.sides))
        kind = chance.randrange(12)
        if kind == 0:
            return Verdict(None, played=False)
        if kind == 1:
            return Verdict(chance.choice(meeting.seeds), played=False)
        points = {side: chance.choice([150, 95, 95, 60, 20]) for side in sides}
        by_slot = [points[side] for side in meeting.sides]
        places = tuple(1 + sum(each > own for each in points.values()) for own in by_slot)
        first = [seed for seed, place in zip(meeting.seeds, places, strict=True) if place == 1]
        alone = sum(own == max(points.values()) for own in points.values()) == 1
        gone = (chance.randrange(len(by_slot)),) if kind == 2 and len(sides) > 2 else ()
        winner = first[0] if alone else None
        return Verdict(winner, tuple(by_slot), places=places, forfeits=gone)

    def decide(self) -> None:
        left = [m for m in self.field.drawn if not m.is_bye and m.number not in self.verdicts]
        self.chance.shuffle(left)
        for meeting in left:
            self.verdicts[meeting.number] = self.verdict(meeting)
            if self.chance.random() < 0.2:
                self.plan()

    def go_and_come(self) -> None:
        """Somebody leaves, somebody who left returns, somebody rests next time."""
        seed, number = self.chance.randint(1, self.field.size), self._next()
        leaves = seed not in self.field.out and len(gathering.inside(self.field)) > 8
        out = self.field.out ^ {seed} if leaves or seed in self.field.out else self.field.out
        rests = dict(self.field.rests)
        rests[number, self.chance.randint(1, self.field.size)] = self.chance.choice([0, 6, 12])
        self.field = replace(self.field, out=out, rests=rests)

    def come_late(self) -> None:
        """One more entrant, who has missed all rounds so far; nothing said before holds."""
        new, number = self.field.size + 1, self._next()
        missed = {(each, new): self.chance.choice([0, 6]) for each in range(1, number)}
        self.field = replace(self.field, size=new, rests={**self.field.rests, **missed})
        self.said.clear()

    def correct(self) -> None:
        played = [meeting for meeting in self.field.drawn if meeting.number in self.verdicts]
        if played:
            meeting = self.chance.choice(played)
            self.verdicts[meeting.number] = self.verdict(meeting)
            self.said.clear()

    def _next(self) -> int:
        return 1 + max((meeting.round for meeting in self.field.drawn), default=0)


def check_round(event: Event, drawn: tuple[Meeting, ...]) -> None:
    """Everyone who is in is there once; the tables are as large as they have to be."""
    inside = gathering.inside(event.field, drawn[0].round)
    if event.module is rotating and len(inside) < 4:
        inside = gathering.inside(event.field)
    assert sorted(seed for meeting in drawn for seed in meeting.seeds) == inside
    tables = sorted((len(meeting.seeds) for meeting in drawn), reverse=True)
    if event.module is rotating:
        assert tables == [4] * (len(inside) // 4) + [1] * (len(inside) % 4)
    else:
        assert tables == sorted(pods.sizes(len(inside), event.field.options["five"]), reverse=True)
    assert [meeting.position for meeting in drawn] == list(range(1, len(drawn) + 1))


KINDS = {
    "points": (pods, {"rounds": 5, "five": "bye"}),
    "mixed": (pods, {"rounds": 5, "five": "two", "meeting": "mixed"}),
    "rotating": (rotating, {"rounds": 5}),
}


@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("kind", KINDS)
def test_any_course_comes_to_an_end_within_what_was_possible(kind: str, number: int) -> None:
    module, options = KINDS[kind]
    chance = Random(f"{kind}{number}")
    event = Event(module, chance, **options)  # type: ignore[arg-type]
    acts = [event.go_and_come, event.go_and_come, event.come_late, event.correct]
    if number % 3 == 0:  # nothing that takes back what was said to be possible
        acts = [event.go_and_come]
    while event.plan().due is not None:
        before = event.field
        drawn = event.draw()
        assert module.draw(before, event.verdicts) == drawn
        check_round(event, drawn)
        event.decide()
        for _ in range(chance.randint(0, 3)):
            chance.choice(acts)()
    end = event.plan()
    assert (end.over, end.rounds) == (True, 5)
    assert sorted(end.places) == list(range(1, event.field.size + 1))
    for possible in event.said:
        for seed, rank in end.places.items():
            best, worst = possible[seed]
            assert best <= rank <= worst


@pytest.mark.parametrize("meeting", ["points", "mixed"])
@pytest.mark.parametrize("entrants", [13, 14, 15, 16, 17, 19, 20, 23, 24, 29, 32, 38, 40])
def test_nobody_meets_anybody_again_where_the_field_is_large_enough(
    entrants: int, meeting: str
) -> None:
    """Where four tables are filled, three rounds without a repeat; of more, four."""
    chance = Random(entrants)
    rounds = 3 if entrants <= 16 else 4
    event = Event(pods, chance, rounds=rounds, meeting=meeting)  # type: ignore[arg-type]
    event.field = replace(event.field, size=entrants)
    while event.plan().due is not None:
        assert [meeting.because["met_before"] for meeting in event.draw()].count(0) == len(
            pods.sizes(entrants)
        )
        event.decide()
