from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import ENDS
from engine.errors import Refusal
from engine.layout import shape_of
from engine.round import Deal, Round
from engine.rules import RuleSet
from engine.tiles import ALL, pips_of

Deals = Callable[[RuleSet, random.Random], Deal]
SEEDS = st.integers(0, 2**32)


def step(round: Round, chance: random.Random) -> None:
    """One action at random of the seat in turn."""
    moves = round.moves()
    if moves:
        round.play(*chance.choice(moves))
    elif round.drawable:
        round.draw()
    else:
        round.skip()


def deal_a_round(rules: RuleSet, shuffled: Deals, seed: int) -> tuple[Round, random.Random]:
    chance = random.Random(seed)
    leader = chance.randrange(rules.seats) if rules.first_lead == "random" else None
    return Round(rules, shuffled(rules, chance), leader), chance


@settings(max_examples=10)
@given(seed=SEEDS)
def test_tiles_and_pips_are_conserved(variant: RuleSet, shuffled: Deals, seed: int) -> None:
    round, chance = deal_a_round(variant, shuffled, seed)
    on_table = 0
    while round.turn is not None:
        before = sum(round.hands)
        step(round, chance)
        on_table |= before & ~sum(round.hands)
        boneyard = sum(1 << tile for tile in round.boneyard[round.drawn :])
        parts = [*round.hands, boneyard, on_table]
        assert sum(parts) == ALL
        assert sum(part.bit_count() for part in parts) == 28
        assert sum(map(pips_of, parts)) == 168
        assert round.held == sum(round.hands)


@settings(max_examples=10)
@given(seed=SEEDS)
def test_every_round_ends_with_a_reason(variant: RuleSet, shuffled: Deals, seed: int) -> None:
    round, chance = deal_a_round(variant, shuffled, seed)
    actions = 0
    while round.turn is not None:
        step(round, chance)
        actions += 1
        assert actions < 28 * variant.seats
    assert round.moves() == ()
    if round.reason == "domino":
        assert round.out is not None
        assert round.hands[round.out] == 0
    else:
        assert (round.reason, round.out) == ("blocked", None)
        assert all(round.hands)
        assert not round.held & round.fits
        assert not round.drawable


@settings(max_examples=10)
@given(seed=SEEDS)
def test_undo_brings_every_state_back(variant: RuleSet, shuffled: Deals, seed: int) -> None:
    round, chance = deal_a_round(variant, shuffled, seed)
    states = []
    while round.turn is not None:
        states.append((round.state(), round.moves(), round.total, round.ends(), round.held))
        step(round, chance)
    for state in reversed(states):
        round.undo()
        assert (round.state(), round.moves(), round.total, round.ends(), round.held) == state


@settings(max_examples=4)
@given(seed=SEEDS)
def test_what_is_not_a_move_is_refused_and_what_is_one_is_not(
    variant: RuleSet, shuffled: Deals, seed: int
) -> None:
    round, chance = deal_a_round(variant, shuffled, seed)
    while round.turn is not None:
        moves = set(round.moves())
        for tile in range(28):
            for end in (*range(len(ENDS)), None):
                named = 4 if end is None else end
                if (tile, named) in moves:
                    assert round.check_play(tile, end) == named
                else:
                    with pytest.raises(Refusal):
                        round.check_play(tile, end)
        step(round, chance)


def test_a_copy_plays_on_by_itself(make_rules: Callable[..., RuleSet], shuffled: Deals) -> None:
    round, chance = deal_a_round(make_rules(), shuffled, 1)
    before = round.state()
    twin = round.copy()
    step(twin, chance)
    assert round.state() == before != twin.state()
    twin.undo()
    assert twin.state() == before


@pytest.mark.parametrize("spinner", [True, False])
@pytest.mark.parametrize("arms", ["any", "after_sides"])
def test_layouts_know_what_every_tile_makes_of_them(spinner: bool, arms: str) -> None:
    """Each pair that can be reached lists an outcome for exactly the tiles that fit it."""
    shape = shape_of(spinner, arms)
    todo, seen = [shape.empty], {id(shape.empty)}
    while todo:
        pair = todo.pop()
        assert sum(1 << tile for tile in range(28) if pair.after[tile]) == pair.fits
        assert 0 <= pair.worth <= 24
        for made in pair.after:
            for grown in (*made, *(each.arms for each in made)):
                if id(grown) not in seen:
                    seen.add(id(grown))
                    todo.append(grown)
    assert len(seen) > (1500 if spinner else 190)
