"""Every page in Chromium: no WCAG 2.2 AA violation, no CSP message, nothing off the screen."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from fairplay import reporting
from fairplay import services as fairplay
from fairplay.detectors.rows import Finding
from fairplay.models import Case
from games import services as games
from games.models import Match
from notices import services as notices
from outbox.services import drain
from players import clubs, muting
from players.models import Player
from players.services import create_guest
from quickplay import services as quickplay
from ratings.models import LadderSeason, Rating, SeasonRating
from tournaments import services as tournaments
from tournaments import tasks
from tournaments.formats import FORMATS
from tournaments.ladders import running as ladders
from tournaments.ladders import services as climbing
from tournaments.models import Pairing, Round, Tournament

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(240),
]

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ALL_RULES: dict[str, Any] = {"runOnly": {"type": "tag", "values": RULES}}
# What the colours of a page decide; the rest is the same in the dark.
OF_COLOURS: dict[str, Any] = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
LOOKS = {"light": ALL_RULES, "dark": OF_COLOURS}
SCREENS = [(1280, 800), (390, 844), (320, 568)]
# A sticky bar covers what a scroll would show; axe takes that for small targets.
LET_GO = (
    "document.querySelectorAll('.tabbar, .waiting').forEach((e) => e.style.position = 'static')"
)
UNFOLD = "document.querySelectorAll('details').forEach((e) => e.open = true)"
RUN = """async (options) => (await axe.run(document, options)).violations.map(
    (each) => ({ id: each.id, at: each.nodes.map((node) => node.html) }))"""
# The server of these tests knows no sockets, and one page is meant to be missing.
EXPECTED = re.compile(r"WebSocket connection to|status of 404")


@dataclass(frozen=True)
class Makers:
    """What a scene is made with."""

    player: Callable[..., Player]
    event: Callable[..., Tournament]
    finished_match: Callable[..., Match]
    rate: Callable[..., Rating]


@pytest.fixture
def makers(
    make_player: Callable[..., Player],
    make_event: Callable[..., Tournament],
    finished_match: Callable[..., Match],
    rate: Callable[..., Rating],
) -> Makers:
    return Makers(make_player, make_event, finished_match, rate)


NAMES = ("Ana", "Béla", "Chiara", "Dilek", "Éva", "Farid", "Maximiliana-Theodora")
# Who looks, and at which pages.
Scene = tuple[Player | None, list[str]]


def the_site(make: Makers) -> Scene:
    """Lobby, ladder, players, tables, texts, an account's pages."""
    one, other = make.player("Marta"), make.player("Maximiliana-Theodora")
    for player, mean in ((one, 0.4), (other, -0.2)):
        make.rate(player, mean=mean)
    _season_over(one, other)
    done = make.finished_match(one, other)
    friends = games.open_match(rules={"preset": "draw"}, seats=3, host=one)
    games.open_match(rules={"preset": "muggins"}, seats=2, host=other)
    make.event(one, bots=3)
    return one, [
        "/", "/watch", "/ladder", "/tournaments", f"/@{one.handle}", "/tables/new",
        "/ladder?season=1", "/ladder/seasons", "/tournaments/new", "/accounts/settings",
        "/accounts/tokens", "/rules", "/rules/draw",
        "/rules/block", "/about", "/nope", f"/t/{friends.pk}/share", f"/t/{done.pk}/share",
        f"/t/{done.pk}/replay", f"/t/{done.pk}/embed",
    ]  # fmt: skip


def quick_play(make: Makers) -> Scene:
    """Waiting for a partner; the invitation of somebody else, and of nobody."""
    one, other = make.player("Marta"), make.player("Maximiliana-Theodora")
    quickplay.invite(player=one, queue="partners-150-normal")
    asked = quickplay.invite(player=other, queue="partners-150-normal")
    return one, ["/quick", f"/quick/with/{asked.party}", "/quick/with/nobody"]


def an_account(make: Makers) -> Scene:
    """What is one's own: notices, settings, security, privacy; how the site is doing."""
    player = make.player("Marta")
    muting.mute(player=player, other=make.player("Maximiliana-Theodora"))
    facts = {"event": "Maximiliana-Theodora’s very long memorial tournament", "reason": "Rain"}
    for kind in ("cancelled", "freed"):
        notices.tell(players=[player], kind=kind, key=kind, facts=facts, url="/tournaments")
    return player, [
        "/notices", "/accounts/settings/notices", "/accounts/settings/privacy",
        "/accounts/settings/appearance", "/accounts/settings/people", "/accounts/2fa/",
        "/accounts/email/",
        "/accounts/password/change/", "/accounts/sessions/", "/accounts/reauthenticate/",
        "/status", "/about/privacy", "/about/accessibility", "/about/licence",
    ]  # fmt: skip


