from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from players.models import Player
from tournaments import moments, services
from tournaments.errors import TournamentError
from tournaments.models import Tournament

NEW_YORK = "America/New_York"


def test_z1_a_time_that_the_clocks_skip_does_not_exist() -> None:
    skipped = moments.parse("2017-03-12T02:23")
    with pytest.raises(moments.BadMoment) as refused:
        moments.resolve(skipped, NEW_YORK)
    assert refused.value.code == "no_such_time"
    assert moments.resolve(skipped, "UTC") == dt.datetime(2017, 3, 12, 2, 23, tzinfo=dt.UTC)


def test_z2_a_time_that_comes_twice_is_asked_for_and_not_guessed() -> None:
    twice = moments.parse("2017-11-05T01:30")
    with pytest.raises(moments.BadMoment) as refused:
        moments.resolve(twice, NEW_YORK)
    assert (refused.value.code, refused.value.offsets) == ("time_twice", ("-04:00", "-05:00"))
    first = moments.resolve(twice, NEW_YORK, "-04:00")
    second = moments.resolve(twice, NEW_YORK, "-05:00")
    assert second - first == dt.timedelta(hours=1)
    assert first == dt.datetime(2017, 11, 5, 5, 30, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("wall", "zone"),
    [
        ("2026-03-29T02:30", "Europe/Berlin"),
        ("2026-10-04T02:15", "Australia/Lord_Howe"),  # half an hour is skipped
        ("2011-12-30T12:00", "Pacific/Apia"),  # a whole day is
    ],
)
def test_every_kind_of_gap_is_refused(wall: str, zone: str) -> None:
    with pytest.raises(moments.BadMoment, match="no_such_time"):
        moments.resolve(moments.parse(wall), zone)


def test_a_week_later_is_the_same_time_on_the_wall() -> None:
    friday = moments.resolve(moments.parse("2017-10-30T19:00"), NEW_YORK)
    later = moments.days_later(friday, NEW_YORK, 7)
    assert moments.local(later, NEW_YORK).isoformat() == "2017-11-06T19:00:00-05:00"
    assert later - friday == dt.timedelta(days=7, hours=1)


@pytest.mark.parametrize(
    "text", ["", "tomorrow", "2017-11-05", "2017-13-05T01:30", "0001-01-01T00:00"]
)
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(moments.BadMoment, match="bad_moment"):
        moments.parse(text)


@pytest.mark.parametrize(
    ("changes", "code", "key"),
    [
        ({"zone": "Mars/Olympus"}, "bad_zone", "zone"),
        ({"zone": NEW_YORK, "starts_at": "2017-03-12T02:23"}, "no_such_time", "starts_at"),
        ({"zone": NEW_YORK, "closes_at": "2017-11-05T01:30"}, "time_twice", "closes_at"),
        (
            {"starts_at": "2027-01-01T10:00", "closes_at": "2027-01-01T10:01"},
            "closes_late",
            "closes_at",
        ),
        ({"weekly": True}, "no_start", "weekly"),
    ],
)
def test_an_event_takes_no_impossible_time(
    organiser: Player, changes: dict[str, Any], code: str, key: str
) -> None:
    for name in ("starts_at", "closes_at"):
        if name in changes:
            changes[name] = moments.parse(changes[name])
    with pytest.raises(TournamentError) as refused:
        services.create(organiser=organiser, name="Cup", **changes)
    assert (refused.value.code, refused.value.facts["key"]) == (code, key)


def test_a_local_time_is_one_of_the_events_zone(event: Callable[..., Tournament]) -> None:
    made = event(zone="Asia/Kolkata", starts_at=dt.datetime(2027, 1, 1, 10))
    made.refresh_from_db()
    assert made.starts_at == dt.datetime(2027, 1, 1, 4, 30, tzinfo=dt.UTC)
    services.edit(tournament_id=made.pk, by=made.organiser, starts_at=dt.datetime(2027, 1, 1, 11))
    made.refresh_from_db()
    assert made.starts_at == dt.datetime(2027, 1, 1, 5, 30, tzinfo=dt.UTC)
