from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.actions import Claim, Draw, Pass, Play
from engine.errors import EngineError, Refusal
from engine.events import (
    Claimed,
    Drew,
    Event,
    MatchEnded,
    Played,
    Resigned,
    RoundEnded,
    RoundStarted,
)
from engine.match import Match
from engine.round import Deal
from engine.rules import RuleSet
from engine.tiles import parse, text

Table = Callable[..., Match]
Players = Callable[[Match, str], Match]
Rules = Callable[..., RuleSet]
Deals = Callable[..., Deal]


def refusal(match: Match, seat: int, action: Any) -> Refusal:
    """Why `action` is refused; and nothing has changed."""
    before = match.copy()
    with pytest.raises(Refusal) as caught:
        match.act(seat, action)
    assert match == before
    return caught.value


def play(name: str, end: Any = None, call: int | None = None) -> Play:
    return Play(parse(name), end, call)


# The lead


def test_the_highest_double_must_be_led(table: Table) -> None:
    match = table("6-5 4-4", "5-5 6-4")
    assert (match.turn, match.legal()) == (1, (play("5-5"),))
    assert match.legal(0) == ()
    assert refusal(match, 1, play("6-4")).code == "must_lead"
    assert match.act(1, play("5-5"))[0] == Played(1, parse("5-5"), None, None, 10, 10)


def test_a_seat_that_is_drawn_may_lead_anything(table: Table) -> None:
    match = table("6-5 4-4", "5-5 6-4", leader=0)
    assert match.legal() == (play("4-4"), play("6-5"))
    assert match.act(0, play("6-5"))[0] == Played(0, parse("6-5"), None, None, 11, 0)


def test_who_leads_next(table: Table, played: Players, make_deal: Deals) -> None:
    match = table("6-0", "5-5", preset="classic", leader=0)
    assert played(match, "6-0").next_leader() == 0
    with pytest.raises(EngineError) as caught:
        match.start_round(make_deal("1-0", "5-5"), leader=1)
    assert caught.value.code == "bad_leader"
    assert match.start_round(make_deal("1-0", "5-5")) == (RoundStarted(2, 0),)

    blocked = table("6-0 1-1", "5-5 2-2", preset="classic", leader=0, draw=False)
    assert played(blocked, "6-0").next_leader() == "random"
    for leader in (None, 2, -1, True):
        with pytest.raises(EngineError, match="must be drawn"):
            blocked.start_round(make_deal("1-0 2-2", "5-5 3-3"), leader)

    always = table("6-0", "5-5", leader=0)
    assert played(always, "6-0").next_leader() == "highest_double"
    with pytest.raises(EngineError, match="no leader"):
        always.start_round(make_deal("1-0", "5-5"), leader=1)


def test_a_first_round_asks_for_what_the_rules_say(make_rules: Rules) -> None:
    assert Match(make_rules("allfives")).next_leader() == "highest_double"
    assert Match(make_rules("classic")).next_leader() == "random"


def test_a_deal_must_be_the_whole_set(make_rules: Rules, make_deal: Deals) -> None:
    match = Match(make_rules(hand_sizes=1))
    good = make_deal("6-6", "0-0")
    bad = [
        Deal(good.hands[:1], good.boneyard),
        Deal(good.hands, good.boneyard[1:]),
        Deal((good.hands[0], good.hands[0]), good.boneyard),
        Deal(((27, 1), (0,)), good.boneyard[1:]),
    ]
    for deal in bad:
        with pytest.raises(EngineError) as caught:
            match.start_round(deal)
        assert caught.value.code == "bad_deal"
    assert (match.phase, match.number) == ("deal", 0)


def test_a_hand_of_doubles_makes_the_deal_void(make_rules: Rules, make_deal: Deals) -> None:
    doubles = make_deal("6-6 5-5 4-4 3-3", "1-0 2-0 3-0 4-0")
    match = Match(make_rules(hand_sizes=4, redeal_doubles=4))
    with pytest.raises(EngineError) as caught:
        match.start_round(doubles)
    assert caught.value.code == "void_deal"
    assert match.phase == "deal"
    Match(make_rules(hand_sizes=4, redeal_doubles=5)).start_round(doubles)
    Match(make_rules(hand_sizes=4)).start_round(doubles)


