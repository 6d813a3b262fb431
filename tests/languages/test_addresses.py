"""Every page has an address in each language; links, forms and redirects stay in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from games import services as games
from players import languages, services
from players.models import Player
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("two_languages")]

LINK = re.compile(r'(?:href|action|formaction|hx-get|data-root)="(/[^"]*)"')
NEUTRAL = ("/api/", "/static/")


def links_of(client: Client, path: str) -> set[str]:
    return set(LINK.findall(client.get(path).content.decode()))


@pytest.mark.parametrize(
    ("path", "code", "bare"),
    [
        ("/tr/rules", "tr", "/rules"),
        ("/tr/", "tr", "/"),
        ("/rules", "en", "/rules"),
        ("/", "en", "/"),
        ("/trx/rules", "en", "/trx/rules"),
        ("/tr", "tr", "/"),
        ("/en/rules", "en", "/en/rules"),
    ],
)
def test_an_address_says_its_language(path: str, code: str, bare: str) -> None:
    assert languages.parted(path) == (code, bare)


def test_an_address_in_another_language_never_has_two_prefixes() -> None:
    assert languages.in_language("/tr/t/x?by=name", "tr") == "/tr/t/x?by=name"
    assert languages.in_language("/t/x", "tr") == "/tr/t/x"
    assert languages.in_language("/tr/t/x", "en") == "/t/x"


@pytest.mark.parametrize("path", ["/", "/rules", "/watch", "/ladder", "/tournaments", "/clubs",
                                  "/accounts/sign-in", "/tables/new"])  # fmt: skip
def test_all_links_of_a_page_stay_in_its_language(client: Client, path: str) -> None:
    response = client.get(f"/tr{path}")
    assert response.status_code == 200
    assert '<html lang="tr"' in re.sub(r"\s+", " ", response.content.decode())
    assert response["Content-Language"] == "tr"
    inside = {each for each in links_of(client, f"/tr{path}") if not each.startswith(NEUTRAL)}
    assert {each for each in inside if not re.match(r"/tr/(?!tr/)", each)} == {path}
    assert not {each for each in links_of(client, path) if each.startswith("/tr")} - {f"/tr{path}"}


def test_a_page_of_an_event_and_of_a_table_stay_in_their_language(
    make_player: Callable[..., Player],
    as_player: Callable[[Player], Client],
    make_event: Callable[..., Tournament],
) -> None:
    player = make_player()
    event = make_event(player, bots=3)
    match = games.open_match(rules={"preset": "allfives"}, seats=2, host=player)
    client = as_player(player)
    for path in (f"/tournaments/{event.slug}", f"/tournaments/{event.slug}/entries",
                 f"/t/{match.pk}", f"/t/{match.pk}/share", f"/@{player.handle}"):  # fmt: skip
        inside = {each for each in links_of(client, f"/tr{path}") if not each.startswith(NEUTRAL)}
        assert {each for each in inside if not re.match(r"/tr/(?!tr/)", each)} <= {path}, path


def test_who_has_to_sign_in_comes_back_in_the_language_they_left(client: Client) -> None:
    services.register(handle="marta", name="Marta", password="double-six-leads")
    response = client.get("/tr/accounts/settings")
    assert response["Location"] == "/tr/accounts/sign-in?next=/tr/accounts/settings"
    given = {"handle": "marta", "password": "double-six-leads", "next": "/tr/accounts/settings"}
    assert client.post("/tr/accounts/sign-in", given)["Location"] == "/tr/accounts/settings"


def test_what_a_form_does_leads_on_in_its_language(client: Client) -> None:
    assert re.fullmatch(r"/tr/t/\w+", client.post("/tr/play/bot")["Location"])
    assert re.fullmatch(r"/t/\w+", client.post("/play/bot")["Location"])


def test_a_language_alone_is_its_first_page(client: Client) -> None:
    response = client.get("/tr")
    assert (response.status_code, response["Location"]) == (301, "/tr/")


def test_who_comes_to_a_table_from_elsewhere_sits_down_in_their_own_language(
    client: Client, make_player: Callable[..., Player]
) -> None:
    """A link to a table means the table, and its page has no room for an offer."""
    match = games.open_match(rules={"preset": "allfives"}, seats=2, host=make_player())
    path = f"/t/{match.pk}"
    for came, location in (("none", f"/tr{path}"), ("cross-site", f"/tr{path}"),
                           ("same-origin", None), ("", None)):  # fmt: skip
        headers = {"Accept-Language": "tr", "Sec-Fetch-Site": came}
        response = client.get(path, headers=headers)
        assert response.get("Location") == location, came
    response = client.get(f"/tr{path}", headers={"Accept-Language": "tr", "Sec-Fetch-Site": "none"})
    assert response.status_code == 200


def test_what_is_not_there_is_said_in_the_language_of_its_address(client: Client) -> None:
    response = client.get("/tr/nowhere")
    assert response.status_code == 404
    assert response["Content-Language"] == "tr"


def test_the_switch_keeps_the_page_and_remembers(client: Client) -> None:
    given = {"language": "tr", "next": "/ladder?pool=allfives-1v1&page=2"}
    response = client.post("/accounts/language", given)
    assert response["Location"] == "/tr/ladder?pool=allfives-1v1&page=2"
    assert client.cookies["language"].value == "tr"
    response = client.post("/tr/accounts/language", {"language": "en", "next": "/tr/ladder"})
    assert response["Location"] == "/ladder"
    assert client.cookies["language"].value == "en"


@pytest.mark.parametrize("wanted", ["//evil.example/tr/", "https://evil.example/", ""])
def test_the_switch_leads_to_no_other_site(client: Client, wanted: str) -> None:
    given = {"language": "tr", "next": wanted}
    assert client.post("/accounts/language", given)["Location"] == "/tr/"


def test_a_language_the_site_does_not_speak_changes_nothing(client: Client) -> None:
    response = client.post("/accounts/language", {"language": "xx", "next": "/rules"})
    assert response["Location"] == "/rules"
    assert "language" not in client.cookies


def test_a_player_has_the_language_on_every_device(
    make_player: Callable[..., Player], as_player: Callable[[Player], Client]
) -> None:
    player = make_player()
    as_player(player).post("/accounts/language", {"language": "tr", "next": "/"})
    player.refresh_from_db()
    assert player.language == "tr"
    assert as_player(player).get("/")["Location"] == "/tr/"
    with pytest.raises(ValueError, match="No language 'xx'"):
        services.set_language(player=player, language="xx")


@pytest.mark.parametrize(
    ("asked", "location"),
    [("", None), ("en-GB,en", None), ("xx", None), ("tr-TR,en;q=0.5", "/tr/"), ("de,tr", "/tr/")],
)
def test_the_first_page_leads_to_the_language_of_the_browser(
    client: Client, asked: str, location: str | None
) -> None:
    response = client.get("/", headers={"Accept-Language": asked} if asked else {})
    assert response.get("Location") == location
    assert "Accept-Language" in response["Vary"]


def test_who_has_chosen_english_is_left_there(client: Client) -> None:
    client.cookies["language"] = "en"
    response = client.get("/", headers={"Accept-Language": "tr"})
    assert response.status_code == 200
    assert 'class="offer"' not in response.content.decode()


def test_any_other_page_stays_and_offers_the_readers_language(client: Client) -> None:
    response = client.get("/rules?x=1", headers={"Accept-Language": "tr"})
    page = response.content.decode()
    assert response.status_code == 200
    assert 'class="offer" lang="tr"' in page
    assert '<a href="/tr/rules?x=1" hreflang="tr">' in page
    assert 'class="offer"' not in client.get("/rules").content.decode()


def test_search_engines_are_told_of_every_language(client: Client) -> None:
    page = client.get("/tr/ladder?pool=allfives-1v1&find=x").content.decode()
    host = "http://testserver"
    assert f'<link rel="canonical" href="{host}/tr/ladder?pool=allfives-1v1">' in page
    assert re.findall(r'<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">', page) == [
        ("en", f"{host}/ladder?pool=allfives-1v1"),
        ("tr", f"{host}/tr/ladder?pool=allfives-1v1"),
        ("x-default", f"{host}/ladder?pool=allfives-1v1"),
    ]


def test_a_link_is_made_in_the_language_of_its_page() -> None:
    with override("tr"):
        assert reverse("pages:rules") == "/tr/rules"
        assert reverse("api:docs") == "/api/docs/"
    assert reverse("pages:rules") == "/rules"


def test_a_site_with_one_language_has_no_switch(client: Client, settings: Any) -> None:
    settings.LANGUAGES = [("en", "English")]
    page = client.get("/rules", headers={"Accept-Language": "tr"}).content.decode()
    assert "languages" not in page
    assert "hreflang" not in page
    assert client.get("/", headers={"Accept-Language": "tr"}).status_code == 200
