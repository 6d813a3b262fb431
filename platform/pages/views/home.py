"""The first page, and the tables to watch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import conditional_page, require_safe
from django.views.decorators.vary import vary_on_headers

from games.models import Match
from pages import events, listings, quick, table_strings, watching
from players import languages, sessions
from players.models import Player
from quickplay.selectors import last_seek
from ratings import selectors as ratings

MAIN_POOL = "allfives-1v1"
TOP = 5
LISTED = 6


@require_safe
@vary_on_headers("Accept-Language", "Cookie")
def home(request: HttpRequest) -> HttpResponse:
    """The first page; the bare address of the site leads to the reader's own language."""
    wanted = languages.preferred(request, sessions.player_of(request))
    if languages.active() == settings.LANGUAGE_CODE != wanted:
        return redirect(languages.in_language(request.get_full_path(), wanted))
    ladder = ratings.ladder(MAIN_POOL, limit=TOP, moves=False)
    viewer, running = sessions.player_of(request), watching.running()
    return render(
        request,
        "pages/home.html",
        {
            **_lobby(viewer, running),
            **quick.grid(viewer, last_seek(viewer) if viewer else None),
            "featured": watching.featured(running, viewer),
            "strings": table_strings.felt_strings(),
            "events": events.for_first_page(),
            "top": ladder.rows or ladder.provisional[:TOP],
        },
    )


@require_safe
@conditional_page
def lobby_part(request: HttpRequest) -> HttpResponse:
    found = _lobby(sessions.player_of(request), watching.running(LISTED))
    return render(request, "pages/parts/lobby.html", found)


@require_safe
@conditional_page
def waiting_part(request: HttpRequest) -> HttpResponse:
    return render(request, "parts/waiting_bar.html")


@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    strings = table_strings.felt_strings()
    return render(request, "pages/watch.html", {**_watch(request), "strings": strings})


@require_safe
@conditional_page
def watch_part(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/parts/watch.html", _watch(request))


def _lobby(viewer: Player | None, running: Sequence[Match]) -> dict[str, Any]:
    return {
        "open_tables": listings.open_tables(viewer, limit=12),
        "live_tables": [listings.table_of(match, viewer) for match in running[:LISTED]],
    }


def _watch(request: HttpRequest) -> dict[str, Any]:
    viewer = sessions.player_of(request)
    best = watching.best_tables(viewer)
    shown = {table.id for game in best for table in game.tables}
    return {
        "best": best,
        "more": [each for each in listings.live_tables(viewer, limit=36) if each.id not in shown],
        "finished_tables": listings.finished_tables(viewer, limit=12),
    }
