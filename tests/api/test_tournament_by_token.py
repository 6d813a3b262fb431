"""A tournament from its making to its last result, by token alone; and requests sent twice."""

from __future__ import annotations

import pytest
from django.utils import timezone

from api.models import IdempotentRequest
from games.models import Match
from tournaments.models import Result, Tournament

T = "/api/v1/tournaments/"


@pytest.fixture
def running(person, call):
    """A started tournament of four people: its address, the organiser's client, the people."""
    organiser = call(person("organiser"))
    people = [person(f"player{n}") for n in range(4)]
    body = {"name": "Friday Cup", "capacity": 4, "rules": {"preset": "allfives", "target": 100}}
    made = organiser.post(T, body)
    assert made.status_code == 201
    base = f"{T}{made.json()['slug']}/"
    assert organiser.post(f"{base}open/").json()["status"] == "registration"
    for player in people:
        assert call(player).post(f"{base}entrants/").status_code == 201
    return base, organiser, people


def test_a_tournament_end_to_end(running, call, person):
    base, organiser, _people = running
    late = call(person("late")).post(f"{base}entrants/")
    assert (late.status_code, late.json()["status"]) == (201, "waiting")
    assert organiser.get(base).json()["taken"] == 4
    assert organiser.get(f"{base}bracket/").json() == {"rounds": []}
    started = organiser.post(f"{base}start/")
    assert (started.status_code, started.json()["status"]) == (200, "running")
    rounds = organiser.get(f"{base}bracket/").json()["rounds"]
    assert [len(each["pairings"]) for each in rounds] == [2, 1]
    live = [pairing["live"]["match"] for pairing in rounds[0]["pairings"]]
    assert Match.objects.filter(pk__in=live).count() == 2

    for pairing in rounds[0]["pairings"]:
        result = {"outcome": "played", "winner": 0, "games": [1, 0], "scores": [100, 65]}
        path = f"{base}pairings/{pairing['number']}/results/"
        reported = organiser.post(path, result)
        assert reported.status_code == 201, reported.content
        assert reported.json()["version"] == 1
        assert organiser.get(path).json() == [reported.json()]
    final = organiser.get(f"{base}bracket/").json()["rounds"][1]["pairings"][0]
    assert [slot["kind"] for slot in final["slots"]] == ["entrant", "entrant"]
    path = f"{base}pairings/{final['number']}/results/"
    assert organiser.post(path, {"outcome": "played", "winner": 1}).status_code == 201
    over = organiser.get(base).json()
    assert over["status"] == "finished"
    assert over["finished_at"] is not None
    first = organiser.get(f"{base}standings/").json()[0]
    assert (first["place"], first["player"]) == (1, final["slots"][1]["player"])
    placed = [row["place"] for row in organiser.get(f"{base}entrants/").json()]
    assert sorted(filter(None, placed)) == [1, 2, 3, 3]


def test_a_result_is_corrected_by_a_new_version_with_a_reason(running, problem):
    base, organiser, _people = running
    organiser.post(f"{base}start/")
    path = f"{base}pairings/1/results/"
    assert organiser.post(path, {"outcome": "played", "winner": 0}).status_code == 201
    correction = {"outcome": "played", "winner": 1, "expected_version": 1}
    assert problem(organiser.post(path, correction), 400)["code"] == "no_reason"
    corrected = organiser.post(path, {**correction, "reason": "Sheet misread"})
    assert (corrected.status_code, corrected.json()["version"]) == (201, 2)
    stale = organiser.post(
        path, {"outcome": "played", "winner": 0, "reason": "again", "expected_version": 1}
    )
    assert problem(stale, 409)["code"] == "stale"
    versions = organiser.get(path).json()
    assert [(row["version"], row["winner"], row["why"], row["reason"]) for row in versions] == [
        (1, 0, "", ""),
        (2, 1, "", "Sheet misread"),
    ]
    assert problem(organiser.post(path, {"outcome": "won", "winner": 0}), 400)
    assert problem(organiser.post(f"{base}pairings/3/results/", {"outcome": "played", "winner": 0}),
                   409)["code"] == "undecided"  # fmt: skip


def test_a_result_tells_the_rule_that_decided_it(running):
    base, organiser, _people = running
    organiser.post(f"{base}start/")
    pairing = organiser.get(f"{base}bracket/").json()["rounds"][0]["pairings"][0]
    gone = pairing["slots"][0]["player"]
    assert organiser.delete(f"{base}entrants/{gone}/").status_code == 204
    [row] = organiser.get(f"{base}pairings/{pairing['number']}/results/").json()
    assert (row["outcome"], row["why"], row["reason"]) == ("walkover", "withdrawn", "")
    shown = organiser.get(f"{base}bracket/").json()["rounds"][0]["pairings"][0]["result"]
    assert (shown["why"], shown["reason"]) == ("withdrawn", "")


