"""Matches to look back at, and tables to put into other sites' pages."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from games.errors import GameError
from games.replays import replay_for
from pages import replay_page
from players import sessions


@require_safe
@conditional_page
def replay(request: HttpRequest, match_id: str) -> HttpResponse:
    """A finished match move by move; of one that is played, the rounds that are over."""
    found = _replay(match_id, sessions.player_of(request))
    address = request.build_absolute_uri(reverse("pages:replay", args=[match_id]))
    return render(
        request,
        "pages/replay.html",
        {
            **replay_page.context(found),
            "state": replay_page.state_line(found),
            "address": address,
            "match_id": match_id,
        },
    )


def _replay(match_id: str, viewer: object) -> replay_page.Replay:
    try:
        return replay_for(match_id, viewer)
    except GameError:
        raise Http404 from None
