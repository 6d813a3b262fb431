"""Every refusal is a problem details object, whatever refused."""

from __future__ import annotations

import json

import pytest
from rest_framework.test import APIClient

import api.throttling
from api.parsers import MAX_BYTES


@pytest.mark.parametrize(
    "path", ["/api/", "/api/v1/", "/api/v2/players/", "/api/v1/players", "/api/v1/players/nobody/",
             "/api/v1/matches/000000000000/", "/api/v1/matches/short/", "/api/v1/ratings/go-1v1/",
             "/api/v1/matches/000000000000/record/", "/api/v1/tournaments/none/",
             "/api/v1/tournaments/none/bracket/", "/api/v1/players/%00/"],
)  # fmt: skip
@pytest.mark.django_db
def test_what_is_not_there(path, problem):
    problem(APIClient().get(path), 404)


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options"])
@pytest.mark.django_db
def test_what_can_not_be_done(method, person, call, problem):
    response = getattr(call(person()), method)("/api/v1/players/")
    assert problem(response, 405)["code"] == "method_not_allowed"
    assert "GET" in response["Allow"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"{", "no JSON"),
        (b'{"name": NaN}', "no JSON"),
        (b'{"name": "a", "name": "b"}', "twice"),
        (b'{"name": "\\ud800"}', "no JSON"),
        (b'{"name": "\\u0000"}', "NUL"),
        (b"\xff\xfe", "no JSON"),
        (b"[" * 100_000, "deeply"),
    ],
)
def test_bodies_that_are_no_json(body, why, person, call, problem):
    client = call(person())
    response = client.post("/api/v1/tournaments/", body, content_type="application/json")
    assert why in problem(response, 400)["detail"]


def test_a_body_that_is_too_large(person, call, problem):
    body = b'{"name": "' + b"a" * MAX_BYTES + b'"}'
    response = call(person()).post("/api/v1/tournaments/", body, content_type="application/json")
    assert problem(response, 413)["code"] == "too_large"


def test_a_body_in_another_format(person, call, problem):
    client = call(person())
    response = client.post("/api/v1/tournaments/", b"name=x", content_type="text/plain")
    assert problem(response, 415)["code"] == "unsupported_media_type"


@pytest.mark.parametrize("body", [[], "text", 7, None])
def test_a_body_that_is_no_object(body, person, call, problem):
    response = call(person()).post(
        "/api/v1/tournaments/", json.dumps(body), content_type="application/json"
    )
    problem(response, 400)


@pytest.mark.django_db
def test_an_answer_in_a_format_that_we_do_not_speak(problem):
    response = APIClient().get("/api/v1/players/", headers={"accept": "text/html"})
    assert problem(response, 406)["code"] == "not_acceptable"


def test_each_wrong_field_is_named_by_a_pointer(person, call, problem):
    body = {"seats": 7, "rated": "yes", "bots": {"1": "genius"}, "turn_seconds": "15"}
    response = call(person()).post("/api/v1/matches/", body)
    errors = problem(response, 400)["errors"]
    pointers = {error["pointer"]: error["code"] for error in errors}
    assert pointers == {
        "/seats": "max_value",
        "/rated": "invalid",
        "/bots/1": "invalid_choice",
        "/turn_seconds": "invalid",
    }
    assert all(error["detail"] for error in errors)


@pytest.mark.parametrize(
    ("rules", "pointer"),
    [
        ({"preset": "chess"}, "/rules/preset"),
        ({"targets": 100}, "/rules/targets"),
        ({"target": -5}, "/rules/target"),
        ({"preset": ["allfives"]}, "/rules/preset"),
    ],
)
@pytest.mark.parametrize("path", ["/api/v1/matches/", "/api/v1/tournaments/"])
def test_a_wrong_rule_is_named(rules, pointer, path, person, call, problem):
    extra = {"name": "Cup"} if "tournaments" in path else {}
    response = call(person()).post(path, {"rules": rules, **extra})
    body = problem(response, 400)
    assert body["code"] == "bad_rules"
    assert [error["pointer"] for error in body["errors"]] == [pointer]


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=101", "limit=x", "limit=%00", "cursor=x", "cursor=%00",
              "cursor=cD14", "kind=king", "search=", "search=%00", "_connector=OR", "fields=email",
              "ordering=player__password", "password__startswith=a"],
)  # fmt: skip
@pytest.mark.django_db
def test_a_query_that_says_something_else(query, problem):
    body = problem(APIClient().get(f"/api/v1/players/?{query}"), 400)
    assert [error["parameter"] for error in body["errors"]] == [query.partition("=")[0]]


def test_a_table_says_why_not(person, call, table, problem):
    """A tournament's refusal carries its code."""
    client = call(person())
    made = client.post("/api/v1/tournaments/", {"name": "Cup"}).json()
    base = f"/api/v1/tournaments/{made['slug']}/"
    assert problem(client.post(f"{base}start/"), 409)["code"] == "too_few"
    other = call(person("other"))
    assert problem(other.post(f"{base}open/"), 404)
    client.post(f"{base}open/")
    assert problem(other.post(f"{base}start/"), 403)["code"] == "not_allowed"
    assert problem(client.post(f"{base}cancel/", {"reason": "   "}), 400)


@pytest.mark.django_db
def test_too_many_reads(monkeypatch, problem):
    monkeypatch.setattr(api.throttling.ReadThrottle, "rate", "2/min")
    client = APIClient()
    for _time in range(2):
        assert client.get("/api/v1/ratings/").status_code == 200
    response = client.get("/api/v1/ratings/")
    assert problem(response, 429)["code"] == "throttled"
    assert int(response["Retry-After"]) >= 1
    forged = client.get("/api/v1/ratings/", headers={"x-forwarded-for": "10.9.8.7"})
    problem(forged, 429)


def test_too_many_writes(monkeypatch, person, call, problem):
    monkeypatch.setattr(api.throttling, "WRITES", 2)
    client = call(person())
    for _time in range(2):
        assert client.post("/api/v1/tournaments/", {"name": "Cup"}).status_code == 201
    response = client.post("/api/v1/tournaments/", {"name": "Cup"})
    assert problem(response, 429)["code"] == "throttled"
    assert int(response["Retry-After"]) >= 1


@pytest.mark.django_db
def test_a_fault_of_ours_is_a_problem_too(monkeypatch, problem):
    def broken(*args, **kwargs):
        raise RuntimeError("the secret inside")

    monkeypatch.setattr("ratings.selectors.ladder", broken)
    client = APIClient(raise_request_exception=False)
    body = problem(client.get("/api/v1/ratings/allfives-1v1/"), 500)
    assert "secret" not in json.dumps(body)
    with pytest.raises(RuntimeError):
        APIClient().get("/api/v1/ratings/allfives-1v1/")


def test_a_missing_field(person, call, problem):
    response = call(person()).post("/api/v1/tournaments/", {})
    [error] = problem(response, 400)["errors"]
    assert error == {"pointer": "/name", "detail": "This field is required.", "code": "required"}
