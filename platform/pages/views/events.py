"""An event outside its page: on the projector, on paper, in calendars, and as tables."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from pages import calendar, exports, printing, qr, screen
from pages.context import NAME
from pages.look import Look
from pages.views.tournaments import visible_event
from players import sessions
from players.models import Club
from tournaments.models import Tournament


@require_safe
def projector(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "pages/screen.html", _on_screen(request, slug))


@require_safe
@conditional_page
def projector_part(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "pages/parts/screen.html", _on_screen(request, slug))


@require_safe
def paper(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    """Something to print."""
    chosen = printing.PAPERS.get(what)
    look = _look(request, slug)
    if chosen is None:
        raise Http404
    shown = printing.chosen(look) if chosen.by_round else None
    context = {
        "event": look.event,
        "title": printing.TITLE[what],
        "papers": [(key, printing.TITLE[key], each) for key, each in printing.PAPERS.items()],
        "what": what,
        "round": shown,
        "rounds": [each for _part, each in look.rounds] if chosen.by_round else [],
        **chosen.content(look, request),
    }
    return render(request, chosen.template, context)


@require_safe
def export(request: HttpRequest, slug: str, what: str, kind: str) -> HttpResponse:
    """A table of the event, as CSV or JSON; `?bom=1` marks the CSV as UTF-8."""
    chosen = exports.EXPORTS.get(what)
    look = _look(request, slug)
    if chosen is None:
        raise Http404
    if kind == "json":
        return JsonResponse(
            exports.as_json(chosen, look), json_dumps_params={"ensure_ascii": False}
        )
    text = exports.as_csv(chosen, look, bom=request.GET.get("bom") == "1")
    return _file(text, "text/csv", f"{look.event.slug}-{what}.csv")


@require_safe
def event_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    event = visible_event(request, slug)
    return _calendar(request, [event], event.title, slug)


@require_safe
def all_calendar(request: HttpRequest) -> HttpResponse:
    return _calendar(request, list(calendar.public()), NAME, "tournaments")


@require_safe
def club_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    return _calendar(request, list(calendar.of_club(slug)), club.name, slug)


@require_safe
def own_calendar(request: HttpRequest, handle: str, key: str) -> HttpResponse:
    """A player's events, for whoever has the link."""
    player = calendar.owner(handle, key)
    if player is None:
        raise Http404
    events = list(calendar.of_player(player))
    name = _("%(name)s’s tournaments") % {"name": player.name}
    return _calendar(request, events, name, "mine")


def _calendar(request: HttpRequest, events: list[Tournament], name: str, file: str) -> HttpResponse:
    text = calendar.feed(events, site=_site(request), name=name)
    return _file(text, "text/calendar", f"{file}.ics", inline=True)


def _on_screen(request: HttpRequest, slug: str) -> dict[str, Any]:
    context = screen.context(_look(request, slug))
    link = request.build_absolute_uri(context["event"].get_absolute_url())
    return {**context, "link": link, "code": qr.svg(link)}


def _look(request: HttpRequest, slug: str) -> Look:
    return Look(visible_event(request, slug), sessions.player_of(request), request.GET)


def _site(request: HttpRequest) -> str:
    return str(settings.SITE_URL or request.build_absolute_uri("/").rstrip("/"))


def _file(text: str, kind: str, name: str, *, inline: bool = False) -> HttpResponse:
    response = HttpResponse(text, content_type=f"{kind}; charset=utf-8")
    way = "inline" if inline else "attachment"
    response["Content-Disposition"] = f'{way}; filename="{name}"'
    return response
