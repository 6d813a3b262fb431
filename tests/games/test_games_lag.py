"""What the network may take of a turn, at a table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from games import services
from games.errors import GameError
from games.models import Match, Seat

pytestmark = pytest.mark.django_db
Make = Callable[..., Match]


def ms(n: int) -> timedelta:
    return timedelta(milliseconds=n)


@pytest.fixture
def seat(make_match: Make, player_at: Any) -> tuple[Match, Seat]:
    """A running match, and the seat in turn, whose messages take 200 ms."""
    match = make_match(turn_seconds=20)
    Seat.objects.filter(match=match).update(trip_ms=200)
    return match, match.seat_set.get(index=match.turn)


def test_a_move_within_the_measured_lag_counts_and_uses_of_the_rounds(
    seat: tuple[Match, Seat], move: Any
) -> None:
    match, own = seat
    assert match.deadline is not None
    move(match, received=match.deadline + ms(150), now=match.deadline + ms(160))
    own.refresh_from_db()
    assert (own.lag_ms, own.timeouts) == (1850, 0)


def test_a_move_after_the_measured_lag_is_too_late_and_has_used_it(
    seat: tuple[Match, Seat], move: Any
) -> None:
    match, own = seat
    assert match.deadline is not None
    with pytest.raises(GameError) as refused:
        move(match, received=match.deadline + ms(201), now=match.deadline + ms(210))
    assert refused.value.code == "too_late"
    own.refresh_from_db()
    assert (own.lag_ms, own.timeouts) == (1800, 1)


def test_the_server_waits_no_longer_than_the_lag(seat: tuple[Match, Seat]) -> None:
    match, own = seat
    assert match.deadline is not None
    services.wake(match_id=match.pk, now=match.deadline + ms(199))
    own.refresh_from_db()
    assert own.timeouts == 0
    services.wake(match_id=match.pk, now=match.deadline + ms(201))
    own.refresh_from_db()
    assert own.timeouts == 1


def test_a_trip_that_is_measured_in_ones_turn_counts_from_the_next(
    seat: tuple[Match, Seat], player_at: Any
) -> None:
    match, own = seat
    other = match.seat_set.exclude(pk=own.pk).get()
    for each in (own, other):
        services.seen(match_id=match.pk, player=player_at(match, each.index), trip_ms=90_000)
        each.refresh_from_db()
    assert (own.trip_ms, other.trip_ms) == (200, 10_000)
