"""Tables of three and four, and rotating partners: who sits where, and what it is worth."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from tournaments import formats
from tournaments.formats import gathering, pods, rotating
from tournaments.formats.model import BadVerdict, Field, Meeting, Verdict
from tournaments.formats.schedules import strangers, whist


def _event(size: int, rounds: int = 4, **options: object) -> Field:
    return Field(size, "seed", {"rounds": rounds, **options})


class Course:
    """An event being played, round after round."""

    def __init__(self, module: formats.Format, field: Field) -> None:
        self.module, self.field = module, field
        self.verdicts: dict[int, Verdict] = {}

    def draw(self) -> tuple[Meeting, ...]:
        drawn = self.module.draw(self.field, self.verdicts)  # type: ignore[attr-defined]
        self.field = replace(self.field, drawn=self.field.drawn + drawn)
        return drawn

    def decide(self, chance: Random, drawn: tuple[Meeting, ...]) -> None:
        for meeting in drawn:
            if meeting.is_bye:
                continue
            places = list(range(1, len(set(meeting.sides)) + 1))
            chance.shuffle(places)
            by_slot = tuple(places[side] for side in meeting.sides)
            winner = meeting.seeds[by_slot.index(1)]
            self.verdicts[meeting.number] = Verdict(winner, places=by_slot)

    def plan(self) -> formats.model.Plan:
        return self.module.plan(self.field, self.verdicts)

    def to_the_end(self, chance: Random) -> None:
        while self.plan().due is not None:
            self.decide(chance, self.draw())


def _repeats(drawn: tuple[Meeting, ...]) -> int:
    return sum(int(str(meeting.because.get("met_before", 0))) for meeting in drawn)


@pytest.mark.parametrize(
    ("entrants", "tables"),
    [
        (3, (3,)),
        (4, (4,)),
        (6, (3, 3)),
        (7, (4, 3)),
        (8, (4, 4)),
        (9, (3, 3, 3)),
        (10, (4, 3, 3)),
        (11, (4, 4, 3)),
        (13, (4, 3, 3, 3)),
        (16, (4, 4, 4, 4)),
    ],
)
def test_b12_there_are_as_many_fours_as_possible_and_else_threes(
    entrants: int, tables: tuple[int, ...]
) -> None:
    assert pods.sizes(entrants) == tables
    drawn = Course(pods, _event(entrants)).draw()
    assert sorted(len(meeting.seeds) for meeting in drawn) == sorted(tables)
    assert sorted(seed for each in drawn for seed in each.seeds) == list(range(1, entrants + 1))


def test_b12_two_and_five_are_refused_unless_it_is_said_what_to_do() -> None:
    assert formats.misfit("pods", 2, {}) == "too_few_for_tables"
    assert formats.misfit("pods", 5, {"five": "refuse"}) == "five"
    assert formats.misfit("pods", 5, {"five": "bye"}) is None
    assert formats.misfit("pods", 6, {"five": "refuse"}) is None
    assert formats.misfit("rotating", 3, {}) == "too_few_partners"
    assert formats.misfit("swiss", 1, {}) == "too_few"


def test_five_have_a_bye_or_a_table_of_two() -> None:
    chance = Random(1)
    course = Course(pods, _event(5, 5, five="bye"))
    byes: Counter[int] = Counter()
    for _ in range(5):
        drawn = course.draw()
        assert sorted(len(each.seeds) for each in drawn) == [1, 4]
        byes.update(seed for each in drawn if each.is_bye for seed in each.seeds)
        course.decide(chance, drawn)
    assert byes == dict.fromkeys(range(1, 6), 1)
    drawn = Course(pods, _event(5, five="two")).draw()
    assert sorted(len(each.seeds) for each in drawn) == [2, 3]


@pytest.mark.parametrize(("entrants", "least"), [(8, 4), (12, 3), (16, 0)])
@pytest.mark.parametrize("number", range(5))
def test_b13_the_least_repeated_pairs_in_the_second_round(
    entrants: int, least: int, number: int
) -> None:
    course = Course(pods, _event(entrants))
    first = course.draw()
    course.decide(Random(number), first)
    second = course.draw()
    assert (_repeats(first), _repeats(second)) == (0, least)


@pytest.mark.parametrize("entrants", range(6, 12))
def test_the_fewest_repeats_of_all_ways_to_fill_the_tables(entrants: int) -> None:
    course, chance = Course(pods, _event(entrants, 5)), Random(entrants)
    met: Counter[tuple[int, int]] = Counter()
    for _ in range(4):
        least = min(
            sum(met[pair] > 0 for table in way for pair in combinations(sorted(table), 2))
            for way in gathering._all_ways(list(range(1, entrants + 1)), pods.sizes(entrants))
        )
        drawn = course.draw()
        assert _repeats(drawn) <= least + 1  # a third meeting may cost more than two second ones
        if not any(times > 1 for times in met.values()):
            assert _repeats(drawn) == least
        met.update(pair for each in drawn for pair in combinations(sorted(each.seeds), 2))
        course.decide(chance, drawn)


def test_sixteen_play_five_rounds_and_never_meet_twice() -> None:
    course = Course(pods, _event(16, 5, meeting="mixed"))
    course.to_the_end(Random(3))
    assert len(course.field.drawn) == 20
    assert _repeats(course.field.drawn) == 0


@pytest.mark.parametrize(
    ("players", "rounds"),
    [(9, 4), (13, 4), (14, 4), (15, 5), (16, 5), (20, 5), (25, 7), (28, 7), (29, 8), (32, 9)],
)
def test_in_a_schedule_of_strangers_nobody_meets_anybody_twice(players: int, rounds: int) -> None:
    made = strangers(players)
    assert len(made) == rounds
    met = Counter(pair for tables in made for each in tables for pair in combinations(each, 2))
    assert set(met.values()) == {1}
    for tables in made:
        assert sorted(seat for each in tables for seat in each) == list(range(players))
        assert sorted(map(len, tables)) == sorted(pods.sizes(players))


def test_the_schedule_is_left_when_the_field_is_no_longer_its_own() -> None:
    course = Course(pods, _event(16, 5, meeting="mixed"))
    course.decide(Random(1), course.draw())
    course.field = replace(course.field, out=frozenset({7}))
    drawn = course.draw()
    assert sorted(len(each.seeds) for each in drawn) == [3, 4, 4, 4]
    assert all(7 not in each.seeds for each in drawn)


def test_s5_who_shares_second_at_a_table_of_four_has_four_points_each() -> None:
    assert pods.shares([6, 5, 3, 1], [1, 2, 2, 4]) == [72, 48, 48, 12]
    assert pods.shares([6, 5, 3, 1], [1, 1, 1, 1]) == [45, 45, 45, 45]
    assert pods.shares([6, 4, 1], [1, 1, 1]) == [44, 44, 44]


def test_each_place_brings_its_points_in_the_order_of_the_table() -> None:
    course = Course(pods, _event(4, 1, points_four=[10, 6, 3, 0]))
    (meeting,) = course.draw()
    winner = meeting.seeds[2]
    course.verdicts[1] = Verdict(winner, scores=(40, 90, 150, 90), places=(4, 2, 1, 2))
    rows = course.plan().table
    assert [row.points for row in rows] == [120, 54, 54, 0]
    assert rows[0].seed == winner
    assert [row.rank for row in rows] == [1, 2, 2, 4]
    assert rows[0].values == {"wins": 1, "strength": 36, "scored": 150}


def test_a_forfeit_by_all_others_pays_the_winner_alone() -> None:
    course = Course(pods, _event(4, 1))
    (meeting,) = course.draw()
    course.verdicts[1] = Verdict(meeting.seeds[1], played=False)
    assert [row.points for row in course.plan().table] == [72, 0, 0, 0]
    course.verdicts[1] = Verdict(None, played=False)
    assert [row.points for row in course.plan().table] == [0, 0, 0, 0]


def test_points_bring_the_next_tables_together() -> None:
    course = Course(pods, _event(16, 2))
    first = course.draw()
    course.decide(Random(5), first)
    points = {row.seed: row.points for row in course.plan().table}
    second = course.draw()
    spread = [max(points[s] for s in each.seeds) - min(points[s] for s in each.seeds)
              for each in second]  # fmt: skip
    assert spread == [0, 0, 0, 0]


def test_the_small_tables_go_round() -> None:
    course = Course(pods, _event(23, 4))
    course.to_the_end(Random(2))
    small = Counter(s for each in course.field.drawn if len(each.seeds) == 3 for s in each.seeds)
    assert len(small) >= 10
    assert max(small.values()) <= 2


def test_the_lead_goes_round() -> None:
    course = Course(pods, _event(16, 4))
    course.to_the_end(Random(2))
    leads = Counter(each.seeds[0] for each in course.field.drawn)
    assert max(leads.values()) <= 2


def test_who_should_not_meet_does_not_if_it_can_be_helped() -> None:
    field = replace(_event(8), avoid=frozenset({(1, 2), (1, 3), (1, 4)}))
    for meeting in Course(pods, field).draw():
        assert not (1 in meeting.seeds and {2, 3, 4} & set(meeting.seeds))


def test_a_rest_is_worth_its_share_of_a_first_place() -> None:
    course = Course(pods, replace(_event(7), rests={(1, 3): 6}))
    drawn = course.draw()
    assert sorted(len(each.seeds) for each in drawn) == [3, 3]
    course.decide(Random(1), drawn)
    points = {row.seed: row.points for row in course.plan().table}
    assert points[3] == 36


def test_a_winner_who_does_not_sit_there_is_no_verdict() -> None:
    course = Course(pods, _event(8))
    first, second = course.draw()
    course.verdicts[first.number] = Verdict(second.seeds[0])
    with pytest.raises(BadVerdict):
        course.plan()


@pytest.mark.parametrize("players", [4, 8, 12, 16, 5, 13, 17])
def test_whist_everyone_partners_everyone_once_and_opposes_everyone_twice(players: int) -> None:
    rounds = whist(players)
    assert len(rounds) == players - (players % 4 == 0)
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    for tables in rounds:
        seats = [seat for each in tables for seat in each]
        assert len(set(seats)) == len(seats) == players - players % 4
        for a, b, c, d in tables:
            partners.update([frozenset({a, c}), frozenset({b, d})])
            opponents.update(frozenset({one, other}) for one in (a, c) for other in (b, d))
    every = {frozenset(pair) for pair in combinations(range(players), 2)}
    assert partners == dict.fromkeys(every, 1)
    assert opponents == dict.fromkeys(every, 2)


def test_eight_rotate_partners_by_the_whist_schedule() -> None:
    course = Course(rotating, _event(8, 7))
    course.to_the_end(Random(1))
    partners = Counter(
        frozenset(pair) for each in course.field.drawn
        for pair in (each.seeds[::2], each.seeds[1::2])
    )  # fmt: skip
    assert len(partners) == 28
    assert set(partners.values()) == {1}


@pytest.mark.parametrize("players", [6, 7, 9, 10, 11, 14, 15, 18])
def test_who_rests_is_shared_fairly_and_few_partner_again(players: int) -> None:
    course = Course(rotating, _event(players, 5))
    chance = Random(players)
    byes: Counter[int] = Counter()
    again = 0
    while course.plan().due is not None:
        drawn = course.draw()
        byes.update(seed for each in drawn if each.is_bye for seed in each.seeds)
        again += _repeats(drawn)
        assert sum(each.is_bye for each in drawn) == players % 4
        assert max(byes.values(), default=0) - min(byes[s] for s in range(1, players + 1)) <= 1
        course.decide(chance, drawn)
    assert again == 0


def test_a_side_s_points_are_each_partner_s_own() -> None:
    course = Course(rotating, _event(4, 1))
    (meeting,) = course.draw()
    a, b, c, d = meeting.seeds
    course.verdicts[1] = Verdict(b, scores=(95, 150, 95, 150))
    rows = {row.seed: (row.rank, row.points, row.values["difference"])
            for row in course.plan().table}  # fmt: skip
    assert rows == {b: (1, 12, 55), d: (1, 12, 55), a: (3, 0, -55), c: (3, 0, -55)}


def test_a_rest_beside_rotating_partners_is_worth_what_is_set() -> None:
    for rest, worth in {"half": 6, "win": 12, "nothing": 0}.items():
        course = Course(rotating, _event(5, 1, rest=rest))
        course.to_the_end(Random(1))
        (resting,) = [each.seeds[0] for each in course.field.drawn if each.is_bye]
        assert {row.seed: row.points for row in course.plan().table}[resting] == worth


@pytest.mark.parametrize("module", [pods, rotating])
def test_the_same_input_gives_the_same_round(module: formats.Format) -> None:
    one, other = Course(module, _event(14)), Course(module, _event(14))
    for course in (one, other):
        course.to_the_end(Random(9))
    assert one.field.drawn == other.field.drawn


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("points_four", [6, 5, 3]),
        ("points_four", [1, 3, 5, 6]),
        ("points_four", [2, 2, 2, 2]),
        ("points_four", [6, 5, 3, -1]),
        ("points_four", [6, 5, 3, True]),
        ("points_three", "641"),
        ("five", "three"),
    ],
)
def test_settings_that_make_no_sense_are_refused(key: str, value: object) -> None:
    with pytest.raises(ValueError, match=key):
        formats.settled("pods", {key: value})


def test_the_place_of_who_forfeits_is_worth_nothing_and_the_others_keep_theirs() -> None:
    course = Course(pods, _event(4, rounds=1))
    (table,) = course.draw()
    seeds = table.seeds
    course.verdicts[1] = Verdict(seeds[0], (50, 20, 35, 0), places=(1, 3, 2, 4), forfeits=(3,))
    points = {row.seed: row.points for row in course.plan().table}
    assert [points[seed] for seed in seeds] == [72, 36, 60, 0]
