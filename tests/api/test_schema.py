"""The description is valid, complete, and true: what is answered is what it says."""

from __future__ import annotations

import contextlib
import json
from collections import Counter

import pytest
import requests
import schemathesis
from django.urls import get_resolver
from django.urls.resolvers import URLPattern
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from rest_framework.test import APIClient
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from api.v1 import urls as v1
from notices import services as notices
from players.models import Player
from ratings.models import SeasonRating
from ratings.services import rate
from tournaments.ladders import services as ladders
from tournaments.models import Entrant, Invitation, Official, Tournament
from tournaments.services import begin_season, create_league, join_league, pair_arenas

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
# What only officials read.
PRIVATE = {
    "me_get",
    "me_notices",
    "quick_seek",
    "tournaments_apart",
    "tournaments_officials",
    "tournaments_invitations",
    "tournaments_log",
    "tournaments_pair_invitations",
}
METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture(scope="module")
def description():
    """The OpenAPI description, as it is served."""
    from drf_spectacular.generators import SchemaGenerator

    return json.loads(
        json.dumps(SchemaGenerator().get_schema(request=None, public=True), default=str)
    )


def operations(description):
    return {
        operation["operationId"]: (method, path, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    }


def test_it_is_served_as_json_and_yaml(db):
    as_json = APIClient().get(
        "/api/schema/", headers={"accept": "application/vnd.oai.openapi+json"}
    )
    assert json.loads(as_json.content)["openapi"] == "3.1.0"
    as_yaml = APIClient().get("/api/schema/")
    assert as_yaml.content.startswith(b"openapi: 3.1.0")


def test_it_is_valid(description):
    from drf_spectacular.validation import validate_schema

    validate_schema(description)


def test_it_describes_every_address(description):
    described = {path.removeprefix("/api/v1/") for path in description["paths"]}
    assert len(described) == len(v1.urlpatterns)
    views = [pattern.callback.view_class for pattern in v1.urlpatterns]
    offered = {(view, method) for view in views for method in METHODS if hasattr(view, method)}
    assert len(operations(description)) == len(offered)


def test_every_operation_says_who_may_and_how_it_refuses(description):
    for method, _path, operation in operations(description).values():
        assert operation["summary"]
        assert operation["tags"]
        assert "application/problem+json" in operation["responses"]["default"]["content"]
        if method == "get":
            assert ({} in operation["security"]) is (operation["operationId"] not in PRIVATE)
        else:
            [scope] = operation["security"][0]["token"]
            assert scope.endswith(":write")
            assert {} not in operation["security"]


def test_input_takes_no_more_fields_than_described(description):
    inputs = {
        name: schema
        for name, schema in description["components"]["schemas"].items()
        if name.endswith("Input")
    }
    assert len(inputs) >= 5
    assert all(schema["additionalProperties"] is False for schema in inputs.values())


def test_no_address_under_api_is_without_the_common_view():
    """Each view takes part in scopes, throttles and problem details."""
    from api.views import ApiView

    for pattern in v1.urlpatterns:
        assert isinstance(pattern, URLPattern)
        assert issubclass(pattern.callback.view_class, ApiView)
    assert get_resolver("api.urls")


# What is shown of another event or ladder than the usual one.
ELSEWHERE = {
    "tournaments_arena_matches": {"slug": "arena"},
    "challenge_ladders_played": {"ladder": "fridays"},
    "players_best_events": {"handle": "carla"},
}


@pytest.fixture
def site(person, call, table, play):
    """A site with something behind every address, and the values to fill addresses with."""
    organiser = person("organiser")
    client = call(organiser)
    slug = client.post("/api/v1/tournaments/", {"name": "Cup", "capacity": 8}).json()["slug"]
    base = f"/api/v1/tournaments/{slug}/"
    client.post(f"{base}open/")
    client.post(f"{base}bots/", {"count": 3})
    call(person("someone")).post(f"{base}entrants/")
    client.post(f"{base}start/")
    client.post(f"{base}pairings/1/results/", {"outcome": "played", "winner": 0})
    client.post(f"{base}invitations/", {"role": "desk"})
    apart = client.post(f"{base}apart/", {"kind": "club"}).json()["id"]
    cup = Tournament.objects.get(slug=slug)
    league = create_league(owner=organiser, name="Cup")
    Official.objects.create(tournament=cup, player=person("carla"), role="scorer")
    client.post("/api/v1/tournaments/", {"name": "Past"})
    past = Tournament.objects.get(slug="past")
    Entrant.objects.create(tournament=past, player=Player.objects.get(handle="carla"), place=1)
    over = {"started_at": timezone.now(), "finished_at": timezone.now()}
    Tournament.objects.filter(pk=past.pk).update(status="finished", **over)
    ladder = ladders.create(owner=organiser, name="Thursdays")
    for player in (organiser, Player.objects.get(handle="someone")):
        ladders.join(ladder_id=ladder.pk, player=player)
    someone = Player.objects.get(handle="someone")
    challenge = ladders.challenge(ladder_id=ladder.pk, player=someone, defender=organiser)
    for player in (organiser, someone):
        join_league(league_id=league.pk, player=player)
    both = [organiser.pk, someone.pk]
    begin_season(
        league_id=league.pk, by=organiser, divisions=[both], begins_on=timezone.localdate()
    )
    old = ladders.create(owner=organiser, name="Fridays", play="board")
    for player in (organiser, someone):
        ladders.join(ladder_id=old.pk, player=player)
    decided = ladders.challenge(ladder_id=old.pk, player=someone, defender=organiser)
    ladders.correct(challenge_id=decided.pk, by=organiser, winner=someone, reason="x")
    arena = {"name": "Arena", "format": "arena"}
    client.post("/api/v1/tournaments/", arena)
    client.post("/api/v1/tournaments/arena/open/")
    client.post("/api/v1/tournaments/arena/bots/", {"count": 2})
    client.post("/api/v1/tournaments/arena/start/")
    pair_arenas()
    match = play(table([organiser, person("ben")]).pk)
    rate(match.pk)
    SeasonRating.objects.update(rank=1)
    notices.tell(players=[organiser], kind="freed", key="1", facts={"event": "Cup"}, url="/x")
    client.post("/api/v1/quick/seeks/", {"queue": "allfives-100-normal"})
    values = {
        "handle": "organiser",
        "pool": "allfives-1v1",
        "match_id": match.pk,
        "slug": slug,
        "ladder": ladder.slug,
        "league": league.slug,
        "challenge": challenge.pk,
        "number": 1,
        "season": 1,
        "apart": apart,
        "key": "none",
        "stage": 1,
        "invitation": Invitation.objects.get().pk,
        "entrant": client.get(f"{base}entrants/").json()[0]["id"],
    }
    return client, values


def test_every_read_answers_as_described(site, description):
    """With something to show: no empty list hides a wrong schema."""
    client, values = site
    schema = schemathesis.openapi.from_dict(description)
    checked = 0
    for operation_id, (method, path, _operation) in operations(description).items():
        if method != "get":
            continue
        operation = schema.find_operation_by_id(operation_id)
        for caller in (client, APIClient()):
            response = caller.get(path.format(**(values | ELSEWHERE.get(operation_id, {}))))
            if operation_id in PRIVATE and caller is not client:
                assert response.status_code == 401
                checked += 1
                continue
            assert response.status_code == 200, (path, response.content)
            body = json.loads(response.content)
            assert body.get("results", True) if isinstance(body, dict) else body
            operation.validate_response(as_response(operation, response))
            checked += 1
    assert checked == 2 * sum(1 for m, *_rest in operations(description).values() if m == "get")


def as_response(operation, response):
    """Django's answer as the checker takes it."""
    url = f"http://testserver{operation.path}"
    return Response(
        status_code=response.status_code,
        headers={name.lower(): [value] for name, value in response.items()},
        content=response.content,
        request=requests.Request(operation.method.upper(), url).prepare(),
        elapsed=0.1,
        verify=False,
    )


def delivered(case, headers):
    """Django's answer to a made-up request."""
    sent = case.as_transport_kwargs(base_url="http://testserver", headers=headers)
    prepared = requests.Request(
        sent["method"],
        sent["url"],
        params=sent.get("params"),
        headers=dict(sent["headers"]),
        json=sent.get("json"),
        data=sent.get("data"),
    ).prepare()
    path = prepared.url.removeprefix("http://testserver")
    own = {name: value for name, value in prepared.headers.items() if name != "Content-Length"}
    client = APIClient(raise_request_exception=False)
    return client.generic(
        prepared.method,
        path,
        data=prepared.body or "",
        content_type=own.pop("Content-Type", "application/json"),
        headers=own,
    )


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("mode", "known"),
    [(GenerationMode.POSITIVE, True), (GenerationMode.NEGATIVE, True),
     (GenerationMode.POSITIVE, False)],
)  # fmt: skip
def test_whatever_is_sent_is_answered_as_described(
    site, description, grant, monkeypatch, mode, known
):
    """Made-up requests: no fault of ours, no answer but those described, nothing wrong taken.

    `known`: sent to what there is, by someone who may do it; else to made-up addresses.
    """
    monkeypatch.setattr("api.throttling.ReadThrottle.rate", "1000000/min")
    monkeypatch.setattr("api.throttling.WRITES", 1_000_000)
    _client, values = site
    organiser = Player.objects.get(handle="organiser")
    token = grant(organiser, "tournaments:write", "tables:write", "results:write")
    headers = {"Authorization": f"Bearer {token}"} if known else {}
    schema = schemathesis.openapi.from_dict(description)
    sent = Counter()

    for result in schema.get_all_operations():
        operation = result.ok()
        names = {parameter.name for parameter in operation.path_parameters}
        fixed = {name: values[name] for name in names} if known else None

        @settings(
            max_examples=12,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode, path_parameters=fixed))
        def send(case):
            response = as_response(case.operation, delivered(case, headers))
            sent[response.status_code] += 1
            case.validate_response(response, checks=CHECKS)

        with contextlib.suppress(Unsatisfiable):  # nothing can be wrong with it
            send()
    assert sent.total() > 100
    assert sent[500] == 0
    assert sent[200] > 0 or not known or mode is GenerationMode.NEGATIVE
