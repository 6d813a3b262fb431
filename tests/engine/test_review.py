"""What a look back says of each move, against the published answers and matches by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine import events as ev
from engine.actions import Claim, Draw, Play, from_json
from engine.errors import Refusal
from engine.match import Match
from engine.review import RoundReview, missed_by_seat, review
from engine.round import Deal
from engine.rules import RuleSet
from engine.tiles import parse, text

Table = Callable[..., Match]
MakeDeal = Callable[..., Deal]


def log_of_record(record: dict[str, Any]) -> tuple[RuleSet, dict[int, Deal], list[ev.Event]]:
    """A record carried out by the engine: its deals, and the log that comes of it."""
    rules = RuleSet.parse(record["rules"], len(record["players"]))
    match, deals, events = Match(rules), {}, []
    for number, given in enumerate(record["rounds"], start=1):
        hands = tuple(tuple(parse(tile) for tile in hand) for hand in given["hands"])
        deals[number] = Deal(hands, tuple(parse(tile) for tile in given["boneyard"]))
        events += match.start_round(deals[number], given.get("leader"))
        for given_move in given["moves"]:
            move = dict(given_move)
            seat = move.pop("seat")
            for _ in range(move.get("draw", 0)):
                events += match.act(seat, Draw())
            if "draw" not in move:
                events += _acted(match, seat, move)
        if match.phase == "claims":
            events += match.settle()
    return rules, deals, events


def _acted(match: Match, seat: int, move: dict[str, Any]) -> tuple[ev.Event, ...]:
    action = from_json(move)
    try:
        return match.act(seat, action)
    except Refusal:
        assert isinstance(action, Claim)  # a claim too late pays nothing, and is no event
        return ()


def played(rounds: tuple[RoundReview, ...]) -> list[list[tuple[int, int]]]:
    """Total and score of each play, round by round."""
    return [
        [(s.event.total, s.event.score) for s in each.steps if isinstance(s.event, ev.Played)]
        for each in rounds
    ]


def test_a_review_says_what_the_published_answers_say(vector: dict[str, Any]) -> None:
    if "error" in vector["expected"]:
        pytest.skip("a record that breaks the rules")
    rules, deals, events = log_of_record(vector["record"])
    rounds = review(rules, deals, events)
    expected = vector["expected"]["rounds"]
    assert played(rounds) == [
        [(move["total"], move["score"]) for move in each["moves"] if "total" in move]
        for each in expected
    ]
    assert [each.end and list(each.end.scores) for each in rounds] == [
        each["end"] and each["end"]["scores"] for each in expected
    ]
    for each in rounds:
        for step in each.steps:
            if isinstance(step.event, ev.Played):
                made = {(option.tile, option.end): option for option in step.options}
                chosen = made[step.event.tile, step.event.end]
                assert chosen.total == step.event.total
                assert step.event.score in (0, chosen.pays)
                assert step.best == max(option.pays for option in step.options)
                assert step.missed == step.best - step.event.score


def test_points_that_another_tile_would_have_been_paid_are_missed(
    table: Table, make_deal: MakeDeal
) -> None:
    """6-6 lies; 6-3 left makes 15, 6-4 makes 16: who plays 6-4 leaves fifteen lying."""
    match = table("6-6 1-0", "6-4 6-3")
    deals = {1: make_deal("6-6 1-0", "6-4 6-3")}
    log = list(match.history)
    log += match.act(0, Play(parse("6-6")))
    log += match.act(1, Play(parse("6-4"), "left"))
    (only,) = review(match.rules, deals, log)
    lead, answer = only.steps
    assert (lead.best, lead.missed, lead.joined) == (0, 0, None)
    assert (answer.best, answer.missed, answer.joined) == (15, 15, 6)
    options = [(text(o.tile), o.end, o.total, o.pays) for o in answer.options]
    assert options == [
        ("6-3", "left", 15, 15),
        ("6-3", "right", 15, 15),
        ("6-4", "left", 16, 0),
        ("6-4", "right", 16, 0),
    ]
    assert missed_by_seat(match.rules, [only]) == (0, 15)
    assert only.end is None


def test_a_play_not_called_leaves_its_own_points_lying(table: Table, make_deal: MakeDeal) -> None:
    match = table("5-5 1-0", "6-4 6-3", preset="muggins", leader=0)
    deals = {1: make_deal("5-5 1-0", "6-4 6-3")}
    log = list(match.history)
    log += match.act(0, Play(parse("5-5")))
    log += match.act(1, Claim(10))
    (only,) = review(match.rules, deals, log)
    lead, claim = only.steps
    assert (lead.best, lead.missed, lead.scores) == (10, 10, (0, 0))
    assert (claim.missed, claim.scores) == (0, (0, 10))


def test_drawn_tiles_come_from_the_front_of_the_boneyard(
    variant: RuleSet, walk: Callable[..., Any]
) -> None:
    deals: dict[int, Deal] = {}
    log: list[ev.Event] = []
    for match, happened, deal in walk(variant, 3):
        if deal is not None:
            deals[match.number] = deal
        log += happened
    rounds = review(variant, deals, log)
    assert len(rounds) == len(deals)
    for each in rounds:
        drawn = [tile for step in each.steps for tile in step.drawn]
        assert drawn == list(each.deal.boneyard[: len(drawn)])
        counted = [s.event.count for s in each.steps if isinstance(s.event, ev.Drew)]
        assert len(drawn) == sum(counted)


def test_a_round_whose_deal_is_not_to_be_known_is_left_out(
    variant: RuleSet, walk: Callable[..., Any]
) -> None:
    deals: dict[int, Deal] = {}
    log: list[ev.Event] = []
    for match, happened, deal in walk(variant, 1, rounds=3):
        if deal is not None:
            deals[match.number] = deal
        log += happened
    last = max(deals)
    known = {number: deal for number, deal in deals.items() if number < last}
    assert len(review(variant, known, log)) == last - 1
