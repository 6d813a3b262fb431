"""Matches to look back at, and tables to put into other sites' pages."""

from __future__ import annotations

from typing import Any, Final

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import escape
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import conditional_page, require_safe

from games.errors import GameError
from games.replays import replay_for
from pages import replay_page
from players import sessions
from ratings import selectors as ratings

THEMES: Final = ("light", "dark")


@require_safe
@conditional_page
def replay(request: HttpRequest, match_id: str) -> HttpResponse:
    """A finished match move by move; of one that is played, the rounds that are over."""
    found = _replay(match_id, sessions.player_of(request))
    context = replay_page.context(found)
    return render(
        request,
        "pages/replay.html",
        {
            **context,
            "state": replay_page.state_line(found),
            "address": _address(request, "pages:replay", match_id),
            "snippet": _snippet(_address(request, "pages:embed", match_id), context["title"]),
            "match_id": match_id,
            "unrated": ratings.unrated_reason(match_id),
        },
    )


@require_safe
@never_cache
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]
def embed(request: HttpRequest, match_id: str) -> HttpResponse:
    """The table for other sites' pages: as anybody sees it, without forms and cookies."""
    found = _replay(match_id, None)
    over = found["status"] == "finished"
    theme = request.GET.get("theme", "")
    return render(
        request,
        "pages/embed.html",
        {
            "match_id": match_id,
            "replay": found if over and found["rounds"] else None,
            "over": over,
            "title": replay_page.title(found),
            "sides": replay_page.side_names(found),
            "strings": replay_page.strings(),
            "theme": theme if theme in THEMES else "",
            "address": _address(request, "pages:replay" if over else "pages:table", match_id),
        },
    )


def _snippet(address: str, title: str) -> str:
    """What is put into a page that is to show the table: a text to be copied, not markup here."""
    return (
        f'<iframe src="{escape(address)}" title="{escape(title)}" width="640" height="520"'
        ' loading="lazy"></iframe>'
    )


def _address(request: HttpRequest, name: str, match_id: str) -> str:
    return request.build_absolute_uri(reverse(name, args=[match_id]))


def _replay(match_id: str, viewer: Any) -> replay_page.Replay:
    try:
        return replay_for(match_id, viewer)
    except GameError:
        raise Http404 from None
