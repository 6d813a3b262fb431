"""The single-elimination format: pure properties for every field, and the cases of cases.md."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments import formats
from tournaments.formats import single_elimination
from tournaments.formats.model import (
    BadVerdict,
    Bye,
    Entrant,
    Field,
    Nobody,
    Plan,
    Verdict,
    WinnerOf,
)

NEITHER = Verdict(None)


def won(seed: int) -> Verdict:
    return Verdict(seed)


def plan(size: int, verdicts: Mapping[int, Verdict] | None = None) -> Plan:
    return single_elimination.plan(Field(size), verdicts or {})


def played_out(size: int, chance: Random | None = None) -> tuple[dict[int, Verdict], Plan]:
    """Everything decided, in any order and any way if by chance; else favourites win."""
    verdicts: dict[int, Verdict] = {}
    now = plan(size)
    while not now.over:
        ready = [pairing.number for pairing in now.pairings.values() if pairing.is_ready]
        assert ready, "stuck: nothing to play and not over"
        for number in (
            ready if chance is None else chance.sample(ready, chance.choice([1, 1, len(ready)]))
        ):
            seeds = [s.seed for s in now.pairings[number].slots if isinstance(s, Entrant)]
            winner = min(seeds) if chance is None else chance.choice([*seeds, *seeds, None])
            verdicts[number] = Verdict(winner)
        now = plan(size, verdicts)
    return verdicts, now


def in_round(now: Plan, number: int) -> list[tuple[object, object]]:
    return [p.slots for p in now.pairings.values() if p.round == number]


def test_eight_are_drawn_so_that_i_meets_n_plus_1_minus_i() -> None:
    first = [(a.seed, b.seed) for a, b in in_round(plan(8), 1)]  # type: ignore[attr-defined]
    assert first == [(1, 8), (4, 5), (2, 7), (3, 6)]
    assert in_round(plan(8), 2) == [(WinnerOf(1), WinnerOf(2)), (WinnerOf(3), WinnerOf(4))]
    assert in_round(plan(8), 3) == [(WinnerOf(5), WinnerOf(6))]


def test_five_have_byes_for_the_top_three_and_matches_1_to_4() -> None:
    now = plan(5)
    matches = {p.number: p.slots for p in now.pairings.values() if p.automatic is None}
    assert matches == {
        1: (Entrant(4), Entrant(5)),
        2: (Entrant(1), WinnerOf(1)),
        3: (Entrant(2), Entrant(3)),
        4: (WinnerOf(2), WinnerOf(3)),
    }


def test_of_six_1_and_2_have_byes_and_meet_only_in_the_final() -> None:  # D6
    now = plan(6)
    byes = [p.slots[0] for p in now.pairings.values() if p.automatic == "bye"]
    assert byes == [Entrant(1), Entrant(2)]
    _, end = played_out(6)
    assert end.pairings[5].slots == (Entrant(1), Entrant(2))
    assert end.pairings[5].round == end.rounds == 3


def test_a_place_to_be_decided_is_no_bye_and_nobody_passes_it() -> None:  # D3
    now = plan(8, {1: won(1)})
    semi_final = now.pairings[5]
    assert semi_final.slots == (Entrant(1), WinnerOf(2))
    assert (semi_final.verdict, semi_final.automatic, semi_final.is_ready) == (None, None, False)
    assert now.pairings[7].slots == (WinnerOf(5), WinnerOf(6))
    for verdict in (won(1), won(4), won(5), NEITHER):
        with pytest.raises(BadVerdict, match="still to be decided"):
            plan(8, {1: won(1), 5: verdict})


def test_nothing_wins_against_a_bye() -> None:  # D3
    bye = next(p for p in plan(3).pairings.values() if p.automatic == "bye")
    assert bye.slots == (Entrant(1), Bye())
    assert bye.verdict == won(1)
    for verdict in (won(2), NEITHER):
        with pytest.raises(BadVerdict, match="empty place"):
            plan(3, {bye.number: verdict})


def test_when_both_fail_to_appear_the_next_place_is_a_walk_over() -> None:  # D8
    now = plan(4, {1: NEITHER, 2: won(3)})
    final = now.pairings[3]
    assert final.slots == (Nobody(1), Entrant(3))
    assert (final.verdict, final.automatic, now.over) == (won(3), "walkover", True)
    assert now.places == {1: 3, 4: 3, 2: 3, 3: 1}


def test_when_nobody_appears_at_all_the_bracket_still_ends() -> None:  # D8, B7
    now = plan(8, {1: NEITHER, 2: NEITHER, 3: NEITHER, 4: NEITHER})
    assert now.over
    assert now.pairings[7].automatic == "vacant"
    assert set(now.places.values()) == {5}


def test_a_final_that_both_lose_has_no_first_place() -> None:
    assert plan(2, {1: NEITHER}).places == {1: 2, 2: 2}


def test_losers_of_one_round_share_a_place() -> None:
    _, end = played_out(8)
    assert [end.places[seed] for seed in range(1, 9)] == [1, 2, 3, 3, 5, 5, 5, 5]
    _, end = played_out(5)
    assert [end.places[seed] for seed in range(1, 6)] == [1, 2, 3, 3, 5]


def test_a_corrected_winner_replaces_the_other_and_is_not_added() -> None:  # D10
    assert plan(4, {1: won(1)}).pairings[3].slots == (Entrant(1), WinnerOf(2))
    assert plan(4, {1: won(4)}).pairings[3].slots == (Entrant(4), WinnerOf(2))


def test_a_match_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadVerdict, match="no such match"):
        plan(4, {4: won(1)})
    with pytest.raises(BadVerdict, match="neither of the two"):
        plan(4, {1: won(2)})


@pytest.mark.parametrize("size", [0, 1, 1025])
def test_fields_too_small_or_too_large_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match="2 to 1024"):
        plan(size)


def test_dependents_lead_to_the_final() -> None:
    assert single_elimination.dependents(Field(8), 1) == (5, 7)
    assert single_elimination.dependents(Field(8), 4) == (6, 7)
    assert single_elimination.dependents(Field(8), 7) == ()


def test_the_registry_offers_the_format_by_its_id() -> None:
    assert formats.get("single_elimination") is single_elimination
    with pytest.raises(KeyError):
        formats.get("lottery")


@pytest.mark.parametrize("size", [*range(2, 65), 100, 127, 128, 129, 1000, 1023, 1024])
def test_every_field_is_well_formed(size: int) -> None:
    now = plan(size)
    assert sorted(now.pairings) == list(range(1, len(now.pairings) + 1))
    matches = [p for p in now.pairings.values() if p.automatic is None]
    assert sorted(p.number for p in matches) == list(range(1, size))

    seeds = Counter(s.seed for p in now.pairings.values() if p.round == 1 for s in p.slots
                    if isinstance(s, Entrant))  # fmt: skip
    assert seeds == Counter(range(1, size + 1))
    sources = Counter(s.number for p in now.pairings.values() for s in p.sources if s)
    assert sources == Counter(n for n, p in now.pairings.items() if p.round < now.rounds)

    byes = [p for p in now.pairings.values() if Bye() in p.slots]
    assert {p.slots[0] for p in byes} == {Entrant(seed) for seed in range(1, len(byes) + 1)}
    assert all(p.round == 1 for p in byes)

    _, end = played_out(size)
    final = end.pairings[size - 1]
    assert final.slots == (Entrant(1), Entrant(2))
    ordered = [end.places[seed] for seed in range(1, size + 1)]
    assert ordered == sorted(ordered)
    for place, group in itertools.groupby(ordered):
        assert place == ordered.index(place) + 1
        assert place < 3 or len(list(group)) <= place - 1


@settings(max_examples=100)
@given(size=st.integers(2, 64), course=st.integers(0, 2**32))
def test_any_course_of_events_ends_with_everyone_out_once(size: int, course: int) -> None:
    verdicts, end = played_out(size, Random(course))
    losses: Counter[int] = Counter()
    for pairing in end.pairings.values():
        assert pairing.verdict is not None
        for slot in pairing.slots:
            if isinstance(slot, Entrant) and slot.seed != pairing.verdict.winner:
                losses[slot.seed] += 1
    winners = [seed for seed, place in end.places.items() if place == 1]
    assert len(winners) <= 1
    assert losses == Counter(set(range(1, size + 1)) - set(winners))
    assert end.places.keys() == set(range(1, size + 1))
    for round_no in range(1, end.rounds + 1):
        playing = [s.seed for p in end.pairings.values() if p.round == round_no for s in p.slots
                   if isinstance(s, Entrant)]  # fmt: skip
        assert len(playing) == len(set(playing))

    in_another_order = dict(sorted(verdicts.items(), key=lambda item: -item[0]))
    assert plan(size, in_another_order) == end
    automatic = {p.number: p.verdict for p in end.pairings.values() if p.automatic and p.verdict}
    assert plan(size, {**verdicts, **automatic}) == end
