"""The pages of challenge ladders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from players import clubs
from players.models import Player
from tournaments.ladders import selectors
from tournaments.models import Challenge, Ladder

Make = Callable[..., Player]
Enter = Callable[[Player], Client]
FORM = {
    "name": "Thursday ladder",
    "preset": "allfives",
    "target": "",
    "turn_seconds": "15",
    "play": "board",
    "best_of": "1",
    "refusal": "place",
    "free_refusals": "0",
    "reach": "3",
    "answer_days": "2",
    "play_days": "5",
    "idle_days": "20",
    "no_show_seconds": "120",
    "rated": "on",
}


def page_of(client: Client, ladder: Ladder) -> str:
    response = client.get(f"/ladders/{ladder.slug}")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def do(client: Client, ladder: Ladder, deed: str, **data: Any) -> str:
    response = client.post(f"/ladders/{ladder.slug}/{deed}", data, follow=True)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def names(ladder: Ladder) -> list[str]:
    return [row.player.name for row in selectors.places(ladder)]


def test_from_a_new_ladder_to_a_changed_place_by_its_buttons(
    make_player: Make, as_player: Enter
) -> None:
    one, two = make_player("Ana"), make_player("Bo")
    ana, bo = as_player(one), as_player(two)
    assert ana.post("/ladders/new", FORM).status_code == 302
    ladder = Ladder.objects.get()
    assert (ladder.refusal, ladder.reach, ladder.play) == ("place", 3, "board")
    assert "Thursday ladder" in ana.get("/ladders").content.decode()
    assert "Join at the bottom" in page_of(bo, ladder)
    for client in (ana, bo):
        do(client, ladder, "join")
    assert "Challenge<span" in page_of(bo, ladder)
    do(bo, ladder, "challenge", defender=one.handle)
    challenge = Challenge.objects.get()
    assert "Bo has challenged you." in page_of(ana, ladder)
    assert "Take back" in page_of(bo, ladder)
    do(ana, ladder, "accept", challenge=challenge.pk)
    do(bo, ladder, "report", result=f"{challenge.pk}:{two.handle}")
    assert "Bo says Bo won." in page_of(ana, ladder)
    do(ana, ladder, "report", result=f"{challenge.pk}:{two.handle}")
    assert names(ladder) == ["Bo", "Ana"]
    page = page_of(ana, ladder)
    assert "Bo beat Ana and moved up." in page
    assert "Correct a result" in page
    do(ana, ladder, "correct", challenge=challenge.pk, winner=one.handle, reason="Misheard")
    assert names(ladder) == ["Ana", "Bo"]
    assert "Misheard" in page_of(bo, ladder)
    assert "Correct a result" not in page_of(bo, ladder)


def test_what_is_refused_is_said(make_player: Make, as_player: Enter, client: Client) -> None:
    one, two = make_player(), make_player()
    as_player(one).post("/ladders/new", FORM)
    ladder = Ladder.objects.get()
    do(as_player(one), ladder, "join")
    assert "Both have to be on the ladder." in do(
        as_player(two), ladder, "challenge", defender=one.handle
    )
    assert "There is no such challenge." in do(as_player(two), ladder, "accept", challenge="x")
    assert client.post(f"/ladders/{ladder.slug}/join").status_code == 302
    assert "needs an account" in page_of(client, ladder)
    assert client.post(f"/ladders/{ladder.slug}/burn").status_code == 404


def test_settings_are_changed_by_whoever_runs_it(make_player: Make, as_player: Enter) -> None:
    one, two = make_player(), make_player()
    as_player(one).post("/ladders/new", FORM)
    ladder = Ladder.objects.get()
    assert as_player(two).get(f"/ladders/{ladder.slug}/edit").status_code == 404
    assert 'value="3"' in as_player(one).get(f"/ladders/{ladder.slug}/edit").content.decode()
    as_player(one).post(f"/ladders/{ladder.slug}/edit", {**FORM, "reach": "0"})
    ladder.refresh_from_db()
    assert ladder.reach == 0
    bad = as_player(one).post(f"/ladders/{ladder.slug}/edit", {**FORM, "answer_days": "0"})
    assert 'id="id_answer_days_error"' in bad.content.decode()


def test_an_owner_of_a_club_makes_its_ladder(make_player: Make, as_player: Enter) -> None:
    owner, stranger = make_player(), make_player()
    club = clubs.found(founder=owner, name="Five Club")
    as_player(owner).post("/ladders/new", {**FORM, "club": club.pk})
    ladder = Ladder.objects.get()
    assert ladder.club == club
    assert "Join at the bottom" not in page_of(as_player(stranger), ladder)
    assert "for the members of its club" in do(as_player(stranger), ladder, "join")


@pytest.mark.django_db
def test_a_long_ladder_takes_few_queries(
    make_player: Make, as_player: Enter, django_assert_max_num_queries: Any
) -> None:
    from tournaments.ladders import services

    people = [make_player() for _ in range(12)]
    ladder = services.create(owner=people[0], name="Long", reach=0)
    for player in people:
        services.join(ladder_id=ladder.pk, player=player)
    for player in people[1:6]:
        services.challenge(ladder_id=ladder.pk, player=people[-1], defender=player)
    client = as_player(people[-1])
    with django_assert_max_num_queries(16):
        page_of(client, ladder)
