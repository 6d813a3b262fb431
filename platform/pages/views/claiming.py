"""The page behind a claim's link: whose entry it is, and one button to take it over."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players import sessions
from tournaments import services
from tournaments.errors import TournamentError


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest, key: str) -> HttpResponse:
    """Looking changes nothing, and makes nobody a guest."""
    viewer = sessions.player_of(request)
    try:
        found = services.claim_of(key)
        if request.method == "POST":
            taken = services.claim(key=key, player=viewer)
            if viewer is None:
                sessions.enter(request, taken.player)
            messages.success(request, _("The entry is yours."))
            return redirect(found.entrant.tournament)
    except TournamentError as refused:
        status = 410 if refused.code == "no_claim" else 409
        return render(request, "pages/claim.html", {"refused": refused}, status=status)
    shown = {"claim": found, "event": found.entrant.tournament, "next": request.path}
    return render(request, "pages/claim.html", shown)
