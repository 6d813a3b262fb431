"""Deadlines and banks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games import clock
from games.trips import Trips

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def seconds(n: float) -> timedelta:
    return timedelta(seconds=n)


def test_a_move_counts_until_deadline_bank_and_lag_are_over() -> None:
    assert clock.last_moment(NOON, 2000) == NOON + seconds(2.5)
    assert clock.last_moment(NOON, 0) == NOON + clock.LAG


@pytest.mark.parametrize(
    ("late", "left"),
    [(-5, 3000), (0, 3000), (0.5, 3000), (0.6, 2900), (1.5, 2000), (3.5, 0), (9, 0)],
)
def test_a_bank_pays_for_what_is_beyond_the_lag(late: float, left: int) -> None:
    assert clock.bank_after(NOON, 3000, NOON + seconds(late)) == left


def test_the_servers_pace_varies_by_a_quarter_and_repeats() -> None:
    delays = [clock.server_delay(1000, "match", seq) for seq in range(500)]
    assert min(delays) >= seconds(0.75)
    assert max(delays) <= seconds(1.25)
    assert len(set(delays)) > 300
    assert delays[7] == clock.server_delay(1000, "match", 7)
    assert clock.server_delay(0, "match", 7) == seconds(0)


def test_a_turn_begins_where_its_deadline_says() -> None:
    assert clock.turn_start(clock.turn_end(NOON, 15), 15) == NOON


def test_someone_is_present_for_25_seconds_after_a_sign_of_life() -> None:
    assert clock.is_present(NOON, NOON + seconds(25))
    assert not clock.is_present(NOON, NOON + seconds(25.001))
    assert not clock.is_present(None, NOON)


@pytest.mark.parametrize(
    ("trip_ms", "left_ms", "given"),
    [
        (None, 2000, 500), (0, 2000, 100), (99, 2000, 100), (240, 2000, 240), (9000, 2000, 500),
        (240, 180, 180), (None, 0, 0), (0, 40, 40),
    ],
)  # fmt: skip
def test_a_turns_lag_is_the_measured_trip_within_the_caps(
    trip_ms: int | None, left_ms: int, given: int
) -> None:
    assert clock.lag(trip_ms, left_ms) == timedelta(milliseconds=given)


@pytest.mark.parametrize(
    ("late", "left"), [(-3, 2000), (0, 2000), (0.1, 1900), (0.3, 1800), (60, 1800)]
)
def test_only_what_came_after_the_deadline_is_used_of_a_rounds_lag(late: float, left: int) -> None:
    given = timedelta(milliseconds=200)
    assert clock.lag_left(NOON, 2000, NOON + seconds(late), given) == left


def test_a_liar_gains_no_more_than_two_seconds_in_a_round() -> None:
    left, gained = 2000, timedelta(0)
    for _turn in range(14):
        given = clock.lag(60_000, left)
        gained += given
        left = clock.lag_left(NOON, left, clock.last_moment(NOON, 0, given), given)
    assert gained == seconds(2)


def test_only_the_pong_that_was_sent_last_measures_a_trip_and_once() -> None:
    trips = Trips()
    assert trips.longest_ms is None
    trips.sent(NOON)
    trips.answered(clock.ms(NOON) - 1, NOON)
    assert trips.longest_ms is None
    trips.answered(clock.ms(NOON), NOON + seconds(0.08))
    trips.answered(clock.ms(NOON), NOON + seconds(9))
    assert trips.longest_ms == 80


def test_the_longest_of_the_last_eight_trips_counts() -> None:
    trips = Trips()
    for taken in (0.4, 0.1, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1):
        trips.sent(NOON)
        trips.answered(clock.ms(NOON), NOON + seconds(taken))
    assert trips.longest_ms == 400
    trips.sent(NOON)
    trips.answered(clock.ms(NOON), NOON + seconds(0.1))
    assert trips.longest_ms == 200
