from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engine import bots
from engine.actions import Claim, Pass, Play
from engine.errors import EngineError
from engine.inference import Unseen
from engine.match import Match
from engine.round import Deal
from engine.rules import RuleSet
from engine.tiles import ALL, bits, mask_of, parse, texts
from engine.view import view

Deals = Callable[[RuleSet, random.Random], Deal]
Table = Callable[..., Match]


def play_match(rules: RuleSet, levels: Sequence[str], seed: int, shuffled: Deals) -> Match:
    """A match between bots, by seat; claims are asked for in the order of seats."""
    chance, match = random.Random(seed), Match(rules)
    while match.phase != "over":
        if match.phase == "deal":
            drawn = match.next_leader() == "random"
            leader = chance.randrange(rules.seats) if drawn else None
            match.start_round(shuffled(rules, chance), leader)
            continue
        for seat, level in enumerate(levels):
            claim = bots.claim(level, view(match, seat), chance.getrandbits(32))
            if claim is not None:
                match.act(seat, claim)
        if match.phase == "claims":
            match.settle()
        elif match.turn is not None:
            seen = view(match, match.turn)
            action = bots.choose(levels[match.turn], seen, chance.getrandbits(32))
            match.act(match.turn, action)
    return match


def wins(rules: RuleSet, strong: str, weak: str, pairs: int, shuffled: Deals) -> int:
    """Matches won by `strong` of twice `pairs`: each dealt twice, once from either seat."""
    won = 0
    for seed in range(pairs):
        for seat in (0, 1):
            levels = [weak, weak]
            levels[seat] = strong
            won += play_match(rules, levels, seed, shuffled).winner == seat
    return won


@pytest.mark.parametrize(("preset", "least"), [("allfives", 65), ("draw", 70), ("muggins", 75)])
def test_medium_beats_easy(
    preset: str, least: int, make_rules: Callable[..., RuleSet], shuffled: Deals
) -> None:
    assert wins(make_rules(preset, target=100), "medium", "easy", 50, shuffled) >= least


def test_hard_beats_medium(make_rules: Callable[..., RuleSet], shuffled: Deals) -> None:
    assert wins(make_rules(target=100), "hard", "medium", 15, shuffled) >= 18


def test_bots_play_every_kind_of_match_to_its_end(variant: RuleSet, shuffled: Deals) -> None:
    levels = [bots.LEVELS[seat % 2] for seat in range(variant.seats)]
    assert play_match(variant, levels, 1, shuffled).phase == "over"


def test_the_same_view_and_seed_give_the_same_move(variant: RuleSet, shuffled: Deals) -> None:
    match = Match(variant)
    chance = random.Random(9)
    leader = 0 if match.next_leader() == "random" else None
    match.start_round(shuffled(variant, chance), leader)
    for _ in range(6):
        if match.turn is None:
            return
        seen = view(match, match.turn)
        for level in bots.LEVELS:
            moves = {bots.choose(level, seen, 5) for _ in range(3)}
            assert len(moves) == 1
            assert any(
                (move.tile, move.end) == (action.tile, action.end)
                if isinstance(move, Play) and isinstance(action, Play)
                else move == action
                for move in moves
                for action in seen.legal
            )
        match.act(match.turn, match.forced())


def test_one_move_of_the_hardest_bot_is_a_bounded_amount_of_work(
    make_rules: Callable[..., RuleSet], shuffled: Deals
) -> None:
    match = Match(make_rules())
    match.start_round(shuffled(match.rules, random.Random(2)))
    match.act(match.turn or 0, match.legal()[0])
    while len(match.legal()) < 3:
        match.act(match.turn or 0, match.forced())
    before = time.process_time()
    bots.choose("hard", view(match, match.turn), 1)
    assert time.process_time() - before < 1


def test_what_cannot_act_or_is_no_level_is_refused(table: Table) -> None:
    match = table("6-6 1-0", "0-0 2-0")
    for level, seat, code in (("grand", 0, "bad_level"), ("hard", 1, "no_turn")):
        with pytest.raises(EngineError) as caught:
            bots.choose(level, view(match, seat), 1)
        assert caught.value.code == code


