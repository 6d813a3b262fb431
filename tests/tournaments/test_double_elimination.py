"""The double-elimination format: pure properties for every field, and the cases of cases.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from random import Random

import pytest

from tournaments.formats import double_elimination
from tournaments.formats.model import (
    BadVerdict,
    Bye,
    Entrant,
    Field,
    LoserOf,
    Nobody,
    Pairing,
    Plan,
    Verdict,
    WinnerOf,
)

NEITHER = Verdict(None)
Choose = Callable[[Pairing], int | None]


def won(seed: int) -> Verdict:
    return Verdict(seed)


def field(size: int, *, reset: bool = True) -> Field:
    return Field(size, options={"reset_final": reset})


def plan(size: int, verdicts: Mapping[int, Verdict] | None = None, *, reset: bool = True) -> Plan:
    return double_elimination.plan(field(size, reset=reset), verdicts or {})


def favourite(pairing: Pairing) -> int:
    return min(pairing.seeds())


def by_chance(chance: Random, none: float = 0.2) -> Choose:
    return lambda p: None if chance.random() < none else chance.choice(p.seeds())


def played_out(size: int, choose: Choose = favourite, *, reset: bool = True) -> Plan:
    verdicts: dict[int, Verdict] = {}
    now = plan(size, reset=reset)
    while not now.over:
        ready = [p for p in now.pairings.values() if p.is_ready]
        assert ready, "stuck: nothing to play and not over"
        verdicts |= {p.number: Verdict(choose(p)) for p in ready}
        now = plan(size, verdicts, reset=reset)
    assert plan(size, dict(sorted(verdicts.items(), reverse=True)), reset=reset) == now
    return now


def part_of(size: int) -> dict[int, str]:
    return {step.number: step.part for step in double_elimination.steps(field(size))}


def losses(now: Plan) -> Counter[int]:
    return Counter(
        seed
        for p in now.pairings.values()
        if p.verdict is not None
        for seed in p.seeds()
        if seed != p.verdict.winner
    )


def meetings(pairings: Iterable[Pairing]) -> list[frozenset[int]]:
    return [frozenset(p.seeds()) for p in pairings if len(p.seeds()) == 2]


TEMPLATES = {  # pairing.md
    3: {
        1: (Entrant(2), Entrant(3)),
        2: (Entrant(1), WinnerOf(1)),
        3: (LoserOf(1), LoserOf(2)),
        4: (WinnerOf(2), WinnerOf(3)),
    },
    4: {
        1: (Entrant(1), Entrant(4)),
        2: (Entrant(2), Entrant(3)),
        3: (LoserOf(1), LoserOf(2)),
        4: (WinnerOf(1), WinnerOf(2)),
        5: (WinnerOf(3), LoserOf(4)),
        6: (WinnerOf(4), WinnerOf(5)),
    },
    5: {
        1: (Entrant(4), Entrant(5)),
        2: (Entrant(1), WinnerOf(1)),
        3: (Entrant(2), Entrant(3)),
        4: (LoserOf(1), LoserOf(3)),
        5: (WinnerOf(4), LoserOf(2)),
        6: (WinnerOf(2), WinnerOf(3)),
        7: (WinnerOf(5), LoserOf(6)),
        8: (WinnerOf(6), WinnerOf(7)),
    },
    6: {
        1: (Entrant(4), Entrant(5)),
        2: (Entrant(3), Entrant(6)),
        3: (Entrant(1), WinnerOf(1)),
        4: (Entrant(2), WinnerOf(2)),
        5: (LoserOf(1), LoserOf(4)),
        6: (LoserOf(2), LoserOf(3)),
        7: (WinnerOf(5), WinnerOf(6)),
        8: (WinnerOf(3), WinnerOf(4)),
        9: (WinnerOf(7), LoserOf(8)),
        10: (WinnerOf(8), WinnerOf(9)),
    },
    8: {
        1: (Entrant(1), Entrant(8)),
        2: (Entrant(4), Entrant(5)),
        3: (Entrant(2), Entrant(7)),
        4: (Entrant(3), Entrant(6)),
        5: (LoserOf(1), LoserOf(2)),
        6: (LoserOf(3), LoserOf(4)),
        7: (WinnerOf(1), WinnerOf(2)),
        8: (WinnerOf(3), WinnerOf(4)),
        9: (WinnerOf(5), LoserOf(8)),
        10: (WinnerOf(6), LoserOf(7)),
        11: (WinnerOf(9), WinnerOf(10)),
        12: (WinnerOf(7), WinnerOf(8)),
        13: (WinnerOf(11), LoserOf(12)),
        14: (WinnerOf(12), WinnerOf(13)),
    },
}


def through_byes(size: int) -> dict[int, tuple[object, ...]]:
    """Where the slots of every match come from, byes left out."""
    now = plan(size, reset=False)

    def origin(slot: object) -> object:
        while isinstance(slot, WinnerOf) and Bye() in now.pairings[slot.number].slots:
            slot = next(s for s in now.pairings[slot.number].slots if s != Bye())
        return slot

    return {
        p.number: tuple(origin(slot) for slot in p.slots)
        for p in now.pairings.values()
        if Bye() not in p.slots
    }


@pytest.mark.parametrize("size", TEMPLATES)
def test_small_fields_follow_the_templates(size: int) -> None:
    shown = {n: frozenset(slots) for n, slots in through_byes(size).items()}
    assert shown == {n: frozenset(slots) for n, slots in TEMPLATES[size].items()}


@pytest.mark.parametrize("size", [*range(2, 65), 100, 127, 128, 129, 1000, 1023, 1024])
def test_every_field_is_well_formed(size: int) -> None:  # D1
    now = plan(size)
    matches = [p for p in now.pairings.values() if Bye() not in p.slots]
    assert sorted(p.number for p in matches) == list(range(1, 2 * size))
    assert sorted(now.pairings) == list(range(1, len(now.pairings) + 1))
    sources = Counter(source for p in now.pairings.values() for source in p.sources if source)
    assert set(sources.values()) <= {1}
    final, again = 2 * size - 2, 2 * size - 1
    assert now.pairings[again].sources == (LoserOf(final), WinnerOf(final))
    places = part_of(size)
    expected = {WinnerOf(n) for n in now.pairings if n != again} | {LoserOf(final)} | {
        LoserOf(p.number) for p in matches if places[p.round] == "winners"
    }  # fmt: skip
    assert set(sources) == expected
    if size <= 128:
        end = played_out(size)
        assert end.pairings[again].automatic == "not_needed"  # D4
        assert losses(end) == Counter(dict.fromkeys(range(2, size + 1), 2))
        ranks = [end.places[seed] for seed in range(1, size + 1)]
        assert sorted(ranks)[:4] == [1, 2, 3, 4][:size]
        assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)


@pytest.mark.parametrize("size", range(2, 65))
def test_any_course_of_events_ends_with_nobody_out_before_the_second_loss(size: int) -> None:
    for course in range(6):
        chance = Random(size * 100 + course)
        end = played_out(size, by_chance(chance, none=0.0 if course < 2 else 0.2))
        lost = losses(end)
        both = {
            seed
            for p in end.pairings.values()
            if p.verdict == NEITHER and p.automatic is None
            for seed in p.seeds()
        }
        first = [seed for seed, place in end.places.items() if place == 1]
        assert len(first) <= 1
        for seed in range(1, size + 1):
            if seed in first:
                assert lost[seed] <= 1
            else:
                assert lost[seed] == 2 or (seed in both and lost[seed] == 1)
        assert set(end.places) == set(range(1, size + 1))
        for number in range(1, end.rounds + 1):
            seeds = Counter(s for p in end.pairings.values() if p.round == number
                            for s in p.seeds())  # fmt: skip
            assert set(seeds.values()) <= {1}
        played = sum(p.automatic is None for p in end.pairings.values())
        if not both:
            needed = end.pairings[2 * size - 1].automatic is None
            assert played == 2 * size - 2 + needed


def test_of_seven_the_loser_of_4_v_5_has_no_opponent_and_goes_on() -> None:  # D2
    now = plan(7, {1: won(4)})
    place = next(p for p in now.pairings.values() if p.sources[1] == LoserOf(1))
    assert (place.slots, place.automatic) == ((Bye(), Entrant(5)), "bye")
    assert part_of(7)[place.round] == "losers"


def test_the_final_is_played_again_when_the_losers_champion_wins_it() -> None:
    before = {1: won(1), 2: won(1)}
    assert plan(2, {1: won(1)}).pairings[2].slots == (Entrant(1), Entrant(2))
    open_again = plan(2, {1: won(1), 2: won(2)})
    assert open_again.pairings[3].slots == (Entrant(1), Entrant(2))
    assert (open_again.over, open_again.places) == (False, {})
    assert plan(2, {1: won(1), 2: won(2), 3: won(2)}).places == {1: 2, 2: 1}
    once = plan(2, {1: won(1), 2: won(2)}, reset=False)
    assert (once.over, once.places, sorted(once.pairings)) == (True, {1: 2, 2: 1}, [1, 2])
    stands = plan(2, before)  # D4
    assert (stands.over, stands.places) == (True, {1: 1, 2: 2})
    assert stands.pairings[3].slots == (Nobody(2), Nobody(2))
    assert stands.pairings[3].automatic == "not_needed"
    with pytest.raises(BadVerdict, match="empty place"):
        plan(2, {**before, 3: won(2)})


def test_losers_of_eight_cross_over_so_that_no_two_meet_again_early() -> None:  # D5
    for course in range(300):
        end = played_out(8, by_chance(Random(course), none=0.0))
        early = meetings([p for p in end.pairings.values() if p.round <= 4])
        assert len(early) == 4 + 2 + 2 + 2
        assert len(set(early)) == len(early)


@pytest.mark.parametrize("size", [16, 32, 64])
def test_no_two_meet_again_before_four_matches_are_left_in_a_losers_round(size: int) -> None:
    places = part_of(size)
    for course in range(60):
        end = played_out(size, by_chance(Random(course), none=0.0))
        seen: set[frozenset[int]] = set()
        for number in range(1, end.rounds + 1):
            met = meetings([p for p in end.pairings.values() if p.round == number])
            if places[number] == "losers" and len(met) >= 4:
                assert not seen & set(met)
            seen |= set(met)


def test_the_ranks_of_eight_are_1_2_3_4_5_5_7_7() -> None:  # D7
    assert sorted(played_out(8).places.values()) == [1, 2, 3, 4, 5, 5, 7, 7]


def test_when_both_fail_to_appear_both_have_the_loss_and_the_bracket_ends() -> None:  # D8
    now = plan(4, {1: NEITHER})
    assert now.pairings[4].slots == (Nobody(1), WinnerOf(2))
    assert now.pairings[3].slots == (Nobody(1), LoserOf(2))
    now = plan(4, {1: NEITHER, 2: won(2)})
    assert (now.pairings[4].automatic, now.pairings[3].automatic) == ("walkover", "walkover")
    # 2 has won the winners' bracket without playing; 3 comes through the losers'.
    assert now.pairings[6].slots == (Entrant(2), Entrant(3))
    end = plan(4, {1: NEITHER, 2: won(2), 6: won(2)})
    assert end.over
    assert (end.places[2], end.places[3]) == (1, 2)
    nobody = plan(4, {1: NEITHER, 2: NEITHER})
    assert nobody.over
    assert 1 not in nobody.places.values()


def test_a_final_that_both_lose_has_no_first_place_and_is_not_repeated() -> None:
    end = plan(2, {1: won(1), 2: NEITHER})
    assert (end.over, end.places) == (True, {1: 2, 2: 2})


def test_dependents_follow_winner_and_loser() -> None:
    assert double_elimination.dependents(field(4), 1) == (3, 4, 5, 6, 7)
    assert double_elimination.dependents(field(4), 6) == (7,)
    assert double_elimination.dependents(field(4), 7) == ()


@pytest.mark.parametrize("size", [0, 1, 1025])
def test_fields_too_small_or_too_large_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match="2 to 1024"):
        plan(size)
