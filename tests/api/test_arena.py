"""An arena by way of the API."""

from __future__ import annotations

from typing import Any

import pytest

from tournaments import services, tasks

pytestmark = pytest.mark.django_db


def test_an_arena_is_joined_paused_and_followed_by_token(
    person: Any, call: Any, problem: Any
) -> None:
    olga, marta, otis = person("olga"), person("marta"), person("otis")
    cup = services.create(organiser=olga, name="Arena", format="arena", options={"minutes": 30})
    services.open_registration(tournament_id=cup.pk, by=olga)
    at = f"/api/v1/tournaments/{cup.slug}/"
    assert call().get(f"{at}arena/").json()["phase"] == "none"
    for player in (marta, otis):
        assert call(player).post(f"{at}entrants/").status_code == 201
    services.start(tournament_id=cup.pk, by=olga)

    shown = call(marta).get(f"{at}arena/").json()
    assert (shown["phase"], shown["you"], shown["waiting"]) == ("running", "waiting", 2)
    assert 1700 < shown["seconds_left"] <= 1800
    assert call(marta).post(f"{at}arena/pause/").json()["you"] == "paused"
    assert tasks.pair_arenas() == 0
    assert call(marta).post(f"{at}arena/resume/").json()["you"] == "waiting"
    assert tasks.pair_arenas() == 2
    assert call(marta).get(f"{at}arena/").json()["you"] == "playing"
    assert call().get(f"{at}arena/").json()["you"] == "watch"
    assert problem(call(olga).post(f"{at}arena/pause/"), 404)["code"] == "no_entrant"

    rows = call().get(f"{at}standings/").json()
    assert {row["name"] for row in rows} == {"Marta", "Otis"}
    assert rows[0]["criteria"] == {"wins": 0, "difference": 0, "played": 0, "streak": 0}