def a_stranger(make: Makers) -> Scene:
    """A site with nothing on it but one event, seen by nobody in particular."""
    event = make.event(make.player())
    paths = ["/", "/watch", "/ladder", "/tournaments", "/clubs", "/leagues", "/ladders"]
    return None, [
        *paths,
        "/accounts/sign-in",
        "/accounts/sign-up",
        "/accounts/password/reset/",
        event.get_absolute_url(),
        f"/@{make.event(make.player(), bots=1).entrants.get().player.handle}",
    ]


def before_the_start(make: Makers) -> Scene:
    """Events as drafts, open for entry and called off, as their organiser sees them."""
    one = make.player("Marta")
    soon, called_off = make.event(one, bots=3), make.event(one)
    draft = tournaments.create(organiser=one, name="A draft", access="link")
    tournaments.cancel(tournament_id=called_off.pk, by=one, reason="Power cut")
    return one, [
        *_pages(draft, "", "edit"),
        *_pages(called_off, ""),
        *_pages(soon, "", "entrants", "info", "edit", "entries", "entries/import", "officials"),
    ]


def knockouts(make: Makers) -> Scene:
    """Events during and after play, with all their sections, as a player and organiser."""
    one = make.player("Marta")
    now, over = make.event(one, bots=4), make.event(one, bots=2)
    tournaments.join(tournament_id=now.pk, player=one)
    for event in (now, over):
        tournaments.start(tournament_id=event.pk, by=one)
    _decide(over, one)
    return one, [
        *_pages(now, "", "pairings", "pairings?by=name", "bracket", "bracket?view=list"),
        *_pages(now, "entrants", "standings", "desk", "log", "print/slips", "screen"),
        *_pages(over, "", "standings", "bracket", "info", "print/prizes", "rank/1"),
        *_pages(over, "screen?show=results&colours=light"),
    ]


def some_formats(make: Makers) -> Scene:
    """An event of every second format, begun."""
    return _begun(make, sorted(FORMATS)[::2])


def other_formats(make: Makers) -> Scene:
    """An event of each of the other formats, begun."""
    return _begun(make, sorted(FORMATS)[1::2])


def _begun(make: Makers, format_ids: list[str]) -> Scene:
    one = make.player("Marta")
    paths: list[str] = []
    for format_id in format_ids:
        event = make.event(one, bots=6, format=format_id)
        tournaments.start(tournament_id=event.pk, by=one)
        tournaments.draw_due(tournament_id=event.pk)
        tournaments.look_at_arena(tournament_id=event.pk)
        _decide(event, one, most=2)
        paths += _pages(event, "", "pairings", "standings")
    return one, paths


def the_desk(make: Makers) -> Scene:
    """Behind a Swiss over the board: a drawn round, a running one, reports, roles, the log."""
    olga = make.player("Olga")
    people = [make.player(name) for name in NAMES]
    drawn, cup = _swiss(make, olga, people), _swiss(make, olga, people)
    for event in (drawn, cup):
        tournaments.ask(tournament_id=event.pk, by=olga)
        tasks.draw_round(event.pk)
    draft, row = (Round.objects.get(stage__tournament=event) for event in (drawn, cup))
    tournaments.publish(round_id=row.pk, by=olga)
    tournaments.start_round(round_id=row.pk, by=olga)
    first, second, third = row.pairings.filter(status__in=["ready", "live"]).order_by("number")
    sheet = tournaments.Sheet(scores=(150, 95))
    tournaments.enter_sheet(pairing_id=first.pk, by=olga, sheet=sheet)
    told = tournaments.report(pairing_id=second.pk, by=_first_of(second), sheet=sheet)
    tournaments.dispute(report_id=told.pk, by=_first_of(second, side=1), note="It was 150 to 90.")
    tournaments.report(pairing_id=third.pk, by=_first_of(third), sheet=sheet)
    tournaments.invite(tournament_id=cup.pk, by=olga, role="scorer", tables=[1, 2])
    _invitation, key = tournaments.invite(tournament_id=cup.pk, by=olga, role="arbiter")
    tournaments.accept(key=key, player=make.player("Greta"))
    _other, open_key = tournaments.invite(tournament_id=cup.pk, by=olga, role="desk")
    return olga, [
        *_pages(drawn, "", "desk", f"desk/pair/{draft.pk}"),
        *_pages(cup, "", "desk", "officials", "log", "entries", "edit", "entrants"),
        *_pages(cup, f"pairings/{first.number}/correct", f"pairings/{first.number}/report"),
        *_pages(cup, f"pairings/{second.number}/report", "rank/1", "pairings", "standings"),
        f"/invited/{open_key}",
    ]


