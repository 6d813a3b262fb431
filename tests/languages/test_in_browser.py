"""A page of every kind in every language, on the narrowest screen."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings as site
from django.test import Client
from playwright.sync_api import Browser, Page

from games import services as games
from games.models import Match
from players.models import Player
from players.services import create_guest
from players.sessions import BACKEND
from tests.pages.test_axe import _listen, faults_of
from tournaments import services as tournaments
from tournaments.models import Tournament

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(240),
]

SCREEN = {"width": 320, "height": 568}
REAL = [code for code, _name in site.LANGUAGES]
PSEUDO = ["en-xa", "ar-xb"]


@pytest.fixture
def paths(
    make_player: Callable[..., Player], make_event: Callable[..., Tournament], client: Client
) -> list[str]:
    """The main pages, as somebody sees them who plays and organises."""
    marta = make_player("Marta")
    event = make_event(marta, bots=6, format="swiss", options={"rounds": 3})
    tournaments.start(tournament_id=event.pk, by=marta)
    soon = make_event(marta, bots=3)
    match = games.open_match(rules={"preset": "allfives"}, seats=2, host=marta)
    client.force_login(marta)
    at = event.get_absolute_url()
    return ["/", "/rules", f"/t/{match.pk}", at, f"{at}/standings", f"{at}/desk", "/tables/new",
            "/tournaments/new", "/accounts/settings", soon.get_absolute_url()]  # fmt: skip


@pytest.fixture
def page(chromium: Browser, live_server: Any, client: Client, paths: list[str]) -> Page:
    context = chromium.new_context(reduced_motion="reduce", viewport=SCREEN)  # type: ignore[arg-type]
    value = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": value, "url": live_server.url}])
    return context.new_page()


def faults_in(page: Page, host: str, language: str, paths: list[str]) -> list[str]:
    """What is wrong with each page, and with the axe rules of one of them."""
    found: list[str] = []
    _listen(page, found)
    prefix = "" if language == "en" else f"/{language}"
    direction = "rtl" if language == "ar-xb" else "ltr"
    chosen = {"name": site.LANGUAGE_COOKIE_NAME, "value": language, "url": host}
    page.context.add_cookies([chosen])  # type: ignore[list-item]
    for number, path in enumerate(paths):
        page.goto(f"{host}{prefix}{path}")
        root = page.evaluate("[document.documentElement.lang, document.documentElement.dir]")
        if root != [language, direction]:
            found.append(f"{path} says that it is {root}")
        if page.evaluate("document.documentElement.scrollWidth") > SCREEN["width"]:
            found.append(f"{path} is wider than the screen")
        if number == ([*REAL, *PSEUDO].index(language)) % len(paths):
            found += [f"{path} {each}" for each in faults_of(page, SCREEN["width"])]
    page.context.close()
    return found


@pytest.mark.parametrize("language", REAL)
def test_the_main_pages_fit_in_every_language(
    page: Page, live_server: Any, paths: list[str], language: str
) -> None:
    assert faults_in(page, live_server.url, language, paths) == []


@pytest.mark.parametrize("language", REAL)
def test_the_browser_writes_times_as_the_server_does(
    chromium: Browser,
    live_server: Any,
    make_player: Callable[..., Player],
    finished_match: Callable[..., Match],
    language: str,
) -> None:
    marta = make_player("Marta")
    finished_match(marta, make_player("Ana"))
    Match.objects.update(finished_at=datetime(2026, 11, 3, 9, 8, tzinfo=UTC))
    at = f"{live_server.url}{'' if language == 'en' else f'/{language}'}/@{marta.handle}"
    written = {}
    for scripts in (True, False):
        context = chromium.new_context(
            timezone_id="UTC", java_script_enabled=scripts, locale="en-US"
        )
        page = context.new_page()
        page.goto(at)
        written[scripts] = page.locator("time:text-matches('9:08')").first.inner_text()
        context.close()
    assert written[True] == written[False]


@pytest.mark.usefixtures("pseudo_site")
@pytest.mark.parametrize("language", PSEUDO)
def test_the_main_pages_fit_when_words_are_longer_or_run_from_the_right(
    page: Page, live_server: Any, paths: list[str], language: str
) -> None:
    assert faults_in(page, live_server.url, language, paths) == []


def test_a_guest_s_header_fits_in_every_language(chromium: Browser, live_server: Any) -> None:
    """A guest has a name and a button to sign up, which is a long one in some languages."""
    guest = Client()
    guest.force_login(create_guest(name="Marta of the Harbour"), backend=BACKEND)
    context = chromium.new_context(viewport=SCREEN)  # type: ignore[arg-type]
    value = guest.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": value, "url": live_server.url}])
    page = context.new_page()
    too_wide = []
    for language in REAL:
        page.goto(f"{live_server.url}{'' if language == 'en' else f'/{language}'}/tournaments")
        boxes = [page.locator(f".me {part}").bounding_box() for part in (".ico >> nth=-1", ".btn")]
        name, button = boxes
        assert name is not None
        assert button is not None
        if name["x"] + name["width"] > button["x"] or button["x"] + button["width"] > 320:
            too_wide.append(language)
    context.close()
    assert too_wide == []