# Calling and claiming


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_good_bots_call_what_a_play_pays(level: str, table: Table) -> None:
    match = table("5-5", "0-0", leader=0, count="called")
    assert bots.choose(level, view(match, 0), 1) == Play(parse("5-5"), None, 10)
    dull = table("6-6", "0-0", leader=0, count="called")
    assert bots.choose(level, view(dull, 0), 1) == Play(parse("6-6"))


def test_an_easy_bot_overlooks_some_points(table: Table) -> None:
    match = table("5-5", "0-0", leader=0, count="called")
    calls = [bots.choose("easy", view(match, 0), seed) for seed in range(200)]
    missed = calls.count(Play(parse("5-5")))
    assert calls.count(Play(parse("5-5"), None, 10)) == 200 - missed
    assert 30 < missed < 90


def test_bots_claim_what_was_left_and_nothing_else(table: Table) -> None:
    match = table("5-5 1-0", "0-0 2-0", leader=0, count="called")
    match.act(0, Play(parse("5-5")))
    for level in ("medium", "hard"):
        assert bots.claim(level, view(match, 1), 1) == Claim(10)
        assert bots.claim(level, view(match, 0), 1) is None
    easy = [bots.claim("easy", view(match, 1), seed) for seed in range(200)]
    assert 30 < easy.count(None) < 90
    match.act(1, Claim(10))
    assert bots.claim("hard", view(match, 1), 1) is None
    dull = table("6-6 1-0", "0-0 2-0", leader=0, count="called")
    dull.act(0, Play(parse("6-6")))
    assert dull.claim_open_for(1)
    assert bots.claim("hard", view(dull, 1), 1) is None


# What they reckon from a view


def test_a_pass_tells_what_a_seat_lacks(table: Table, played: Callable[..., Match]) -> None:
    match = played(table("6-6 6-5 5-0", "4-3 3-2 2-1", preset="block"), "6-6, 6-5 left")
    lacks = texts(Unseen(view(match, 0)).void(1))
    assert set(lacks) >= {"6-0", "6-1", "6-2", "6-3", "6-4"}
    assert "5-4" not in lacks
    match.act(1, Pass())
    lacks = texts(Unseen(view(match, 0)).void(1))
    assert "5-4" in lacks
    assert "4-3" not in lacks


def test_a_lead_of_the_highest_double_tells_that_nobody_has_a_higher(table: Table) -> None:
    match = table("4-4 1-0 2-0", "3-3 2-1 3-0")
    match.act(0, Play(parse("4-4")))
    lacks = texts(Unseen(view(match, 1)).void(0))
    assert {"5-5", "6-6"} <= set(lacks)
    assert "6-5" not in lacks


@pytest.mark.parametrize("seed", range(3))
def test_what_is_sampled_could_be(variant: RuleSet, seed: int, walk: Callable[..., Any]) -> None:
    """Every sample deals the unseen tiles, each once, as many to each hand as it has."""
    chance = random.Random(seed)
    for match, _, _ in walk(variant, seed, rounds=1):
        if match.phase != "play":
            continue
        seat = match.turn
        seen = view(match, seat)
        unseen = Unseen(seen)
        hands, boneyard = unseen.sample(mask_of(seen.hand or ()), chance.random)
        assert hands[seat] == match.round.hands[seat]
        assert tuple(hand.bit_count() for hand in hands) == seen.counts
        assert len(boneyard) == seen.boneyard
        on_table = mask_of(placed.tile for placed in seen.line)
        assert sum(hands) + sum(boneyard) + on_table == ALL
        for other in range(variant.seats):
            if other != seat:
                assert not unseen.void(other) & match.round.hands[other]
        assert (unseen.line, unseen.arms) == (match.round.line, match.round.arms)


def test_samples_keep_to_what_is_known(table: Table, played: Callable[..., Match]) -> None:
    match = played(table("6-6 6-5 5-0", "4-3 3-2 2-1", preset="block"), "6-6, 6-5 left")
    unseen = Unseen(view(match, 0))
    chance = random.Random(1)
    seen: set[int] = set()
    for _ in range(300):
        hands, _ = unseen.sample(mask_of([parse("5-0")]), chance.random)
        assert not hands[1] & unseen.void(1)
        seen |= set(bits(hands[1]))
    assert len(seen) > 10
