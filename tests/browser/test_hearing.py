"""Open pages hear of what others do; without their socket they find out by asking."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Person

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

Arrive = Callable[..., Person]


SEATS = "#lobby [aria-labelledby=open] li"


def test_a_table_that_somebody_opens_appears_in_the_others_list(person: Arrive) -> None:
    one, other = person(), person(width=390, height=844)
    frames: list[dict[str, object]] = []
    other.page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda text: frames.append(json.loads(text))),
    )
    with other.page.expect_response("**/parts/lobby"):
        other.page.goto("/")
    before = other.page.locator(SEATS).count()
    one.open_table()
    expect(other.page.locator(SEATS)).to_have_count(before + 1, timeout=20_000)
    changed = [frame for frame in frames if frame["t"] == "changed"]
    assert [(frame["topics"], frame["within"]) for frame in changed] == [(["lobby"], 305)]


def test_without_the_socket_the_list_is_asked_for(person: Arrive) -> None:
    one, other = person(), person()
    other.page.route_web_socket("**/ws/page", lambda socket: socket.close())
    other.page.goto("/")
    before = other.page.locator(SEATS).count()
    one.open_table()
    expect(other.page.locator(SEATS)).to_have_count(before + 1, timeout=20_000)
