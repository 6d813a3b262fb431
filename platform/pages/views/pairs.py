"""Entering a tournament of pairs: ask a partner, accept; the desk enters both, and stand-ins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pages.forms.pair import InviteForm, PairForm, SubstituteForm
from players import sessions
from players.models import Player
from tournaments import selectors, services
from tournaments.errors import TournamentError
from tournaments.models import Entrant, PairInvitation, Tournament
from tournaments.pairs import entry_of, invitations_of
from tournaments.permissions import may


@require_http_methods(["GET", "HEAD", "POST"])
def pair(request: HttpRequest, slug: str, key: str = "") -> HttpResponse:
    """The page of one's own pair; `key` is that of an invitation's link."""
    event = selectors.by_slug(slug)
    if event is None or event.sides != Tournament.Sides.PAIRS:
        raise Http404
    if request.method == "POST":
        return _post(request, event, key)
    return _page(request, event, key, InviteForm())


def _page(
    request: HttpRequest, event: Tournament, key: str, invite: InviteForm, **forms: Any
) -> HttpResponse:
    viewer = sessions.player_of(request)
    own = None if viewer is None else entry_of(event, viewer)
    runs = may(event, viewer, "entrants")
    link = None
    if key:
        found = PairInvitation.objects.filter(tournament=event, key=key, partner=None)
        link = found.select_related("player").first()
    sent, received = invitations_of(event, viewer)
    url = reverse("pages:pair_link", args=[event.slug, sent.key]) if sent else ""
    changeable = event.is_before_start or event.is_running
    pairs = event.entrants.filter(partner__isnull=False).select_related("player", "partner")
    return render(
        request,
        "pages/pair.html",
        {
            "event": event,
            "own": own,
            "sent": sent,
            "sent_url": request.build_absolute_uri(url) if url else "",
            "received": received,
            "link": link if link is not None and link.player != viewer else None,
            "gone": bool(key) and link is None,
            "invite": invite,
            "runs_it": runs,
            "pair_form": PairForm(),
            "substitute": SubstituteForm(),
            "pairs": list(pairs) if runs and changeable else [],
            **forms,
        },
    )


def _post(request: HttpRequest, event: Tournament, key: str) -> HttpResponse:
    deed = _DEEDS.get(request.POST.get("deed", ""))
    if deed is None:
        raise Http404
    try:
        answer = deed(request, event)
    except TournamentError as refused:
        messages.error(request, str(refused))
        return redirect("pages:pair", event.slug)
    if isinstance(answer, dict):
        return _page(request, event, key, **{"invite": InviteForm(), **answer})
    messages.success(request, answer)
    return redirect("pages:pair", event.slug)


def _invite(request: HttpRequest, event: Tournament) -> str | dict[str, Any]:
    form = InviteForm(request.POST)
    if not form.is_valid():
        return {"invite": form}
    services.invite_partner(
        tournament_id=event.pk,
        player=sessions.current_or_guest(request),
        partner=form.cleaned_data["partner"],
        name=form.cleaned_data["name"],
    )
    return _("The invitation is out. You are both in as soon as your partner accepts.")


def _accept(request: HttpRequest, event: Tournament) -> str:
    entrant = services.accept_partner(
        tournament_id=event.pk,
        player=sessions.current_or_guest(request),
        invitation_key=request.POST.get("key", ""),
    )
    if entrant.status == Entrant.Status.WAITING:
        return _("Your pair is on the waiting list.")
    return _("Your pair is in.")


def _drop(request: HttpRequest, event: Tournament) -> str:
    services.drop_invitation(
        tournament_id=event.pk, player=_player(request), invitation_key=request.POST.get("key", "")
    )
    return _("The invitation is gone.")


def _enter(request: HttpRequest, event: Tournament) -> str | dict[str, Any]:
    form = PairForm(request.POST)
    if not form.is_valid():
        return {"pair_form": form}
    entrant = services.enter_pair(
        tournament_id=event.pk,
        by=_player(request),
        player=form.cleaned_data["one"],
        partner=form.cleaned_data["other"],
        name=form.cleaned_data["name"],
    )
    return _("%(pair)s are in.") % {"pair": entrant.label}


def _substitute(request: HttpRequest, event: Tournament) -> str | dict[str, Any]:
    form = SubstituteForm(request.POST)
    if not form.is_valid():
        return {"substitute": form}
    entrant, _colon, out = form.cleaned_data["who"].partition(":")
    if not (entrant.isdecimal() and out.isdecimal()):
        raise TournamentError("no_entrant")
    changed = services.substitute(
        tournament_id=event.pk,
        by=_player(request),
        entrant_id=int(entrant[:9]),
        out=Player.objects.filter(pk=int(out[:9])).first() or Player(),
        into=form.cleaned_data["into"],
        reason=form.cleaned_data["reason"],
    )
    return _("They play as %(pair)s from now on.") % {"pair": changed.label}


_DEEDS: Final[dict[str, Callable[[HttpRequest, Tournament], str | dict[str, Any]]]] = {
    "invite": _invite,
    "accept": _accept,
    "drop": _drop,
    "enter": _enter,
    "substitute": _substitute,
}


def _player(request: HttpRequest) -> Player:
    player = sessions.player_of(request)
    if player is None:
        raise Http404
    return player
