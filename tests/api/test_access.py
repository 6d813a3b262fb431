"""Who may do what: tokens, scopes, sessions, other sites."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.middleware.csrf import get_token
from django.test import RequestFactory
from django.urls import resolve
from django.utils import timezone
from rest_framework.test import APIClient

from api.authentication import WRONG_TRIES
from api.v1 import urls as v1
from players import tokens
from players.services import create_guest
from tournaments import services
from tournaments.ladders import services as ladders
from tournaments.models import Invitation, Official, Tournament

LADDER = "/api/v1/ladders/evening/"
LEAGUE = "/api/v1/leagues/thursday/"
WRITES = ("tournaments:write", "tables:write", "results:write", "account:write")


@pytest.fixture
def event(person, call):
    """The address of a tournament that runs, of two bots, and its organiser."""
    organiser = person("organiser")
    client = call(organiser)
    made = client.post("/api/v1/tournaments/", {"name": "Cup", "capacity": 4}).json()
    base = f"/api/v1/tournaments/{made['slug']}/"
    assert client.post(f"{base}open/").status_code == 200
    assert client.post(f"{base}bots/", {"count": 2}).status_code == 201
    cup = Tournament.objects.get()
    Official.objects.create(tournament=cup, player=person("helper"), role="desk")
    soon = timezone.now() + timedelta(days=1)
    Invitation.objects.create(
        pk=999_999, tournament=cup, role="desk", key_hash="x", by=organiser, expires_at=soon
    )
    ladders.create(owner=organiser, name="Evening")
    services.create_league(owner=organiser, name="Thursday")
    return base, organiser


def requests(base):
    """Every writing operation: name, method, address, body, the scope it needs."""
    return {
        "create": ("post", "/api/v1/tournaments/", {"name": "New"}, WRITES[0]),
        "edit": ("patch", base, {"text": "x"}, WRITES[0]),
        "open": ("post", f"{base}open/", {}, WRITES[0]),
        "join": ("post", f"{base}entrants/", {}, WRITES[0]),
        "announce": ("post", f"{base}announce/", {}, WRITES[0]),
        "close": ("post", f"{base}close/", {}, WRITES[0]),
        "link": ("post", f"{base}link/", {}, WRITES[0]),
        "copy": ("post", f"{base}copy/", {}, WRITES[0]),
        "next_week": ("post", f"{base}next-week/", {}, WRITES[0]),
        "roster": ("post", f"{base}roster/", {"entrants": [{"name": "Ann"}]}, WRITES[0]),
        "check_in": ("post", f"{base}entries/999999/check-in/", {}, WRITES[0]),
        "grant_time": ("post", f"{base}entries/999999/time/", {"percent": 150}, WRITES[0]),
        "fix_table": ("post", f"{base}entries/999999/table/", {"table": 1}, WRITES[0]),
        "return": ("post", f"{base}entries/999999/return/", {}, WRITES[0]),
        "replace": (
            "post",
            f"{base}entries/999999/replacement/",
            {"name": "Nell"},
            WRITES[0],
        ),
        "rest": ("post", f"{base}entries/999999/rests/", {"round": 1}, WRITES[0]),
        "give_up_rest": ("delete", f"{base}entries/999999/rests/1/1/", None, WRITES[0]),
        "keep_apart": ("post", f"{base}apart/", {"kind": "club"}, WRITES[0]),
        "let_meet": ("delete", f"{base}apart/999999/", None, WRITES[0]),
        "invite_partner": ("post", f"{base}pair-invitations/", {}, WRITES[0]),
        "accept_partner": ("post", f"{base}pair-invitations/x/", {}, WRITES[0]),
        "drop_pair_invitation": ("delete", f"{base}pair-invitations/x/", None, WRITES[0]),
        "exchange": (
            "post",
            f"{base}exchange/",
            {"one": 1, "other": 2, "round": 1},
            WRITES[0],
        ),
        "lead": ("post", f"{base}pairings/1/lead/", {}, WRITES[0]),
        "withdraw": ("delete", f"{base}entrants/someone/", None, WRITES[0]),
        "bots": ("post", f"{base}bots/", {"count": 1}, WRITES[0]),
        "start": ("post", f"{base}start/", {}, WRITES[0]),
        "cancel": ("post", f"{base}cancel/", {"reason": "rain"}, WRITES[0]),
        "break_tie": ("post", f"{base}stages/", {"how": "lot", "tied": [1, 2]}, WRITES[0]),
        "report": ("post", f"{base}pairings/1/results/", {"outcome": "played"}, WRITES[2]),
        "preview": ("post", f"{base}pairings/1/preview/", {"outcome": "played"}, WRITES[2]),
        "change_official": (
            "patch",
            f"{base}officials/helper/",
            {"role": "display"},
            WRITES[0],
        ),
        "remove_official": ("delete", f"{base}officials/helper/", None, WRITES[0]),
        "invite": ("post", f"{base}invitations/", {"role": "arbiter"}, WRITES[0]),
        "revoke": ("delete", f"{base}invitations/999999/", None, WRITES[0]),
        "draw_round": ("post", f"{base}rounds/", {}, WRITES[0]),
        "steer_round": ("post", f"{base}rounds/1/", {"do": "publish"}, WRITES[0]),
        "discard_round": ("delete", f"{base}rounds/1/", {"reason": "x"}, WRITES[0]),
        "sheet": ("post", f"{base}pairings/1/sheets/", {"scores": [50, 20]}, WRITES[2]),
        "begin": ("post", f"{base}arena/begin/", {}, WRITES[0]),
        "pause": ("post", f"{base}arena/pause/", {}, WRITES[0]),
        "resume": ("post", f"{base}arena/resume/", {}, WRITES[0]),
        "ladder_join": ("post", f"{LADDER}places/", {}, WRITES[0]),
        "ladder_create": ("post", "/api/v1/ladders/", {"name": "New"}, WRITES[0]),
        "ladder_edit": ("patch", LADDER, {"text": "x"}, WRITES[0]),
        "ladder_leave": ("delete", f"{LADDER}places/", None, WRITES[0]),
        "ladder_result": (
            "post",
            f"{LADDER}challenges/1/result/",
            {"winner": "someone"},
            WRITES[0],
        ),
        "league_create": ("post", "/api/v1/leagues/", {"name": "New"}, WRITES[0]),
        "league_edit": ("patch", LEAGUE, {"text": "x"}, WRITES[0]),
        "league_join": ("post", f"{LEAGUE}players/", {}, WRITES[0]),
        "league_leave": ("delete", f"{LEAGUE}players/someone/", None, WRITES[0]),
        "season_begin": ("post", f"{LEAGUE}seasons/", {}, WRITES[0]),
        "season_move": ("patch", f"{LEAGUE}seasons/1/", {"ends_on": "2099-01-01"}, WRITES[0]),
        "season_close": ("post", f"{LEAGUE}seasons/1/close/", {}, WRITES[0]),
        "challenge": ("post", f"{LADDER}challenges/", {"defender": "nobody"}, WRITES[0]),
        "answer": ("post", f"{LADDER}challenges/1/", {"answer": "accept"}, WRITES[0]),
        "table": ("post", "/api/v1/matches/", {}, WRITES[1]),
        "seek": ("post", "/api/v1/quick/seeks/", {"queue": "allfives-100-normal"}, WRITES[1]),
        "stop_seeking": ("delete", "/api/v1/quick/seeks/", None, WRITES[1]),
        "quick_bot": ("post", "/api/v1/quick/bot/", {}, WRITES[1]),
        "me": ("patch", "/api/v1/me/", {"country": "PL"}, WRITES[3]),
        "read_notices": ("post", "/api/v1/me/notices/read/", {"up_to": 1}, WRITES[3]),
    }


OPERATIONS = tuple(requests(""))

# What a signed-in stranger, and the organiser, are answered (with every scope).
EXPECTED = {
    "create": (201, 201),
    "edit": (403, 200),
    "open": (403, 200),
    "join": (201, 201),
    "announce": (403, 200),
    "close": (403, 200),
    "link": (403, 200),
    "copy": (403, 201),
    "next_week": (403, 400),
    "roster": (403, 201),
    "check_in": (404, 404),
    "fix_table": (404, 404),
    "grant_time": (404, 404),
    "return": (404, 404),
    "replace": (403, 404),
    "rest": (404, 404),
    "give_up_rest": (404, 404),
    "keep_apart": (403, 201),
    "let_meet": (403, 204),
    "invite_partner": (409, 409),
    "accept_partner": (409, 409),
    "drop_pair_invitation": (204, 204),
    "exchange": (403, 409),
    "lead": (404, 404),
    "withdraw": (403, 204),
    "bots": (403, 201),
    "start": (403, 200),
    "cancel": (403, 200),
    "break_tie": (403, 409),
    "report": (404, 404),
    "preview": (404, 404),
    "change_official": (403, 200),
    "remove_official": (403, 204),
    "invite": (403, 201),
    "revoke": (403, 204),
    "draw_round": (403, 409),
    "steer_round": (404, 404),
    "discard_round": (404, 404),
    "sheet": (404, 404),
    "begin": (403, 409),
    "pause": (409, 409),
    "resume": (409, 409),
    "ladder_join": (201, 201),
    "ladder_create": (201, 201),
    "ladder_edit": (403, 200),
    "ladder_leave": (204, 204),
    "ladder_result": (404, 404),
    "league_create": (201, 201),
    "league_edit": (403, 200),
    "league_join": (201, 201),
    "league_leave": (403, 404),
    "season_begin": (403, 400),
    "season_move": (404, 404),
    "season_close": (404, 404),
    "challenge": (404, 404),
    "answer": (404, 404),
    "table": (201, 201),
    "seek": (201, 201),
    "stop_seeking": (204, 204),
    "quick_bot": (409, 409),
    "me": (200, 200),
    "read_notices": (204, 204),
}


def test_every_writing_operation_has_a_row_in_these_tables():
    rows = {
        (resolve(path).func.view_class, method)
        for method, path, _body, _scope in requests("/api/v1/tournaments/cup/").values()
    }
    offered = {
        (pattern.callback.view_class, method)
        for pattern in v1.urlpatterns
        for method in ("post", "put", "patch", "delete")
        if hasattr(pattern.callback.view_class, method)
    }
    assert rows == offered
    assert EXPECTED.keys() == requests("").keys()


def send(client, base, operation):
    method, path, body, _scope = requests(base)[operation]
    return getattr(client, method)(path, body)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_nobody_writes_anonymously(operation, event, problem):
    base, _organiser = event
    response = send(APIClient(), base, operation)
    assert problem(response, 401)["code"] == "not_authenticated"
    assert response["WWW-Authenticate"] == 'Bearer realm="api"'


@pytest.mark.parametrize("operation", OPERATIONS)
def test_each_write_needs_its_own_scope(operation, event, call, problem):
    base, organiser = event
    needed = requests(base)[operation][3]
    others = [scope for scope in ("read", *WRITES) if scope != needed]
    response = send(call(organiser, *others), base, operation)
    assert problem(response, 403)["code"] == "insufficient_scope"
    assert f'scope="{needed}"' in response["WWW-Authenticate"]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_who_may_do_what(operation, event, call, person):
    base, organiser = event
    person("someone")
    stranger, organiser_s = EXPECTED[operation]
    assert send(call(person("stranger")), base, operation).status_code == stranger
    assert send(call(organiser, requests(base)[operation][3]), base, operation).status_code == (
        organiser_s
    )


def test_reading_needs_no_token_and_a_token_needs_no_scope_to_read(event, call, person):
    base, _organiser = event
    for client in (APIClient(), call(person("reader"), "read"), call(person("none"), "nothing")):
        for path in ("", "entrants/", "bracket/", "standings/"):
            assert client.get(base + path).status_code == 200


def test_the_scopes_that_tokens_can_have_are_those_that_writes_need():
    needed = {view.scope for view in (each.callback.view_class for each in v1.urlpatterns)}
    assert needed - {""} == set(tokens.SCOPES) - {tokens.READ}
    assert {scope for *_request, scope in requests("").values()} == needed - {""}


def test_a_scope_that_no_longer_exists_allows_nothing(event, call, person, problem):
    base, _organiser = event
    client = call(person("one"), "organise", "play")
    for operation in OPERATIONS:
        body = problem(send(client, base, operation), 403)
        assert body["code"] == "insufficient_scope"


def test_a_draft_is_there_for_its_organiser_alone(person, call, problem):
    organiser = call(person("organiser"))
    slug = organiser.post("/api/v1/tournaments/", {"name": "Secret"}).json()["slug"]
    base = f"/api/v1/tournaments/{slug}/"
    for client in (APIClient(), call(person("stranger"))):
        for path in ("", "entrants/", "bracket/", "standings/", "pairings/1/results/"):
            problem(client.get(base + path), 404)
    assert organiser.get(base).status_code == 200
    assert organiser.get("/api/v1/tournaments/").json()["results"] == []


def test_a_stranger_can_not_read_or_change_what_is_not_theirs(event, call, person, problem):
    base, organiser = event
    someone = person("someone")
    assert call(someone).post(f"{base}entrants/").status_code == 201
    response = call(person("stranger")).delete(f"{base}entrants/someone/")
    assert problem(response, 403)["code"] == "not_allowed"
    assert call(organiser).delete(f"{base}entrants/someone/").status_code == 204


@pytest.mark.parametrize(
    "text", ["", "x", "mug_pat_", "mug_pat_" + "a" * 36, "dmn_pat_" + "a" * 36, "mug_pat_\x00"]
)
def test_a_malformed_token_never_reaches_the_database(
    text, person, django_assert_num_queries, problem
):
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {text}")
    with django_assert_num_queries(0):
        response = client.get("/api/v1/ratings/")
    assert problem(response, 401)["code"] == "authentication_failed"


def test_a_token_that_is_expired_or_revoked_is_refused(person, problem):
    marta = person()
    past = timezone.now() - timedelta(seconds=1)
    _row, text = tokens.issue(player=marta, name="old", scopes=["read"], expires=past)
    problem(APIClient(HTTP_AUTHORIZATION=f"Bearer {text}").get("/api/v1/ratings/"), 401)
    row, text = tokens.issue(player=marta, name="new", scopes=["read"])
    client = APIClient(HTTP_AUTHORIZATION=f"bearer {text}")
    assert client.get("/api/v1/ratings/").status_code == 200
    tokens.revoke(player=marta, token_id=row.pk)
    problem(client.get("/api/v1/ratings/"), 401)


def test_a_token_of_someone_who_was_shut_out_is_refused(person, call, problem):
    marta = person()
    client = call(marta)
    marta.is_active = False
    marta.save()
    problem(client.get("/api/v1/ratings/"), 401)


def test_guessing_tokens_is_slowed_down(person, problem):
    body = tokens.PREFIX + "a" * tokens.RANDOM_LENGTH
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {body}{tokens.check_of(body)}")
    for _time in range(WRONG_TRIES):
        problem(client.get("/api/v1/ratings/"), 401)
    problem(client.get("/api/v1/ratings/"), 429)


@pytest.mark.parametrize("name", ["token", "access_token", "api_key"])
def test_a_token_in_the_address_is_refused(name, person, grant, problem):
    text = grant(person(), "read")
    for client in (APIClient(), APIClient(HTTP_AUTHORIZATION=f"Bearer {text}")):
        body = problem(client.get(f"/api/v1/ratings/?{name}={text}"), 400)
        assert body["errors"][0]["parameter"] == name
        problem(client.post(f"/api/v1/tournaments/?{name}={text}", {"name": "Cup"}), 400)
    assert not Tournament.objects.exists()


def test_a_session_writes_with_its_csrf_token_only(person, problem):
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(person())
    refused = client.post("/api/v1/tournaments/", {"name": "Cup"})
    assert "CSRF" in problem(refused, 403)["detail"]
    assert not Tournament.objects.exists()
    request = RequestFactory().get("/")
    token = get_token(request)
    client.cookies["csrftoken"] = request.META["CSRF_COOKIE"]
    accepted = client.post("/api/v1/tournaments/", {"name": "Cup"}, headers={"x-csrftoken": token})
    assert accepted.status_code == 201
    assert client.get("/api/v1/tournaments/").status_code == 200


def test_other_sites_may_read_and_nothing_else(person, call):
    origin = {"origin": "https://elsewhere.example"}
    read = APIClient().get("/api/v1/ratings/", headers=origin)
    assert read["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in read
    write = call(person()).post("/api/v1/tournaments/", {"name": "Cup"}, headers=origin)
    assert write.status_code == 201
    preflight = APIClient().options(
        "/api/v1/tournaments/",
        headers={**origin, "access-control-request-method": "POST"},
    )
    null = APIClient().get("/api/v1/ratings/", headers={"origin": "null"})
    assert null["Access-Control-Allow-Origin"] == "*"
    for response in (write, preflight):
        assert not [name for name in response.headers if name.startswith("Access-Control")]


@pytest.mark.parametrize("path", ["/api/v1/tournaments/", "/api/v1/matches/"])
@pytest.mark.parametrize(
    "field", ["id", "slug", "status", "organiser", "host", "seed", "taken", "is_staff", "scores",
              "rating", "player", "user_id", "scopes", "context", "winner", "sit_by", "key"],
)  # fmt: skip
def test_no_field_beyond_those_described_is_taken(path, field, person, call, problem):
    body = {"name": "Cup"} if "tournaments" in path else {}
    response = call(person()).post(path, {**body, field: 1})
    [error] = problem(response, 400)["errors"]
    assert (error["pointer"], error["code"]) == (f"/{field}", "unknown")
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_unknown_field_is_refused_everywhere(operation, event, call, problem):
    base, organiser = event
    method, path, body, _scope = requests(base)[operation]
    if body is None or operation == "report":
        return
    response = getattr(call(organiser), method)(path, {**body, "is_staff": True})
    assert problem(response, 400)["errors"][0]["pointer"] == "/is_staff"


@pytest.mark.django_db
def test_a_guest_may_not_make_a_tournament(problem):
    client = APIClient()
    client.force_login(create_guest())
    refused = client.post("/api/v1/tournaments/", {"name": "Cup"})
    assert problem(refused, 403)["code"] == "account_needed"
    assert client.post("/api/v1/matches/", {}).status_code == 201


@pytest.mark.parametrize("secret", ["email", "password", "is_staff", "theme", "name_key"])
def test_a_player_s_private_facts_are_not_told(secret, person):
    marta = person("marta")
    marta.email = "marta@example.org"
    marta.save()
    for path in ("players/", "players/marta/"):
        body = APIClient().get(f"/api/v1/{path}").content.decode()
        assert secret not in body
        assert "example.org" not in body