def test_a_round_is_not_dealt_into_another(table: Table, make_deal: Deals) -> None:
    match = table("6-6", "0-0")
    with pytest.raises(EngineError) as caught:
        match.start_round(make_deal("6-6", "0-0"))
    assert caught.value.code == "not_dealing"


# A turn


def test_refusals_name_what_was_wrong(table: Table, played: Players) -> None:
    match = played(table("6-6 6-4 1-1 2-1", "6-3 5-0 0-0 3-2"), "6-6")
    assert refusal(match, 0, play("6-4", "left")).code == "not_your_turn"
    assert refusal(match, 1, play("6-4", "left")).code == "not_in_hand"
    assert refusal(match, 1, play("6-3", "up")).code == "no_such_end"
    assert refusal(match, 1, play("6-3")).code == "no_such_end"
    assert refusal(match, 1, play("5-0", "left")).code == "end_mismatch"
    assert refusal(match, 1, play("5-0", "left")).facts == {"tile": "5-0", "end": "left", "pip": 6}
    assert refusal(match, 1, Draw()).code == "must_play"
    assert refusal(match, 1, Pass()).code == "must_play"
    assert refusal(match, 1, Claim(12)).code == "not_called"
    for seat in (2, -1, True, None):
        assert refusal(match, seat, Pass()).code == "bad_action"  # type: ignore[arg-type]


def test_the_lead_names_no_end(table: Table) -> None:
    assert refusal(table("6-6", "0-0"), 0, play("6-6", "left")).code == "no_such_end"


def test_nothing_can_be_done_before_the_deal(make_rules: Rules) -> None:
    match = Match(make_rules())
    assert refusal(match, 0, Draw()).code == "round_over"
    assert match.legal() == ()
    for ask in (match.forced, lambda: match.preview(play("6-6"))):
        with pytest.raises(Refusal):
            ask()


def test_one_draws_until_a_tile_fits_and_then_must_play(table: Table, played: Players) -> None:
    # The boneyard is 0-0, 1-0, 2-0, … in order; only 6-0 of them fits the double six.
    match = played(table("6-6 1-1", "5-5 2-1"), "6-6")
    assert match.legal() == (Draw(),)
    assert refusal(match, 1, Pass()).code == "must_draw"
    drawn = 0
    while match.legal() == (Draw(),):
        assert match.act(1, Draw()) == (Drew(1, 1),)
        assert match.turn == 1
        drawn += 1
    assert drawn == 7
    assert match.legal() == (play("6-0", "left"), play("6-0", "right"))
    assert refusal(match, 1, Draw()).code == "must_play"


def test_tiles_kept_are_never_drawn(table: Table, played: Players) -> None:
    match = played(table("6-6 1-1", "5-5 2-1", keep=22), "6-6")
    for _ in range(2):
        match.act(1, Draw())
    assert isinstance(match.history[-1], RoundEnded)
    short = played(table("6-6 6-5", "5-5 2-1", keep=24), "6-6")
    assert refusal(short, 1, Draw()).code == "cannot_draw"
    short.act(1, Pass())
    assert short.turn == 0


def test_in_block_one_passes_though_there_is_a_boneyard(table: Table, played: Players) -> None:
    match = played(table("6-6 6-5", "5-5 2-1", preset="block"), "6-6")
    assert refusal(match, 1, Draw()).code == "cannot_draw"
    assert match.legal() == (Pass(),)


def test_arms_open_when_both_sides_are_covered_or_at_once(table: Table, played: Players) -> None:
    hands = ("6-6 6-1 6-4", "6-2 6-3 0-0")
    late = played(table(*hands), "6-6, 6-2 left")
    assert late.round is not None
    assert late.round.ends() == {"left": 2, "right": 6}
    assert refusal(late, 0, play("6-4", "up")).code == "no_such_end"
    played(late, "6-1 right, 6-3 down")
    assert late.round.ends() == {"left": 2, "right": 1, "up": 6, "down": 3}
    assert late.line[-1].total == 6

    soon = played(table(*hands, arms="any"), "6-6, 6-2 up, 6-1 down")
    assert soon.round is not None
    assert soon.round.ends() == {"left": 6, "right": 6, "up": 2, "down": 1}
    assert [placed.total for placed in soon.line] == [12, 14, 15]


