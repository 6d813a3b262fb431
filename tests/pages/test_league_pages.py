"""A league in the browser: made, joined, begun, played, and its next season."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client

from players.models import Player
from tournaments import services
from tournaments.models import League, Pairing

FORM = {
    "name": "Thursday League", "text": "At the harbour.", "preset": "allfives", "target": "",
    "sizes": "3, 4", "moves": "1", "days": "40", "legs": "1", "best_of": "1", "rated": "on",
}  # fmt: skip


def test_a_league_from_the_form_to_its_second_season(
    make_player: Callable[..., Player], as_player: Callable[[Player], Client]
) -> None:
    owner = make_player("Olga")
    client = as_player(owner)
    assert client.get("/leagues/new").status_code == 200
    assert "whole numbers" in client.post("/leagues/new", {**FORM, "sizes": "x"}).content.decode()
    assert client.post("/leagues/new", FORM)["Location"] == "/leagues/thursday-league"
    league = League.objects.get()
    assert (league.sizes, league.moves, league.days) == ([3, 4], 1, 40)
    for number in range(6):
        player = make_player(f"P{number}")
        assert as_player(player).post("/leagues/thursday-league/join").status_code == 302
    page = client.get("/leagues/thursday-league").content.decode()
    assert "In from the next season on" in page
    confirm = client.get("/leagues/thursday-league/next").content.decode()
    assert confirm.count("<select") == 6
    assert client.post("/leagues/thursday-league/next", {}).status_code == 302
    page = client.get("/leagues/thursday-league").content.decode()
    assert "Division 2" in page
    assert "would go" not in page
    for pairing in Pairing.objects.all():
        winner = pairing.slots.get(index=0).entrant_id
        services.report_result(
            pairing_id=pairing.pk, by=owner, outcome="decision", winner=winner, reason="x"
        )
    page = client.get("/leagues/thursday-league").content.decode()
    assert "Prepare the next season" in page
    assert 'class="way up' in page
    division = client.get("/tournaments/thursday-league-1-1").content.decode()
    assert 'href="/leagues/thursday-league"' in division
    assert "<h1><bdi>Thursday League 1, division 1</bdi></h1>" in division
    listed = Client().get("/leagues").content.decode()
    assert "Thursday League" in listed
    shown = Client().get("/api/v1/leagues/thursday-league/").json()
    assert [len(each["rows"]) for each in shown["divisions"]] == [3, 3]
    assert (shown["season"], shown["over"]) == (1, True)
    assert Client().get("/api/v1/leagues/").json()["results"][0]["slug"] == "thursday-league"
    assert client.post("/leagues/thursday-league/next", {}).status_code == 302
    page = client.get("/leagues/thursday-league").content.decode()
    assert "Earlier seasons" in page
    stranger = as_player(make_player())
    assert stranger.get("/leagues/thursday-league/next").status_code == 404
    assert stranger.get("/leagues/thursday-league/edit").status_code == 404
    assert client.post("/leagues/thursday-league/edit", {**FORM, "moves": "2"}).status_code == 302


def test_a_player_says_that_they_are_there(
    make_player: Callable[..., Player], as_player: Callable[[Player], Client]
) -> None:
    owner, one, other = make_player("Olga"), make_player("Ada"), make_player("Bo")
    league = services.create_league(owner=owner, name="Two")
    for player in (one, other):
        services.join_league(league_id=league.pk, player=player)
    as_player(owner).post("/leagues/two/next", {})
    pairing = Pairing.objects.get()
    data = {"pairing": pairing.pk}
    assert as_player(one).post("/leagues/two/play", data).status_code == 302
    page = as_player(other).get("/leagues/two").content.decode()
    assert "is there" in page
    assert as_player(other).post("/leagues/two/play", data).status_code == 302
    assert "Go to your table" in as_player(one).get("/leagues/two").content.decode()
