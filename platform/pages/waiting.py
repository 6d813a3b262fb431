"""The table that waits for a player, whatever page they are on."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Seat
from games.selectors import SEATED, forfeits_of
from pages.reporting import report_url
from players.models import Player
from tournaments.selectors import awaited_in_the_room, table_link


@dataclass(frozen=True, slots=True)
class Waiting:
    """Where to go, and why."""

    match_id: str
    url: str
    text: str
    event: str = ""
    key: str = ""


def waiting_for(player: Player) -> Waiting | None:
    """The player's running match, or the reserved seat nobody has taken yet, or their table in
    the room; two queries, three at a table of more than two. A match that goes on without the
    player waits for them no more.
    """
    seats = (
        Seat.objects.select_related("match")
        .filter(SEATED, player=player)
        .order_by("match__sit_by", "-match__created_at")
    )
    seat = next((seat for seat in seats if not _has_left(seat)), None)
    if seat is None:
        return in_the_room(player)
    url = reverse("pages:table", args=[seat.match_id])
    about = table_link(seat.match.context)
    return Waiting(
        seat.match_id,
        url,
        _what(seat),
        "" if about is None else about["title"],
        seat.match_id,
    )


def _has_left(seat: Seat) -> bool:
    """Whether the player was taken out of a match that others play on."""
    if seat.match.seats == 2:
        return False
    return seat.index in forfeits_of([seat.match_id]).get(seat.match_id, ())


def in_the_room(player: Player) -> Waiting | None:
    """The table at which the player is to play over the board: which one, against whom."""
    pairing = awaited_in_the_room(player)
    if pairing is None:
        return None
    slots = pairing.slots.select_related("entrant__player", "entrant__partner").order_by("index")
    entries = [(slot, slot.entrant) for slot in slots if slot.entrant is not None]
    own = {slot.side for slot, e in entries if player.pk in (e.player_id, e.partner_id)}
    others = ", ".join(entry.label for slot, entry in entries if slot.side not in own)
    facts = {"table": pairing.table or pairing.position, "others": others}
    tournament = pairing.stage.tournament
    text = _("Table %(table)s, against %(others)s") % facts
    url = report_url(tournament, pairing.stage.number, pairing.number)
    return Waiting("", url, text, tournament.title, f"pairing-{pairing.pk}")


def _what(seat: Seat) -> str:
    if seat.match.is_open and seat.sat_at is None:
        return _("Your table is ready.")
    if seat.away_since is not None:
        return _("The server is playing for you.")
    if seat.match.turn == seat.index:
        return _("It is your turn.")
    return _("Your match is on.")