# Paying


def test_the_gate_keeps_small_scores_out_until_one_is_in(table: Table, played: Players) -> None:
    match = table("4-1 5-0 3-3", "6-1 2-2 0-0", leader=0, gate=10)
    played(match, "4-1")
    assert (match.line[-1].total, match.line[-1].score) == (5, 0)
    played(match, "6-1 right")
    assert (match.line[-1].total, match.line[-1].score, match.scores) == (10, 10, [0, 10])


def test_partners_score_for_their_side(table: Table, played: Players) -> None:
    match = table("1-0 0-0", "2-1 1-1", "5-5 4-0", "6-0 3-3", partners=True)
    played(match, "5-5")
    assert match.turn == 3
    assert match.scores == [10, 0]


@pytest.mark.parametrize(
    ("settle", "points"),
    [
        ("winner_collects", (10, 0, 0)),
        ("winner_collects_total", (15, 0, 0)),
        ("each_deducts", (0, -5, -5)),
    ],
)
def test_settlement(table: Table, played: Players, settle: str, points: tuple[int, ...]) -> None:
    match = played(table("6-6", "5-2", "4-2", settle=settle), "6-6")
    ended = match.history[-1]
    assert isinstance(ended, RoundEnded)
    assert (ended.pips, ended.points, ended.out, ended.winner) == ((0, 7, 6), points, 0, 0)


def test_a_partners_pips_are_not_paid(table: Table, played: Players) -> None:
    match = played(table("6-6", "5-2", "5-4", "4-2", partners=True), "6-6")
    ended = match.history[-1]
    assert isinstance(ended, RoundEnded)
    assert ended.points == (10, 0)
    assert ended.hands == ((), (parse("5-2"),), (parse("5-4"),), (parse("4-2"),))


def test_partners_are_added_in_a_block(table: Table, played: Players) -> None:
    hands = ("6-6 1-0", "5-5 0-0", "5-4 1-1", "2-0 2-1")
    match = played(table(*hands, preset="block", partners=True), "6-6")
    ended = match.history[-1]
    assert isinstance(ended, RoundEnded)
    assert (ended.reason, ended.winner) == ("blocked", 0)
    assert (ended.pips, ended.points) == ((1, 10, 11, 5), (15, 0))


def test_scores_may_fall_below_nought(table: Table, played: Players) -> None:
    match = played(table("6-5", "5-4", settle="each_deducts", leader=0), "6-5")
    assert match.scores == [0, -10]


# The end of a match


def test_points_in_play_end_the_match_there_and_then(table: Table, played: Players) -> None:
    match = played(table("5-5", "6-4", target=10), "5-5")
    ended, over = match.history[-2:]
    assert isinstance(ended, RoundEnded)
    assert (ended.reason, ended.out, ended.winner) == ("target", None, None)
    assert (ended.pips, ended.points, ended.scores) == ((0, 10), (0, 0), (10, 0))
    assert over == MatchEnded("target", 0, (10, 0), (1, 2))
    assert (match.phase, match.winner, match.turn) == ("over", 0, None)


def test_at_round_end_only_settled_scores_decide(table: Table, played: Players) -> None:
    match = table("5-5 1-1", "5-4 0-0", target=10, match_end="round_end")
    played(match, "5-5")
    assert (match.phase, match.scores) == ("play", [10, 0])
    match = played(table("5-5", "6-4", target=10, match_end="round_end"), "5-5")
    assert match.history[-1] == MatchEnded("target", 0, (20, 0), (1, 2))


