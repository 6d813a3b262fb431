"""An event's times, access and entries by token."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from tournaments.models import Tournament

T = "/api/v1/tournaments/"


@pytest.fixture
def organiser(person, call):
    return call(person("organiser"))


@pytest.mark.parametrize(
    ("starts_at", "code"),
    [
        ("2017-03-12T02:23", "no_such_time"),  # cases.md Z1
        ("2017-11-05T01:30", "time_twice"),  # Z2
    ],
)
def test_z1_z2_a_local_time_that_is_not_one_moment_is_refused(organiser, problem, starts_at, code):
    body = {"name": "Cup", "zone": "America/New_York", "starts_at": starts_at}
    refused = problem(organiser.post(T, body), 400)
    assert refused["code"] == code
    assert refused["errors"][0]["pointer"] == "/starts_at"
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("starts_at", [1510000000, "", "soon", "2017-11-05", None])
def test_what_is_no_moment_is_refused_and_null_is_none(organiser, starts_at):
    made = organiser.post(T, {"name": "Cup", "starts_at": starts_at})
    assert made.status_code == (201 if starts_at is None else 400)


def test_times_come_back_on_the_clocks_of_their_zone(organiser):
    body = {"name": "Cup", "zone": "America/New_York", "starts_at": "2040-11-04T01:30:00-05:00"}
    made = organiser.post(T, body).json()
    assert (made["starts_at"], made["zone"]) == ("2040-11-04T01:30:00-05:00", "America/New_York")
    local = organiser.patch(f"{T}{made['slug']}/", {"starts_at": "2040-07-04T19:00"}).json()
    assert local["starts_at"] == "2040-07-04T19:00:00-04:00"


def test_the_key_of_a_link_is_for_those_who_run_the_event(organiser, call, person, problem):
    made = organiser.post(T, {"name": "Cup", "access": "link"}).json()
    base = f"{T}{made['slug']}/"
    assert len(made["link_key"]) == 24
    organiser.post(f"{base}open/")
    player = call(person("player"))
    assert player.get(base).json()["link_key"] is None
    assert problem(player.post(f"{base}entrants/"), 403)["code"] == "no_link"
    assert player.post(f"{base}entrants/", {"key": made["link_key"]}).status_code == 201
    assert organiser.post(f"{base}link/").json()["link_key"] != made["link_key"]
    assert made["slug"] not in [row["slug"] for row in player.get(T).json()["results"]]


def test_entries_are_made_and_checked_in(organiser, call, person, problem):
    start = timezone.now() + dt.timedelta(minutes=20)
    body = {"name": "Cup", "starts_at": start.isoformat(), "check_in_minutes": 30}
    base = f"{T}{organiser.post(T, body).json()['slug']}/"
    organiser.post(f"{base}announce/")
    assert organiser.get(base).json()["status"] == "announced"
    organiser.post(f"{base}open/")
    rows = [
        {"name": "Ann"},
        {"name": "ann"},
        {"account": "nobody"},
        {"name": "Ben"},
    ]
    answer = organiser.post(f"{base}roster/", {"entrants": rows}).json()
    assert [row["name"] for row in answer["entered"]] == ["Ann", "Ben"]
    assert [(row["index"], row["code"]) for row in answer["refused"]] == [
        (1, "twice"),
        (2, "no_account"),
    ]
    ann = answer["entered"][0]["id"]
    here = organiser.post(f"{base}entries/{ann}/check-in/")
    assert here.json()["checked_in_at"] is not None
    stranger = call(person("stranger"))
    assert problem(stranger.post(f"{base}entries/{ann}/check-in/"), 403)
    assert (
        organiser.post(f"{base}entries/{ann}/check-in/", {"here": False}).json()["checked_in_at"]
        is None
    )


def test_a_rest_is_asked_for_and_given_up(organiser, call, person, problem):
    body = {"name": "Cup", "format": "swiss", "rests_allowed": 1, "rest_worth": "half"}
    base = f"{T}{organiser.post(T, body).json()['slug']}/"
    organiser.post(f"{base}open/")
    player = call(person("player"))
    entry = player.post(f"{base}entrants/").json()["id"]
    rest = player.post(f"{base}entries/{entry}/rests/", {"round": 2})
    assert (rest.status_code, rest.json()) == (
        201,
        {"stage": 1, "round": 2, "points": 6, "asked": True},
    )
    again = player.post(f"{base}entries/{entry}/rests/", {"round": 3})
    assert problem(again, 409)["code"] == "rests_used"
    assert player.delete(f"{base}entries/{entry}/rests/1/2/").status_code == 204


def test_next_weeks_event_is_made_once(organiser):
    body = {"name": "Cup", "zone": "Europe/Berlin", "starts_at": "2040-10-26T19:00"}
    base = f"{T}{organiser.post(T, body).json()['slug']}/"
    following = organiser.post(f"{base}next-week/").json()
    assert following["starts_at"] == "2040-11-02T19:00:00+01:00"
    assert organiser.post(f"{base}next-week/").json()["slug"] == following["slug"]
    assert organiser.post(f"{base}copy/").json()["status"] == "draft"
