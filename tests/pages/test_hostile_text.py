"""Names and texts made to break out of a page are shown as text (cases.md Z3)."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from django.test import Client

from games import services as games
from games.models import Match
from players.models import Player
from tournaments import services as tournaments
from tournaments.models import Tournament

HOSTILE = [
    "<svg/onload=alert(1)>",
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '" autofocus onfocus="alert(1)',
    "<!--<script>",
    "--><b>",
    "]]><b>",
    "{{ 7|add:7 }}{% now 'Y' %}",
    "%(name)s %s {name}",
    "javascript:alert(1)",
    "<bdi></bdi></a></li>",
    "&lt;b&gt; &amp; &#x3c;b>",
    "\u2028<b>\u2029",
]


class Skeleton(HTMLParser):
    """The elements and the names of their attributes: what a text must never change."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, tuple[str, ...]]] = []
        self.text: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, tuple(name for name, _value in attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_hostile_names_and_texts_never_change_a_page(
    make_player: Callable[..., Player],
    as_player: Callable[[Player], Client],
    make_event: Callable[..., Tournament],
    finished_match: Callable[..., Match],
) -> None:
    one, other = make_player("Marta"), make_player("Ivan")
    done = finished_match(one, other)
    waiting = games.open_match(rules={"preset": "allfives"}, seats=3, host=one)
    live = games.open_match(rules={"preset": "draw"}, seats=2, players=[one, other])
    event = make_event(one, text="Plain", bots=2)
    running = make_event(one, text="Plain")
    for player in (one, other):
        tournaments.join(tournament_id=running.pk, player=player)
        tournaments.join(tournament_id=event.pk, player=player)
    tournaments.start(tournament_id=running.pk, by=one)
    client = as_player(one)
    paths = [
        "/", "/watch", "/ladder", "/tournaments", f"/@{one.handle}", f"/t/{waiting.pk}",
        f"/t/{waiting.pk}/share", f"/t/{live.pk}", f"/t/{done.pk}", f"/t/{done.pk}/replay",
        "/accounts/settings",
        f"/tournaments/{event.slug}", f"/tournaments/{running.slug}", "/parts/lobby",
    ]  # fmt: skip
    plain = {path: Skeleton(client.get(path).content.decode()).seen for path in paths}
    for text in HOSTILE:
        _rename(text, one, [event, running])
        for path in paths:
            page = Skeleton(client.get(path).content.decode())
            assert page.seen == plain[path], (text, path)
        shown = "".join(Skeleton(client.get(f"/@{one.handle}").content.decode()).text)
        assert text in shown


def _rename(text: str, player: Player, events: list[Tournament]) -> None:
    """Past the checks on names: what counts here is that pages hold even so."""
    Player.objects.filter(pk=player.pk).update(name=text, name_key=f"hostile {len(text)}")
    for match in Match.objects.filter(seat__player=player):
        match.seat_set.filter(player=player).update(name=text)
        match.words = [{"n": 1, "seat": 0, "text": text, "at": 0, "id": ""}]
        match.save(update_fields=["words"])
    for event in events:
        Tournament.objects.filter(pk=event.pk).update(name=text, text=text)


@pytest.mark.django_db
def test_a_hostile_address_is_text_too(client: Client) -> None:
    for path in ("/ladder?page=<script>", '/accounts/sign-in?next="><script>alert(1)</script>'):
        html = client.get(path).content.decode()
        assert "<script>" not in html.replace('<script type="module"', "")
