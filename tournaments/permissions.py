"""Who may run an event."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from players.models import Player
from tournaments.models import Tournament


def may_run(tournament: Tournament, player: Player | AnonymousUser | None) -> bool:
    """The organiser and the site's staff may; nobody else, and nobody who isn't signed in."""
    if not isinstance(player, Player) or not player.is_active:
        return False
    return player.is_staff or player.pk == tournament.organiser_id
