"""Deadlines and banks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games import clock

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
