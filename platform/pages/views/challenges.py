"""Challenge ladders: the list, one with its places and challenges, and its settings."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    conditional_page,
    require_http_methods,
    require_POST,
    require_safe,
)

from pages import words
from pages.forms.ladder import LadderForm
from players import sessions
from players.models import Player
from tournaments.ladders import selectors, services
from tournaments.ladders.errors import LadderError
from tournaments.models import Ladder


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/challenge_ladders.html", {"ladders": selectors.listed()[:100]})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    owner = _player(request)
    if owner.is_guest:
        messages.info(request, _("A ladder needs an account."))
        return redirect(f"{reverse('players:sign_up')}?next={reverse('pages:new_ladder')}")
    form = LadderForm(request.POST or None, owner=owner)
    if form.is_valid():
        try:
            made = services.create(owner=owner, club=form.chosen_club(), **form.settings())
            return redirect(made)
        except LadderError as refused:
            form.add_error(None, str(refused))
    return render(request, "pages/ladder_form.html", {"form": form, "about": words.ABOUT})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    ladder, by = _ladder(slug), _player(request)
    if not services.may_run(ladder, by):
        raise Http404
    form = LadderForm(request.POST or None, owner=by, ladder=ladder)
    if form.is_valid():
        try:
            services.edit(ladder_id=ladder.pk, by=by, **form.settings())
        except LadderError as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The settings are saved."))
            return redirect(ladder)
    shown = {"form": form, "ladder": ladder, "about": words.ABOUT}
    return render(request, "pages/ladder_form.html", shown)


@require_safe
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    return _shown(request, slug, "pages/challenge_ladder.html")


@require_safe
@conditional_page
def state_part(request: HttpRequest, slug: str) -> HttpResponse:
    return _shown(request, slug, "pages/parts/challenge_ladder.html")


@require_POST
def do(request: HttpRequest, slug: str, deed: str) -> HttpResponse:
    """A button of the page: one deed, one service."""
    found, act = _ladder(slug), DEEDS.get(deed)
    if act is None:
        raise Http404
    player = sessions.player_of(request)
    if player is None or player.is_guest:
        messages.info(request, _("A ladder needs an account."))
        return redirect(f"{reverse('players:sign_in')}?next={found.get_absolute_url()}")
    try:
        said = act(request, found, player)
    except LadderError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, said)
    return redirect(found)


def _shown(request: HttpRequest, slug: str, template: str) -> HttpResponse:
    found, player = _ladder(slug), sessions.player_of(request)
    rows = selectors.places(found)
    viewer = selectors.viewer_of(found, player, rows)
    open_now = list(selectors.open_challenges(found))
    return render(
        request,
        template,
        {
            "ladder": found,
            "game": words.preset(found.preset),
            "rows": rows,
            "viewer": viewer,
            "own": [
                (each, selectors.due_in(each.challenge.deadline))
                for each in selectors.own_challenges(found, player)
            ],
            "open_now": open_now,
            "played": selectors.played(found) if viewer.may_run else [],
            "open": [(each, selectors.due_in(each.deadline)) for each in open_now],
            "busy": {pk for each in open_now for pk in (each.challenger_id, each.defender_id)},
            "history": [(line, selectors.sentence(line)) for line in selectors.history(found)],
        },
    )


def _join(request: HttpRequest, found: Ladder, player: Player) -> str:
    services.join(ladder_id=found.pk, player=player)
    return _("You are on the ladder, at the bottom. Challenge somebody!")


def _leave(request: HttpRequest, found: Ladder, player: Player) -> str:
    services.leave(ladder_id=found.pk, player=player)
    return _("You have left the ladder.")


def _challenge(request: HttpRequest, found: Ladder, player: Player) -> str:
    defender = Player.objects.filter(handle=request.POST.get("defender", "")).first()
    if defender is None:
        raise LadderError("not_on_it")
    services.challenge(ladder_id=found.pk, player=player, defender=defender)
    return _("%(name)s has been challenged.") % {"name": defender.name}


def _accept(request: HttpRequest, found: Ladder, player: Player) -> str:
    services.accept(challenge_id=_number(request), player=player)
    return _("You will play. Say when you are ready.")


def _refuse(request: HttpRequest, found: Ladder, player: Player) -> str:
    services.refuse(challenge_id=_number(request), player=player)
    return _("You have refused.")


def _take_back(request: HttpRequest, found: Ladder, player: Player) -> str:
    services.take_back(challenge_id=_number(request), player=player)
    return _("The challenge is taken back.")


def _ready(request: HttpRequest, found: Ladder, player: Player) -> str:
    services.ready(challenge_id=_number(request), player=player)
    return _("The table opens as soon as both of you are ready.")


def _report(request: HttpRequest, found: Ladder, player: Player) -> str:
    number, _colon, handle = request.POST.get("result", "").partition(":")
    services.report(challenge_id=_whole(number), player=player, winner=_person(handle))
    return _("Noted. It counts when both of you say the same.")


def _correct(request: HttpRequest, found: Ladder, player: Player) -> str:
    services.correct(
        challenge_id=_number(request),
        by=player,
        winner=_person(request.POST.get("winner", "")),
        reason=request.POST.get("reason", ""),
    )
    return _("The result is entered.")


DEEDS: dict[str, Callable[[HttpRequest, Ladder, Player], str]] = {
    "join": _join,
    "leave": _leave,
    "challenge": _challenge,
    "accept": _accept,
    "refuse": _refuse,
    "take-back": _take_back,
    "ready": _ready,
    "report": _report,
    "correct": _correct,
}


def _person(handle: str) -> Player:
    person = Player.objects.filter(handle=handle).first()
    if person is None:
        raise LadderError("bad_winner")
    return person


def _number(request: HttpRequest) -> int:
    return _whole(request.POST.get("challenge", ""))


def _whole(text: str) -> int:
    """A whole number; 0, which nothing has, for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _player(request: HttpRequest) -> Player:
    player = sessions.player_of(request)
    if player is None:
        raise Http404
    return player


def _ladder(slug: str) -> Ladder:
    found = selectors.by_slug(slug)
    if found is None:
        raise Http404
    return found