def test_a_guest_may_not_run_an_event_by_knowing_its_address(running, call, person, problem):
    base, organiser, people = running
    organiser.post(f"{base}start/")
    response = call(people[0]).post(
        f"{base}pairings/1/results/", {"outcome": "played", "winner": 0}
    )
    assert problem(response, 403)["code"] == "not_allowed"
    assert not Result.objects.exclude(by=None).exists()


def test_withdrawing_frees_the_place_for_the_waiting_list(running, call, person):
    base, organiser, people = running
    late = call(person("late"))
    late.post(f"{base}entrants/")
    assert call(people[0]).delete(f"{base}entrants/player0/").status_code == 204
    entrants = {row["player"]: row["status"] for row in organiser.get(f"{base}entrants/").json()}
    assert entrants == dict.fromkeys(["player1", "player2", "player3", "late"], "active")


def test_a_request_sent_again_with_its_key_is_done_once(person, call):
    client = call(person())
    key = {"Idempotency-Key": "4c1f"}
    first = client.post(T, {"name": "Cup", "text": "ä"}, headers=key)
    again = client.post(T, {"text": "ä", "name": "Cup"}, headers=key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first
    assert Tournament.objects.count() == 1
    assert client.post(T, {"name": "Cup", "text": "ä"}).json()["slug"] != first.json()["slug"]


def test_a_key_used_for_another_request_is_refused(person, call, problem):
    client = call(person())
    key = {"Idempotency-Key": "4c1f"}
    client.post(T, {"name": "Cup"}, headers=key)
    assert problem(client.post(T, {"name": "Bowl"}, headers=key), 422)["code"] == "key_reused"
    assert problem(client.post("/api/v1/matches/", {}, headers=key), 422)
    assert (Tournament.objects.count(), Match.objects.count()) == (1, 0)


def test_a_key_is_its_player_s_own(person, call):
    key = {"Idempotency-Key": "4c1f"}
    for handle in ("marta", "ben"):
        assert call(person(handle)).post(T, {"name": "Cup"}, headers=key).status_code == 201
    assert Tournament.objects.count() == 2


def test_a_refused_request_may_be_sent_again(running, problem):
    base, organiser, _people = running
    key = {"Idempotency-Key": "start"}
    path = f"{base}pairings/1/results/"
    body = {"outcome": "played", "winner": 0}
    problem(organiser.post(path, body, headers=key), 404)
    organiser.post(f"{base}start/")
    assert organiser.post(path, body, headers=key).status_code == 201
    again = organiser.post(path, body, headers=key)
    assert (again.status_code, again["Idempotent-Replayed"]) == (201, "true")


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 201])
def test_a_key_that_is_none_is_refused(key, person, call, problem):
    response = call(person()).post(T, {"name": "Cup"}, headers={"Idempotency-Key": key})
    [error] = problem(response, 400)["errors"]
    assert error["header"] == "Idempotency-Key"
    assert not Tournament.objects.exists()


def test_keys_are_forgotten_after_a_day(person, call):
    client = call(person())
    client.post(T, {"name": "Cup"}, headers={"Idempotency-Key": "old"})
    IdempotentRequest.objects.update(created_at=timezone.now() - timezone.timedelta(days=2))
    client.post(T, {"name": "Bowl"}, headers={"Idempotency-Key": "new"})
    assert list(IdempotentRequest.objects.values_list("key", flat=True)) == ["new"]


def test_a_table_opened_twice_with_one_key_is_one_table(person, call):
    client = call(person())
    body = {"bots": {"1": "hard"}, "rules": {"target": 100}, "rated": False}
    one, two = (
        client.post("/api/v1/matches/", body, headers={"Idempotency-Key": "k"}).json()
        for _time in range(2)
    )
    assert one == two
    assert one["status"] == "running"
    assert (one["seats"][0]["kind"], one["seats"][0]["player"]) == ("player", "marta")
    assert one["seats"][1]["kind"] == "bot"
    assert Match.objects.count() == 1


def test_a_withdrawal_sent_again_with_its_key(running, call):
    base, organiser, people = running
    client = call(people[0])
    for _time in range(2):
        response = client.delete(f"{base}entrants/player0/", headers={"Idempotency-Key": "k"})
        assert response.status_code == 204
        assert response.content == b""
    assert organiser.get(base).json()["taken"] == 3
