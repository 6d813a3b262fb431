"""A round drawn, published, started and entered by token alone."""

from __future__ import annotations

import pytest

from tournaments import services, tasks
from tournaments.models import Tournament

T = "/api/v1/tournaments/"


@pytest.fixture
def cup(person, call):
    """A Swiss of four over the board, whose rounds the arbiter starts and whose players report."""
    organiser, people = person("organiser"), [person(f"player{n}") for n in range(4)]
    made = services.create(
        organiser=organiser,
        name="Friday Cup",
        format="swiss",
        options={"rounds": 2},
        play="board",
        round_start="arbiter",
        reports="players",
        round_minutes=30,
    )
    services.open_registration(tournament_id=made.pk, by=organiser)
    for player in people:
        services.join(tournament_id=made.pk, player=player)
    services.start(tournament_id=made.pk, by=organiser)
    return f"{T}{made.slug}/", call(organiser), {p.handle: call(p) for p in people}


def test_a_round_goes_from_draft_to_its_results(cup, call, person):
    base, organiser, people = cup
    stranger = call(person("stranger"))
    assert stranger.post(f"{base}rounds/").status_code == 403
    asked = organiser.post(f"{base}rounds/")
    assert asked.status_code == 201, asked.content
    assert (asked.json()["status"], asked.json()["drawn"]) == ("draft", False)
    tasks.draw_round(Tournament.objects.get().pk)
    assert stranger.get(f"{base}rounds/").json() == []
    assert organiser.get(f"{base}rounds/").json()[0]["drawn"] is True
    row = f"{base}rounds/1/"
    assert stranger.post(row, {"do": "publish"}).status_code == 404
    refused = organiser.post(row, {"do": "start"})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_published")
    assert organiser.post(row, {"do": "publish"}).json()["status"] == "published"
    started = organiser.post(row, {"do": "start"}).json()
    assert started["status"] == "started"
    later = organiser.post(row, {"do": "add_time", "minutes": 5}).json()
    assert later["ends_at"] > started["ends_at"]
    assert organiser.post(row, {"do": "add_time"}).status_code in (400, 409, 422)
    assert organiser.delete(row, {"reason": "x"}).status_code == 409

    pairing = organiser.get(f"{base}bracket/").json()["rounds"][0]["pairings"][0]
    one, other = (people[slot["player"]] for slot in pairing["slots"])
    path = f"{base}pairings/{pairing['number']}/sheets/"
    assert stranger.post(path, {"scores": [1, 2]}).status_code == 403
    assert one.post(path, {"scores": [150, 95]}).json()["state"] == "waiting"
    assert other.post(path, {"scores": [150, 95]}).json()["state"] == "official"
    results = organiser.get(f"{base}pairings/{pairing['number']}/results/").json()
    assert [(each["outcome"], each["scores"]) for each in results] == [("played", [150, 95])]
