"""Quick play by the API."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from games.models import Match

SEEKS = "/api/v1/quick/seeks/"
QUEUE = {"queue": "allfives-100-normal"}


@pytest.mark.django_db
def test_two_wait_and_are_matched(call, person, problem):
    one, other = call(person("ana")), call(person("ben"))
    problem(one.get(SEEKS), 404)
    assert APIClient().get(SEEKS).status_code == 401
    made = one.post(SEEKS, QUEUE)
    assert made.status_code == 201
    assert made.json() == {
        "state": "waiting", "queue": "allfives-100-normal", "rated": True, "unrated": False,
        "created_at": made.json()["created_at"], "seconds": 0, "reach": 130, "party": "",
        "partner": None, "match": None, "url": None,
    }  # fmt: skip
    assert one.post(SEEKS, QUEUE).json()["created_at"] == made.json()["created_at"]
    queues = APIClient().get("/api/v1/quick/queues/").json()
    assert [each["key"] for each in queues if each["waiting"]] == ["allfives-100-normal"]
    assert other.post(SEEKS, QUEUE).json()["state"] == "matched"
    match = Match.objects.get()
    found = one.get(SEEKS).json()
    assert (found["state"], found["match"]) == ("matched", match.pk)
    assert found["url"].endswith(f"/t/{match.pk}")
    assert problem(one.post(SEEKS, QUEUE), 409)["code"] == "seated"


@pytest.mark.django_db
def test_stopping_twice_is_stopping(call, person):
    client = call(person())
    client.post(SEEKS, QUEUE)
    assert [client.delete(SEEKS).status_code for _ in range(2)] == [204, 204]
    assert client.get(SEEKS).json()["state"] == "cancelled"


@pytest.mark.django_db
def test_a_party_and_a_bot(call, person, problem):
    host, friend = call(person("ana")), call(person("ben"))
    wish = {"queue": "partners-150-normal"}
    party = host.post(SEEKS, {**wish, "invite": True}).json()["party"]
    assert friend.post(SEEKS, {**wish, "party": party}).json()["partner"] == "ana"
    assert host.post(SEEKS, {**wish, "invite": True}).json()["partner"] == "ben"
    match = host.post("/api/v1/quick/bot/").json()
    assert [seat["kind"] for seat in match["seats"]] == ["player", "bot"] * 2
    assert friend.get(SEEKS).json()["match"] == match["id"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"queue": "whist"}, "/queue"),
        ({**QUEUE, "invite": True}, "/queue"),
        ({**QUEUE, "invite": True, "party": "x"}, "/invite"),
        ({}, "/queue"),
        ({**QUEUE, "rated": 1}, "/rated"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(body, pointer, call, person, problem):
    answer = problem(call(person()).post(SEEKS, body), 400)
    assert [each["pointer"] for each in answer["errors"]] == [pointer]
