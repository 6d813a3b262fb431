"""Opening, sharing, joining and showing tables. The table itself plays over its socket."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    conditional_page,
    require_http_methods,
    require_POST,
    require_safe,
)

from engine.errors import EngineError
from games import selectors, services
from games.errors import GameError, shown
from games.models import Match, Seat
from pages import listings, qr, table_strings, tongues, words
from pages.bot_strengths import at_table, strengths
from pages.forms import TableForm
from players import languages, muting, sessions, table_settings
from players.models import Player
from tournaments.selectors import tables_beside

BOT_RULES = {"preset": "allfives"}


@require_POST
def play_bot(request: HttpRequest) -> HttpResponse:
    """One tap: All Fives against a bot, without an account."""
    level = request.POST.get("level", "medium")
    match = services.open_match(
        host=sessions.current_or_guest(request),
        rules=BOT_RULES,
        seats=2,
        bots={1: level if level in words.BOTS else "medium"},
        turn_seconds=30,
        rated=False,
        listed=False,
    )
    return redirect("pages:table", match.pk)


@require_POST
def play_friend(request: HttpRequest) -> HttpResponse:
    """A table for two behind a link."""
    match = services.open_match(
        host=sessions.current_or_guest(request),
        rules=BOT_RULES,
        seats=2,
        turn_seconds=30,
        listed=False,
        talk="text" if _may_write(request) else "words",
    )
    return redirect("pages:share_table", match.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest) -> HttpResponse:
    form = TableForm(request.POST or None, initial={"talk": _may_write(request)})
    if form.is_valid() and (match := _opened(request, form)):
        waits = match.is_open and not match.listed
        return redirect("pages:share_table" if waits else "pages:table", match.pk)
    shown = {
        "form": form,
        "about": words.ABOUT,
        "strengths": strengths(sessions.player_of(request)),
    }
    return render(request, "pages/new_table.html", shown)


def _opened(request: HttpRequest, form: TableForm) -> Match | None:
    data = form.cleaned_data
    try:
        return services.open_match(
            host=sessions.current_or_guest(request),
            rules=form.rules(),
            seats=form.seats,
            bots=form.bots(),
            turn_seconds=data["turn_seconds"],
            bank_seconds=data["bank_seconds"],
            rated=data["rated"],
            listed=data["audience"] == "public",
            talk="text" if data["talk"] else "words",
        )
    except (GameError, EngineError) as refused:
        form.add_error(None, shown(refused))
        return None


def _may_write(request: HttpRequest) -> bool:
    """Whether people may write at a table unless its host wishes otherwise: not at a guest's."""
    host = sessions.player_of(request)
    return host is not None and not host.is_guest


@never_cache
@require_safe
def table(request: HttpRequest, match_id: str) -> HttpResponse:
    """The live table. Its reserved player has come by looking at it.

    A link to a table means the table, not a language, and the page has no room for an offer: who
    comes from outside is led to their own.
    """
    match = _match(match_id)
    viewer = sessions.player_of(request)
    if address := tongues.elsewhere(request, viewer):
        return redirect(address)
    if viewer is not None and _is_awaited(match, viewer) and request.method == "GET":
        services.sit(match_id=match.pk, player=viewer)
    get_token(request)
    return render(
        request,
        "pages/table.html",
        {
            "match_id": match.pk,
            "ws_path": f"/ws/table/{match.pk}?lang={languages.active()}",
            "strings": table_strings.table_strings(),
            "initial": selectors.snapshot_for(match.pk, viewer),
            "settings": viewer.table_settings if viewer else None,
            "muted": [each.handle for each in muting.muted_by(viewer)] if viewer else None,
            "summary": (summary := listings.table_of(match, viewer)),
            "shared_as": " – ".join(" + ".join(side.names) or "…" for side in summary.sides),
            "shared_text": _("%(game)s, target: %(points)s")
            % {"game": summary.game, "points": summary.target},
            "bots": at_table(match),
            "neighbours": () if summary.mine else _neighbours(match),
        },
    )


def _neighbours(match: Match) -> list[tuple[str, str]]:
    """For who watches: the way, and the table of the event that it leads to."""
    before, after = tables_beside(match.context)
    return [(way, pk) for way, pk in (("back", before), ("next", after)) if pk is not None]


@require_POST
def keep_settings(request: HttpRequest) -> HttpResponse:
    """What the table's page sends when a player changes one of its switches."""
    player = sessions.player_of(request)
    name, value = request.POST.get("name", ""), request.POST.get("value", "")
    if player is None or value not in ("on", "off"):
        return HttpResponse(status=400)
    try:
        table_settings.keep(player=player, name=name, on=value == "on")
    except table_settings.NoSuchSetting:
        return HttpResponse(status=400)
    return HttpResponse(status=204)


@require_POST
def mute(request: HttpRequest, handle: str) -> HttpResponse:
    """Whom a player doesn't want to hear: sent by the table's page, and by that of the settings."""
    player = sessions.player_of(request)
    value = request.POST.get("value", "")
    if player is None or value not in ("on", "off"):
        return HttpResponse(status=400)
    other = get_object_or_404(Player, handle=handle.lower())
    (muting.mute if value == "on" else muting.unmute)(player=player, other=other)
    onward = sessions.safe_next(request, "")
    return redirect(onward) if onward else HttpResponse(status=204)


@require_POST
def join(request: HttpRequest, match_id: str) -> HttpResponse:
    match = _match(match_id)
    try:
        if sessions.player_of(request) is None:
            _refuse_visitor(match)
        services.join(match_id=match.pk, player=sessions.current_or_guest(request))
    except GameError as refused:
        messages.error(request, shown(refused))
    return redirect("pages:table", match.pk)


def _refuse_visitor(match: Match) -> None:
    """Nobody becomes a guest for a seat that can't be had."""
    if not match.is_open:
        raise GameError("has_begun")
    if all(seat.is_taken for seat in match.seat_set.all()):
        raise GameError("full")


@never_cache
@require_safe
def share(request: HttpRequest, match_id: str) -> HttpResponse:
    match = _match(match_id)
    link = request.build_absolute_uri(reverse("pages:table", args=[match.pk]))
    return render(
        request, "pages/share.html", {**_shared(request, match), "link": link, "code": qr.svg(link)}
    )


@require_safe
@conditional_page
def share_part(request: HttpRequest, match_id: str) -> HttpResponse:
    return render(request, "pages/parts/share.html", _shared(request, _match(match_id)))


@require_safe
def record(request: HttpRequest, match_id: str) -> HttpResponse:
    """The match in the format of game records: finished rounds only."""
    answer = JsonResponse(selectors.record_of(_match(match_id).pk))
    answer["Content-Disposition"] = f'attachment; filename="{match_id}.json"'
    return answer


def _shared(request: HttpRequest, match: Match) -> dict[str, Any]:
    return {"table": listings.table_of(match, sessions.player_of(request))}


def _match(match_id: str) -> Match:
    seats = Prefetch("seat_set", Seat.objects.order_by("index"))
    return get_object_or_404(Match.objects.prefetch_related(seats), pk=match_id)


def _is_awaited(match: Match, viewer: Player) -> bool:
    return match.is_open and any(
        seat.player_id == viewer.pk and seat.sat_at is None for seat in match.seat_set.all()
    )
