"""A table's page with a pretend server behind its socket, told by the test what to answer."""

from __future__ import annotations

import json
import mimetypes
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from csp.utils import build_policy
from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation
from playwright.sync_api import Page, Route, WebSocketRoute

from pages import words
from pages.table_strings import table_strings

SITE = "http://table.test"
MATCH = "AbCd1234EfGh"
RULES = {
    "multiple": 5,
    "spinner": True,
    "rounding": 5,
    "settle": "winner_collects",
    "count": "automatic",
}


def seat(index: int, name: str, **changes: Any) -> dict[str, Any]:
    return {
        "seat": index,
        "side": index,
        "name": name,
        "kind": "player",
        "player": name.lower(),
        "rating": 1500,
        "provisional": False,
        "tiles": 3,
        "away": False,
        "present": True,
        "bank_ms": 0,
        "ready": False,
        "sat": True,
        "resigned": False,
    } | changes


def picture(**changes: Any) -> dict[str, Any]:
    """A view in which it is our turn: 3-1 fits in one place, 6-5 in two, 2-2 nowhere."""
    now = round(time.time() * 1000)
    return {
        "match": MATCH,
        "seq": 12,
        "status": "running",
        "phase": "play",
        "game": "allfives",
        "rules": RULES,
        "target": 150,
        "turn_seconds": 60,
        "bank_seconds": 0,
        "partners": False,
        "title": None,
        "back_url": None,
        "me": 0,
        "host": False,
        "can_join": False,
        "seats": [seat(0, "Marta"), seat(1, "Zeynep")],
        "scores": [85, 110],
        "round": {
            "number": 3,
            "boneyard": 14,
            "line": [
                {"seq": 8, "seat": 1, "tile": "6-6", "at": None, "total": 12, "score": 0},
                {"seq": 10, "seat": 0, "tile": "6-4", "at": "left", "total": 16, "score": 0},
                {"seq": 12, "seat": 1, "tile": "6-3", "at": "right", "total": 7, "score": 0},
            ],
            "deal": {"id": "9b" * 16, "commit": "c6" * 32, "prev": "0a" * 32},
            "ends": {"left": 4, "right": 3, "up": 6, "down": 6},
            "total": 7,
        },
        "history": [
            {
                "seq": 9,
                "kind": "drew",
                "time": 0,
                "seat": 0,
                "count": 2,
                "round": 3,
                "first": 0,
            },
            {"seq": 11, "kind": "away", "time": 0, "seat": 1, "reason": "timeouts"},
        ],
        "turn": 0,
        "deadline": now + 60_000,
        "left_ms": 60_000,
        "now": now,
        "hand": ["6-5", "3-1", "2-2"],
        "legal": [
            {"play": "6-5", "at": "up", "total": 12, "pays": 0},
            {"play": "6-5", "at": "down", "total": 12, "pays": 0},
            {"play": "3-1", "at": "right", "total": 5, "pays": 5},
        ],
        "claim": False,
        "last_end": None,
        "rounds": [],
        "result": None,
        "rematch": None,
    } | changes


def played(view: dict[str, Any], tile: str, at: str, **changes: Any) -> dict[str, Any]:
    """The view after our own play: the tile lies, the turn is the other's."""
    laid = {"seq": view["seq"] + 1, "seat": 0, "tile": tile, "at": at, "total": 5, "score": 5}
    line = [*view["round"]["line"], laid]
    return (
        view
        | {
            "seq": view["seq"] + 1,
            "round": view["round"] | {"line": line},
            "hand": [each for each in view["hand"] if each != tile],
            "turn": 1,
            "legal": None,
        }
        | changes
    )


@dataclass
class Pretend:
    """What the page sent, and a way to answer."""

    page: Page
    view: dict[str, Any]
    received: list[dict[str, Any]] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    socket: WebSocketRoute | None = None
    answer: Callable[[dict[str, Any]], None] = lambda message: None
    opened: int = 0
    language: str = "en"

    def open(self) -> None:
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.route(f"{SITE}/**", partial(serve, language=self.language))
        self.page.route_web_socket("**/ws/table/*", self.connect)
        self.page.goto(f"{SITE}/t/{MATCH}")
        self.page.locator('[data-part="link"][data-state="live"]').wait_for()

    def connect(self, socket: WebSocketRoute) -> None:
        self.socket = socket
        self.opened += 1
        socket.on_message(lambda text: self.take(json.loads(str(text))))

    def take(self, message: dict[str, Any]) -> None:
        self.received.append(message)
        if message["t"] == "hello":
            self.state()
        elif message["t"] == "ping":
            self.say(t="pong", sent=message["sent"], now=message["sent"], seq=self.view["seq"])
        elif message["t"] != "echo":  # comes after each pong, at a time of its own
            self.answer(message)

    def say(self, **message: Any) -> None:
        assert self.socket is not None
        self.socket.send(json.dumps(message))

    def state(self, *events: dict[str, Any]) -> None:
        self.say(t="state", seq=self.view["seq"], events=list(events), view=self.view)

    def sent(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.received if message["t"] == kind]

    def part(self, name: str):
        return self.page.locator(f'[data-part="{name}"]')

    def tile(self, name: str):
        return self.page.locator(".hand").get_by_role("button", name=name)


def serve(route: Route, language: str) -> None:
    """The page as Django renders it, under the site's own content policy, and its static files."""
    path = route.request.url.removeprefix(SITE)
    if path.startswith("/static/"):
        file = finders.find(path.removeprefix("/static/"))
        if not file:
            return route.fulfill(status=404)
        kind = mimetypes.guess_type(path)[0]
        return route.fulfill(body=Path(str(file)).read_bytes(), content_type=kind)
    request = RequestFactory().get(path)
    request.user = AnonymousUser()
    with translation.override(language):
        context = {
            "match_id": MATCH,
            "ws_path": f"/ws/table/{MATCH}",
            "strings": table_strings(),
            "bots": [(level, name, {"rating": 1500}) for level, name in words.BOTS.items()],
        }
        html = render_to_string("pages/table.html", context, request=request)
    policy = {"Content-Security-Policy": build_policy()}
    return route.fulfill(body=html, content_type="text/html", headers=policy)
