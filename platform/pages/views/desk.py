"""The arbiter's desk, and the page on which players report their own match."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import (
    conditional_page,
    require_http_methods,
    require_POST,
    require_safe,
)

from pages import desk, hand, reporting
from players import sessions
from players.models import Player
from tournaments import selectors, services, stages
from tournaments.errors import TournamentError
from tournaments.models import Round, Stage, Tournament
from tournaments.permissions import may


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    event, viewer = _official(request, slug)
    shown = desk.context(event, viewer, request.GET.get("show", ""))
    return render(request, "pages/desk.html", {**shown, "quick": desk.Quick()})


@require_safe
@conditional_page
def state(request: HttpRequest, slug: str) -> HttpResponse:
    """What changes while one watches: the next step, the tables."""
    event, viewer = _official(request, slug)
    shown = desk.context(event, viewer, request.GET.get("show", ""))
    return render(request, "pages/parts/desk_state.html", shown)


@require_POST
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """A result by its table number; the form comes back with what is wrong, beside the field."""
    event, viewer = _official(request, slug)
    said, form = desk.quick(event, viewer, request.POST)
    if said:
        messages.success(request, said)
        return redirect(reverse("pages:desk", args=[slug]) + "#table")
    shown = desk.context(event, viewer, "")
    return render(request, "pages/desk.html", {**shown, "quick": form}, status=422)


@require_POST
def do(request: HttpRequest, slug: str, deed: str) -> HttpResponse:
    """A button of the desk: one deed, one service."""
    event, viewer = _official(request, slug)
    act = desk.DEEDS.get(deed)
    if act is None:
        raise Http404
    _own_round(request, event)
    try:
        messages.success(request, act(request, event, viewer))
    except TournamentError as refused:
        if deed == "result":
            return _with_failed_row(request, event, viewer, str(refused))
        messages.error(request, str(refused))
    return redirect("pages:desk", slug=slug)


def _with_failed_row(
    request: HttpRequest, event: Tournament, viewer: Player, error: str
) -> HttpResponse:
    """The desk again, with what was typed into a row and what is wrong with it."""
    values = {side: request.POST.get(f"score-{side}", "")[:12] for side in range(4)}
    failed = {"pairing": desk.whole(request.POST.get("pairing")), "values": values, "error": error}
    shown = desk.context(event, viewer, "")
    context = {**shown, "quick": desk.Quick(), "failed": failed}
    return render(request, "pages/desk.html", context, status=422)


@require_http_methods(["GET", "HEAD", "POST"])
def pair(request: HttpRequest, slug: str, round_id: int) -> HttpResponse:
    """A draft paired by hand: looked at, checked, saved."""
    event, viewer = _official(request, slug)
    row = Round.objects.select_related("stage").filter(pk=round_id, stage__tournament=event)
    found = row.first()
    if found is None or not may(event, viewer, "rounds"):
        raise Http404
    found.stage.tournament = event
    try:
        sheet = hand.open_draft(found)
        wish = hand.wish_of(request.POST, sheet) if request.method == "POST" else None
        if wish is not None and "save" in request.POST:
            services.pair_by_hand(
                round_id=round_id,
                by=viewer,
                tables=wish.tables,
                reason=request.POST.get("reason", ""),
                seen=wish.seen,
            )
            messages.success(request, hand.saved())
            return redirect("pages:desk", slug=slug)
        error = ""
    except TournamentError as refused:
        if refused.code not in ("no_reason", "stale", "not_fitting"):
            messages.error(request, str(refused))
            return redirect("pages:desk", slug=slug)
        error = str(refused)
    shown = hand.context(event, found, sheet, wish, request.POST.get("reason", "")[:200], error)
    part = "pages/parts/desk_check.html" if "check-only" in request.POST else "pages/desk_pair.html"
    return render(request, part, shown, status=422 if error else 200)


def _own_round(request: HttpRequest, event: Tournament) -> None:
    """What is said of a round is said of one of this event."""
    named = desk.whole(request.POST.get("round"))
    if named and not Round.objects.filter(pk=named, stage__tournament=event).exists():
        raise Http404


def _official(request: HttpRequest, slug: str) -> tuple[Tournament, Player]:
    """The event and its official. Raises Http404 for everyone else."""
    event, viewer = selectors.by_slug(slug), sessions.player_of(request)
    if event is None or viewer is None or not may(event, viewer, "look"):
        raise Http404
    return event, viewer


@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The page of one match, for those at its table: what the slip's QR code opens."""
    event, viewer = selectors.by_slug(slug), sessions.player_of(request)
    if event is None:
        raise Http404
    stage = _stage(event, request.GET.get("stage"))
    known = selectors.pairings_for(event, viewer).filter(stage=stage, number=number)
    pairing = known.select_related("stage").first()
    if pairing is None:
        raise Http404
    if pairing.stage.annulled:
        messages.info(request, str(TournamentError("annulled")))
        return redirect(event)
    error, field = "", ""
    if request.method == "POST":
        if viewer is None:
            raise Http404
        try:
            messages.success(request, reporting.act(request, event, pairing, viewer))
            return redirect(reporting.report_url(event, pairing.stage.number, number))
        except TournamentError as refused:
            error, field = str(refused), str(refused.facts.get("field", ""))
    shown = reporting.context(event, pairing, viewer)
    typed = {name: value[:12] for name, value in request.POST.items()}
    context = {**shown, "error": error, "wrong": field, "typed": typed}
    return render(request, "pages/report.html", context, status=422 if error else 200)


def _stage(event: Tournament, asked: str | None) -> Stage | None:
    """The stage that the address names; the one in hand if it names none."""
    if asked is None:
        return stages.current(event)
    return event.stages.filter(number=desk.whole(asked) or 0).first()
