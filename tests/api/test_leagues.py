"""Leagues by way of the API: made, joined, begun, moved, closed."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from players import clubs
from tournaments import services
from tournaments.models import League, Pairing

pytestmark = pytest.mark.django_db

BASE = "/api/v1/leagues/"


def test_a_season_is_run_from_its_beginning_to_its_end_by_token(
    person: Any, call: Any, problem: Any
) -> None:
    olga, *people = (person(name) for name in ("olga", "ada", "ben", "cem", "dan"))
    mine = call(olga)
    made = mine.post(BASE, {"name": "Thursday", "sizes": [2], "moves": 1, "days": 30}).json()
    assert (made["slug"], made["season"], made["sizes"]) == ("thursday", None, [2])
    at = f"{BASE}thursday/"
    for player in people:
        assert call(player).post(f"{at}players/").status_code == 201
    assert [row["player"] for row in call().get(f"{at}players/").json()] == [
        "ada", "ben", "cem", "dan"]  # fmt: skip
    proposed = call().get(f"{at}next/").json()
    assert [(row["player"], row["division"], row["way"]) for row in proposed] == [
        ("ada", 1, "new"), ("ben", 1, "new"), ("cem", 2, "new"), ("dan", 2, "new")]  # fmt: skip
    assert problem(call(people[0]).post(f"{at}seasons/"), 403)["code"] == "not_allowed"
    named = {"divisions": [["ada", "cem"], ["ben", "dan"]]}
    begun = mine.post(f"{at}seasons/", named)
    assert begun.status_code == 201
    divisions = begun.json()["divisions"]
    assert [(each["up"], each["down"]) for each in divisions] == [(0, 1), (1, 0)]
    today = timezone.now().astimezone(dt.UTC).date()
    later = (today + dt.timedelta(days=90)).isoformat()
    assert mine.patch(f"{at}seasons/1/", {"ends_on": later}).json()["ends_on"] == later
    past = (today - dt.timedelta(days=1)).isoformat()
    wrong = problem(mine.patch(f"{at}seasons/1/", {"ends_on": past}), 400)
    assert (wrong["code"], wrong["errors"][0]["pointer"]) == ("bad_end", "/ends_on")
    for pairing in Pairing.objects.filter(stage__tournament__division__number=1):
        winner = pairing.slots.get(entrant__player=people[2]).entrant_id
        services.report_result(
            pairing_id=pairing.pk, by=olga, outcome="decision", winner=winner, reason="x"
        )
    closed = mine.post(f"{at}seasons/1/close/").json()
    assert closed["over"]
    assert [(row["player"], row["next"]) for row in closed["divisions"][0]["rows"]] == [
        ("cem", "stays"), ("ada", "down")]  # fmt: skip
    (season,) = call().get(f"{at}seasons/").json()
    assert (season["season"], season["over"], season["winners"]) == (1, True, ["cem"])
    assert call().get(f"{at}seasons/1/").json() == closed
    assert mine.delete(f"{at}players/dan/").status_code == 204
    assert problem(mine.post(f"{at}seasons/", {"divisions": [["ada", "ben", "cem"], ["dan"]]}), 400)
    second = mine.post(f"{at}seasons/", {"divisions": [["ada", "ben", "cem"]]})
    assert second.status_code == 201
    assert problem(mine.post(f"{at}seasons/1/close/"), 404)


def test_a_league_of_a_club_is_for_its_members_and_run_by_its_owners(
    person: Any, call: Any, problem: Any
) -> None:
    olga, other, member, stranger = (person(name) for name in ("olga", "otto", "mia", "sam"))
    club = clubs.found(founder=olga, name="Five Club")
    for player in (other, member):
        clubs.join(club_id=club.pk, player=player)
    clubs.set_rank(club_id=club.pk, by=olga, player=other, rank="owner")
    refused = problem(call(member).post(BASE, {"name": "No", "club": club.slug}), 403)
    assert refused["code"] == "not_allowed"
    made = call(olga).post(BASE, {"name": "Ours", "club": club.slug}).json()
    assert made["club"] == club.slug
    at = f"{BASE}ours/"
    assert problem(call(stranger).post(f"{at}players/"), 403)["code"] == "members_only"
    assert call(member).post(f"{at}players/").status_code == 201
    assert call(other).patch(at, {"text": "Thursdays"}).json()["text"] == "Thursdays"
    assert problem(call(member).patch(at, {"text": "x"}), 403)["code"] == "not_allowed"
    assert League.objects.get().club == club
