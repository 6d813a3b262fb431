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


def test_a_ladder_over_the_board_is_made_played_and_corrected_by_token(
    person: Any, call: Any, problem: Any
) -> None:
    olga, ada, ben = (person(name) for name in ("olga", "ada", "ben"))
    made = call(olga).post(
        "/api/v1/ladders/", {"name": "Board", "play": "board", "rules": {"preset": "draw"}}
    )
    assert (made.status_code, made.json()["preset"], made.json()["play"]) == (201, "draw", "board")
    at = "/api/v1/ladders/board/"
    assert call(olga).patch(at, {"idle_days": 0}).json()["idle_days"] == 0
    for player in (ada, ben):
        call(player).post(f"{at}places/")
    number = call(ben).post(f"{at}challenges/", {"defender": "ada"}).json()["id"]
    one = f"{at}challenges/{number}/"
    call(ada).post(one, {"answer": "accept"})
    said = call(ben).post(f"{one}result/", {"winner": "ben"}).json()
    assert (said["reported"], said["reported_by"], said["winner"]) == ("ben", "ben", None)
    assert call(ada).post(f"{one}result/", {"winner": "ben"}).json()["winner"] == "ben"
    assert [row["player"] for row in call().get(f"{at}places/").json()] == ["ben", "ada"]
    decided = {"winner": "ada", "reason": "The other table."}
    assert problem(call(ben).post(f"{one}result/", decided), 403)["code"] == "not_allowed"
    assert call(olga).post(f"{one}result/", decided).json()["winner"] == "ada"
    assert [row["player"] for row in call().get(f"{at}places/").json()] == ["ada", "ben"]
    (played,) = call().get(f"{at}played/").json()
    assert (played["id"], played["winner"]) == (number, "ada")
    assert call(ada).delete(f"{at}places/").status_code == 204
    assert [row["player"] for row in call().get(f"{at}places/").json()] == ["ben"]
