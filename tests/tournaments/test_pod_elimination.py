"""Knockout at tables of three and four: who meets whom, who goes on, and who ends where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

import pytest

from tournaments import formats
from tournaments.formats import double_elimination, pod_elimination, single_elimination
from tournaments.formats.model import (
    BadVerdict,
    Bye,
    Entrant,
    Field,
    Nobody,
    Pairing,
    Plan,
    RankOf,
    Verdict,
)
from tournaments.formats.pod_bracket import bracket, course

Verdicts = dict[int, Verdict]


def _field(size: int, advance: int = 2, five: str = "bye") -> Field:
    return Field(size, "seed", {"advance": advance, "five": five})


def _by_seed(pairing: Pairing) -> Verdict:
    """The better seeds have the better places."""
    seeds = pairing.seeds()
    return Verdict(min(seeds), places=tuple(sorted(seeds).index(seed) + 1 for seed in seeds))


def _by_chance(pairing: Pairing, chance: Random) -> Verdict:
    """Places, also shared ones; forfeits, decisions, and tables to which nobody or one came."""
    seeds = pairing.seeds()
    kind = chance.randrange(10)
    if kind == 0:
        return Verdict(None, played=False)
    if kind == 1:
        return Verdict(chance.choice(seeds), played=False)
    if len(seeds) == 2 or kind == 2:
        return Verdict(chance.choice(seeds))
    points = [chance.choice([150, 90, 90, 35]) for _ in seeds]
    places = tuple(1 + sum(other > each for other in points) for each in points)
    first = [seed for seed, place in zip(seeds, places, strict=True) if place == 1]
    gone = (chance.randrange(len(seeds)),) if kind == 3 else ()
    return Verdict(first[0] if len(first) == 1 else None, places=places, forfeits=gone)


def _played(field: Field, module: formats.Format = pod_elimination,
            chance: Random | None = None) -> Iterator[tuple[Plan, Verdicts]]:  # fmt: skip
    """The plans on the way to the end, each with what led to it, by seed or by chance."""
    verdicts: Verdicts = {}
    while True:
        plan = module.plan(field, verdicts)
        yield plan, dict(verdicts)
        found = [pairing for pairing in plan.pairings.values() if pairing.is_open]
        if not found:
            break
        pairing = chance.choice(found) if chance else found[0]
        verdicts[pairing.number] = _by_chance(pairing, chance) if chance else _by_seed(pairing)


def _end(field: Field, chance: Random | None = None) -> Plan:
    *_before, (plan, _verdicts) = _played(field, chance=chance)
    return plan


@pytest.mark.parametrize(
    ("entrants", "advance", "rounds"),
    [
        (3, 2, [(3,)]),
        (4, 2, [(4,)]),
        (6, 2, [(3, 3), (4,)]),
        (7, 2, [(4, 3), (4,)]),
        (9, 2, [(3, 3, 3), (3, 3), (4,)]),
        (10, 2, [(4, 3, 3), (3, 3), (4,)]),
        (11, 2, [(4, 4, 3), (3, 3), (4,)]),
        (13, 2, [(4, 3, 3, 3), (4, 4), (4,)]),
        (16, 1, [(4, 4, 4, 4), (4,)]),
        (16, 3, [(4, 4, 4, 4), (4, 4, 4), (3, 3, 3), (3, 3), (4,)]),
        (8, 1, [(4, 4), (2,)]),
        (20, 1, [(4,) * 5, (4, 1), (2,)]),
    ],
)
def test_what_becomes_of_so_many(
    entrants: int, advance: int, rounds: list[tuple[int, ...]]
) -> None:
    assert course(entrants, advance) == rounds


def test_of_five_one_rests_or_two_have_a_table_of_their_own() -> None:
    assert course(5, 2, "bye") == [(4, 1), (3,)]
    assert course(5, 2, "two") == [(3, 2), (3,)]
    plan = pod_elimination.plan(_field(5), {})
    assert [p.slots for p in plan.pairings.values() if p.automatic] == [(Entrant(1), Bye())]
    assert formats.misfit("pod_elimination", 5, {"five": "refuse"}) == "five"
    assert formats.misfit("pod_elimination", 2, {}) == "too_few_for_tables"
    assert formats.misfit("pod_elimination", 5, {"five": "two"}) is None


@pytest.mark.parametrize("advance", [1, 2, 3])
def test_every_place_comes_from_one_table_and_every_table_sends_as_many_as_it_says(
    advance: int,
) -> None:
    for size in [*range(3, 41), 100, 257]:
        found = bracket(size, advance, "bye")
        sources = Counter(
            slot for table in found.tables for slot in table.slots if isinstance(slot, RankOf)
        )
        sent = {RankOf(t.number, rank) for t in found.tables for rank in range(1, t.through + 1)}
        assert sources == dict.fromkeys(sent, 1)
        seeds = sorted(s.seed for t in found.tables for s in t.slots if isinstance(s, Entrant))
        assert seeds == list(range(1, size + 1))
        assert sorted(table.number for table in found.tables) == list(
            range(1, len(found.tables) + 1)
        )
        for number, seats in enumerate(course(size, advance), start=1):
            own = [[s for s in t.slots if s != Bye()] for t in found.tables if t.round == number]
            assert sorted(map(len, own)) == sorted(seats)


def test_thirteen_by_their_seeds() -> None:
    tables = bracket(13, 2, "bye").tables
    first = [[slot.seed for slot in table.slots if isinstance(slot, Entrant)] for table in tables]
    assert first[:4] == [[1, 8, 9], [2, 7, 10], [3, 6, 11], [4, 5, 12, 13]]
    assert tables[4].slots == (RankOf(1, 1), RankOf(4, 1), RankOf(3, 2), RankOf(2, 2))
    assert tables[5].slots == (RankOf(2, 1), RankOf(3, 1), RankOf(4, 2), RankOf(1, 2))


@pytest.mark.parametrize("size", [8, 9, 12, 13, 16, 21, 32, 47, 64])
def test_the_best_meet_at_the_last_table_and_nobody_twice_before(size: int) -> None:
    plan = _end(_field(size))
    assert {plan.places[seed] for seed in (1, 2, 3, 4)} == {1, 2, 3, 4}
    met = Counter(
        pair
        for pairing in plan.pairings.values()
        if pairing.round < plan.rounds
        for pair in combinations(sorted(pairing.seeds()), 2)
    )
    assert set(met.values()) == {1}


def test_ranks_of_sixteen() -> None:
    plan = _end(_field(16))
    assert sorted(plan.places.values()) == [1, 2, 3, 4, 5, 5, 7, 7, 9, 9, 9, 9, 13, 13, 13, 13]


@pytest.mark.parametrize("number", range(25))
def test_any_course_comes_to_its_end_within_the_ranks_that_were_possible(number: int) -> None:
    chance = Random(number)
    field = _field(chance.randint(3, 40), chance.choice([1, 2, 3]), chance.choice(["bye", "two"]))
    said: list[Mapping[int, tuple[int, int]]] = []
    for plan, verdicts in _played(field, chance=chance):
        said.append(plan.possible)
        mixed = list(verdicts.items())
        chance.shuffle(mixed)
        assert pod_elimination.plan(field, dict(mixed)) == plan
        for pairing in plan.pairings.values():
            assert len(pairing.seeds()) == len(set(pairing.seeds()))
    assert plan.over
    assert sorted(plan.places) == list(range(1, field.size + 1))
    assert list(plan.places.values()).count(1) <= 4
    for possible in said:
        for seed, rank in plan.places.items():
            best, worst = possible[seed]
            assert best <= rank <= worst


@pytest.mark.parametrize("module", [single_elimination, double_elimination])
def test_a_knockout_ends_within_the_ranks_that_were_possible(module: formats.Format) -> None:
    for number in range(20):
        chance = Random(number)
        options = {"third_place": number % 2 == 0, "reset_final": number % 3 == 0}
        field = Field(chance.randint(2, 17), options=options)
        plans = [plan for plan, _verdicts in _played(field, module, chance)]
        for plan in plans:
            for seed, rank in plans[-1].places.items():
                best, worst = plan.possible[seed]
                assert best <= rank <= worst, (number, seed)


def _of_eight(verdict: Verdict, seed: str = "seed") -> Plan:
    """Two tables of four, of which the first, with 1, 4, 5 and 8, ended so."""
    return pod_elimination.plan(Field(8, seed, {}), {1: verdict})


def _sent(plan: Plan) -> list[object]:
    """Who came to the last table from the first one, best first."""
    last = plan.pairings[3]
    found = zip(last.sources, last.slots, strict=True)
    places = {source.rank: slot for source, slot in found
              if isinstance(source, RankOf) and source.number == 1}  # fmt: skip
    return [places[rank] for rank in sorted(places)]


def test_the_first_two_of_a_table_go_on_and_the_others_are_out() -> None:
    plan = _of_eight(Verdict(5, places=(2, 3, 1, 4)))
    assert plan.pairings[1].seeds() == [1, 4, 5, 8]
    assert _sent(plan) == [Entrant(5), Entrant(1)]
    assert plan.places == {4: 5, 8: 7}
    assert plan.possible[1] == (1, 4)
    assert plan.possible[2] == (1, 7)


def test_who_forfeits_is_out_with_the_last_rank_and_the_next_goes_on() -> None:
    plan = _of_eight(Verdict(5, places=(2, 3, 1, 4), forfeits=(0,)))
    assert _sent(plan) == [Entrant(5), Entrant(4)]
    assert plan.places == {1: 7, 8: 7}


def test_nobody_moves_up_for_those_who_did_not_come() -> None:
    plan = _of_eight(Verdict(5, played=False))
    assert _sent(plan) == [Entrant(5), Nobody(1)]
    assert plan.places == {1: 7, 4: 7, 8: 7}
    field = Field(8, "seed", {})
    both = {1: Verdict(5, played=False), 2: Verdict(2, places=(1, 2, 3, 4))}
    last = pod_elimination.plan(field, both).pairings[3]
    assert last.is_ready
    assert len(last.seeds()) == 3
    places = [side for side, slot in zip(last.sides, last.slots, strict=True) if slot == Nobody(1)]
    assert places == [3]
    nobody = {1: Verdict(None, played=False), 2: Verdict(2, played=False)}
    plan = pod_elimination.plan(field, nobody)
    assert (plan.over, plan.pairings[3].automatic, plan.places[2]) == (True, "walkover", 1)


def test_who_is_level_at_the_cut_goes_on_by_lot() -> None:
    level = Verdict(4, places=(2, 1, 2, 4))
    found = {tuple(map(str, _sent(_of_eight(level, str(number))))) for number in range(20)}
    assert found == {("Entrant(seed=4)", "Entrant(seed=1)"), ("Entrant(seed=4)", "Entrant(seed=5)")}
    assert _sent(_of_eight(level)) == _sent(_of_eight(level))
    (out,) = [seed for seed in (1, 5) if seed in _of_eight(level).places]
    assert _of_eight(level).places == {out: 5, 8: 7}


def test_a_kept_verdict_leads_on_whatever_the_correction_says() -> None:
    before = Verdict(1, places=(1, 2, 3, 4))
    plan = _of_eight(Verdict(8, places=(4, 3, 2, 1), kept=before))
    assert _sent(plan) == [Entrant(1), Entrant(4)]


@pytest.mark.parametrize(
    "verdict", [Verdict(2), Verdict(1, places=(1, 2, 3)), Verdict(1, kept=Verdict(7))]
)
def test_what_cannot_have_come_of_a_table_is_refused(verdict: Verdict) -> None:
    with pytest.raises(BadVerdict):
        _of_eight(verdict)


def test_no_table_is_decided_before_it_is_known_who_sits_there() -> None:
    with pytest.raises(BadVerdict, match="still to be decided"):
        pod_elimination.plan(_field(8), {3: Verdict(1)})


def test_what_hangs_on_a_table() -> None:
    def later(number: int) -> Sequence[int]:
        return pod_elimination.dependents(_field(16), number)

    assert (later(1), later(5), later(7)) == ((5, 6, 7), (7,), ())
