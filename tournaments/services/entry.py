"""Coming in and leaving."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F

from players.models import Player
from players.services import bot_player
from ratings import selectors as ratings
from tournaments import audit, stages
from tournaments.errors import TournamentError
from tournaments.models import Entrant, Seeding, Tournament
from tournaments.options import clean_line, pool_of
from tournaments.permissions import may, takes_late_entries
from tournaments.services import progress, tables
from tournaments.services.work import before_start, lock, lock_for, running

Status = Entrant.Status


@transaction.atomic
def join(*, tournament_id: int, player: Player) -> Entrant:
    """The player's entry, with status "waiting" when every place is taken.

    While a Swiss runs, people come in for the rounds still to be drawn, with the last seed. A
    second call answers the same entry. Raises TournamentError not_found, not_open, closed.
    """
    tournament = lock(tournament_id)
    known = Entrant.objects.filter(tournament=tournament, player=player).first()
    if known is not None and known.status in (Status.ACTIVE, Status.WAITING):
        return known
    if known is None and takes_late_entries(tournament):
        return _enter_late(tournament, player)
    if tournament.status in (Tournament.Status.DRAFT, Tournament.Status.ANNOUNCED):
        raise TournamentError("not_open")
    if not tournament.is_open:
        raise TournamentError("closed", status=tournament.status)
    return _enter(tournament, player)


@transaction.atomic
def add_bots(*, tournament_id: int, by: Player, count: int, level: str) -> list[Entrant]:
    """Enters that many bots of a level, those not in yet. Raises TournamentError too_many,
    bad_level, and what happens to be wrong with the event.
    """
    tournament = lock_for(tournament_id, by, "entrants")
    before_start(tournament)
    if not 1 <= count <= tournament.capacity - tournament.taken:
        raise TournamentError("too_many", free=tournament.capacity - tournament.taken)
    inside = set(tournament.entrants.values_list("player_id", flat=True))
    entered: list[Entrant] = []
    number = 0
    while len(entered) < count:
        number += 1
        try:
            bot = bot_player(level=level, number=number)
        except ValueError as error:
            raise TournamentError("bad_level", level=level) from error
        if bot.pk not in inside:
            entered.append(_enter(tournament, bot))
    audit.note(tournament, by, "bots_added", count=count, level=level)
    return entered


def withdraw(
    *, tournament_id: int, player: Player, by: Player | None = None, reason: str = ""
) -> None:
    """Takes the player out: by themselves, or by an official.

    Before the start the entry is gone and the first of the waiting list comes in. While the
    event runs, the match in course is forfeited and later ones are walk-overs. Nothing when the
    player is out already. Raises TournamentError no_entrant, not_allowed, over.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        if by is not None and by.pk != player.pk and not may(tournament, by, "entrants"):
            raise TournamentError("not_allowed")
        entrant = Entrant.objects.filter(tournament=tournament, player=player).first()
        why = clean_line(reason)[:200]
        if tournament.is_before_start:
            done = _leave(tournament, entrant)
        else:
            done = _drop_out(tournament, entrant, Status.WITHDRAWN, reason=why)
        if done and entrant is not None:
            _note(tournament, by or player, "withdrawn", why, entrant)
    tables.open_ready(tournament_id)


def disqualify(*, tournament_id: int, player: Player, by: Player, reason: str) -> None:
    """Takes a player out for a stated reason; a disqualified entrant has no place at the end.

    Before the start the entry is simply removed.
    """
    why = clean_line(reason)[:200]
    if not why:
        raise TournamentError("no_reason")
    with transaction.atomic():
        tournament = lock_for(tournament_id, by, "correct")
        entrant = Entrant.objects.filter(tournament=tournament, player=player).first()
        if tournament.is_before_start:
            done = _leave(tournament, entrant)
        else:
            done = _drop_out(tournament, entrant, Status.DISQUALIFIED, by=by, reason=why)
        if done and entrant is not None:
            _note(tournament, by, "disqualified", why, entrant)
    tables.open_ready(tournament_id)


def promote(tournament: Tournament) -> None:
    """Lets people in from the waiting list while there are places; the event is locked."""
    free = tournament.capacity - tournament.taken
    waiting = tournament.entrants.filter(status=Status.WAITING).order_by("pk")[: max(0, free)]
    for entrant in waiting:
        if not _take_place(tournament):
            return
        entrant.status = Status.ACTIVE
        entrant.save(update_fields=["status"])


def _enter(tournament: Tournament, player: Player) -> Entrant:
    status = Status.ACTIVE if _take_place(tournament) else Status.WAITING
    return Entrant.objects.create(tournament=tournament, player=player, status=status)


def _enter_late(tournament: Tournament, player: Player) -> Entrant:
    """An entry from the next round on, with no points for those missed (cases.md B9)."""
    stage = stages.current(tournament)
    assert stage is not None
    stage.size += 1
    stage.save(update_fields=["size"])
    _take_place(tournament)
    entrant = Entrant.objects.create(tournament=tournament, player=player, seed=stage.size)
    rated = ratings.ratings_in(pool_of(tournament), [player.pk]).get(player.pk)
    rating = None if rated is None else rated.rating
    Seeding.objects.create(stage=stage, entrant=entrant, number=stage.size, rating=rating)
    return entrant


def _take_place(tournament: Tournament) -> bool:
    """Counts one place more, unless all are taken: one statement, whoever else tries."""
    free = Tournament.objects.filter(pk=tournament.pk, taken__lt=F("capacity"))
    taken = free.update(taken=F("taken") + 1) == 1
    tournament.taken += taken
    return taken


def _note(tournament: Tournament, by: Player, action: str, reason: str, entrant: Entrant) -> None:
    facts = {"entrant": entrant.label, "handle": entrant.player.handle}
    audit.note(tournament, by, action, reason, **facts)


def _leave(tournament: Tournament, entrant: Entrant | None) -> bool:
    if entrant is None:
        return False
    if entrant.status == Status.ACTIVE:
        Tournament.objects.filter(pk=tournament.pk).update(taken=F("taken") - 1)
        tournament.taken -= 1
    entrant.delete()
    promote(tournament)
    return True


def _drop_out(
    tournament: Tournament,
    entrant: Entrant | None,
    status: Entrant.Status,
    **why: Any,
) -> bool:
    if entrant is None or entrant.status == Status.WAITING:
        raise TournamentError("no_entrant")
    if entrant.status in (status, Status.DISQUALIFIED):
        return False
    running(tournament)
    entrant.status = status
    entrant.save(update_fields=["status"])
    progress.absent(tournament, entrant, **why)
    return True
