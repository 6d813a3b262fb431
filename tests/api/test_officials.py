"""Roles, the log and corrections by token."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from tournaments.models import Official, Tournament

T = "/api/v1/tournaments/"


@pytest.fixture
def cup(person, call):
    """Four bots over the board, the first round played: its address and the organiser."""
    client = call(person("organiser"))
    slug = client.post(T, {"name": "Cup", "capacity": 4}).json()["slug"]
    Tournament.objects.update(play="board")
    base = f"{T}{slug}/"
    client.post(f"{base}open/")
    client.post(f"{base}bots/", {"count": 4})
    client.post(f"{base}start/")
    for number in (1, 2, 3):
        body = {"outcome": "played", "winner": 0, "scores": [100, 50]}
        assert client.post(f"{base}pairings/{number}/results/", body).status_code == 201
    return base, client


def test_somebody_is_invited_and_given_another_role(cup, person, call, problem):
    base, client = cup
    made = client.post(f"{base}invitations/", {"role": "scorer", "tables": [1]}).json()
    assert made["link"].startswith("http://testserver/invited/")
    assert "link" not in client.get(f"{base}invitations/").json()[0]
    ann = person("ann")
    hers = call(ann)
    problem(hers.get(f"{base}officials/"), 403)
    Official.objects.create(tournament=Tournament.objects.get(), player=ann, role="scorer")
    [shown] = hers.get(f"{base}officials/").json()
    assert (shown["player"], shown["role"]) == ("ann", "scorer")
    problem(hers.get(f"{base}invitations/"), 403)
    problem(hers.patch(f"{base}officials/ann/", {"role": "chief"}), 403)
    assert client.patch(f"{base}officials/ann/", {"role": "chief"}).json()["role"] == "chief"
    assert hers.delete(f"{base}invitations/{made['id']}/").status_code == 204
    assert hers.delete(f"{base}officials/ann/").status_code == 204
    problem(hers.get(f"{base}officials/"), 403)
    problem(client.patch(f"{base}officials/ann/", {"role": "chief"}), 404)
    problem(client.delete(f"{base}invitations/99999/"), 404)


def test_the_log_is_paged_filtered_and_for_officials(cup, person, call, problem):
    base, client = cup
    problem(APIClient().get(f"{base}log/"), 401)
    problem(call(person("ann")).get(f"{base}log/"), 403)
    lines = client.get(f"{base}log/?kind=results&limit=2").json()
    assert [line["action"] for line in lines["results"]] == ["result", "result"]
    assert lines["results"][0]["by"] == "organiser"
    assert "Match 3" in lines["results"][0]["text"]
    problem(client.get(f"{base}log/?kind=gossip"), 400)


def test_a_correction_is_looked_at_then_made(cup, problem):
    base, client = cup
    path = f"{base}pairings/1/"
    entry = {"outcome": "played", "winner": 1, "scores": [50, 100]}
    seen = client.post(f"{path}preview/", entry).json()
    assert (seen["version"], seen["begun"]) == (1, [3])
    assert [way["name"] for way in seen["ways"]] == ["void", "keep"]
    assert seen["ways"][0]["later"][0]["annulled"] is True
    commit = {**entry, "reason": "Typed wrong", "seen": seen["digest"], "expected_version": 1}
    assert problem(client.post(f"{path}results/", commit), 409)["code"] == "has_dependents"
    stale = {**commit, "seen": "x", "force": "keep"}
    assert problem(client.post(f"{path}results/", stale), 409)["code"] == "stale"
    assert client.post(f"{path}results/", {**commit, "force": "keep"}).status_code == 201
    final = client.get(f"{base}bracket/").json()["rounds"][-1]["pairings"][0]
    first = client.get(f"{base}bracket/").json()["rounds"][0]["pairings"][0]
    assert first["result"]["winner"] == 1
    assert first["result"]["kept"] == final["slots"][0]["text"]
