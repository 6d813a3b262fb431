from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from games import services as games
from players import tokens
from players.models import PersonalToken, Player

PASSWORD = "double-six-leads"
OTHER_PASSWORD = "five-five-spins"
Make = Callable[..., Player]

SIGN_UP = {"name": "Marta W.", "handle": "marta", "password": PASSWORD, "email": ""}
ELSEWHERE = [
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https:evil.example",
    "https://evil.example/",
    "http:///evil.example",
    "///evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    " //evil.example",
    "/\t/evil.example",
    "evil.example",
    "%2f%2fevil.example",
]


@pytest.fixture(autouse=True)
def plain_static_files(settings: Any) -> None:
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


def sign_in(client: Client, handle: str = "marta", password: str = PASSWORD, **data: str) -> Any:
    return client.post("/accounts/sign-in", {"handle": handle, "password": password, **data})


def signed_in_as(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


def test_signing_in_leads_on_and_out_again(make_player: Make, client: Client) -> None:
    player = make_player("marta")
    response = sign_in(client, "MARTA", next="/ladder?page=2")
    assert (response.status_code, response["Location"]) == (302, "/ladder?page=2")
    assert signed_in_as(client) == str(player.pk)
    assert client.get("/accounts/sign-in").status_code == 302
    assert client.get("/accounts/sign-out").status_code == 405
    assert signed_in_as(client) == str(player.pk)
    client.post("/accounts/sign-out")
    assert signed_in_as(client) is None


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_signing_in_never_leads_to_another_site(
    make_player: Make, client: Client, elsewhere: str
) -> None:
    make_player("marta")
    assert sign_in(client, next=elsewhere)["Location"] == "/"


def test_a_wrong_name_and_a_wrong_password_are_told_alike(
    make_player: Make, client: Client
) -> None:
    make_player("marta")
    answers = [sign_in(client, handle, "wrong") for handle in ("marta", "nobody")]
    pages = [answer.content.decode().replace("marta", "nobody") for answer in answers]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert "go together" in pages[0]
    assert _without_tokens(pages[0]) == _without_tokens(pages[1])


def _without_tokens(html: str) -> list[str]:
    return [line for line in html.splitlines() if "csrfmiddlewaretoken" not in line]


def test_too_many_attempts_are_told_to_wait(make_player: Make, client: Client) -> None:
    make_player("marta")
    for _attempt in range(10):
        assert sign_in(client, password="wrong").status_code == 200
    response = sign_in(client)
    assert response.status_code == 429
    assert "Wait a quarter of an hour" in response.content.decode()


def test_a_planted_session_is_worth_nothing_after_signing_in(
    make_player: Make, client: Client
) -> None:
    player = make_player("marta")
    client.post("/accounts/theme", {"theme": "dark"})
    planted = client.cookies["sessionid"].value
    sign_in(client)
    assert client.cookies["sessionid"].value != planted
    assert not Session.objects.filter(session_key=planted).exists()
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert signed_in_as(thief) is None
    assert signed_in_as(client) == str(player.pk)


@pytest.mark.django_db
def test_a_guest_who_signs_up_keeps_the_seat_and_gets_a_new_session(client: Client) -> None:
    client.post("/play/friend")
    guest = Player.objects.get()
    old = client.cookies["sessionid"].value
    assert f'value="{guest.name}"' in client.get("/accounts/sign-up").content.decode()
    response = client.post("/accounts/sign-up", {**SIGN_UP, "next": "/watch"})
    assert response["Location"] == "/watch"
    player = Player.objects.get()
    assert (player.pk, player.handle, player.name) == (guest.pk, "marta", "Marta W.")
    assert not player.is_guest
    assert client.cookies["sessionid"].value != old
    assert not Session.objects.filter(session_key=old).exists()
    match = player.hosted_matches.get()
    assert match.seat_set.get(index=0).player == player
    games.join(match_id=match.pk, player=player)
    assert match.seat_set.filter(player=player).count() == 1


@pytest.mark.django_db
def test_the_same_sign_up_sent_twice_is_one_account(client: Client) -> None:
    client.post("/accounts/sign-up", SIGN_UP)
    again = Client()
    assert again.post("/accounts/sign-up", SIGN_UP).status_code == 302
    assert signed_in_as(again) == signed_in_as(client)
    assert Player.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "Bot Ana"),
        ("name", "Mаrta"),
        ("name", "x" * 21),
        ("name", "IVAN"),
        ("handle", "a b"),
        ("handle", "admin"),
        ("handle", "ivan"),
        ("handle", ""),
        ("password", "short"),
        ("password", "password"),
        ("password", "marta"),
        ("email", "nonsense"),
    ],
)
def test_a_bad_sign_up_is_refused_beside_its_field(
    make_player: Make, client: Client, field: str, value: str
) -> None:
    make_player("ivan")
    response = client.post(
        "/accounts/sign-up", {**SIGN_UP, "password": OTHER_PASSWORD, field: value}
    )
    html = response.content.decode()
    assert response.status_code == 200
    assert f'id="id_{field}_error"' in html
    assert 'aria-invalid="true"' in html
    assert OTHER_PASSWORD not in html
    assert Player.objects.count() == 1


