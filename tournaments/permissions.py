"""Who may do what in an event."""

from __future__ import annotations

from typing import Final, Literal, get_args

from django.contrib.auth.models import AnonymousUser

from players.models import Player
from tournaments import arena, formats, stages
from tournaments.formats import arena as arena_format
from tournaments.formats.model import DrawnFormat
from tournaments.models import Entrant, Official, Role, Round, Tournament

Right = Literal[
    "own", "settings", "entrants", "check_in", "rounds", "results", "correct", "look", "see"
]
"""own: giving the event away; settings: all else of the event, its officials and its end; entrants:
adding and taking out; check_in: who has come; rounds: pairing, publishing, starting, stopping;
results: entering what was played; correct: changing what was entered, and an arbiter's own
decisions (forfeits, disqualifying); look: what only officials see (the desk, the audit log); see:
the event itself, also while it is a draft.
"""

EVERY: Final[frozenset[Right]] = frozenset(get_args(Right))
RIGHTS: Final[dict[str, frozenset[Right]]] = {
    Role.CHIEF: EVERY - {"own"},
    Role.ARBITER: EVERY - {"own", "settings"},
    Role.SCORER: frozenset({"results", "look", "see"}),
    Role.DESK: frozenset({"entrants", "check_in", "look", "see"}),
    Role.DISPLAY: frozenset({"see"}),
}
RANKS: Final = (Role.CHIEF, Role.ARBITER, Role.SCORER, Role.DESK, Role.DISPLAY)
"""From the most to the least; the owner is above all."""
OPEN_TO_GUESTS: Final = frozenset({Role.SCORER, Role.DISPLAY})
"""Roles for a helper's phone or the hall's screen: no account is needed for those."""


def may(
    tournament: Tournament,
    player: Player | AnonymousUser | None,
    right: Right,
    table: int | None = None,
) -> bool:
    """Whether the player has this right; `table` is the table's number, for scorers of some.

    The organiser and the site's staff have all, who isn't signed in has none.
    """
    official = _office(tournament, player)
    if not isinstance(official, Official):
        return official
    if right not in RIGHTS[official.role]:
        return False
    return table is None or not official.tables or table in official.tables


def may_see(tournament: Tournament, player: Player | AnonymousUser | None) -> bool:
    """Whether the player may look at the event: everybody may, unless it is a draft."""
    return tournament.status != Tournament.Status.DRAFT or may(tournament, player, "see")


def rights_of(tournament: Tournament, player: Player | AnonymousUser | None) -> frozenset[Right]:
    """All the player may do; a scorer of some tables has "results" for those."""
    official = _office(tournament, player)
    if not isinstance(official, Official):
        return EVERY if official else frozenset()
    return RIGHTS[official.role]


def tables_of(tournament: Tournament, player: Player | AnonymousUser | None) -> frozenset[int]:
    """The tables that a scorer enters results of; none for who enters those of every table."""
    official = _office(tournament, player)
    return frozenset(official.tables) if isinstance(official, Official) else frozenset()


def may_give(tournament: Tournament, by: Player, role: str) -> bool:
    """Whether `by` may make somebody this: nobody gives a role above their own."""
    official = _office(tournament, by)
    if not isinstance(official, Official):
        return official
    return "settings" in RIGHTS[official.role] and _rank(official.role) <= _rank(role)


def may_change(tournament: Tournament, by: Player, other: Official) -> bool:
    """Whether `by` may change or end another's role: that of those below them."""
    official = _office(tournament, by)
    if not isinstance(official, Official):
        return official
    return "settings" in RIGHTS[official.role] and _rank(official.role) < _rank(other.role)


def _rank(role: str) -> int:
    return RANKS.index(Role(role))


def _office(tournament: Tournament, player: Player | AnonymousUser | None) -> Official | bool:
    """The player's role in the event; True for the owner and the site's staff, False for none."""
    if not isinstance(player, Player) or not player.is_active or not player.pk:
        return False
    if player.is_staff or player.pk == tournament.organiser_id:
        return True
    return Official.objects.filter(tournament=tournament, player=player).first() or False


def may_run(tournament: Tournament, player: Player | AnonymousUser | None) -> bool:
    """Whether all of the event is the player's to run."""
    return may(tournament, player, "settings")


def takes_late_entries(tournament: Tournament) -> bool:
    """Whether somebody can still come in: rounds are drawn one by one, and one is left to draw
    that the organiser lets people in for.
    """
    stage = stages.current(tournament) if tournament.is_running else None
    if stage is not None and stage.format == arena_format.ID:
        if stage.number > 1:
            return False
        return tournament.taken < tournament.capacity and arena.takes_entries(stage)
    if stage is None or stage.number > 1 or not isinstance(formats.get(stage.format), DrawnFormat):
        return False
    begun = stage.rounds.exclude(status=Round.Status.DRAFT).count()
    return tournament.taken < tournament.capacity and begun < min(
        stage.config["rounds"], tournament.late_rounds
    )


def takes_back(tournament: Tournament, entrant: Entrant) -> bool:
    """Whether the entrant is of an arena whose time runs: people come and go while it does."""
    stage = arena.stage_of(tournament) if tournament.is_running else None
    if stage is None or not arena.takes_entries(stage):
        return False
    return stage.seedings.filter(entrant=entrant).exists()
