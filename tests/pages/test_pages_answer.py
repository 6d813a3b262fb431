"""Every page answers, in its empty state too, without scripts or styles of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from games import services as games
from games.models import Match, Seat
from outbox.services import drain
from players.models import Player
from ratings.models import Rating
from ratings.selectors import ratings_of
from tournaments import services as tournaments
from tournaments.models import Entrant, Tournament

DATA = ("application/ld+json", "application/json")
"""Blocks of data, for search engines and for scripts: nothing in them is run."""
EMPTY = [
    "/",
    "/watch",
    "/ladder",
    "/ladder/seasons",
    "/tournaments",
    "/quick",
    "/quick/with/nobody",
    "/tables/new",
    "/rules",
    "/rules/draw",
    "/rules/block",
    "/about",
    "/about/privacy",
    "/about/accessibility",
    "/about/licence",
    "/status",
]
PARTS = ["/parts/quick", "/quick/state", "/parts/lobby", "/parts/waiting", "/parts/watch"]
ACCOUNT = ["/accounts/sign-in", "/accounts/sign-up", "/accounts/password/reset/"]
OWN = [
    "/accounts/settings",
    "/accounts/settings/people",
    "/accounts/settings/privacy",
    "/notices",
    "/accounts/tokens",
    "/tournaments/new",
]
POSTS = [
    "/play/bot",
    "/play/friend",
    "/quick/seek",
    "/quick/cancel",
    "/quick/away",
    "/quick/bot",
    "/t/x/join",
    "/accounts/sign-out",
    "/accounts/theme",
    "/@x/mute",
    "/tournaments/x/join",
]


class Elements(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.found if name == tag]


def elements_of(response: Any) -> Elements:
    return Elements(response.content.decode())


@pytest.mark.django_db
@pytest.mark.parametrize("path", EMPTY + ACCOUNT)
def test_an_empty_site_shows_every_page(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    page = elements_of(response)
    assert len(page.named("h1")) == 1
    assert len(page.named("main")) == 1
    assert page.named("html")[0]["lang"] == "en"
    assert all(script.get("src") or script["type"] in DATA for script in page.named("script"))
    assert not page.named("style")
    assert not [attrs for _tag, attrs in page.found if "style" in attrs]
    assert not [name for _tag, attrs in page.found for name in attrs if name.startswith("on")]


@pytest.mark.django_db
def test_ids_are_used_once_and_every_field_has_its_label(
    make_player: Callable[..., Player], as_player: Callable[[Player], Client]
) -> None:
    client = as_player(make_player())
    for path in EMPTY + OWN:
        page = elements_of(client.get(path))
        ids = [attrs["id"] for _tag, attrs in page.found if attrs.get("id")]
        assert len(ids) == len(set(ids)), path
        labelled = {attrs.get("for") for attrs in page.named("label")}
        for tag in ("input", "select", "textarea"):
            for field in page.named(tag):
                assert field.get("type") == "hidden" or field.get("id") in labelled, (path, field)


@pytest.mark.django_db
@pytest.mark.parametrize("path", EMPTY + ACCOUNT + PARTS)
def test_looking_creates_nobody_and_no_session(client: Client, path: str) -> None:
    client.get(path)
    client.head(path)
    assert not Player.objects.exists()
    assert not Session.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("path", POSTS)
def test_what_changes_something_cannot_be_fetched(client: Client, path: str) -> None:
    assert client.get(path).status_code == 405
    assert not Player.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("path", OWN)
def test_a_page_of_ones_own_asks_who_one_is(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 302
    assert response["Location"] == f"/accounts/sign-in?next={path}"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["/nope", "/t/nope", "/t/nope/share", "/t/nope/record.json", "/@nobody", "/ladder?pool=x",
     "/tournaments/nope", "/tournaments/nope/state/overview", "/tournaments/nope/pairings"],
)  # fmt: skip
def test_what_is_not_there_is_404_on_a_page_of_ours(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert "Nothing lies here" in response.content.decode()


def test_a_broken_page_says_so_without_the_database() -> None:
    client = Client(raise_request_exception=False)
    # No database may be touched in this test: the home page therefore breaks.
    response = client.get("/")
    assert response.status_code == 500
    assert "Something broke" in response.content.decode()


@pytest.mark.django_db
def test_a_form_from_another_site_is_refused_on_a_page_of_ours() -> None:
    response = Client(enforce_csrf_checks=True).post("/play/bot")
    assert response.status_code == 403
    assert "The page was too old" in response.content.decode()
    assert not Player.objects.exists()


def test_get_changes_nothing_for_a_player_with_tables_and_events(
    make_player: Callable[..., Player],
    as_player: Callable[[Player], Client],
    make_event: Callable[..., Tournament],
) -> None:
    player = make_player()
    match = games.open_match(rules={"preset": "allfives"}, seats=2, host=player)
    event = make_event(player, bots=3)
    client = as_player(player)
    before = _state()
    for path in [
        *EMPTY, *OWN, *PARTS, f"/t/{match.pk}", f"/t/{match.pk}/share", f"/@{player.handle}",
        f"/t/{match.pk}/record.json", f"/t/{match.pk}/replay", f"/tournaments/{event.slug}",
        f"/tournaments/{event.slug}/state/overview",
    ]:  # fmt: skip
        assert client.get(path).status_code == 200, path
    assert _state() == before


def _state() -> list[Any]:
    return [
        list(Player.objects.values_list()),
        list(Match.objects.values_list()),
        list(Seat.objects.values_list()),
        list(Entrant.objects.values_list()),
        list(Tournament.objects.values_list()),
    ]


def test_home_costs_few_queries_however_much_is_on(
    make_player: Callable[..., Player],
    as_player: Callable[[Player], Client],
    make_event: Callable[..., Tournament],
    make_bot: Callable[[int], Player],
    rate: Callable[..., Rating],
    django_assert_max_num_queries: Any,
) -> None:
    player = make_player()
    for number in range(8):
        games.open_match(rules={"preset": "allfives"}, seats=4, host=make_player())
        games.open_match(
            rules={"preset": "draw"},
            seats=2,
            players=[make_bot(2 * number + 1), make_bot(2 * number + 2)],
        )
        rate(make_player(), mean=number / 10)
    for _number in range(3):
        make_event(player, bots=4)
    client = as_player(player)
    with django_assert_max_num_queries(17):
        page = client.get("/").content.decode()
    assert " ".join(page.split()).count("Take a seat<span") == 8
    assert page.count('class="tables"') == 1


def test_the_ladder_costs_few_queries(
    make_player: Callable[..., Player],
    as_player: Callable[[Player], Client],
    rate: Callable[..., Rating],
    django_assert_max_num_queries: Any,
) -> None:
    players = [make_player() for _number in range(40)]
    for number, player in enumerate(players):
        rate(player, mean=number / 20, matches=30 if number % 2 else 5)
    client = as_player(players[1])
    with django_assert_max_num_queries(13):
        page = client.get("/ladder").content.decode()
    assert page.count("<tr") == 42
    assert 'class="self"' in page
    assert "Provisional" in page


def test_a_bracket_of_64_costs_few_queries(
    make_player: Callable[..., Player],
    as_player: Callable[[Player], Client],
    make_event: Callable[..., Tournament],
    django_assert_max_num_queries: Any,
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=64)
    client = as_player(organiser)
    with django_assert_max_num_queries(23):
        assert client.get(f"/tournaments/{event.slug}").status_code == 200
    tournaments.start(tournament_id=event.pk, by=organiser)
    for section in ("", "/pairings", "/standings", "/entrants", "/info"):
        with django_assert_max_num_queries(23):
            client.get(f"/tournaments/{event.slug}{section}")
    with django_assert_max_num_queries(21):
        page = client.get(f"/tournaments/{event.slug}/bracket").content.decode()
    assert len(re.findall(r'<li class="m[ "]', page)) == 63


def test_a_fragment_that_has_not_changed_is_not_sent_again(client: Client, db: None) -> None:
    first = client.get("/parts/lobby")
    again = client.get("/parts/lobby", HTTP_IF_NONE_MATCH=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    games.open_match(rules={"preset": "allfives"}, seats=2)
    assert client.get("/parts/lobby", HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 200


def test_a_profile_begins_with_the_ratings_then_their_way_then_matches(
    make_player: Callable[..., Player],
    finished_match: Callable[..., Any],
    client: Client,
) -> None:
    one, other = make_player(), make_player()
    finished_match(one, other)
    drain()
    page = client.get(f"/@{one.handle}").content.decode()
    places = [page.index(f'<h2 id="{part}"') for part in ("ratings", "way", "matches")]
    assert places == sorted(places)
    [shown] = ratings_of(one).values()
    card = " ".join(page[places[0] : places[1]].split())
    assert f"{shown.rating} <small>" in card
    assert f"± {shown.spread}</span>" in card
    assert ("provisional" in card) is shown.provisional is True


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/leagues", "Tournaments"),
        ("/tournaments", "Tournaments"),
        ("/ladder/seasons", "Ladder"),
        ("/ladders", "Ladder"),
        ("/clubs", "Clubs"),
        ("/rules", None),
    ],
)
def test_a_page_marks_the_place_that_it_belongs_to(
    client: Client, path: str, place: str | None
) -> None:
    page = client.get(path).content.decode()
    marked = re.findall(r'aria-current="page">\s*<span>([^<]+)</span>', page)
    assert marked == ([] if place is None else [place])
