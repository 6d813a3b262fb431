"""Tournaments: the list, and one page for before, during and after."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import (
    conditional_page,
    require_http_methods,
    require_safe,
)

from pages import (
    attending,
    calendar,
    entries,
    event_page,
    events,
    organising,
)
from pages.look import Look
from players import sessions
from players.models import Player
from tournaments import selectors
from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.permissions import may, may_see

FINISHED_SHOWN = 20


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    viewer = sessions.player_of(request)
    return render(
        request,
        "pages/tournaments.html",
        {
            "running": events.running()[:50],
            "soon": events.soon()[:50],
            "own": events.own(viewer)[:20] if viewer else [],
            "finished": events.finished()[:FINISHED_SHOWN],
            "feed_all": reverse("pages:calendar"),
            "feed_own": _own_feed(viewer),
        },
    )


def _own_feed(viewer: Player | None) -> str:
    """The secret address of the viewer's calendar; guests have none."""
    if viewer is None or viewer.is_guest:
        return ""
    return reverse("pages:own_calendar", args=[viewer.handle, calendar.key_of(viewer)])


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    return _section(request, slug, "overview", "pages/tournament.html")


@require_http_methods(["GET", "HEAD", "POST"])
def inside(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """A section of the page; or, posted to, one of its buttons."""
    if request.method == "POST":
        return _do(request, slug, name)
    if name in organising.DEEDS:
        return HttpResponseNotAllowed(["POST"])
    if name == "overview":
        return redirect("pages:tournament", slug)
    return _section(request, slug, name, "pages/tournament.html")


@require_safe
def by_link(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """The event's secret link: whoever opens it may enter, from this browser."""
    event = visible_event(request, slug)
    attending.remember_key(request, event, key)
    return redirect(event)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def entry_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is in, for those who keep the list: check-in, late comers, rests, taking out."""
    event = visible_event(request, slug)
    official = sessions.player_of(request)
    if official is None or not entries.may_keep(event, official):
        raise Http404
    if request.method == "POST":
        try:
            messages.success(request, entries.do(request, event, official))
        except TournamentError as refused:
            messages.error(request, str(refused))
        return redirect("pages:entries", event.slug)
    return render(request, "pages/entries.html", entries.context(request, event, official))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def entry_import(request: HttpRequest, slug: str) -> HttpResponse:
    """A list of entrants: sent, looked at, and only then entered."""
    event = visible_event(request, slug)
    official = sessions.player_of(request)
    if official is None or not may(event, official, "entrants"):
        raise Http404
    shown = entries.list_read(request, event) if request.method == "POST" else {}
    if "enter" in request.POST and shown.get("good"):
        try:
            messages.success(request, entries.read_in(event, official, shown["newcomers"]))
            return redirect("pages:entries", event.slug)
        except TournamentError as refused:
            messages.error(request, str(refused))
    return render(request, "pages/import_entries.html", {"event": event, **shown})


@require_safe
@conditional_page
def state_part(request: HttpRequest, slug: str, section: str) -> HttpResponse:
    """What changes while one watches: all but the site's frame."""
    return _section(request, slug, section, "pages/parts/event_state.html")


def _section(request: HttpRequest, slug: str, name: str, template: str) -> HttpResponse:
    event = visible_event(request, slug)
    viewer = sessions.player_of(request)
    key = attending.key_of(request, event)
    look = Look(event, viewer, request.GET, key)
    try:
        context = event_page.context(look, name)
    except KeyError:
        raise Http404 from None
    return render(request, template, context)


def _do(request: HttpRequest, slug: str, deed: str) -> HttpResponse:
    """A button of the page: one deed, one service."""
    event = visible_event(request, slug)
    act = organising.DEEDS.get(deed)
    if act is None:
        raise Http404
    try:
        said = act(request, event)
    except TournamentError as refused:
        messages.error(request, str(refused))
    else:
        if isinstance(said, Tournament):
            return redirect("pages:edit_tournament", said.slug)
        if said:
            messages.success(request, said)
    return redirect(event)


def visible_event(request: HttpRequest, slug: str) -> Tournament:
    """The event, if it may be seen: a draft only by its officials."""
    event = selectors.by_slug(slug)
    if event is None or not may_see(event, sessions.player_of(request)):
        raise Http404
    return event
