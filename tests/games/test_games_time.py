"""What time brings: turns that run out, absence, bots, claims, breaks."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import override_settings
from django.utils import timezone

from engine.actions import Claim, Draw, Play
from engine.errors import Refusal
from engine.tiles import PIPS, parse
from games import clock, selectors, services, store, sweeper
from games.errors import GameError
from games.models import Match
from players.models import Player

pytestmark = pytest.mark.django_db

Make = Callable[..., Match]
Find = Callable[..., Player]


def seconds(n: float) -> timedelta:
    return timedelta(seconds=n)


def wake(match: Match, now: datetime | None) -> bool:
    done = services.wake(match_id=match.pk, now=now)
    match.refresh_from_db()
    return done


def last(match: Match, kind: str) -> Any:
    return match.events.filter(kind=kind).order_by("-seq").first()


def test_a_turn_that_runs_out_is_played_once(make_match: Make) -> None:
    """cases.md G13: however many report it; and the next seat has its full time."""
    match = make_match(turn_seconds=15)
    turn, due, deadline = match.turn, match.wake_at, match.deadline
    assert deadline is not None
    assert due == deadline + clock.LAG
    assert not wake(match, due - seconds(0.001))
    results = [services.wake(match_id=match.pk, now=due) for _ in range(4)]
    match.refresh_from_db()
    assert results == [True, False, False, False]
    played = last(match, "played")
    assert (played.data["seat"], played.data["forced"], played.actor) == (turn, True, None)
    assert match.turn != turn or match.phase != "play"
    assert match.deadline == due + seconds(15)
    assert match.seat_set.get(index=turn).timeouts == 1


def test_the_forced_play_is_the_heaviest_that_fits(make_match: Make, player_at: Find) -> None:
    match = make_match()
    for _ in range(12):
        if match.phase != "play":
            break
        assert match.turn is not None
        legal = selectors.snapshot_for(match.pk, player_at(match, match.turn))["legal"]
        heaviest = max(PIPS[parse(entry["play"])] for entry in legal)
        wake(match, match.wake_at)
        events = match.events.filter(kind="played").order_by("-seq")
        assert PIPS[parse(events[0].data["tile"])] == heaviest


def test_a_player_may_move_until_the_lag_is_over(
    make_match: Make, choose_move: Callable[..., tuple[Player, Any]]
) -> None:
    match = make_match()
    player, action = choose_move(match)
    assert match.deadline is not None
    ack = services.act(
        match_id=match.pk,
        player=player,
        expected_seq=match.seq,
        action=action,
        now=match.deadline + clock.LAG,
    )
    assert match.events.get(seq=ack.seq).actor is not None


def test_a_move_that_comes_too_late_lets_the_server_act(
    make_match: Make, choose_move: Callable[..., tuple[Player, Any]]
) -> None:
    """cases.md G16: exactly one of the two."""
    match = make_match()
    player, action = choose_move(match)
    assert match.deadline is not None
    late = match.deadline + clock.LAG + seconds(0.001)
    with pytest.raises(GameError) as refused:
        services.act(
            match_id=match.pk,
            player=player,
            expected_seq=match.seq,
            action=action,
            client_id="c",
            now=late,
        )
    assert refused.value.code == "too_late"
    assert last(match, "played").data["forced"]
    assert match.events.filter(kind="played").count() == 1
    assert not services.wake(match_id=match.pk, now=late)
    assert not match.events.filter(client_id="c").exists()


def test_waiting_for_the_lock_makes_nobody_late(
    make_match: Make, choose_move: Callable[..., tuple[Player, Any]]
) -> None:
    match = make_match()
    player, action = choose_move(match)
    assert match.deadline is not None
    services.act(
        match_id=match.pk,
        player=player,
        expected_seq=match.seq,
        action=action,
        received=match.deadline,
        now=match.deadline + seconds(3),
    )
    match.refresh_from_db()
    assert "forced" not in last(match, "played").data


def test_the_bank_is_used_before_the_server_acts(
    make_match: Make, choose_move: Callable[..., tuple[Player, Any]]
) -> None:
    match = make_match(bank_seconds=20)
    player, action = choose_move(match)
    turn, deadline = match.turn, match.deadline
    assert deadline is not None
    assert match.wake_at == deadline + seconds(20) + clock.LAG
    assert not wake(match, deadline + seconds(19))
    services.act(
        match_id=match.pk,
        player=player,
        expected_seq=match.seq,
        action=action,
        now=deadline + seconds(12.5),
    )
    view = selectors.snapshot_for(match.pk, None)
    assert view["seats"][turn]["bank_ms"] == 8000
    match.refresh_from_db()
    while match.turn != turn and match.phase == "play":
        wake(match, match.wake_at)
    if match.phase == "play":
        assert match.deadline is not None
        assert match.wake_at == match.deadline + seconds(8) + clock.LAG
        wake(match, match.wake_at)
        assert selectors.snapshot_for(match.pk, None)["seats"][turn]["bank_ms"] == 0
    assert store.verify(match.pk) == []


def test_time_does_not_run_back_in_a_log(make_match: Make, move: Callable[..., Any]) -> None:
    match = make_match()
    wake(match, match.wake_at)
    if match.turn is not None:
        move(match, now=timezone.now() - timedelta(hours=1))
    assert store.verify(match.pk) == []


# Away and back


def run_out_until_away(match: Match, seat: int) -> None:
    for _ in range(200):
        if match.seat_set.get(index=seat).away_since is not None:
            return
        if match.turn == seat or match.turn is None:
            assert wake(match, match.wake_at)
        else:
            player = match.seat_set.get(index=match.turn).player
            view = selectors.engine_view(match.pk, match.turn)
            services.act(
                match_id=match.pk, player=player, expected_seq=match.seq, action=view.legal[0]
            )
            match.refresh_from_db()
    raise AssertionError("nobody went away")


def test_after_three_turns_run_out_the_server_plays_the_seat(make_match: Make) -> None:
    match = make_match({"preset": "block", "target": 500}, away_after=3, bot_delay_ms=1000)
    run_out_until_away(match, 0)
    seat = match.seat_set.get(index=0)
    assert seat.timeouts == 3
    assert last(match, "away").data == {"seat": 0, "reason": "timeouts"}
    assert selectors.snapshot_for(match.pk, None)["seats"][0]["away"]
    while match.turn != 0:
        wake(match, match.wake_at)
    assert match.deadline is not None
    assert match.wake_at is not None
    pause = match.wake_at - (match.deadline - seconds(15))
    assert seconds(0.75) <= pause <= seconds(1.25)
    assert store.verify(match.pk) == []


def test_acting_in_time_forgives_turns_run_out(
    make_match: Make, player_at: Find, move: Callable[..., Any]
) -> None:
    match = make_match({"preset": "allfives", "target": 500})
    turn = match.turn
    assert turn is not None
    wake(match, match.wake_at)
    assert match.seat_set.get(index=turn).timeouts == 1
    while match.turn != turn:
        wake(match, match.wake_at)
    move(match)
    assert match.seat_set.get(index=turn).timeouts == 0


@pytest.mark.parametrize("sign", ["back", "arrive", "act", "ready", "sit"])
def test_a_sign_of_life_gives_the_seat_back(make_match: Make, player_at: Find, sign: str) -> None:
    match = make_match({"preset": "block", "target": 500})
    run_out_until_away(match, 0)
    while match.turn != 0:
        wake(match, match.wake_at)
    player = player_at(match, 0)
    if sign == "act":
        action = selectors.engine_view(match.pk, 0).legal[0]
        services.act(match_id=match.pk, player=player, expected_seq=match.seq, action=action)
    else:
        getattr(services, sign)(match_id=match.pk, player=player)
    match.refresh_from_db()
    seat = match.seat_set.get(index=0)
    assert (seat.away_since, seat.timeouts) == (None, 0)
    assert match.events.filter(kind="back").count() == 1
    if sign != "act":
        assert match.deadline is not None
        assert match.wake_at == match.deadline + clock.LAG
    assert store.verify(match.pk) == []


def test_a_refused_move_is_a_sign_of_life_too(make_match: Make, player_at: Find) -> None:
    match = make_match({"preset": "block", "target": 500})
    run_out_until_away(match, 0)
    while match.turn != 0:
        wake(match, match.wake_at)
    with pytest.raises(Refusal):
        services.act(
            match_id=match.pk, player=player_at(match, 0), expected_seq=match.seq, action=Draw()
        )
    assert match.seat_set.get(index=0).away_since is None
    assert store.verify(match.pk) == []


def test_a_heartbeat_ends_no_absence(make_match: Make, player_at: Find) -> None:
    match = make_match()
    services.leave(match_id=match.pk, player=player_at(match, 0))
    services.seen(match_id=match.pk, player=player_at(match, 0))
    assert match.seat_set.get(index=0).away_since is not None


def test_leaving_a_running_match_loses_nothing_by_itself(make_match: Make, player_at: Find) -> None:
    match = make_match()
    services.leave(match_id=match.pk, player=player_at(match, 0))
    services.leave(match_id=match.pk, player=player_at(match, 0))
    services.leave(match_id=match.pk, player=player_at(match, 1))
    match.refresh_from_db()
    assert match.status == "running"
    while match.status == "running":
        assert wake(match, match.wake_at)
    assert match.reason == "target"
    result = selectors.result_of(match.pk)
    assert result is not None
    assert result.left == [0, 1]
    assert store.verify(match.pk) == []


def test_being_away_too_long_forfeits_where_the_table_says_so(
    make_match: Make, player_at: Find
) -> None:
    match = make_match({"preset": "allfives", "target": 5000}, forfeit_away_seconds=120)
    left_at = timezone.now()
    services.leave(match_id=match.pk, player=player_at(match, 1), now=left_at)
    match.refresh_from_db()
    assert match.wake_at is not None
    while match.status == "running":
        assert match.wake_at is not None
        assert match.wake_at <= left_at + seconds(120)
        wake(match, match.wake_at)
    assert (match.reason, match.winner) == ("forfeit", 0)
    assert match.finished_at == left_at + seconds(120)
    assert store.verify(match.pk) == []


def test_who_comes_back_in_time_forfeits_nothing(make_match: Make, player_at: Find) -> None:
    match = make_match({"preset": "allfives", "target": 5000}, forfeit_away_seconds=120)
    left_at = timezone.now()
    player = player_at(match, 1)
    services.leave(match_id=match.pk, player=player, now=left_at)
    services.back(match_id=match.pk, player=player, now=left_at + seconds(119))
    services.wake(match_id=match.pk, now=left_at + seconds(120))
    match.refresh_from_db()
    assert match.status == "running"


# Bots


@pytest.mark.parametrize("preset", ["allfives", "muggins", "draw", "block"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bots_play_a_match_to_its_end(preset: str, seats: int) -> None:
    levels = ("easy", "medium", "easy", "medium")
    match = services.open_match(
        rules={"preset": preset, "target": 30},
        seats=seats,
        bots=dict(enumerate(levels[:seats])),
        bot_delay_ms=0,
    )
    until = time.monotonic() + 30
    while match.status != "finished":
        assert time.monotonic() < until
        assert wake(match, timezone.now())
    assert match.reason == "target"
    assert store.verify(match.pk) == []


def test_a_bot_plays_after_a_pause_that_no_hand_decides(make_match: Make) -> None:
    match = make_match(bots={0: "hard", 1: "hard"}, bot_delay_ms=1000)
    assert match.deadline is not None
    assert match.wake_at is not None
    began = match.deadline - seconds(15)
    assert match.wake_at == began + clock.server_delay(1000, match.pk, match.turn_seq)
    assert not wake(match, match.wake_at - seconds(0.001))
    assert wake(match, match.wake_at)
    assert match.events.filter(kind="played").count() == 1


def test_the_same_bot_at_the_same_table_chooses_the_same(make_match: Make) -> None:
    from games import chance

    match = make_match()
    seeds = {chance.seed(match.pk, seq, seat) for seq in range(50) for seat in range(4)}
    assert len(seeds) == 200
    assert chance.seed(match.pk, 7, 1) == chance.seed(match.pk, 7, 1)
    with override_settings(SECRET_KEY="another"):
        assert chance.seed(match.pk, 7, 1) not in seeds


# Breaks and claims


def test_the_next_round_is_dealt_after_the_break(
    make_match: Make, move: Callable[..., Any]
) -> None:
    match = make_match({"preset": "block"}, break_seconds=6)
    while match.phase == "play":
        move(match)
        match.refresh_from_db()
    ended = last(match, "round_ended")
    assert match.phase == "between"
    assert match.wake_at == match.deadline == ended.at + seconds(6)
    assert not wake(match, match.wake_at - seconds(0.001))
    due = match.wake_at
    assert [services.wake(match_id=match.pk, now=due) for _ in range(3)] == [True, False, False]
    assert match.events.filter(kind="round_started").count() == 2


def called_match(make_match: Make, **given: Any) -> Match:
    rules = {"preset": "muggins", "target": 1000, "next_lead": "highest_double"}
    return make_match({**rules, **given.pop("rules", {})}, **given)


def best(match: Match, seat: int) -> tuple[Any, int]:
    """The move of `seat` that makes the most points, and its total; None and 0 without points."""
    view = selectors.engine_view(match.pk, seat)
    game = store.load(match).game
    paid = [
        (total, action)
        for action in view.legal
        if isinstance(action, Play)
        for total, _ in [game.preview(action)]
        if total and total % 5 == 0
    ]
    if not paid:
        return None, 0
    total, action = max(paid, key=lambda pair: pair[0])
    return action, total


def play_until_points(match: Match, player_at: Find) -> tuple[int, Any, int]:
    """Draw, pass and play until the seat in turn can make points: seat, play, points."""
    for _ in range(400):
        match.refresh_from_db()
        if match.turn is None:
            wake(match, match.wake_at)
            continue
        action, total = best(match, match.turn)
        if action is not None:
            return match.turn, action, total
        legal = selectors.engine_view(match.pk, match.turn).legal[0]
        services.act(
            match_id=match.pk,
            player=player_at(match, match.turn),
            expected_seq=match.seq,
            action=legal,
        )
    raise AssertionError("no points in 400 moves")


def test_uncalled_points_go_to_who_claims_them(make_match: Make, player_at: Find) -> None:
    match = called_match(make_match)
    seat, action, total = play_until_points(match, player_at)
    other = 1 - seat
    before = list(match.scores)
    services.act(
        match_id=match.pk, player=player_at(match, seat), expected_seq=match.seq, action=action
    )
    match.refresh_from_db()
    assert match.scores == before
    assert selectors.snapshot_for(match.pk, player_at(match, other))["claim"]
    assert not selectors.snapshot_for(match.pk, player_at(match, seat))["claim"]
    assert not selectors.snapshot_for(match.pk, None)["claim"]
    legal = selectors.snapshot_for(match.pk, player_at(match, other))["legal"] or []
    assert all("pays" not in entry and "total" not in entry for entry in legal)
    services.act(
        match_id=match.pk,
        player=player_at(match, other),
        expected_seq=match.seq,
        action=Claim(total),
    )
    match.refresh_from_db()
    assert match.scores[other] == before[other] + total
    assert store.verify(match.pk) == []


def test_called_points_are_paid_and_cannot_be_claimed(make_match: Make, player_at: Find) -> None:
    match = called_match(make_match)
    seat, action, total = play_until_points(match, player_at)
    before = list(match.scores)
    services.act(
        match_id=match.pk,
        player=player_at(match, seat),
        expected_seq=match.seq,
        action=Play(action.tile, action.end, total),
    )
    match.refresh_from_db()
    assert match.scores[seat] == before[seat] + total
    with pytest.raises(Refusal) as refused:
        services.act(
            match_id=match.pk,
            player=player_at(match, 1 - seat),
            expected_seq=match.seq,
            action=Claim(total),
        )
    assert refused.value.code in ("no_claim_open", "round_over")


def test_a_run_out_turn_in_a_called_game_draws_plays_and_calls_nothing(
    make_match: Make,
) -> None:
    match = called_match(make_match)
    for woken in range(400):
        if woken >= 40 and match.events.filter(kind="drew").exists():
            break
        turn, phase, seq = match.turn, match.phase, match.seq
        wake(match, match.wake_at)
        if phase == "play":
            done = list(match.events.filter(seq__gt=seq, data__seat=turn).order_by("seq"))
            acts = [row for row in done if row.kind in ("drew", "played", "passed")]
            assert [row.kind for row in acts] in (
                ["played"],
                ["passed"],
                ["drew", "played"],
                ["drew", "passed"],
                ["drew"],
            )
            assert all(row.data["forced"] for row in acts)
            assert acts[-1].data.get("call") is None
        if match.seat_set.filter(away_since__isnull=False).exists():
            for seat in match.seat_set.all():
                services.back(match_id=match.pk, player=seat.player)
            match.refresh_from_db()
    assert match.events.filter(kind="drew").exists()
    assert store.verify(match.pk) == []


def test_drawing_does_not_start_the_turn_anew(make_match: Make, player_at: Find) -> None:
    match = called_match(make_match)
    for _ in range(400):
        match.refresh_from_db()
        if match.turn is None:
            wake(match, match.wake_at)
            continue
        legal = selectors.engine_view(match.pk, match.turn).legal[0]
        deadline = match.deadline
        services.act(
            match_id=match.pk,
            player=player_at(match, match.turn),
            expected_seq=match.seq,
            action=legal,
        )
        turn = match.turn
        match.refresh_from_db()
        if isinstance(legal, Draw) and match.turn == turn:
            assert match.deadline == deadline
            return
    raise AssertionError("nobody drew in 400 moves")


def claims_match(make_match: Make, player_at: Find, **given: Any) -> Match:
    """A called match whose round has been played to its end, its last play not called."""
    match = called_match(make_match, **given)
    for _ in range(600):
        match.refresh_from_db()
        if match.phase == "claims":
            return match
        if match.turn is None or match.seat_set.get(index=match.turn).is_bot:
            wake(match, match.wake_at)
            continue
        legal = selectors.engine_view(match.pk, match.turn).legal[0]
        services.act(
            match_id=match.pk,
            player=player_at(match, match.turn),
            expected_seq=match.seq,
            action=legal,
        )
    raise AssertionError("no round ended with a claim open")


def test_a_rounds_last_play_may_be_claimed_for_five_seconds(
    make_match: Make, player_at: Find
) -> None:
    match = claims_match(make_match, player_at)
    played = last(match, "played")
    assert match.turn is None
    assert match.deadline == match.wake_at == played.at + clock.CLAIM_WINDOW
    assert not wake(match, match.deadline - seconds(0.001))
    other = 1 - played.data["seat"]
    services.act(
        match_id=match.pk,
        player=player_at(match, other),
        expected_seq=match.seq,
        action=Claim((played.data["total"] + 1) % 36),
    )
    deadline = match.deadline
    match.refresh_from_db()
    assert match.deadline == deadline
    assert match.phase == "claims"
    with pytest.raises(GameError) as refused:
        services.act(
            match_id=match.pk,
            player=player_at(match, other),
            expected_seq=match.seq,
            action=Claim(played.data["total"]),
        )
    assert refused.value.code == "claimed_once"
    assert [services.wake(match_id=match.pk, now=deadline) for _ in range(3)] == [
        True,
        False,
        False,
    ]
    assert match.events.filter(kind="round_ended").count() >= 1
    assert store.verify(match.pk) == []


def test_a_bot_claims_what_a_person_left(make_match: Make, player_at: Find) -> None:
    match = called_match(make_match, bots={1: "hard"}, bot_delay_ms=500)
    for _ in range(400):
        match.refresh_from_db()
        if match.turn != 0:
            wake(match, match.wake_at)
            continue
        action, total = best(match, 0)
        legal = action or selectors.engine_view(match.pk, 0).legal[0]
        services.act(
            match_id=match.pk, player=player_at(match, 0), expected_seq=match.seq, action=legal
        )
        if action is not None:
            break
    before = match.scores[1]
    match.refresh_from_db()
    for _ in range(3):
        wake(match, match.wake_at)
        if last(match, "claimed"):
            break
    claimed = last(match, "claimed")
    assert (claimed.data["seat"], claimed.data["score"]) == (1, total)
    assert match.scores[1] >= before + total
    assert store.verify(match.pk) == []


def test_a_bots_play_leaves_people_time_to_claim(make_match: Make, player_at: Find) -> None:
    """Whether there are points in the last play or not: the pause must not tell."""
    match = called_match(make_match, seats=3, bots={1: "easy", 2: "easy"}, bot_delay_ms=100)
    for _ in range(300):
        match.refresh_from_db()
        if match.turn == 0:
            legal = selectors.engine_view(match.pk, 0).legal[0]
            services.act(
                match_id=match.pk, player=player_at(match, 0), expected_seq=match.seq, action=legal
            )
            continue
        game = store.load(match).game
        if match.turn is not None and game.claim_open_for(0) and game.line[-1].total % 5:
            assert match.deadline is not None
            began = match.deadline - seconds(match.turn_seconds)
            assert match.wake_at == began + clock.CLAIM_PAUSE
            assert not wake(match, began + seconds(1))
            return
        wake(match, match.wake_at)
    raise AssertionError("no claim was open for the person in 300 moves")


# The sweep


def test_a_sweep_wakes_what_is_due_and_nothing_else(make_match: Make) -> None:
    matches = [make_match() for _ in range(3)]
    now = timezone.now()
    Match.objects.filter(pk=matches[0].pk).update(
        wake_at=now - seconds(1), deadline=now - seconds(2)
    )
    assert sweeper.sweep() == 1
    assert sweeper.sweep() == 0


def test_one_broken_match_does_not_stop_the_sweep(
    make_match: Make, caplog: pytest.LogCaptureFixture
) -> None:
    broken, whole = make_match(), make_match()
    broken.events.filter(kind="round_started").update(data={"number": 1, "leader": 3})
    store.cache.clear()
    past = timezone.now() - seconds(5)
    Match.objects.filter(pk=broken.pk).update(wake_at=past - seconds(1), deadline=past)
    Match.objects.filter(pk=whole.pk).update(wake_at=past, deadline=past)
    assert sweeper.sweep() == 1
    assert whole.events.filter(kind="played").count() == 1
    assert sum(f"match {broken.pk}" in record.message for record in caplog.records) == 1
    broken.refresh_from_db()
    assert broken.wake_at is not None
    assert broken.wake_at > timezone.now() + seconds(10)
    assert sweeper.sweep() == 0
    assert store.verify(broken.pk) != []


def test_a_window_ends_in_time_and_when_told(make_match: Make) -> None:
    began = time.monotonic()
    assert sweeper.run_window(0.2) == 0
    assert 0.15 < time.monotonic() - began < 1.5
    began = time.monotonic()
    sweeper.run_window(30, stopped=lambda: True)
    assert time.monotonic() - began < 1
