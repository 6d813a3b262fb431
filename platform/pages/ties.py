"""What the form does that says who goes on of those level across the cut."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest
from django.utils.translation import gettext as _

from pages.attending import whole
from players.models import Player
from tournaments import services
from tournaments.models import Tournament
from tournaments.services.ties import How


def decide(request: HttpRequest, event: Tournament, by: Player) -> str:
    """Breaks the tie as pages/parts/break_tie.html asks for it; what to say of it."""
    how = request.POST.get("how", "")
    tied = [pk for text in request.POST.getlist("tied") if (pk := whole(text)) is not None]
    typed = {pk: whole(request.POST.get(f"order-{pk}")) or 0 for pk in tied}
    services.break_tie(
        tournament_id=event.pk,
        by=by,
        how=cast("How", how),
        tied=tied,
        order=sorted(tied, key=lambda pk: typed[pk]),
        reason=request.POST.get("reason", ""),
    )
    return {
        "lot": _("The lot was drawn."),
        "play_off": _("The play-off has begun."),
    }.get(how, _("The order is entered."))
