"""A replay in headless Chromium: keys, addresses of moves, and what is shown at each."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from games.models import Match
from games.replays import replay_for
from pages.figures import unbroken
from players.models import Player

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(240),
]


def test_a_match_is_stepped_through_by_keys(
    chromium: Browser,
    live_server: object,
    make_player: Callable[..., Player],
    finished_match: Callable[..., Match],
) -> None:
    match = finished_match(make_player("Marta"), make_player("Ivan"))
    steps = [step for each in replay_for(match.pk)["rounds"] for step in each["steps"]]
    played = next(n for n, step in enumerate(steps) if step["kind"] == "played")
    page = chromium.new_context().new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{live_server}/t/{match.pk}/replay#m{played + 1}")
    tiles = page.locator(".felt .tiles > g")
    expect(tiles).to_have_count(1)
    expect(page.locator("[aria-current=step]")).to_contain_text(unbroken(steps[played]["tile"]))
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile("#r1$"))
    expect(tiles).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("#m1$"))
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile(f"#m{len(steps)}$"))
    for side, score in enumerate(match.scores):
        expect(page.locator(".seat-up .tally").nth(side)).to_have_text(str(score))
    expect(page.get_by_label("Link to this move")).to_have_value(page.url)
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(f"#m{len(steps) - 1}$"))
    page.keyboard.press("Space")
    expect(page).to_have_url(re.compile(f"#m{len(steps)}$"))
    assert faults == []
    page.context.close()