def on_paper_and_screen(make: Makers) -> Scene:
    """What hangs on the wall and lies on the tables, and a finished event's last pages."""
    olga = make.player("Olga")
    cup = _swiss(make, olga, [make.player(name) for name in NAMES])
    tournaments.ask(tournament_id=cup.pk, by=olga)
    tasks.draw_round(cup.pk)
    row = Round.objects.get(stage__tournament=cup)
    tournaments.publish(round_id=row.pk, by=olga)
    tournaments.start_round(round_id=row.pk, by=olga)
    _decide(cup, olga, most=2)
    papers = [f"print/{what}" for what in ("tables", "names", "slips", "cards", "standings")]
    screens = ["screen", "screen?show=standings", "screen?show=results", "screen?colours=dark"]
    return olga, _pages(cup, *papers, *screens)


def together(make: Makers) -> Scene:
    """Clubs, leagues, challenge ladders, pairs."""
    one, other = make.player("Marta"), make.player("Maximiliana-Theodora")
    club = clubs.found(founder=one, name="Double Six", place="Lima", joining="ask")
    clubs.join(club_id=club.pk, player=other)
    climb = ladders.create(owner=one, name="Thursday ladder", play="board")
    for player in (one, other):
        climbing.join(ladder_id=climb.pk, player=player)
    climbing.challenge(ladder_id=climb.pk, player=other, defender=one)
    pairs = make.event(one, sides="pairs")
    tournaments.invite_partner(tournament_id=pairs.pk, player=other, partner=one, name="Aces")
    return one, [
        "/clubs", "/clubs/new", f"/clubs/{club.slug}", f"/clubs/{club.slug}/edit",
        "/leagues", "/leagues/new", *_league(one, other),
        "/ladders", "/ladders/new", f"/ladders/{climb.slug}", f"/ladders/{climb.slug}/edit",
        *_pages(pairs, "", "pair", "entries"),
    ]  # fmt: skip


def arenas(make: Makers) -> Scene:
    """An arena with somebody playing and somebody waiting, and one that is over."""
    one = make.player("Marta")
    now, over = (make.event(one, bots=4, format="arena", capacity=16) for _ in range(2))
    tournaments.join(tournament_id=now.pk, player=one)
    for event in (now, over):
        tournaments.start(tournament_id=event.pk, by=one)
        tournaments.look_at_arena(tournament_id=event.pk)
        _decide(event, one, most=1)
    tournaments.end_arena(tournament_id=over.pk, by=one)
    return one, [
        *_pages(now, "", "pairings", "standings", "entrants", "info", "screen", "desk"),
        *_pages(over, "", "standings", "print/standings"),
    ]


def fair_play(make: Makers) -> Scene:
    """Reports, cases of every look, and a player, as a moderator sees them."""
    boss = Player.objects.create_superuser("boss", "double-six-leads", name="Boss")
    one, other = make.player("Marta"), make.player("Maximiliana-Theodora")
    done = make.finished_match(one, other)
    drain()
    facts = {
        "pool": "allfives-1v1", "count": 22, "wins": 21, "expected": 11.4, "gain": 180,
        "percent": 71, "p": 0.00001, "signs": ["given_up", "weaker"],
    }  # fmt: skip
    fairplay.open_case(Finding("farming", (other.pk, one.pk), facts, (done.pk,)))
    reporting.report(
        reporter=one, subject=other, reason="talk", text="Rude " * 40, match_id=done.pk
    )
    found, reported = Case.objects.order_by("pk")
    fairplay.act(player=one, by=boss, action="warn", reason="Be kind", case_id=found.pk)
    fairplay.act(player=one, by=boss, action="silence", reason="Insults", days=7)
    third = make.player("Ana")
    return boss, [
        "/moderation", "/moderation?state=acted", "/moderation?state=dismissed",
        f"/moderation/{found.pk}", f"/moderation/{reported.pk}", f"/@{one.handle}/moderate",
        f"/@{third.handle}/report?table={done.pk}",
    ]  # fmt: skip


