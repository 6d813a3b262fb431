"""Challenge ladders by way of the API."""

from __future__ import annotations

from typing import Any

import pytest

from tournaments.ladders import services

pytestmark = pytest.mark.django_db


def test_one_joins_challenges_and_is_answered_by_token(
    person: Any, call: Any, problem: Any
) -> None:
    marta, otis = person("marta"), person("otis")
    made = services.create(owner=marta, name="Thursdays")
    at = f"/api/v1/ladders/{made.slug}/"
    assert [row["slug"] for row in call().get("/api/v1/ladders/").json()] == ["thursdays"]
    assert call().get(at).json()["reach"] == 5
    for rank, player in enumerate((marta, otis), start=1):
        assert call(player).post(f"{at}places/").json()["rank"] == rank
    refused = call(marta).post(f"{at}challenges/", {"defender": "otis"})
    assert problem(refused, 409)["code"] == "not_higher"
    made_challenge = call(otis).post(f"{at}challenges/", {"defender": "marta"})
    assert made_challenge.status_code == 201
    pk = made_challenge.json()["id"]
    refused = call(otis).post(f"{at}challenges/{pk}/", {"answer": "accept"})
    assert problem(refused, 403)["code"] == "not_yours"
    answered = call(marta).post(f"{at}challenges/{pk}/", {"answer": "accept"})
    assert answered.json()["state"] == "accepted"
    assert [each["id"] for each in call().get(f"{at}challenges/").json()] == [pk]
    assert call().get("/api/v1/ladders/none/").status_code == 404
