"""A seat that is given more of the table's time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from games import clock, selectors, services
from games.errors import GameError
from games.models import Match, MatchEvent

pytestmark = pytest.mark.django_db
Make = Callable[..., Match]


def turn_seconds(match: Match) -> float:
    match.refresh_from_db()
    assert match.deadline is not None
    return (
        match.deadline - MatchEvent.objects.filter(match=match).latest("seq").at
    ).total_seconds()


def test_a_turn_of_that_seat_is_longer_and_that_of_the_others_is_not(
    make_match: Make, move
) -> None:
    match = make_match(turn_seconds=20, time_percents={0: 150})
    seen: dict[Any, float] = {}
    while len(seen) < 2:
        match.refresh_from_db()
        seen[match.turn] = turn_seconds(match)
        move(match)
    assert seen == {0: 30.0, 1: 20.0}


def test_the_server_waits_as_long_as_the_seat_has(make_match: Make) -> None:
    match = make_match(turn_seconds=20, time_percents={0: 200, 1: 200})
    seq = match.seq
    services.wake(match_id=match.pk, now=match.deadline)
    match.refresh_from_db()
    assert match.seq == seq
    assert match.deadline is not None
    services.wake(match_id=match.pk, now=match.deadline + clock.LAG + timedelta(seconds=0.1))
    match.refresh_from_db()
    assert match.seq > seq


def test_the_bank_is_as_much_larger_and_everybody_sees_why(make_match: Make) -> None:
    match = make_match(bank_seconds=60, time_percents={1: 150})
    seats = selectors.snapshot_for(match.pk, None)["seats"]
    assert [seat["time_percent"] for seat in seats] == [100, 150]
    assert [seat["bank_ms"] for seat in seats] == [60_000, 90_000]


def test_a_rematch_gives_the_same_time(make_match: Make, player_at, play_out) -> None:
    match = make_match(rules={"preset": "allfives", "target": 20}, time_percents={1: 200})
    play_out(match)
    again = services.rematch(match_id=match.pk, player=player_at(match, 0))
    percents = again.seat_set.order_by("index").values_list("time_percent", flat=True)
    assert list(percents) == [100, 200]


def test_no_other_share_of_the_time_is_given(make_match: Make) -> None:
    with pytest.raises(GameError) as refused:
        make_match(time_percents={0: 120})
    assert refused.value.code == "bad_setting"
    assert not Match.objects.exists()
