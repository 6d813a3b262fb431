"""What a seat may know: no more, whatever lies hidden (non-interference)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from engine import bots
from engine.errors import EngineError
from engine.events import Event
from engine.match import Match
from engine.round import Deal
from engine.rules import RuleSet
from engine.tiles import COUNT, mask_of, text
from engine.view import view

Log = list[tuple[Event, Deal | None]]


def replayed(rules: RuleSet, log: Log) -> Match:
    match = Match(rules)
    for event, deal in log:
        match.apply(event, deal)
    return match


def swapped(deal: Deal, one: int, other: int) -> Deal:
    swap = {one: other, other: one}
    hands = tuple(tuple(swap.get(tile, tile) for tile in hand) for hand in deal.hands)
    return Deal(hands, tuple(swap.get(tile, tile) for tile in deal.boneyard))


def hidden_from(match: Match, seat: int | None) -> list[int]:
    """The tiles that `seat` has never seen: not played, not its own."""
    seen = mask_of(placed.tile for placed in match.line)
    if seat is not None and match.round is not None:
        seen |= match.round.hands[seat]
    return [tile for tile in range(COUNT) if not seen >> tile & 1]


def other_worlds(
    rules: RuleSet, log: Log, match: Match, seat: int | None, chance: random.Random
) -> list[Match]:
    """Matches with the same public log in which hidden tiles lie elsewhere."""
    started = max(i for i, (_, deal) in enumerate(log) if deal is not None)
    hidden = hidden_from(match, seat)
    worlds = []
    for _ in range(6):
        deal = log[started][1]
        assert deal is not None
        for _ in range(3):
            if len(hidden) > 1:
                deal = swapped(deal, *chance.sample(hidden, 2))
        other = [*log[:started], (log[started][0], deal), *log[started + 1 :]]
        try:
            world = replayed(rules, other)
        except EngineError:
            continue
        # Whose turn it is, everyone sees: before the lead it tells who has the highest double.
        if world.turn == match.turn:
            worlds.append(world)
    return worlds


@pytest.mark.parametrize("seed", range(2))
def test_a_view_is_the_same_wherever_hidden_tiles_lie(
    variant: RuleSet, seed: int, walk: Callable[..., Any]
) -> None:
    chance, log, compared = random.Random(seed), [], 0
    for match, happened, deal in walk(variant, seed, rounds=2):
        log += [(event, deal) for event in happened]
        if match.phase not in ("play", "claims") or chance.random() > 0.4:
            continue
        for seat in (None, chance.randrange(variant.seats)):
            mine = view(match, seat)
            for world in other_worlds(variant, log, match, seat, chance):
                assert view(world, seat) == mine
                compared += world.round.state() != match.round.state()
    assert compared > 5


def test_a_bot_moves_the_same_wherever_hidden_tiles_lie(
    make_rules: Callable[..., RuleSet], walk: Callable[..., Any]
) -> None:
    rules, chance, log, compared = make_rules(seats=3), random.Random(1), [], 0
    for match, happened, deal in walk(rules, 4, rounds=2):
        log += [(event, deal) for event in happened]
        if match.turn is None or len(match.legal()) < 2:
            continue
        for world in other_worlds(rules, log, match, match.turn, chance)[:2]:
            for level in bots.LEVELS:
                choices = [bots.choose(level, view(m, match.turn), 7) for m in (match, world)]
                assert choices[0] == choices[1]
                compared += 1
    assert compared > 10


def test_a_drawn_tile_is_seen_only_by_its_owner(
    make_rules: Callable[..., RuleSet], walk: Callable[..., Any]
) -> None:
    for match, happened, _ in walk(make_rules("draw"), 2, rounds=1):
        if match.phase == "play" and type(happened[0]).__name__ == "Drew":
            seat = happened[0].seat
            assert match.round.hands[seat] == mask_of(view(match, seat).hand or ())
            assert view(match, 1 - seat).counts[seat] == match.round.hands[seat].bit_count()
            assert view(match, None).hand is None
            return
    pytest.fail("nobody drew")


def test_only_the_seat_in_turn_has_legal_actions(
    variant: RuleSet, walk: Callable[..., Any]
) -> None:
    for match, _, _ in walk(variant, 1, rounds=1):
        for seat in range(variant.seats):
            assert bool(view(match, seat).legal) == (seat == match.turn)
            assert view(match, seat).claim == match.claim_open_for(seat)
        assert view(match, None).legal == ()
        assert not view(match, None).claim


def test_a_views_repr_shows_no_tile_of_a_hand(
    make_rules: Callable[..., RuleSet], shuffled: Callable[..., Deal]
) -> None:
    match = Match(make_rules())
    match.start_round(shuffled(match.rules, random.Random(1)))
    mine = view(match, match.turn)
    assert mine.hand is not None
    assert len(mine.hand) == 7
    assert "hand=" not in repr(mine)
    assert "legal=" not in repr(mine)
    assert not any(text(tile) in repr(mine) for tile in mine.hand)


def test_before_the_first_deal_there_is_nothing_to_see(make_rules: Callable[..., RuleSet]) -> None:
    empty = view(Match(make_rules()), 0)
    assert (empty.hand, empty.counts, empty.line, empty.ends) == (None, (), (), {})
    assert (empty.phase, empty.number, empty.boneyard) == ("deal", 0, 0)
