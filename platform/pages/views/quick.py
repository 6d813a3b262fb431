"""Quick play: one tap, and one is brought to a table when somebody is found."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    conditional_page,
    require_http_methods,
    require_POST,
    require_safe,
)

from games.errors import shown
from pages import quick
from players import sessions
from players.models import Player
from quickplay import selectors, services
from quickplay.errors import QuickError
from quickplay.models import Seek
from quickplay.queues import DEFAULT_PACE, Queue, queue_of


@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What can be played, or how one's seek stands; to the table that it has led to.

    Looking at it is a sign of life.
    """
    viewer = sessions.player_of(request)
    last = _seen(request, viewer)
    if viewer is None or last is None or not last.is_open:
        if (match_id := _match_of(last)) is not None:
            return redirect("pages:table", match_id)
        found = {**quick.grid(viewer, last), "lapsed": quick.has_lapsed(last)}
        return render(request, "pages/quick.html", found)
    return render(request, "pages/quick_waiting.html", _waiting(request, last))


@never_cache
@require_safe
@conditional_page
def state_part(request: HttpRequest) -> HttpResponse:
    """How one's seek stands, for the page that waits: asking is a sign of life."""
    last = _seen(request, sessions.player_of(request))
    if last is None or not last.is_open:
        found = {"match_id": _match_of(last)}
        return render(request, "pages/parts/quick_over.html", found)
    return render(request, "pages/parts/quick_state.html", _waiting(request, last))


@require_safe
@conditional_page
def tiles_part(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/parts/quick_tiles.html", {"tiles": quick.tiles()})


@require_POST
def seek(request: HttpRequest) -> HttpResponse:
    """A button of the grid: waits for opponents, or for a friend to be partners with."""
    given = request.POST
    friend = given.get("friend", "")
    stakes = given.get("stakes", "rated")
    wish: dict[str, Any] = {
        "player": sessions.current_or_guest(request),
        "queue": f"{friend or given.get('offer', '')}-{given.get('pace', DEFAULT_PACE)}",
        "rated": stakes != "unrated",
        "unrated": stakes != "rated",
    }
    try:
        services.invite(**wish) if friend else services.seek(**wish)
    except QuickError as refused:
        return _refused(request, refused)
    return redirect("pages:quick")


@require_POST
def cancel(request: HttpRequest) -> HttpResponse:
    if (player := sessions.player_of(request)) is not None:
        services.cancel(player=player)
    return redirect("pages:quick")


@require_POST
def go_away(request: HttpRequest) -> HttpResponse:
    """What the page that waits sends when it is left."""
    if (player := sessions.player_of(request)) is not None:
        services.go_away(player=player)
    return HttpResponse(status=204)


@require_POST
def play_bot(request: HttpRequest) -> HttpResponse:
    """The bot that offered itself."""
    try:
        match = services.play_bot(player=sessions.current_or_guest(request))
    except QuickError as refused:
        return _refused(request, refused)
    return redirect("pages:table", match.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def party(request: HttpRequest, key: str) -> HttpResponse:
    """An invitation to be partners: what the link of it shows, and accepting it."""
    asking = selectors.inviting(key)
    viewer = sessions.player_of(request)
    if asking is not None and asking.player == viewer:
        return redirect("pages:quick")
    if request.method != "POST" or asking is None:
        terms = _terms(queue_of(asking.queue)) if asking else {}
        return render(request, "pages/quick_party.html", {"asking": asking, **terms})
    try:
        services.seek(
            player=sessions.current_or_guest(request),
            queue=asking.queue, rated=asking.rated, unrated=asking.unrated, party=key,
        )  # fmt: skip
    except QuickError as refused:
        return _refused(request, refused)
    return redirect("pages:quick")


def _seen(request: HttpRequest, viewer: Player | None) -> Seek | None:
    """The viewer's open or last seek; that they look is noted."""
    if viewer is None:
        return None
    if request.method == "GET":
        services.heartbeat(player=viewer)
    return selectors.last_seek(viewer)


def _match_of(seek: Seek | None) -> str | None:
    """The match that a seek has led to, while it is on."""
    match = seek.match if seek else None
    return match.pk if match is not None and (match.is_open or match.is_running) else None


def _waiting(request: HttpRequest, seek: Seek) -> dict[str, Any]:
    own = selectors.own(seek)
    link = reverse("pages:quick_party", args=[own.party]) if own.party else ""
    return {
        "own": own,
        **_terms(own.queue),
        "range": quick.range_of(own),
        "link": request.build_absolute_uri(link) if link else "",
    }


def _terms(queue: Queue) -> dict[str, Any]:
    pace = quick.PACE_WORDS[queue.pace]
    return {"title": quick.title_of(queue), "size": quick.size_of(queue), "pace": pace}


def _refused(request: HttpRequest, refused: QuickError) -> HttpResponse:
    """Says why; at the table where they sit, if that is the reason."""
    messages.error(request, shown(refused))
    match = refused.facts.get("match")
    return redirect("pages:table", match) if match else redirect("pages:quick")
