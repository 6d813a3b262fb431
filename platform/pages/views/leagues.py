"""Leagues: the list, a new one, and one page each."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pages import event_page, league_page, words
from pages.forms.league import LeagueForm
from players import alphabet, sessions
from players.models import Player
from tournaments import leagues, services
from tournaments.errors import TournamentError
from tournaments.models import League

ABOUT = words.ABOUT


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    listed = sorted(leagues.listed()[:200], key=lambda league: alphabet.key(league.name))
    games = [(league, league_page.game_of(league)) for league in listed]
    return render(request, "pages/leagues.html", {"leagues": games})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    owner = sessions.player_of(request)
    if owner is None or owner.is_guest:
        messages.info(request, event_page.account_needed())
        return redirect(f"{reverse('players:sign_up')}?next={reverse('pages:new_league')}")
    form = LeagueForm(request.POST or None, owner=owner)
    if form.is_valid():
        try:
            made = services.create_league(owner=owner, club=form.chosen_club(), **form.settings())
            return redirect(made)
        except TournamentError as refused:
            _refuse(form, refused)
    return render(request, "pages/league_form.html", {"form": form, "about": ABOUT})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    league, by = _run_by(request, slug)
    form = LeagueForm(request.POST or None, owner=by, league=league)
    if form.is_valid():
        try:
            services.edit_league(league_id=league.pk, by=by, **form.settings())
            return redirect(league)
        except TournamentError as refused:
            _refuse(form, refused)
    shown = {"form": form, "about": ABOUT, "league": league}
    return render(request, "pages/league_form.html", shown)


@require_safe
def league(request: HttpRequest, slug: str) -> HttpResponse:
    found = _league(slug)
    context = league_page.context(found, sessions.player_of(request))
    return render(request, "pages/league.html", context)


@require_safe
def season(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The tables of a season, of one in course or of long ago."""
    try:
        context = league_page.season_context(_league(slug), number)
    except KeyError:
        raise Http404 from None
    return render(request, "pages/league_season.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def next_season(request: HttpRequest, slug: str) -> HttpResponse:
    """Who plays in which division next, as proposed, to be changed and confirmed."""
    league, by = _run_by(request, slug)
    if request.method == "POST":
        divisions = league_page.chosen(request.POST, leagues.proposal(league))
        try:
            services.begin_season(
                league_id=league.pk, by=by, divisions=divisions, begins_on=timezone.now().date()
            )
        except TournamentError as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, _("The season has begun."))
            return redirect(league)
    return render(request, "pages/league_next.html", league_page.next_context(league))


@require_POST
def do(request: HttpRequest, slug: str, deed: str) -> HttpResponse:
    """A button of the page: one deed, one service."""
    league = _league(slug)
    act = DEEDS.get(deed)
    player = sessions.player_of(request)
    if act is None:
        raise Http404
    if player is None:
        return redirect(f"{reverse('players:sign_in')}?next={league.get_absolute_url()}")
    try:
        messages.success(request, act(request, league, player))
    except TournamentError as refused:
        messages.error(request, str(refused))
    return redirect(league)


def _join(request: HttpRequest, league: League, player: Player) -> str:
    services.join_league(league_id=league.pk, player=player)
    return _("You are in from the next season on.")


def _leave(request: HttpRequest, league: League, player: Player) -> str:
    services.leave_league(league_id=league.pk, player=player)
    return _("You are in no further season.")


def _play(request: HttpRequest, league: League, player: Player) -> str:
    text = request.POST.get("pairing", "")
    pairing = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if services.wish_to_play(pairing_id=pairing, player=player):
        return _("Your table is open.")
    return _("Your opponent sees that you are there. The table opens when both of you are.")


def _close(request: HttpRequest, league: League, player: Player) -> str:
    services.close_season(league_id=league.pk, by=player)
    return _("The season is over.")


def _move_end(request: HttpRequest, league: League, player: Player) -> str:
    day = parse_date(request.POST.get("ends_on", "")[:10]) or dt.date.min
    services.move_end(league_id=league.pk, by=player, ends_on=day)
    return _("The season has another last day.")


DEEDS: dict[str, Callable[[HttpRequest, League, Player], str]] = {
    "join": _join,
    "leave": _leave,
    "play": _play,
    "close": _close,
    "move-end": _move_end,
}


def _league(slug: str) -> League:
    found = leagues.by_slug(slug)
    if found is None:
        raise Http404
    return found


def _run_by(request: HttpRequest, slug: str) -> tuple[League, Player]:
    league, by = _league(slug), sessions.player_of(request)
    if by is None or not leagues.may_run(league, by):
        raise Http404
    return league, by


def _refuse(form: LeagueForm, refused: TournamentError) -> None:
    key = str(refused.facts.get("key") or "")
    form.add_error(key if key in form.fields else None, str(refused))
