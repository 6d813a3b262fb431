"""Time at live tables: more of it for an entrant who needs it."""

from __future__ import annotations

from django.db import transaction

from games.services.opening import TIME_PERCENTS
from players.models import Player
from tournaments import audit
from tournaments.errors import TournamentError
from tournaments.models import Entrant
from tournaments.services.work import lock_for, running_or_before


@transaction.atomic
def grant_time(*, tournament_id: int, by: Player, entrant_id: int, percent: int) -> Entrant:
    """Gives an entrant 100, 150 or 200 percent of the time for a turn, and of the bank, at the
    tables that open from now on. Raises TournamentError not_allowed, over, no_entrant, bad_percent.
    """
    tournament = lock_for(tournament_id, by, "entrants")
    running_or_before(tournament)
    entrant = tournament.entrants.select_related("player", "partner").filter(pk=entrant_id).first()
    if entrant is None:
        raise TournamentError("no_entrant")
    if percent not in TIME_PERCENTS:
        raise TournamentError("bad_percent", key="percent")
    if entrant.time_percent != percent:
        entrant.time_percent = percent
        entrant.save(update_fields=["time_percent"])
        audit.note(tournament, by, "time_granted", entrant=entrant.label, percent=percent)
    return entrant
