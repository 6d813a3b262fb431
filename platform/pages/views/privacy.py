"""One's data: taken along, or erased."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from pages import own_data
from players import erasure, names, throttle
from players.erasure import ErasureRefused
from players.forms import ErasureForm
from players.models import Player
from players.services import SIGN_IN_TRIES, SIGN_IN_WINDOW
from tournaments.models import Tournament


@never_cache
@login_required
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def privacy(request: HttpRequest) -> HttpResponse:
    player = cast("Player", request.user)
    if request.POST.get("do") == "keep":
        erasure.keep(player=player)
        messages.success(request, _("Your account stays."))
        return redirect("pages:privacy")
    form = ErasureForm(request.POST or None, player=player)
    if form.is_valid() and _asked(player, form):
        messages.success(request, _("Your account will be erased in a week."))
        return redirect("pages:privacy")
    context = {"form": form, "own_number": names.number(player.pk)}
    return render(request, "players/privacy.html", context)


@never_cache
@login_required
@require_safe
def download(request: HttpRequest) -> HttpResponse:
    player = cast("Player", request.user)
    response = JsonResponse(own_data.of_player(player), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="muggins-{player.handle}.json"'
    return response


def _asked(player: Player, form: ErasureForm) -> bool:
    """Whether the erasure is asked for; else the form says why not."""
    running = Tournament.objects.filter(organiser=player).exclude(
        status__in=[
            Tournament.Status.DRAFT, Tournament.Status.FINISHED, Tournament.Status.CANCELLED,
        ]
    )  # fmt: skip
    if event := running.first():
        form.add_error(
            None,
            _("You run “%(event)s”: hand it over, or cancel it first.") % {"event": event.name},
        )
        return False
    key = f"erase:{player.pk}"
    if not throttle.spend(key, limit=SIGN_IN_TRIES, seconds=SIGN_IN_WINDOW):
        form.add_error(None, _("Too many attempts. Wait a quarter of an hour, then try again."))
        return False
    try:
        erasure.ask(player=player, password=form.cleaned_data.get("password", ""))
    except ErasureRefused as refused:
        form.refuse(refused)
        return False
    throttle.forgive(key)
    return True