def test_a_target_shared_is_played_on(table: Table, played: Players, make_deal: Deals) -> None:
    match = table("6-6", "6-4", "0-0", target=10)
    match.scores[:] = [0, 0, 10]
    played(match, "6-6")
    assert (match.phase, match.scores) == ("deal", [10, 0, 10])
    match.start_round(make_deal("3-0", "5-5", "2-0"))
    played(match, "5-5")
    assert match.scores == [10, 15, 10]
    assert match.history[-1] == MatchEnded("target", 1, (10, 15, 10), (2, 1, 2))


# Leaving


def test_resigning_with_one_side_left_ends_the_match(table: Table) -> None:
    match = table("6-6 1-0", "0-0 2-0")
    assert match.resign(0) == (Resigned(0), MatchEnded("resigned", 1, (0, 0), (2, 1)))
    assert (match.phase, match.winner, match.resigned) == ("over", 1, {0})
    with pytest.raises(Refusal) as caught:
        match.resign(1)
    assert caught.value.code == "match_over"


def test_one_of_three_who_resigns_stays_seated_and_comes_last(
    table: Table, played: Players
) -> None:
    match = table("5-5 5-0 1-0", "5-4 1-1 2-0", "3-3 6-5 0-0", target=10)
    assert match.resign(0) == (Resigned(0),)
    assert (match.phase, match.turn) == ("play", 0)
    played(match, "5-5")
    assert (match.scores, match.phase) == ([10, 0, 0], "play")
    with pytest.raises(Refusal) as caught:
        match.resign(0)
    assert caught.value.code == "bad_action"
    assert match.resign(2)[-1] == MatchEnded("resigned", 1, (10, 0, 0), (2, 1, 2))


def test_a_partner_resigns_for_both(table: Table) -> None:
    match = table("6-6", "5-5", "4-4", "3-3", partners=True)
    assert match.resign(3)[-1] == MatchEnded("resigned", 0, (0, 0), (1, 2))


def test_forfeits(table: Table) -> None:
    hands = ("6-6 1-0", "0-0 2-0", "3-0 4-0")
    absent = table(*hands[:2])
    assert absent.forfeit([1], "no_show") == (MatchEnded("no_show", 0, (0, 0), (1, 2)),)
    both = table(*hands[:2])
    assert both.forfeit([0, 1], "no_show") == (MatchEnded("no_show", None, (0, 0), (2, 2)),)
    assert both.winner is None
    three = table(*hands)
    assert three.forfeit([1], "away") == (Resigned(1),)
    assert three.phase == "play"
    assert three.forfeit([0], "away") == (MatchEnded("away", 2, (0, 0, 0), (2, 2, 1)),)
    with pytest.raises(Refusal):
        three.forfeit([2], "away")
    with pytest.raises(Refusal):
        table(*hands).forfeit([3], "away")


# Time


def test_when_time_is_up_the_heaviest_tile_goes_on_the_first_end(
    table: Table, played: Players
) -> None:
    match = table("6-6 5-4 6-0 6-3", "6-1 6-2 6-5 4-3")
    assert match.forced() == play("6-6")
    played(match, "6-6")
    assert match.forced() == play("6-5", "left")
    played(match, "6-5 right")
    # 6-3 and 5-4 have equal pips: the higher half goes first, and not where it would score.
    assert match.forced() == play("6-3", "left")


def test_when_time_is_up_one_draws_or_passes_as_one_must(table: Table, played: Players) -> None:
    assert played(table("6-6 1-1", "5-5 2-1"), "6-6").forced() == Draw()
    assert played(table("6-6 6-5", "5-5 2-1", draw=False), "6-6").forced() == Pass()


# Calls and claims


@pytest.fixture
def called(table: Table) -> Match:
    """A called game in which seat 0 may lead 5-5 for ten."""
    return table("5-5 5-0 1-0", "5-4 0-0 2-0", "6-6 3-3 6-5", leader=0, count="called")


def test_called_right_is_paid_and_leaves_nothing_to_claim(called: Match) -> None:
    assert called.act(0, play("5-5", call=10))[0] == Played(0, parse("5-5"), None, 10, 10, 10)
    assert not any(called.claim_open_for(seat) for seat in range(3))
    assert refusal(called, 1, Claim(10)).code == "no_claim_open"


