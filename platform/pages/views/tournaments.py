"""Tournaments: the list, a new one, and one page for before, during and after."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    conditional_page,
    require_http_methods,
    require_safe,
)

from pages import event_page, events, organising, words
from pages.forms import EventForm
from players import sessions
from tournaments import selectors, services
from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.permissions import may_run

FINISHED_SHOWN = 20
ABOUT = words.ABOUT | words.ABOUT_FORMATS


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    viewer = sessions.player_of(request)
    return render(
        request,
        "pages/tournaments.html",
        {
            "running": events.running()[:50],
            "soon": events.soon()[:50],
            "drafts": events.drafts_of(viewer) if viewer else [],
            "finished": events.finished()[:FINISHED_SHOWN],
        },
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    organiser = sessions.player_of(request)
    if organiser is None or organiser.is_guest:
        messages.info(request, event_page.account_needed())
        return redirect(f"{reverse('players:sign_up')}?next={reverse('pages:new_tournament')}")
    form = EventForm(
        request.POST or None, organiser=organiser, initial={"zone": events.usual_zone(organiser)}
    )
    if form.is_valid():
        try:
            then = request.POST.get("then", "open")
            return redirect(events.create_once(organiser=organiser, form=form, then=then))
        except TournamentError as refused:
            form.refuse(refused)
    return render(request, "pages/new_tournament.html", {"form": form, "about": ABOUT})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """All settings before the start, and the harmless ones while the event runs."""
    event = visible_event(request, slug)
    organiser = sessions.player_of(request)
    if organiser is None or not may_run(event, organiser):
        raise Http404
    form = EventForm(request.POST or None, event=event, organiser=organiser)
    if form.is_valid():
        try:
            services.edit(tournament_id=event.pk, by=organiser, **form.settings())
            messages.success(request, _("The settings are saved."))
            return redirect(event)
        except TournamentError as refused:
            form.refuse(refused)
    return render(
        request, "pages/edit_tournament.html", {"form": form, "event": event, "about": ABOUT}
    )


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
@conditional_page
def state_part(request: HttpRequest, slug: str, section: str) -> HttpResponse:
    """What changes while one watches: all but the site's frame."""
    return _section(request, slug, section, "pages/parts/event_state.html")


def _section(request: HttpRequest, slug: str, name: str, template: str) -> HttpResponse:
    event = visible_event(request, slug)
    look = event_page.Look(event, sessions.player_of(request), request.GET)
    try:
        context = event_page.context(look, name)
    except KeyError:
        raise Http404 from None
    return render(request, template, context)


def _do(request: HttpRequest, slug: str, deed: str) -> HttpResponse:
    """A button of the page: one deed, one service."""
    event = visible_event(request, slug)
    act: Callable[[HttpRequest, Tournament], str | None] | None = organising.DEEDS.get(deed)
    if act is None:
        raise Http404
    try:
        said = act(request, event)
    except TournamentError as refused:
        messages.error(request, str(refused))
    else:
        if said:
            messages.success(request, said)
    return redirect(event)


def visible_event(request: HttpRequest, slug: str) -> Tournament:
    """The event, if it may be seen: a draft only by whoever runs it."""
    event = selectors.by_slug(slug)
    if event is None:
        raise Http404
    is_draft = event.status == Tournament.Status.DRAFT
    if is_draft and not may_run(event, sessions.player_of(request)):
        raise Http404
    return event
