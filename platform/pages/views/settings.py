"""A new tournament, and the settings of one that is there."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pages import event_page, events, prospect, words
from pages.forms import EventForm
from pages.forms.following import without
from pages.views.tournaments import visible_event
from players import sessions
from tournaments import services
from tournaments.errors import TournamentError
from tournaments.options import MOST_STAGES
from tournaments.permissions import may_run

ABOUT = words.ABOUT | words.ABOUT_FORMATS
NEW, EDIT = "pages/new_tournament.html", "pages/edit_tournament.html"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    organiser = sessions.player_of(request)
    if organiser is None or organiser.is_guest:
        messages.info(request, event_page.account_needed())
        return redirect(f"{reverse('players:sign_up')}?next={reverse('pages:new_tournament')}")
    wished = {"zone": events.usual_zone(organiser)}
    if club := request.GET.get("club"):
        wished |= {"club": club, "access": "club"}
    form = _sent(request, organiser=organiser, initial=wished)
    if _is_to_be_saved(request, form):
        try:
            then = request.POST.get("then", "open")
            return redirect(events.create_once(organiser=organiser, form=form, then=then))
        except TournamentError as refused:
            form.refuse(refused)
    return _shown(request, NEW, {"form": form})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """All settings before the start, and the harmless ones while the event runs."""
    event = visible_event(request, slug)
    organiser = sessions.player_of(request)
    if organiser is None or not may_run(event, organiser):
        raise Http404
    form = _sent(request, event=event, organiser=organiser)
    if _is_to_be_saved(request, form):
        try:
            services.edit(tournament_id=event.pk, by=organiser, **form.settings())
            messages.success(request, _("The settings are saved."))
            return redirect(event)
        except TournamentError as refused:
            form.refuse(refused)
    return _shown(request, EDIT, {"form": form, "event": event})


def _sent(request: HttpRequest, **known: Any) -> EventForm:
    """The form as it was sent; one of its stages taken away if that was pressed."""
    gone = request.POST.get("drop", "")
    if gone in map(str, range(1, MOST_STAGES + 1)):
        return EventForm(without(request.POST, int(gone)), **known).unchecked()
    return EventForm(request.POST or None, **known)


def _is_to_be_saved(request: HttpRequest, form: EventForm) -> bool:
    only_looked_at = "drop" in request.POST or request.POST.get("then") == "look"
    return not only_looked_at and form.is_valid()


def _shown(request: HttpRequest, page: str, shown: dict[str, Any]) -> HttpResponse:
    """The page, with how the event will go if that is known; for its script that part alone."""
    form = shown["form"]
    if request.POST.get("then") == "look":
        shown["prospect"] = prospect.of_form(form)
    elif not form.is_bound and form.event is not None:
        shown["prospect"] = prospect.of_event(form.event)
    template = "pages/parts/prospect.html" if "part" in request.GET else page
    return render(request, template, {**shown, "about": ABOUT})