@pytest.mark.parametrize("call", [None, 5])
def test_what_is_not_called_right_goes_to_the_first_right_claim(
    called: Match, call: int | None
) -> None:
    assert called.act(0, play("5-5", call=call))[0] == Played(0, parse("5-5"), None, call, 10, 0)
    assert [called.claim_open_for(seat) for seat in range(3)] == [False, True, True]
    assert refusal(called, 0, Claim(10)).code == "no_claim_open"
    assert called.act(2, Claim(15)) == (Claimed(2, 15, 0),)
    assert called.act(2, Claim(10)) == (Claimed(2, 10, 10),)
    assert refusal(called, 1, Claim(10)).code == "already_claimed"
    assert called.scores == [0, 0, 10]


def test_a_claim_is_late_after_the_next_play_draw_or_pass(called: Match) -> None:
    called.act(0, play("5-5"))
    called.act(1, play("5-4", "left"))
    assert called.line[-1].total == 14
    assert called.act(2, Claim(10)) == (Claimed(2, 10, 0),)


def test_nothing_is_open_to_claim_after_a_draw(table: Table, played: Players) -> None:
    match = table("5-5 5-0", "4-4 2-1", leader=0, count="called")
    match.act(0, play("5-5"))
    match.act(1, Draw())
    assert refusal(match, 1, Claim(10)).code == "no_claim_open"


def test_a_play_that_pays_nothing_may_be_claimed_in_vain(called: Match) -> None:
    """Whether there are points is for the players to see."""
    called.act(0, play("5-0", call=0))
    assert called.claim_open_for(1)
    assert called.act(1, Claim(0)) == (Claimed(1, 0, 0),)


def test_the_rounds_last_play_can_be_claimed_until_it_is_settled(table: Table) -> None:
    match = table("5-5", "6-4", leader=0, count="called")
    happened = match.act(0, play("5-5"))
    assert [type(event) for event in happened] == [Played]
    assert (match.phase, match.turn, match.legal()) == ("claims", None, ())
    assert refusal(match, 1, Draw()).code == "round_over"
    unclaimed = match.copy()
    claimed, ended = match.act(1, Claim(10))
    assert claimed == Claimed(1, 10, 10)
    assert isinstance(ended, RoundEnded)
    assert (ended.points, ended.scores) == ((10, 0), (10, 10))
    (ended,) = unclaimed.settle()
    assert isinstance(ended, RoundEnded)
    assert ended.scores == (10, 0)
    with pytest.raises(EngineError):
        unclaimed.settle()
    assert refusal(unclaimed, 1, Claim(10)).code == "no_claim_open"


def test_a_last_play_called_right_is_settled_at_once(table: Table) -> None:
    match = table("5-5", "6-4", leader=0, count="called")
    assert isinstance(match.act(0, play("5-5", call=10))[-1], RoundEnded)
    assert match.phase == "deal"


def test_a_claim_can_win_the_match(table: Table) -> None:
    match = table("5-5 1-1", "6-4 0-0", leader=0, count="called", target=10)
    match.act(0, play("5-5"))
    _, ended, over = match.act(1, Claim(10))
    assert isinstance(ended, RoundEnded)
    assert ended.reason == "target"
    assert over == MatchEnded("target", 1, (0, 10), (2, 1))


def test_the_gate_holds_for_claims(table: Table) -> None:
    match = table("4-1 1-1", "6-4 0-0", leader=0, count="called", gate=10)
    match.act(0, play("4-1"))
    assert match.act(1, Claim(5)) == (Claimed(1, 5, 0),)


def test_a_partner_cannot_claim(table: Table) -> None:
    hands = ("5-5 1-1", "6-4 0-0", "6-6 6-5", "4-4 3-3")
    match = table(*hands, leader=0, count="called", partners=True)
    match.act(0, play("5-5"))
    assert [match.claim_open_for(seat) for seat in range(4)] == [False, True, False, True]


def test_where_nothing_scores_nothing_is_claimed(table: Table) -> None:
    match = table("5-5", "6-4", leader=0, count="called", preset="draw")
    assert isinstance(match.act(0, play("5-5"))[-1], RoundEnded)


