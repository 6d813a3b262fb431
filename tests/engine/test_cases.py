"""The cases that went wrong elsewhere, as far as they are the engine's."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from engine.actions import Draw, Pass, Play
from engine.errors import Refusal
from engine.events import MatchEnded, Played, RoundEnded
from engine.layout import LEAD, LEFT, RIGHT
from engine.match import Match
from engine.round import Deal, Round
from engine.rules import RuleSet
from engine.scoring import settle
from engine.tiles import COUNT, mask_of, parse, text

Table = Callable[..., Match]
Players = Callable[[Match, str], Match]


def hand(names: str) -> int:
    return mask_of(parse(name) for name in names.split())


def test_g1_a_covered_spinner_counts_nothing(table: Table, played: Players) -> None:
    match = table("6-6 6-1 0-0", "6-2 2-2 3-3")
    played(match, "6-6, 6-2 left, 6-1 right")
    assert match.line[-1].total == 3
    assert match.line[-1].score == 0


def test_g2_a_late_spinner_is_an_end_and_its_arms_are_closed(table: Table, played: Players) -> None:
    match = table("4-1 2-2 0-0", "4-2 3-3 5-5", leader=0)
    played(match, "4-1, 4-2 left, 2-2 left")
    assert (match.line[-1].total, match.line[-1].score) == (5, 5)
    assert match.round is not None
    assert match.round.ends() == {"left": 2, "right": 1}


@pytest.mark.parametrize("seed", range(4))
def test_g3_a_preview_is_what_the_play_pays(
    variant: RuleSet, seed: int, walk: Callable[..., Any]
) -> None:
    for match, _, _ in walk(variant, seed, rounds=2):
        for action in match.legal():
            if isinstance(action, Play):
                for call in (None, 5, 10) if variant.called else (None,):
                    play = Play(action.tile, action.end, call)
                    total, pays = match.preview(play)
                    done = match.copy().act(match.turn, play)[0]
                    assert isinstance(done, Played)
                    assert (done.total, done.score) == (total, pays)


def test_g4_a_lead_that_is_no_double_is_no_spinner(table: Table, played: Players) -> None:
    match = table("5-3 0-0 1-0", "3-2 6-6 1-1", leader=0)
    played(match, "5-3, 3-2 right")
    assert match.line[-1].total == 7
    assert match.round is not None
    assert match.round.ends() == {"left": 5, "right": 2}


def test_g5_each_losers_pips_are_rounded_by_themselves(make_rules: Callable[..., RuleSet]) -> None:
    left = {"6-4 2-1": 13, "6-6": 12, "4-0": 4, "2-0": 2}
    for loser, pips in left.items():
        settled = settle(make_rules(), [0, hand(loser)], out=0)
        assert settled.pips == (0, pips)
        assert settled.points == ({13: 15, 12: 10, 4: 5, 2: 0}[pips], 0)


def test_g6_a_tile_typed_the_other_way_round_is_the_same_tile(
    table: Table, played: Players
) -> None:
    match = table("6-3 0-0 1-0", "4-3 5-5 1-1", leader=0)
    played(match, "6-3, 3-4 right")
    assert text(match.line[-1].tile) == "4-3"
    assert match.round is not None
    assert match.round.ends() == {"left": 6, "right": 4}


def test_g7_going_out_wins_though_both_have_no_pips(table: Table, played: Players) -> None:
    match = table("5-4", "0-0", leader=0, preset="block")
    events = played(match, "5-4").history
    ended = next(event for event in events if isinstance(event, RoundEnded))
    assert (ended.reason, ended.out, ended.winner) == ("domino", 0, 0)
    assert ended.pips == (0, 0)


def test_g8_the_last_tile_that_also_blocks_is_a_domino(table: Table, played: Players) -> None:
    match = table("6-0 0-0", "6-5 1-1", leader=0, preset="block")
    played(match, "6-0, 6-5 left, 0-0 right")
    ended = match.history[-1]
    assert isinstance(ended, RoundEnded)
    assert match.round is not None
    assert not match.round.held & match.round.fits
    assert (ended.reason, ended.out) == ("domino", 0)


def test_g9_equal_pips_and_tiles_pay_nobody(make_rules: Callable[..., RuleSet]) -> None:
    rules = make_rules("block")
    for hands in (["4-1", "3-2"], ["3-2", "4-1"]):
        settled = settle(rules, [hand(names) for names in hands], out=None)
        assert (settled.winner, settled.points) == (None, (0, 0))
    fewer_tiles = settle(rules, [hand("4-1"), hand("3-0 2-0")], out=None)
    assert (fewer_tiles.winner, fewer_tiles.points) == (0, (5, 0))


def test_g10_without_a_double_the_heaviest_tile_leads(table: Table) -> None:
    match = table("5-4 1-0", "6-3 2-1")
    assert match.round is not None
    assert parse("6-6") in match.round.boneyard
    assert (match.turn, match.legal()) == (1, (Play(parse("6-3")),))
    with pytest.raises(Refusal) as caught:
        match.act(1, Play(parse("2-1")))
    assert caught.value.code == "must_lead"


def test_g11_a_new_round_has_no_spinner_yet(
    table: Table, played: Players, make_deal: Callable[..., Deal]
) -> None:
    match = table("6-6 5-1", "6-1 0-0")
    played(match, "6-6, 6-1 left, 5-1 left")
    assert match.phase == "deal"
    match.start_round(make_deal("5-5 4-1", "5-4 3-3"))
    played(match, "5-5, 5-4 left")
    assert match.line[-1].total == 14
    assert match.round is not None
    assert match.round.ends() == {"left": 4, "right": 5}


def test_g12_a_lead_that_nobody_can_answer_blocks_at_once(table: Table) -> None:
    match = table("6-6 5-5", "0-0 1-0", preset="block")
    happened = match.act(0, Play(parse("6-6")))
    assert [type(event) for event in happened] == [Played, RoundEnded]
    ended = happened[1]
    assert isinstance(ended, RoundEnded)
    assert (ended.reason, ended.out, ended.winner, ended.points) == ("blocked", None, 1, (0, 10))


def test_g12_so_does_the_last_tile_drawn(make_rules: Callable[..., RuleSet]) -> None:
    rules = make_rules("draw", hand_sizes=2, keep=23)
    bone = [parse("1-1"), *(t for t in range(COUNT) if t not in map(parse, ("6-6", "5-5", "0-0",
            "1-0", "1-1")))]  # fmt: skip
    match = Match(rules)
    hands = ((parse("6-6"), parse("5-5")), (parse("0-0"), parse("1-0")))
    match.start_round(Deal(hands, tuple(bone)))
    match.act(0, Play(parse("6-6")))
    assert match.legal() == (Draw(),)
    ended = match.act(1, Draw())[-1]
    assert isinstance(ended, RoundEnded)
    assert (ended.reason, ended.winner, ended.points) == ("blocked", 1, (0, 10))


def test_g23_nothing_can_be_done_after_the_round(table: Table, played: Players) -> None:
    match = played(table("6-6", "0-0"), "6-6")
    before = match.copy()
    for action in (Play(parse("0-0"), "left"), Draw(), Pass()):
        with pytest.raises(Refusal) as caught:
            match.act(1, action)
        assert caught.value.code == "round_over"
    assert match == before


def test_g23_nor_after_the_match(table: Table, played: Players) -> None:
    match = played(table("5-5 1-0", "0-0 2-0", target=10), "5-5")
    assert match.phase == "over"
    assert isinstance(match.history[-1], MatchEnded)
    before = match.copy()
    for action in (Play(parse("0-0"), "left"), Draw(), Pass()):
        with pytest.raises(Refusal) as caught:
            match.act(1, action)
        assert caught.value.code == "match_over"
    assert match == before


def test_an_equal_tile_on_two_ends_is_two_choices(make_rules: Callable[..., RuleSet]) -> None:
    chance = random.Random(5)
    seen = 0
    for _ in range(200):
        order = list(range(COUNT))
        chance.shuffle(order)
        deal = Deal((tuple(order[:7]), tuple(order[7:14])), tuple(order[14:]))
        round = Round(make_rules(), deal)
        round.play(*round.moves()[0])
        tiles = [tile for tile, _ in round.moves()]
        if round.line.codes[0] == round.line.codes[1]:
            assert all(tiles.count(tile) == 2 for tile in tiles)
            assert {end for _, end in round.moves()} <= {LEFT, RIGHT}
            seen += bool(tiles)
        assert LEAD not in {end for _, end in round.moves()}
    assert seen > 50
