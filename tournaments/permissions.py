"""Who may do what in an event."""

from __future__ import annotations

from typing import Final, Literal

from django.contrib.auth.models import AnonymousUser

from players.models import Player
from tournaments import formats
from tournaments.formats.model import DrawnFormat
from tournaments.models import Official, Role, Tournament

Right = Literal["settings", "entrants", "check_in", "rounds", "results", "correct", "look"]
"""settings: all of the event, its officials and its end; entrants: adding and taking out; check_in:
who has come; rounds: pairing, publishing, starting, stopping; results: entering; correct: changing
what was entered; look: what only officials see (drafts, the desk, the audit log).
"""

RIGHTS: Final[dict[str, frozenset[Right]]] = {
    Role.CHIEF: frozenset(
        {"settings", "entrants", "check_in", "rounds", "results", "correct", "look"}
    ),
    Role.ARBITER: frozenset({"entrants", "check_in", "rounds", "results", "correct", "look"}),
    Role.SCORER: frozenset({"results", "look"}),
    Role.DESK: frozenset({"entrants", "check_in", "look"}),
    Role.DISPLAY: frozenset(),
}


def may(
    tournament: Tournament,
    player: Player | AnonymousUser | None,
    right: Right,
    table: int | None = None,
) -> bool:
    """Whether the player has this right; `table` is the table's number, for scorers of some.

    The organiser and the site's staff have all, who isn't signed in has none.
    """
    if not isinstance(player, Player) or not player.is_active or not player.pk:
        return False
    if player.is_staff or player.pk == tournament.organiser_id:
        return True
    official = Official.objects.filter(tournament=tournament, player=player).first()
    if official is None or right not in RIGHTS[official.role]:
        return False
    return table is None or not official.tables or table in official.tables


def may_run(tournament: Tournament, player: Player | AnonymousUser | None) -> bool:
    """Whether all of the event is the player's to run."""
    return may(tournament, player, "settings")


def takes_late_entries(tournament: Tournament) -> bool:
    """Whether somebody can still come in: rounds are drawn one by one, and one is left to draw
    that the organiser lets people in for.
    """
    stage = tournament.stages.last() if tournament.is_running else None
    if stage is None or not isinstance(formats.get(stage.format), DrawnFormat):
        return False
    begun = stage.rounds.count()
    return tournament.taken < tournament.capacity and begun < min(
        stage.config["rounds"], tournament.late_rounds
    )
