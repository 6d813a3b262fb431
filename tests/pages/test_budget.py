"""What a page costs whoever opens it first: bytes, requests, and how much of it jumps about."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games import services as games
from games.models import Match
from players.models import Player
from tournaments import services as tournaments
from tournaments.models import Tournament

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(120),
]
KB = 1000
# Counts what moves though nobody has touched the page, as Lighthouse does.
SHIFTS = """
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) window.shifted += each.value;
  }).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture
def open_page(chromium: Any, live_server: Any, client: Client) -> Any:
    """Opens a page with nothing in the cache; its bytes, its requests, and what has shifted."""

    def look(path: str) -> tuple[int, list[str], float]:
        context = chromium.new_context(viewport={"width": 390, "height": 844})
        value = client.cookies.get("sessionid")
        if value is not None:
            cookie = {"name": "sessionid", "value": value.value, "url": live_server.url}
            context.add_cookies([cookie])
        context.add_init_script(SHIFTS)
        page = context.new_page()
        answers: list[Any] = []
        page.on("response", lambda answer: answers.append(answer))
        page.goto(live_server.url + path)
        page.wait_for_load_state("load")
        page.wait_for_timeout(700)
        sent = sum(_on_the_wire(answer) for answer in answers)
        found = (sent, [answer.url for answer in answers], page.evaluate("window.shifted"))
        context.close()
        return found

    return look


def _on_the_wire(answer: Any) -> int:
    """A response's bytes as the site's servers send them: text is compressed, head included."""
    head = sum(len(name) + len(value) + 4 for name, value in answer.all_headers().items())
    return head + len(gzip.compress(answer.body(), 6))


def test_the_first_pages_cost_little(
    open_page: Callable[[str], tuple[int, list[str], float]],
    live_server: Any,
    client: Client,
    make_player: Callable[..., Player],
    make_event: Callable[..., Tournament],
    finished_match: Callable[..., Match],
) -> None:
    marta = make_player("Marta")
    event = make_event(marta, bots=8, format="swiss", options={"rounds": 3})
    tournaments.start(tournament_id=event.pk, by=marta)
    match = games.open_match(rules={"preset": "allfives"}, seats=2, host=marta)
    budgets = {
        "/": (100, 20),
        "/tournaments": (100, 20),
        event.get_absolute_url(): (100, 20),
        f"/@{marta.handle}": (100, 20),
        f"/t/{match.pk}": (150, 50),
        f"/t/{finished_match(marta, make_player('Ana'), 50).pk}/replay": (160, 55),
    }
    spent = {}
    client.force_login(marta)
    for path, (bytes_, requests) in budgets.items():
        sent, urls, shifted = open_page(path)
        assert {url for url in urls if not url.startswith(live_server.url)} == set()
        spent[path] = (sent, len(urls), shifted)
        assert (sent < bytes_ * KB, len(urls) <= requests, shifted < 0.1) == (True,) * 3, spent
