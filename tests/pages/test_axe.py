"""Every page in Chromium: no WCAG 2.2 AA violation, no CSP message, nothing off the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import services as games
from games.models import Match
from players.models import Player
from players.services import create_guest
from ratings.models import Rating
from tournaments import services as tournaments
from tournaments.formats import FORMATS
from tournaments.models import Pairing, Tournament

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SCREENS = [(320, 568), (390, 844), (1280, 800)]
# A sticky bar covers what a scroll would show; axe takes that for small targets.
LET_GO = (
    "document.querySelectorAll('.tabbar, .waiting').forEach((e) => e.style.position = 'static')"
)
UNFOLD = "document.querySelectorAll('details').forEach((e) => e.open = true)"


@pytest.fixture
def site(
    make_player: Callable[..., Player],
    make_event: Callable[..., Tournament],
    finished_match: Callable[..., Match],
    rate: Callable[..., Rating],
) -> tuple[Player, list[str]]:
    """A site with something of everything; who looks, and the pages."""
    one, other = make_player("Marta"), make_player("Maximiliana-Theodora")
    for player, mean in ((one, 0.4), (other, -0.2)):
        rate(player, mean=mean)
    done = finished_match(one, other)
    friends = games.open_match(rules={"preset": "draw"}, seats=3, host=one)
    games.open_match(rules={"preset": "muggins"}, seats=2, host=other)
    soon, now, over = make_event(one, bots=3), make_event(one, bots=4), make_event(one, bots=2)
    tournaments.join(tournament_id=now.pk, player=one)
    for event in (now, over):
        tournaments.start(tournament_id=event.pk, by=one)
    final = Pairing.objects.get(stage__tournament=over)
    slot = final.slots.first()
    assert slot is not None
    tournaments.report_result(
        pairing_id=final.pk, by=one, outcome="decision", winner=slot.entrant_id, reason="Power cut"
    )
    shapes = [_begun(make_event, one, format_id) for format_id in FORMATS]
    events = [f"/tournaments/{event.slug}" for event in (soon, now, over, *shapes)]
    events += [
        f"/tournaments/{event.slug}/{section}"
        for event, sections in (
            (soon, ("entrants", "info")),
            (now, ("pairings", "pairings?by=name", "bracket?view=list", "entrants")),
            (now, ("print/tables", "print/names", "print/slips", "print/cards", "screen")),
            (over, ("print/prizes", "screen?show=results&colours=light")),
            (over, ("standings", "bracket")),
            *((event, ("pairings", "standings")) for event in shapes),
        )
        for section in sections
    ]
    return one, [
        "/", "/watch", "/ladder", "/tournaments", *events, f"/@{one.handle}", "/tables/new",
        "/tournaments/new", "/leagues", "/leagues/new", *_league(one, other),
        "/accounts/settings", "/accounts/tokens", "/rules", "/about", "/nope",
        f"/t/{friends.pk}/share", f"/t/{done.pk}/share",
    ]  # fmt: skip


def _league(owner: Player, other: Player) -> list[str]:
    """The pages of a league in its first season."""
    league = tournaments.create_league(owner=owner, name="League", sizes=[2])
    for player in (owner, other, *(create_guest() for _ in range(2))):
        tournaments.join_league(league_id=league.pk, player=player)
    ids = list(league.players.values_list("player_id", flat=True))
    tournaments.begin_season(
        league_id=league.pk, by=owner, divisions=[ids[:2], ids[2:]], begins_on=timezone.localdate()
    )
    return [f"/leagues/{league.slug}", f"/leagues/{league.slug}/next"]


def _begun(make_event: Callable[..., Tournament], by: Player, format_id: str) -> Tournament:
    """An event of that format in which something is decided and something is not."""
    event = make_event(by, bots=6, format=format_id)
    tournaments.start(tournament_id=event.pk, by=by)
    tournaments.draw_due(tournament_id=event.pk)
    for pairing in Pairing.objects.filter(stage__tournament=event, status="live")[:2]:
        winner = pairing.slots.get(index=0).entrant_id
        tournaments.report_result(
            pairing_id=pairing.pk, by=by, outcome="decision", winner=winner, reason="x"
        )
    return event


def faults_of(page: Any, width: int) -> list[str]:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.evaluate(LET_GO)
    page.evaluate(UNFOLD)
    found = axe.run(page, options={"runOnly": {"type": "tag", "values": RULES}})
    faults = [
        f"{each['id']}: {[node['html'][:120] for node in each['nodes'][:2]]}"
        for each in found.response["violations"]
    ]
    if page.evaluate("document.documentElement.scrollWidth") > width:
        faults.append("wider than the screen")
    return faults


def _listen(page: Any, faults: list[str]) -> None:
    """Notes what the browser complains of: broken scripts, and what the CSP forbids."""

    def said(message: Any) -> None:
        if "Content Security" in message.text:
            faults.append(message.text)

    page.on("console", said)
    page.on("pageerror", lambda error: faults.append(str(error)))


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_every_page_is_accessible_and_fits(
    live_server: Any, chromium: Any, client: Client, site: tuple[Player, list[str]], colours: str
) -> None:
    viewer, paths = site
    client.force_login(viewer)
    cookie = {
        "name": "sessionid",
        "value": client.cookies["sessionid"].value,
        "url": live_server.url,
    }
    faults: list[str] = []
    visits = [*((path, True) for path in paths)]
    visits += [(path, False) for path in ("/", "/accounts/sign-in", "/accounts/sign-up")]
    for width, height in SCREENS:
        for signed_in in (True, False):
            context = chromium.new_context(
                viewport={"width": width, "height": height}, color_scheme=colours
            )
            if signed_in:
                context.add_cookies([cookie])
            page = context.new_page()
            _listen(page, faults)
            for path in (path for path, inside in visits if inside == signed_in):
                page.goto(live_server.url + path)
                faults += [f"{width} {path} {fault}" for fault in faults_of(page, width)]
            context.close()
    assert faults == []


def test_a_bad_form_shows_each_error_beside_its_field(live_server: Any, chromium: Any) -> None:
    page = chromium.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{live_server.url}/tables/new")
    page.fill("#id_turn_seconds", "2")
    page.click("text=Open the table")
    assert page.get_attribute("#id_turn_seconds", "aria-invalid") == "true"
    described = (page.get_attribute("#id_turn_seconds", "aria-describedby") or "").split()
    said = " ".join(page.inner_text(f"#{each}") for each in described)
    assert "greater than or equal to 5" in said
    assert page.evaluate("document.activeElement.getAttribute('role')") == "alert"
    assert faults_of(page, 390) == []


def test_a_double_click_opens_one_table(live_server: Any, chromium: Any) -> None:
    page = chromium.new_context().new_page()
    page.goto(live_server.url)
    page.dblclick("text=Play now v. a bot", no_wait_after=True)
    page.wait_for_url("**/t/*")
    assert Match.objects.count() == 1
    assert Player.objects.filter(is_guest=True).count() == 1


def test_colours_chosen_by_hand_hold_without_javascript(live_server: Any, chromium: Any) -> None:
    context = chromium.new_context(java_script_enabled=False, color_scheme="light")
    page = context.new_page()
    page.goto(f"{live_server.url}/rules")
    page.click("footer >> text=Dark")
    assert page.url == f"{live_server.url}/rules"
    shown = page.locator("body").evaluate("(body) => getComputedStyle(body).backgroundColor")
    assert shown == "rgb(19, 23, 26)"


def test_a_page_keeps_itself_fresh_without_losing_ones_place(
    live_server: Any,
    chromium: Any,
    make_player: Callable[..., Player],
    make_event: Callable[..., Tournament],
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=8)
    tournaments.start(tournament_id=event.pk, by=organiser)
    page = chromium.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{live_server.url}/tournaments/{event.slug}/bracket")
    page.click(".rounds a >> nth=2")
    page.wait_for_function("document.querySelector('.bracket').scrollLeft > 200")
    page.focus(".bracket")
    pairing = Pairing.objects.get(number=1)
    slot = pairing.slots.first()
    assert slot is not None
    tournaments.report_result(
        pairing_id=pairing.pk, by=organiser, outcome="decision", winner=slot.entrant_id, reason="R"
    )
    page.wait_for_selector("text=decision of the arbiter", state="attached", timeout=20_000)
    assert page.evaluate("document.querySelector('.bracket').scrollLeft") > 200
    assert page.evaluate("document.activeElement.matches('.bracket')") is True
