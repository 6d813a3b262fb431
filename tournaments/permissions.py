"""Who may run an event."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from players.models import Player
from tournaments import formats
from tournaments.formats.model import DrawnFormat
from tournaments.models import Tournament


def may_run(tournament: Tournament, player: Player | AnonymousUser | None) -> bool:
    """The organiser and the site's staff may; nobody else, and nobody who isn't signed in."""
    if not isinstance(player, Player) or not player.is_active:
        return False
    return player.is_staff or player.pk == tournament.organiser_id


def takes_late_entries(tournament: Tournament) -> bool:
    """Whether somebody can still come in: rounds are drawn one by one, and one is left to draw."""
    stage = tournament.stages.last() if tournament.is_running else None
    if stage is None or not isinstance(formats.get(stage.format), DrawnFormat):
        return False
    return tournament.taken < tournament.capacity and stage.rounds.count() < stage.config["rounds"]
