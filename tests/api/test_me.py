"""Oneself by API, and what one is told of."""

from __future__ import annotations

from notices import services
from players.services import register


def test_one_sees_oneself_and_changes_name_and_country(person, call):
    marta = person("marta")
    client = call(marta)
    assert client.get("/api/v1/me/").json()["handle"] == "marta"
    changed = client.patch("/api/v1/me/", {"country": "TR", "name": "Marta W."}).json()
    assert (changed["country"], changed["name"], changed["unread"]) == ("TR", "Marta W.", 0)


def test_a_taken_name_and_a_country_that_is_none_are_refused_beside_their_field(
    person, call, problem
):
    register(handle="ivan", name="Ivan", password="double-six-leads")
    client = call(person("marta"))
    for field, value in (("name", "Ivan"), ("country", "XX")):
        refused = problem(client.patch("/api/v1/me/", {field: value}), 400)
        assert refused["errors"][0]["pointer"] == f"/{field}"


def test_notices_are_ones_own_and_are_read_up_to_one(person, call):
    marta, ivan = person("marta"), person("ivan")
    for player, key in ((marta, "1"), (marta, "2"), (ivan, "3")):
        services.tell(players=[player], kind="freed", key=key, facts={"event": "Cup"}, url="/x")
    client = call(marta)
    rows = client.get("/api/v1/me/notices/").json()["results"]
    assert [row["text"] for row in rows] == 2 * ["Cup: a place is free, and you are in."]
    client.post("/api/v1/me/notices/read/", {"up_to": rows[1]["id"]})
    rows = client.get("/api/v1/me/notices/").json()["results"]
    assert [row["read_at"] is None for row in rows] == [True, False]
    assert ivan.notices.get().read_at is None