def test_a_call_means_nothing_where_points_count_by_themselves(table: Table) -> None:
    match = table("5-5 1-1", "6-4 0-0", leader=0)
    assert match.act(0, play("5-5", call=35))[0] == Played(0, parse("5-5"), None, None, 10, 10)


# The log


@pytest.mark.parametrize("seed", range(4))
def test_the_log_rebuilds_an_equal_match(
    variant: RuleSet, seed: int, walk: Callable[..., Any]
) -> None:
    twin = Match(variant)
    for match, happened, deal in walk(variant, seed, rounds=4):
        for event in happened:
            twin.apply(event, deal)
        assert twin == match
        assert twin.copy() == match


def test_resignations_and_forfeits_rebuild_too(table: Table) -> None:
    for end in ("resign", "forfeit", "both"):
        match = table("6-6 1-0", "0-0 2-0", "3-0 4-0")
        started = match.history[0]
        assert match.round is not None
        deal = Deal(
            tuple(tuple(map(parse, h.split())) for h in ("6-6 1-0", "0-0 2-0", "3-0 4-0")),
            match.round.boneyard,
        )
        happened: tuple[Event, ...] = (started, *match.resign(1))
        if end == "resign":
            happened += match.resign(0)
        else:
            happened += match.forfeit([0] if end == "forfeit" else [0, 2], "no_show")
        twin = Match(match.rules)
        for event in happened:
            twin.apply(event, deal)
        assert twin == match


def test_a_log_may_hold_draws_in_a_row_as_one(table: Table, played: Players) -> None:
    match = played(table("6-6 1-1", "5-5 2-1"), "6-6")
    twin = match.copy()
    for _ in range(7):
        match.act(1, Draw())
    twin.apply(Drew(1, 7))
    assert twin == match


@pytest.mark.parametrize(
    "event",
    [
        Played(1, parse("6-3"), "left", None, 14, 0),
        Played(1, parse("6-3"), "left", None, 15, 0),
        Played(1, parse("6-3"), "up", None, 15, 15),
        Played(0, parse("6-3"), "left", None, 15, 15),
        Drew(1, 1),
        Drew(1, 0),
        Drew(1, 99),
        RoundStarted(2, None),
        RoundEnded("domino", 0, 0, (0, 9), (10, 0), (10, 0), ((), ())),
        MatchEnded("forfeit", 0, (10, 0), (1, 2)),
        MatchEnded("forfeit", 0, (0, 0), (1,)),
        Claimed(1, 12, 12),
    ],
)
def test_a_log_that_cant_be_is_refused(table: Table, played: Players, event: Event) -> None:
    match = played(table("6-6 1-1", "6-3 2-1"), "6-6")
    with pytest.raises(EngineError):
        match.apply(event)


def test_what_follows_an_event_must_follow_in_the_log(table: Table) -> None:
    match = table("6-6", "0-0")
    match.apply(Played(0, parse("6-6"), None, None, 12, 0))
    with pytest.raises(EngineError) as caught:
        match.apply(MatchEnded("forfeit", 0, (0, 0), (1, 2)))
    assert caught.value.code == "bad_log"


def test_a_copy_goes_on_by_itself(table: Table, played: Players) -> None:
    match = table("6-6 6-1", "6-3 2-1")
    twin = match.copy()
    played(match, "6-6, 6-3 left")
    assert (twin.turn, twin.scores, twin.line, len(twin.history)) == (0, [0, 0], [], 1)
    assert twin != match
    assert match != "match"


def test_no_repr_shows_a_hidden_tile(table: Table, played: Players) -> None:
    match = played(table("6-6 6-1", "6-3 2-1"), "6-6")
    assert match.round is not None
    deal = Deal(((27, 26), (25, 21)), (*range(21), 22, 23, 24))
    shown = f"{match!r} {match.round!r} {deal!r} {match} {deal}"
    assert not any(text(tile) in shown for tile in range(28))
    assert "25" not in f"{deal!r}"
