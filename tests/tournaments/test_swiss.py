"""The Swiss: pure properties, and the cases of cases.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tournaments.formats import matching, swiss
from tournaments.formats.history import history
from tournaments.formats.model import BadVerdict, Bye, Field, Meeting, Verdict
from tournaments.standings.cards import POINT

Choose = Callable[[Meeting], Verdict]


def meeting(number: int, round_no: int, one: int, other: int | None) -> Meeting:
    return Meeting(number, round_no, number, (one,) if other is None else (one, other), {})


class Event:
    """An event that is drawn and played, round by round."""

    def __init__(self, size: int, rounds: int, randomness: str = "x") -> None:
        self.field = Field(size, randomness, {"rounds": rounds})
        self.verdicts: dict[int, Verdict] = {}

    def draw(self) -> tuple[Meeting, ...]:
        drawn = swiss.draw(self.field, self.verdicts)
        self.field = replace(self.field, drawn=self.field.drawn + drawn)
        return drawn

    def play(self, choose: Choose) -> tuple[Meeting, ...]:
        drawn = self.draw()
        self.verdicts |= {m.number: choose(m) for m in drawn if not m.is_bye}
        return drawn

    def rounds(self, choose: Choose) -> Iterator[tuple[Meeting, ...]]:
        while swiss.plan(self.field, self.verdicts).due is not None:
            yield self.play(choose)

    def met(self) -> Counter[frozenset[int]]:
        return Counter(frozenset(m.seeds) for m in self.field.drawn if not m.is_bye)

    def byes(self) -> Counter[int]:
        return Counter(dict.fromkeys(range(1, self.field.size + 1), 0)) + Counter(
            m.seeds[0] for m in self.field.drawn if m.is_bye
        )


def favourite(m: Meeting) -> Verdict:
    return Verdict(min(m.seeds), (150, 100))


def by_chance(chance: Random, none: float = 0.0) -> Choose:
    def choose(m: Meeting) -> Verdict:
        if chance.random() < none:
            return Verdict(None, played=False)
        return Verdict(chance.choice(m.seeds), (150, 100))

    return choose


def of(rounds: str, size: int, total: int) -> Event:
    """An event whose rounds were as written, the first of each pair winning."""
    event = Event(size, total)
    drawn: list[Meeting] = []
    for number, text in enumerate(rounds.split(";"), start=1):
        for pair in text.split():
            one, other = map(int, pair.split("-"))
            drawn.append(meeting(len(drawn) + 1, number, one, other))
    event.field = replace(event.field, drawn=tuple(drawn))
    event.verdicts = {m.number: favourite(m) for m in drawn}
    return event


def fewest(event: Event, seeds: frozenset[int]) -> int:
    """The fewest repeats of any round among those, each way of pairing tried."""
    if not seeds:
        return 0
    met, one = event.met(), min(seeds)
    return min(
        met[frozenset((one, other))] + fewest(event, seeds - {one, other})
        for other in seeds - {one}
    )


def test_the_first_round_slides_the_upper_half_onto_the_lower() -> None:
    pairs = {frozenset(m.seeds) for m in Event(8, 3).draw()}
    assert pairs == {frozenset(pair) for pair in ((1, 5), (2, 6), (3, 7), (4, 8))}


def test_winners_meet_winners_and_the_last_round_folds_the_top_group() -> None:
    event = of("1-5 2-6 7-3 8-4", 8, 2)
    pairs = {frozenset(m.seeds) for m in event.draw()}
    assert pairs == {frozenset(p) for p in ((1, 4), (2, 3), (5, 7), (6, 8))}


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8, 9])
def test_rematches_are_as_few_as_can_be(size: int) -> None:
    for course in range(6):
        event = Event(size, 9, str(course))
        choose = by_chance(Random(course), none=0.1)
        for _ in range(9):
            before = event.met()
            known = Event(size, 9)
            known.field = event.field
            drawn = event.play(choose)
            resting = {m.seeds[0] for m in drawn if m.is_bye}
            least = fewest(known, frozenset(range(1, size + 1)) - resting)
            repeats = sum(before[frozenset(m.seeds)] for m in drawn if not m.is_bye)
            assert repeats == least
            flagged = sum(int(str(m.because["met_before"])) for m in drawn if not m.is_bye)
            assert flagged == repeats


@pytest.mark.parametrize("size", [3, 5, 7, 9, 15])
def test_byes_differ_by_at_most_one_at_every_moment(size: int) -> None:  # B1, B2
    event = Event(size, 20)
    for _ in event.rounds(by_chance(Random(size))):
        byes = [event.byes()[seed] for seed in range(1, size + 1)]
        assert max(byes) - min(byes) <= 1


def test_the_bye_goes_to_the_lowest_group_and_counts_at_once() -> None:  # B1, B3
    event = Event(3, 3)
    drawn = event.draw()
    rest = next(m for m in drawn if m.is_bye)
    rows = {row.seed: row for row in swiss.plan(event.field, {}).table}
    assert rows[rest.seeds[0]].points == POINT
    event = Event(7, 3)
    event.play(favourite)
    resting = next(m for m in event.draw() if m.is_bye)
    assert resting.because["points"] == 0
    assert resting.because["byes_before"] == 0


def test_six_that_have_met_so_that_no_fresh_round_is_left_still_get_one() -> None:  # B4
    event = of("1-4 5-2 3-6; 5-1 2-6 4-3; 1-6 4-2 3-5", 6, 4)
    drawn = event.draw()
    assert len(drawn) == 3
    assert [m.because["met_before"] for m in drawn if m.because["met_before"]] == [1]


def test_four_meet_all_without_a_rematch() -> None:  # B5
    event = of("1-2 3-4; 1-3 2-4", 4, 3)
    assert {frozenset(m.seeds) for m in event.draw()} == {
        frozenset((1, 4)), frozenset((2, 3))}  # fmt: skip


def test_all_but_one_left_and_no_round_is_due() -> None:  # B7
    event = Event(4, 3)
    event.play(favourite)
    gone = replace(event.field, out=frozenset({1, 2, 3, 4}))
    now = swiss.plan(gone, event.verdicts)
    assert (now.due, now.over) == (None, True)
    with pytest.raises(ValueError, match="No round is due"):
        swiss.draw(gone, event.verdicts)


def test_who_has_left_is_not_paired_again_and_keeps_the_history() -> None:  # B8
    event = Event(6, 4)
    event.play(favourite)
    event.field = replace(event.field, out=frozenset({1}))
    drawn = event.draw()
    assert 1 not in {seed for m in drawn for seed in m.seeds}
    rows = {row.seed: row for row in swiss.plan(event.field, event.verdicts).table}
    assert rows[1].points == POINT


def test_a_late_entrant_is_paired_from_the_next_round_on() -> None:  # B9
    event = Event(4, 4)
    event.play(favourite)
    event.field = replace(event.field, size=5)
    now = swiss.plan(event.field, event.verdicts)
    assert now.due == 2
    assert {row.seed: row.points for row in now.table}[5] == 0
    assert 5 in {seed for m in event.draw() for seed in m.seeds}


def test_a_forfeit_win_counts_as_a_bye() -> None:
    event = Event(5, 5)
    first = event.draw()
    event.verdicts = {
        m.number: Verdict(min(m.seeds), played=min(m.seeds) != 1) for m in first if not m.is_bye
    }
    had = {m.seeds[0] for m in first if m.is_bye} | {1}
    for _ in range(2):
        rest = next(m for m in event.play(favourite) if m.is_bye)
        assert rest.seeds[0] not in had
        had.add(rest.seeds[0])


def test_leads_are_shared_out() -> None:
    event = Event(16, 6)
    for _ in event.rounds(by_chance(Random(3))):
        pass
    leads = Counter(m.seeds[0] for m in event.field.drawn)
    assert all(2 <= leads[seed] <= 4 for seed in range(1, 17))


def test_the_same_input_gives_the_same_round() -> None:
    one, other = Event(33, 5, "seed"), Event(33, 5, "seed")
    list(one.rounds(by_chance(Random(5))))
    list(other.rounds(by_chance(Random(5))))
    assert one.field == other.field


def test_verdicts_must_fit() -> None:
    event = Event(3, 2)
    drawn = event.draw()
    rest = next(m for m in drawn if m.is_bye)
    other = next(m for m in drawn if not m.is_bye)
    with pytest.raises(BadVerdict, match="empty place"):
        swiss.plan(event.field, {rest.number: Verdict(None)})
    with pytest.raises(BadVerdict, match="neither of the two"):
        swiss.plan(event.field, {other.number: Verdict(rest.seeds[0])})
    with pytest.raises(BadVerdict, match="no such match"):
        swiss.plan(event.field, {99: Verdict(1)})
    pairing = swiss.plan(event.field, {}).pairings[rest.number]
    assert (pairing.slots[1], pairing.automatic) == (Bye(), "bye")


@pytest.mark.parametrize("size", [2, 3, 8, 17, 40])
def test_places_are_final_after_the_last_round(size: int) -> None:
    event = Event(size, 4)
    assert len(list(event.rounds(by_chance(Random(size), none=0.1)))) == 4
    now = swiss.plan(event.field, event.verdicts)
    assert now.over
    assert sorted(now.places) == list(range(1, size + 1))
    assert swiss.plan(event.field, dict(sorted(event.verdicts.items(), reverse=True))) == now
    if size > 8:
        assert max(event.met().values()) == 1


def drawn(m: Meeting) -> Verdict:
    return Verdict(None, (100, 100), places=(1, 1))


def by_any_result(chance: Random) -> Choose:
    """Wins, draws, forfeits and rounds that nobody came to."""

    def choose(m: Meeting) -> Verdict:
        kind = chance.random()
        if kind < 0.2:
            return drawn(m)
        if kind < 0.3:
            return Verdict(None, played=False)
        return Verdict(chance.choice(m.seeds), (150, 100), played=kind > 0.4)

    return choose


def pairs_of(meetings: tuple[Meeting, ...]) -> set[frozenset[int]]:
    return {frozenset(m.seeds) for m in meetings}


def gaps(meetings: tuple[Meeting, ...]) -> int:
    """What the points of those who meet differ by, in half-points, squared and added up."""
    both = [m.because["points"] for m in meetings if not m.is_bye]
    return sum((abs(one - other) // 6) ** 2 for one, other in both)  # type: ignore[misc]


def test_half_a_point_for_a_draw_makes_a_group_of_its_own() -> None:
    event = of("1-5 2-6 3-7 4-8", 8, 3)
    event.verdicts |= {m.number: drawn(m) for m in event.field.drawn[:2]}
    rows = {row.seed: row.points for row in swiss.plan(event.field, event.verdicts).table}
    assert rows == {1: 6, 5: 6, 2: 6, 6: 6, 3: 12, 4: 12, 7: 0, 8: 0}
    assert pairs_of(event.draw()) >= {frozenset((3, 4)), frozenset((7, 8))}


def test_who_rests_is_not_paired_and_has_what_the_rest_is_worth() -> None:
    event = Event(5, 3)
    event.field = replace(event.field, rests={(1, 2): 6, (2, 1): 12, (3, 3): 0})
    first = event.play(favourite)
    assert not any(2 in m.seeds or m.is_bye for m in first)
    second = event.play(favourite)
    assert not any(1 in m.seeds or m.is_bye for m in second)
    rows = {row.seed: row.points for row in swiss.plan(event.field, event.verdicts).table}
    assert rows[1] == 12 + 12
    assert rows[2] in (6, 6 + 12)


def test_a_rest_worth_a_win_counts_as_a_bye() -> None:
    event = Event(3, 3)
    event.field = replace(event.field, rests={(1, 3): 12})
    event.play(favourite)
    event.field = replace(event.field, size=5)
    event.verdicts = {m.number: Verdict(1) for m in event.field.drawn}
    rest = next(m for m in event.draw() if m.is_bye)
    assert rest.seeds[0] != 3


def test_a_round_that_everybody_rests_in_is_left_out() -> None:
    event = Event(2, 3)
    event.field = replace(event.field, rests={(2, 1): 6, (2, 2): 6})
    event.play(favourite)
    assert swiss.plan(event.field, event.verdicts).due == 3
    event.play(favourite)
    rows = {row.seed: row.points for row in swiss.plan(event.field, event.verdicts).table}
    assert sum(rows.values()) == 2 * 12 + 2 * 6


def test_those_to_be_kept_apart_meet_only_when_there_is_no_other_way() -> None:
    event = Event(8, 3)
    event.field = replace(event.field, avoid=frozenset({(1, 5), (2, 6)}))
    pairs = pairs_of(event.draw())
    assert pairs.isdisjoint({frozenset((1, 5)), frozenset((2, 6))})
    two = Event(2, 3)
    two.field = replace(two.field, avoid=frozenset({(1, 2)}))
    assert pairs_of(two.draw()) == {frozenset((1, 2))}


def test_nobody_goes_down_twice_in_a_row_while_another_can() -> None:
    event = Event(31, 5)
    before: set[int] = set()
    for number, meetings in enumerate(event.rounds(by_chance(Random(1)))):
        down = {
            m.seeds[m.because["points"].index(max(m.because["points"]))]  # type: ignore[attr-defined]
            for m in meetings
            if not m.is_bye and len(set(m.because["points"])) == 2  # type: ignore[call-overload]
        }
        assert not (down & before), number
        before = down


def test_the_first_round_can_be_random_and_then_differs_by_the_seed() -> None:
    rounds = []
    for randomness in ("one", "two"):
        event = Event(16, 3, randomness)
        event.field = replace(event.field, options={"rounds": 3, "first_round": "random"})
        rounds.append(pairs_of(event.draw()))
    assert rounds[0] != rounds[1]
    assert {frozenset((n, n + 8)) for n in range(1, 9)} not in rounds


def test_the_last_round_folds_only_if_it_is_to() -> None:
    event = of("1-5 2-6 7-3 8-4", 8, 2)
    event.field = replace(event.field, options={"rounds": 2, "last_round": "same"})
    assert pairs_of(event.draw()) == {frozenset(p) for p in ((1, 3), (2, 4), (5, 7), (6, 8))}


@pytest.mark.parametrize("size", [5, 6, 7, 9])
def test_whatever_comes_rematches_and_byes_are_as_few_as_can_be(size: int) -> None:
    for course in range(4):
        chance = Random(course)
        event = Event(size, 12, str(course))
        choose = by_any_result(chance)
        while swiss.plan(event.field, event.verdicts).due is not None:
            number = 1 + max((m.round for m in event.field.drawn), default=0)
            if chance.random() < 0.2 and len(event.field.out) < size - 3:
                event.field = replace(event.field, out=event.field.out | {chance.randint(1, size)})
            rests = {(number, chance.randint(1, size)): chance.choice((0, 6, 12))}
            event.field = replace(event.field, rests={**event.field.rests, **rests})
            had, before = byes_of(event), event.met()
            known = replace(event.field)
            meetings = event.play(choose)
            inside = {seed for m in meetings for seed in m.seeds}
            assert len(inside) == sum(len(m.seeds) for m in meetings)
            assert inside == set(range(1, known.size + 1)) - known.out - {
                seed for at, seed in known.rests if at == number
            }
            resting = [m.seeds[0] for m in meetings if m.is_bye]
            fair = [seed for seed in inside if had[seed] == min(had[each] for each in inside)]
            assert all(seed in fair for seed in resting)
            course_before = Event(size, 12)
            course_before.field = known
            least = min(
                fewest(course_before, frozenset(inside - {seed}))
                for seed in (fair if resting else [0])
            )
            assert sum(before[frozenset(m.seeds)] for m in meetings if not m.is_bye) == least


def byes_of(event: Event) -> Counter[int]:
    """Rounds won without playing, and rests worth a win, of all rounds drawn so far."""
    had: Counter[int] = Counter()
    last = max((m.round for m in event.field.drawn), default=0)
    paired = {(m.round, seed) for m in event.field.drawn for seed in m.seeds}
    for m in event.field.drawn:
        verdict = Verdict(m.seeds[0], played=False) if m.is_bye else event.verdicts[m.number]
        if verdict.winner is not None and not verdict.played:
            had[verdict.winner] += 1
    for (number, seed), worth in event.field.rests.items():
        had[seed] += number <= last and worth == 12 and (number, seed) not in paired
    return had


@pytest.mark.parametrize("large", [100, 600])
def test_weighing_only_what_is_near_keeps_points_as_close_as_weighing_all(
    large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = Event(171, 6)
    for number in range(6):
        with monkeypatch.context() as patched:
            patched.setattr(matching, "EXACT", 50)
            patched.setattr(matching, "LARGE", large)
            near = swiss.draw(event.field, event.verdicts)
        exact = event.play(by_any_result(Random(number)))
        assert gaps(near) == gaps(exact)
        assert not any(m.because["met_before"] for m in near if not m.is_bye)
        assert len({seed for m in near for seed in m.seeds}) == 171


def test_thousands_are_paired_completely() -> None:
    event = Event(3001, 4)
    for meetings in event.rounds(by_any_result(Random(4))):
        assert sorted(seed for m in meetings for seed in m.seeds) == list(range(1, 3002))
        assert not any(m.because["met_before"] for m in meetings if not m.is_bye)
        assert gaps(meetings) <= 24


def test_weights_fit_and_each_tier_outweighs_all_below_it_at_ten_thousand() -> None:
    size = 10_000
    nobody = np.zeros(size, dtype=np.int64)
    past = history(size, (), {}, 1)
    pool = matching.Pool(
        seeds=np.arange(1, size + 1),
        half=np.arange(size)[::-1] * 40 // (size - 1),
        group=nobody,
        at=np.arange(size),
        size=nobody + size,
        floated=nobody,
        owed=nobody + 1,
        may_rest=nobody == 0,
        folds=False,
        apart=np.array([size + 3]),
        history=past,
        lots=matching.Lots("x", 20),
    )
    costs = matching.Costs(pool)
    one, other = np.array([0, 0]), np.array([size - 1, 1])
    assert max(costs.of(one, other)) < matching.HIGHEST
    tables = size // 2
    assert costs.distance >= tables * (2**24 - 1)
    assert costs.unit >= tables * 2 * size * costs.distance
    assert costs.floats > tables
    assert costs.apart >= costs.floats * 2 * tables + tables
    assert costs.score > costs.apart * tables
