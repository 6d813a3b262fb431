"""Clubs: the list, one club with its members and events, and what members and owners do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pages import events
from pages.forms.club import ClubForm
from players import alphabet, clubs, sessions
from players.clubs import ClubRefused
from players.models import Club, Membership, Player
from tournaments import leagues
from tournaments.ladders import selectors as ladders

A_PAGE: Final = 50
EVENTS_SHOWN: Final = 30
REFUSALS: Final = {
    "not_found": gettext_lazy("There is no such club."),
    "no_account": gettext_lazy("Clubs need an account: sign up first."),
    "bad_name": gettext_lazy("Give it a name of 1 to 60 characters."),
    "not_owner": gettext_lazy("That is for the owners of the club."),
    "last_owner": gettext_lazy("A club needs an owner: make somebody else one first."),
    "not_in": gettext_lazy("That player is not in the club."),
}


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    listed = sorted(clubs.listed().defer("text"), key=lambda club: alphabet.key(club.name))
    page = Paginator(listed, A_PAGE).get_page(request.GET.get("page"))
    viewer = sessions.player_of(request)
    own = list(clubs.of_player(viewer)) if viewer else []
    return render(request, "pages/clubs.html", {"page": page, "own": own})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    founder = sessions.player_of(request)
    if founder is None or founder.is_guest:
        messages.info(request, str(REFUSALS["no_account"]))
        return redirect(f"{reverse('players:sign_up')}?next={reverse('pages:new_club')}")
    form = ClubForm(request.POST or None)
    if form.is_valid():
        return redirect("pages:club", clubs.found(founder=founder, **form.cleaned_data).slug)
    return render(request, "pages/club_form.html", {"form": form})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    viewer = sessions.player_of(request)
    if viewer is None or clubs.rank_of(club, viewer) != Membership.Rank.OWNER:
        raise Http404
    form = ClubForm(request.POST or None, initial=ClubForm.of(club))
    if form.is_valid():
        clubs.edit(club_id=club.pk, by=viewer, **form.cleaned_data)
        return redirect("pages:club", club.slug)
    return render(request, "pages/club_form.html", {"form": form, "club": club})


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    found = get_object_or_404(Club, slug=slug)
    members = clubs.members_of(found)
    rank = clubs.rank_of(found, sessions.player_of(request))
    inside = [row for row in members if row.rank in clubs.INSIDE]
    return render(
        request,
        "pages/club.html",
        {
            "club": found,
            "members": inside,
            "asking": [row for row in members if row.rank == Membership.Rank.ASKING],
            "rank": rank,
            "is_owner": rank == Membership.Rank.OWNER,
            "is_member": rank in clubs.INSIDE,
            "leagues": leagues.of_club(found),
            "ladders": ladders.of_club(found),
            "events": events.of_club(found, is_member=rank in clubs.INSIDE)[:EVENTS_SHOWN],
        },
    )


@require_POST
@login_required
def do(request: HttpRequest, slug: str, deed: str) -> HttpResponse:
    """A button of the club's page."""
    found = get_object_or_404(Club, slug=slug)
    player = sessions.player_of(request)
    act = DEEDS.get(deed)
    if act is None or player is None:
        raise Http404
    try:
        messages.success(request, act(request, found, player))
    except ClubRefused as refused:
        messages.error(request, str(REFUSALS[refused.code]))
    return redirect("pages:club", slug)


def _join(request: HttpRequest, club: Club, player: Player) -> str:
    membership = clubs.join(club_id=club.pk, player=player)
    if membership.rank == Membership.Rank.ASKING:
        return _("You have asked to join. An owner will let you in.")
    return _("You are a member.")


def _leave(request: HttpRequest, club: Club, player: Player) -> str:
    clubs.leave(club_id=club.pk, player=player)
    return _("You have left the club.")


def _set_rank(request: HttpRequest, club: Club, player: Player) -> str:
    handle, rank = request.POST.get("player", ""), request.POST.get("rank") or None
    member = Player.objects.filter(handle=handle, memberships__club=club).first()
    if member is None:
        raise ClubRefused("not_in")
    clubs.set_rank(club_id=club.pk, by=player, player=member, rank=rank)
    return _("Done.")


DEEDS: Final[dict[str, Callable[[HttpRequest, Club, Player], str]]] = {
    "join": _join,
    "leave": _leave,
    "rank": _set_rank,
}
