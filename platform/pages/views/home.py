"""The first page, and the tables to watch."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import conditional_page, require_safe

from pages import events, listings, opening
from players import sessions
from ratings import selectors as ratings

MAIN_POOL = "allfives-1v1"
TOP = 5


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    ladder = ratings.ladder(MAIN_POOL, limit=TOP)
    return render(
        request,
        "pages/home.html",
        {
            **_lobby(request),
            "once": opening.fresh_once(),
            "events": events.for_first_page(),
            "top": ladder.rows or ladder.provisional[:TOP],
        },
    )


@require_safe
@conditional_page
def lobby_part(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/parts/lobby.html", _lobby(request))


@require_safe
@conditional_page
def waiting_part(request: HttpRequest) -> HttpResponse:
    return render(request, "parts/waiting_bar.html")


@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/watch.html", _watch(request))


@require_safe
@conditional_page
def watch_part(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/parts/watch.html", _watch(request))


def _lobby(request: HttpRequest) -> dict[str, Any]:
    viewer = sessions.player_of(request)
    return {
        "open_tables": listings.open_tables(viewer, limit=12),
        "live_tables": listings.live_tables(viewer, limit=6),
    }


def _watch(request: HttpRequest) -> dict[str, Any]:
    viewer = sessions.player_of(request)
    return {
        "live_tables": listings.live_tables(viewer, limit=36),
        "finished_tables": listings.finished_tables(viewer, limit=12),
    }
