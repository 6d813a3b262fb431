"""Who plays, by API: pairs, stand-ins, wishes to be kept apart, seats."""

from __future__ import annotations

import pytest

from tournaments.models import Tournament


@pytest.fixture
def organiser(person, call):
    return call(person("organiser"))


def made(client, **settings):
    """The address of a tournament that is open for entry."""
    slug = client.post("/api/v1/tournaments/", {"name": "Cup", **settings}).json()["slug"]
    base = f"/api/v1/tournaments/{slug}/"
    assert client.post(f"{base}open/").status_code == 200
    return base


def entered(client, base, *names):
    """The ids of people entered by name."""
    answer = client.post(f"{base}roster/", {"entrants": [{"name": name} for name in names]})
    return [row["id"] for row in answer.json()["entered"]]


def test_a_partner_is_asked_and_accepts(organiser, call, person):
    base = made(organiser, sides="pairs")
    one, two = call(person("ann")), call(person("bob"))
    asked = one.post(f"{base}pair-invitations/", {"partner": "bob", "name": "The Sixes"}).json()
    assert (asked["player"], asked["partner"], asked["link"]) == ("ann", "bob", None)
    received = two.get(f"{base}pair-invitations/").json()
    assert received == {"sent": None, "received": [asked]}
    answer = two.post(f"{base}pair-invitations/{asked['key']}/")
    assert (answer.status_code, answer.json()["name"]) == (201, "The Sixes")
    assert one.get(f"{base}pair-invitations/").json() == {"sent": None, "received": []}


def test_a_link_is_for_whoever_opens_it_and_can_be_taken_back(organiser, call, person, problem):
    base = made(organiser, sides="pairs")
    one, two = call(person("ann")), call(person("bob"))
    asked = one.post(f"{base}pair-invitations/", {}).json()
    assert asked["link"].endswith(f"/pair/{asked['key']}")
    assert one.delete(f"{base}pair-invitations/{asked['key']}/").status_code == 204
    refused = two.post(f"{base}pair-invitations/{asked['key']}/")
    assert problem(refused, 409)["code"] == "no_pair_invitation"


def test_somebody_is_replaced_while_it_runs(organiser, problem):
    base = made(organiser, format="round_robin", play="board")
    one, _two = entered(organiser, base, "Ann Day", "Bob Day")
    assert organiser.post(f"{base}start/").status_code == 200
    url = f"{base}entries/{one}/replacement/"
    assert problem(organiser.post(url, {"name": "Nell Day"}), 400)["code"] == "no_reason"
    refused = problem(organiser.post(url, {"name": "Bob Day", "reason": "ill"}), 400)
    assert refused["errors"][0]["pointer"] == "/name"
    answer = organiser.post(url, {"name": "Nell Day", "reason": "ill"}).json()
    assert (answer["id"], answer["name"]) == (one, "Nell Day")


def test_people_are_kept_apart_and_let_meet(organiser, call, person, problem):
    base = made(organiser, format="swiss")
    ids = entered(organiser, base, "Ann Day", "Bob Day", "Cid Day")
    given = {"entrants": ids[:2], "name": "The Days"}
    wish = organiser.post(f"{base}apart/", given).json()
    assert organiser.get(f"{base}apart/").json() == [wish]
    assert (wish["kind"], wish["entrants"], wish["earlier"]) == ("people", ids[:2], None)
    stranger = call(person("stranger"))
    assert problem(stranger.get(f"{base}apart/"), 403)["code"] == "not_allowed"
    assert problem(organiser.post(f"{base}apart/", {}), 400)["code"] == "bad_apart"
    assert organiser.delete(f"{base}apart/{wish['id']}/").status_code == 204
    assert organiser.get(f"{base}apart/").json() == []


def test_seats_are_exchanged_after_a_look_at_what_it_means(organiser, problem):
    base = made(organiser, format="round_robin", play="board")
    entered(organiser, base, "Ann Day", "Bob Day", "Cid Day", "Dan Day")
    organiser.post(f"{base}start/")
    rows = list(Tournament.objects.get().entrants.order_by("seed").values_list("pk", flat=True))
    wanted = {"one": rows[0], "other": rows[1], "round": 1}
    looked = organiser.post(f"{base}exchange/", {**wanted, "preview": True}).json()
    assert looked["changes"][0]["after"] == [rows[1], rows[3]]
    assert looked["never"] == [[rows[0], rows[3]], [rows[1], rows[2]]]
    assert problem(organiser.post(f"{base}exchange/", wanted), 400)["code"] == "no_reason"
    done = organiser.post(f"{base}exchange/", {**wanted, "reason": "late bus"}).json()
    assert done == looked


def test_the_other_one_leads_before_a_drawn_round_starts(organiser, problem):
    base = made(organiser, format="swiss", play="board", round_start="arbiter")
    entered(organiser, base, "Ann Day", "Bob Day")
    organiser.post(f"{base}start/")
    organiser.post(f"{base}rounds/")
    from tournaments import services

    services.draw_due(tournament_id=Tournament.objects.get().pk)
    before = organiser.get(f"{base}bracket/").json()["rounds"][0]["pairings"][0]["slots"]
    assert organiser.post(f"{base}pairings/1/lead/").json() == {"number": 1}
    after = organiser.get(f"{base}bracket/").json()["rounds"][0]["pairings"][0]["slots"]
    assert [slot["text"] for slot in after] == [slot["text"] for slot in before][::-1]