def test_a_name_is_changed_and_a_taken_one_is_not(make_player: Make, client: Client) -> None:
    player = make_player("marta")
    make_player("ivan")
    client.force_login(player)
    assert client.post("/accounts/settings", {"name": "Marta W."}).status_code == 302
    refused = client.post("/accounts/settings", {"name": "Ivan"})
    assert 'id="id_name_error"' in refused.content.decode()
    player.refresh_from_db()
    assert player.name == "Marta W."


def test_colours_are_kept_with_the_player_or_the_session(make_player: Make, client: Client) -> None:
    player = make_player("marta")
    client.post("/accounts/theme", {"theme": "dark", "next": "/rules"})
    assert 'data-theme="dark"' in client.get("/rules").content.decode()
    client.force_login(player)
    client.post("/accounts/theme", {"theme": "light"})
    client.post("/accounts/theme", {"theme": "purple"})
    player.refresh_from_db()
    assert player.theme == "light"
    assert 'data-theme="light"' in client.get("/rules").content.decode()


def test_a_token_is_shown_once_and_revoked(make_player: Make, client: Client) -> None:
    player = make_player("marta")
    client.force_login(player)
    made = {"name": "Club script", "scopes": ["read", "tables:write"], "lifetime": "30"}
    response = client.post("/accounts/tokens", made)
    text = response.context["made"]
    assert text in response.content.decode()
    assert text not in client.get("/accounts/tokens").content.decode()
    token = PersonalToken.objects.get()
    assert (token.player, token.scopes) == (player, ["read", "tables:write"])
    assert token.expires is not None
    assert tokens.find(text) == token
    for _click in range(2):
        assert client.post(f"/accounts/tokens/{token.pk}/revoke").status_code == 302
    assert tokens.find(text) is None


@pytest.mark.parametrize(
    ("field", "value"), [("name", ""), ("scopes", []), ("scopes", ["all"]), ("lifetime", "9999")]
)
def test_a_bad_token_is_refused(make_player: Make, client: Client, field: str, value: Any) -> None:
    client.force_login(make_player("marta"))
    data = {"name": "x", "scopes": ["read"], "lifetime": "", field: value}
    response = client.post("/accounts/tokens", data)
    assert f'id="id_{field}_error"' in response.content.decode()
    assert not PersonalToken.objects.exists()


def test_another_players_token_cannot_be_revoked(make_player: Make, client: Client) -> None:
    token, _text = tokens.issue(player=make_player("ivan"), name="x", scopes=["read"])
    client.force_login(make_player("marta"))
    client.post(f"/accounts/tokens/{token.pk}/revoke")
    assert PersonalToken.objects.filter(pk=token.pk).exists()


@pytest.mark.django_db
def test_a_guest_has_no_tokens(client: Client) -> None:
    client.post("/play/friend")
    response = client.get("/accounts/tokens")
    assert response["Location"] == "/accounts/sign-up?next=/accounts/tokens"


@pytest.mark.django_db
def test_the_admin_lists_players_and_tokens(client: Client) -> None:
    staff = Player.objects.create_superuser("root-staff", PASSWORD, name="Keeper")
    token, _text = tokens.issue(player=staff, name="x", scopes=["read"])
    client.force_login(staff)
    for path in (
        "/admin/players/player/", "/admin/players/player/add/",
        f"/admin/players/player/{staff.pk}/change/", "/admin/players/personaltoken/",
    ):  # fmt: skip
        assert client.get(path).status_code == 200, path
    assert client.get("/admin/players/personaltoken/add/").status_code == 403
    assert token.digest not in client.get("/admin/players/personaltoken/").content.decode()