SCENES = (
    an_account, fair_play,
    the_site, a_stranger, before_the_start, knockouts, some_formats, other_formats, the_desk,
    on_paper_and_screen, together, arenas, quick_play,
)  # fmt: skip


def _season_over(*players: Player) -> None:
    """A season in which these ended in this order, in a division each."""
    today = timezone.now().date()
    season = LadderSeason.objects.create(
        number=1, begins_on=today - timedelta(days=90), ends_on=today, closed_at=timezone.now()
    )
    for rank, player in enumerate(players, 1):
        SeasonRating.objects.create(
            season=season, pool="allfives-1v1", player=player, mean=-rank / 5, variance=0.15,
            matches=20, opponents=9, division=rank, rank=rank,
        )  # fmt: skip


def _pages(event: Tournament, *rest: str) -> list[str]:
    """Addresses within an event."""
    return [f"{event.get_absolute_url()}{'/' * bool(each)}{each}" for each in rest]


def _swiss(make: Makers, organiser: Player, people: list[Player]) -> Tournament:
    """A Swiss over the board that has begun; its rounds are the arbiter's to start."""
    event = make.event(
        organiser, format="swiss", options={"rounds": 3}, play="board", reports="players",
        round_start="arbiter", round_minutes=40,
    )  # fmt: skip
    for player in people:
        tournaments.join(tournament_id=event.pk, player=player)
    return tournaments.start(tournament_id=event.pk, by=organiser)


def _first_of(pairing: Pairing, side: int = 0) -> Player:
    entrant = pairing.slots.get(index=side).entrant
    assert entrant is not None
    assert entrant.player is not None
    return entrant.player


def _decide(event: Tournament, by: Player, most: int = 1) -> None:
    """The arbiter decides the first matches of an event, so that some are and some are not."""
    open_ones = Pairing.objects.filter(stage__tournament=event, status__in=["live", "ready"])
    for pairing in open_ones.order_by("number")[:most]:
        winner = pairing.slots.get(index=0).entrant_id
        tournaments.report_result(
            pairing_id=pairing.pk, by=by, outcome="decision", winner=winner, reason="Power cut"
        )


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


STICKS_OUT = """() => [...document.querySelectorAll("main *")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 3).map((each) => each.outerHTML.slice(0, 120))"""


def faults_of(page: Any, width: int, options: dict[str, Any] = ALL_RULES) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(pytest.importorskip("axe_playwright_python.base").AXE_SCRIPT)
    page.evaluate(LET_GO)
    page.evaluate(UNFOLD)
    found = page.evaluate(RUN, {**options, "resultTypes": ["violations"]})
    faults = [f"{each['id']}: {[html[:120] for html in each['at'][:2]]}" for each in found]
    if page.evaluate("document.documentElement.scrollWidth") > width:
        faults.append(f"wider than the screen: {page.evaluate(STICKS_OUT)}")
    return faults


def _listen(page: Any, faults: list[str]) -> None:
    """Notes whatever the browser complains of: broken scripts, missing files, what CSP forbids."""

    def said(message: Any) -> None:
        if not EXPECTED.search(message.text):
            faults.append(f"{page.url} says {message.text}")

    page.on("console", said)
    page.on("pageerror", lambda error: faults.append(f"{page.url} broke: {error}"))


def _visit(page: Any, address: str) -> list[str]:
    """What is wrong with the page on any screen, in either scheme."""
    answer = page.goto(address)
    faults = [] if answer.status in (200, 404) else [f"answers {answer.status}"]
    if (headings := page.locator("h1").count()) != 1:
        faults.append(f"has {headings} h1")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for colours, rules in LOOKS.items():
            page.emulate_media(color_scheme=colours)
            faults += [f"{width} {colours} {each}" for each in faults_of(page, width, rules)]
    return faults


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_every_page_is_accessible_and_fits(
    live_server: Any, chromium: Any, client: Client, makers: Makers, scene: Callable[..., Scene]
) -> None:
    viewer, paths = scene(makers)
    # Colours that still fade from one scheme to the other are neither.
    context = chromium.new_context(reduced_motion="reduce")
    if viewer is not None:
        client.force_login(viewer)
        value = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": value, "url": live_server.url}])
    page = context.new_page()
    faults: list[str] = []
    _listen(page, faults)
    for path in paths:
        faults += [f"{path} {each}" for each in _visit(page, live_server.url + path)]
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
    page.dblclick("text=Play a bot now", no_wait_after=True)
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
