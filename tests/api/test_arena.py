"""An arena by way of the API."""

from __future__ import annotations

from typing import Any

import pytest

from tournaments import services, tasks
from tournaments.models import Pairing

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

    (match,) = call().get(f"{at}arena/matches/").json()["results"]
    assert match["status"] == "live"
    assert len(call().get(f"{at}bracket/").json()["rounds"]) == 1
    rows = call().get(f"{at}standings/").json()
    assert {row["name"] for row in rows} == {"Marta", "Otis"}
    assert rows[0]["criteria"] == {"wins": 0, "difference": 0, "played": 0, "streak": 0}


def test_every_pairing_of_an_arena_is_listed_in_pages_or_of_one_player(
    person: Any, call: Any, problem: Any
) -> None:
    olga, people = person("olga"), [person(f"player{n}") for n in range(4)]
    cup = services.create(organiser=olga, name="Arena", format="arena", options={"minutes": 30})
    services.open_registration(tournament_id=cup.pk, by=olga)
    at = f"/api/v1/tournaments/{cup.slug}/"
    assert problem(call().get(f"{at}arena/matches/"), 404)
    for player in people:
        services.join(tournament_id=cup.pk, player=player)
    services.start(tournament_id=cup.pk, by=olga)
    for _round in range(3):
        tasks.pair_arenas()
        for pairing in Pairing.objects.exclude(status="decided"):
            winner = pairing.slots.get(index=0).entrant_id
            services.report_result(
                pairing_id=pairing.pk, by=olga, outcome="decision", winner=winner, reason="x"
            )
    first = call().get(f"{at}arena/matches/?limit=4").json()
    then = call().get(first["next"]).json()
    assert [row["number"] for row in first["results"] + then["results"]] == [6, 5, 4, 3, 2, 1]
    assert then["next"] is None
    own = call().get(f"{at}arena/matches/?player=player0").json()["results"]
    assert len(own) == 3
    assert all("player0" in [slot["player"] for slot in row["slots"]] for row in own)
    assert call().get(f"{at}arena/matches/?player=nobody").json()["results"] == []
