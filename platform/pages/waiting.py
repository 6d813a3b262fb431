"""The table that waits for a player, whatever page they are on."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Match, Seat
from players.models import Player
from tournaments.selectors import table_link


@dataclass(frozen=True, slots=True)
class Waiting:
    """Where to go, and why."""

    match_id: str
    url: str
    text: str


def waiting_for(player: Player) -> Waiting | None:
    """The player's running match, or the reserved seat nobody has taken yet; one query."""
    seat = (
        Seat.objects.select_related("match")
        .filter(player=player)
        .filter(
            Q(match__status=Match.Status.RUNNING)
            | Q(match__status=Match.Status.OPEN, match__sit_by__isnull=False)
        )
        .order_by("match__sit_by", "-match__created_at")
        .first()
    )
    if seat is None:
        return None
    return Waiting(seat.match_id, reverse("pages:table", args=[seat.match_id]), _text(seat))


def _text(seat: Seat) -> str:
    about = table_link(seat.match.context)
    text = _what(seat)
    if about is None:
        return text
    return _("%(event)s: %(text)s") % {"event": about["title"], "text": text}


def _what(seat: Seat) -> str:
    if seat.match.is_open and seat.sat_at is None:
        return _("Your table is ready: sit down.")
    if seat.away_since is not None:
        return _("The server is playing for you.")
    if seat.match.turn == seat.index:
        return _("It is your turn.")
    return _("Your match is on.")
