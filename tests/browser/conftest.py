"""Headless Chromium against the embedded site, as `make run` serves it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from playwright.sync_api import Error as PlaywrightError

from deploy.embedded_site import Site

STEP_MS = 150


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("site"))
    site.start("--no-seed")
    yield site
    assert site.interrupt()[0] == 0, site.log
    assert "Traceback" not in site.log


@dataclass
class Person:
    """Someone in front of a browser of their own."""

    context: BrowserContext
    page: Page
    messages: list[str] = field(default_factory=list)

    def open_table(self, **choices: str) -> None:
        """Opens a table by the form; `choices` by field name."""
        self.page.goto("/tables/new")
        for name, value in choices.items():
            control = self.page.locator(f'[name="{name}"]').first
            if control.get_attribute("type") == "radio":
                self.page.locator(f'[name="{name}"][value="{value}"]').check(force=True)
            else:
                control.fill(value)
        self.page.locator("main form button:not([type=button])").last.click()
        self.page.wait_for_url("**/t/*")

    def move(self) -> bool:
        """One thing that can be done at the table, as a hand with a mouse does it; whether any."""
        page = self.page
        for target in (
            '[data-part="felt"] button',
            '[data-turn="mine"] .hand button[aria-disabled="false"]',
            '.sheet[data-kind="round"] button:not([disabled])',
        ):
            found = page.locator(target).first
            if found.is_visible():
                with suppress(PlaywrightError):
                    found.click(timeout=1500)
                    return True
        return False

    @property
    def is_over(self) -> bool:
        return self.page.locator('.sheet[data-kind="match"] h2').is_visible()

    @property
    def log(self) -> list[str]:
        return self.page.locator('[data-part="log"] li').all_inner_texts()

    @property
    def line(self) -> str:
        """What the page tells a screen reader of the line."""
        return self.page.locator('[data-part="line-words"]').inner_text()


@pytest.fixture
def person(chromium: Browser, site: Site) -> Iterator[Callable[..., Person]]:
    people: list[Person] = []

    def arrive(width: int = 1280, height: int = 800, locale: str = "en-GB") -> Person:
        context = chromium.new_context(
            viewport={"width": width, "height": height}, base_url=site.url, locale=locale
        )
        context.set_default_timeout(20_000)
        page = context.new_page()
        someone = Person(context, page)
        page.on("console", lambda message: someone.messages.append(message.text))
        page.on("pageerror", lambda error: someone.messages.append(str(error)))
        people.append(someone)
        return someone

    yield arrive
    for someone in people:
        assert unexpected(someone.messages) == []
        someone.context.close()


def unexpected(messages: list[str]) -> list[str]:
    """What the console said, but for the browser's own word on a connection that was cut."""
    cut = re.compile(r"WebSocket connection to .* failed|net::ERR_")
    return [message for message in messages if not cut.search(message)]


def play_to_the_end(people: list[Person], seconds: float = 240) -> None:
    """Everyone moves when they can, until everyone sees the match's end."""
    deadline = time.monotonic() + seconds
    while not all(person.is_over for person in people):
        assert time.monotonic() < deadline, [person.log[-3:] for person in people]
        if not any(person.move() for person in people):
            people[0].page.wait_for_timeout(STEP_MS)
