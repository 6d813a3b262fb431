"""Coming in and leaving."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import count as count_from
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from outbox.services import publish
from players.models import Player
from players.services import bot_player
from tournaments import access, audit, rounds, stages
from tournaments import board as boards
from tournaments.errors import TournamentError
from tournaments.formats import arena as arena_format
from tournaments.models import Entrant, Seeding, Tournament
from tournaments.options import clean_line
from tournaments.pairs import entry_of, entry_ratings
from tournaments.permissions import may, takes_back, takes_late_entries
from tournaments.services import presences, progress, rests, tables
from tournaments.services.rests import worth_of
from tournaments.services.work import before_start, lock, lock_for, running

Status = Entrant.Status


@transaction.atomic
def join(*, tournament_id: int, player: Player, key: str = "") -> Entrant:
    """The player's entry, with status "waiting" when every place is taken; `key` is that of the
    event's link. Who comes in while people check in has done so.

    While a Swiss runs, people come in for the rounds still to be drawn, with the last seed; who
    had withdrawn comes back. A second call answers the same entry. Raises TournamentError
    not_found, not_open, closed, no_link, not_member, rating_low, rating_high, peak_high.
    """
    tournament = lock(tournament_id)
    known = entry_of(tournament, player)
    if known is not None and known.status in (Status.ACTIVE, Status.WAITING):
        return known
    if known is not None and known.status == Status.WITHDRAWN and takes_back(tournament, known):
        return _come_back(tournament, known)
    if known is not None and rounds.can_return(tournament, known):
        return _return(tournament, known, by=player)
    if known is not None:
        raise TournamentError("closed", status=tournament.status)
    if tournament.sides == Tournament.Sides.PAIRS:
        raise TournamentError("needs_partner")
    refuse_entry(tournament, player, key)
    return place(tournament, player, here=access.is_check_in_open(tournament))


@transaction.atomic
def come_back(*, tournament_id: int, player: Player, by: Player) -> Entrant:
    """Lets somebody who withdrew play on, from the next round that is drawn; nothing for those who
    are in. Raises TournamentError no_entrant, not_allowed, no_return, not_running.
    """
    tournament = lock(tournament_id)
    if by.pk != player.pk and not may(tournament, by, "entrants"):
        raise TournamentError("not_allowed")
    entrant = entry_of(tournament, player)
    if entrant is None or entrant.status == Status.WAITING:
        raise TournamentError("no_entrant")
    return entrant if entrant.is_active else _return(tournament, entrant, by=by)


@transaction.atomic
def check_in(
    *, tournament_id: int, player: Player, by: Player | None = None, here: bool = True
) -> Entrant:
    """Says that somebody is there, or is not after all: they themselves while the window is open,
    the desk at any time before the start. Nothing when it was said.

    Raises TournamentError no_entrant, not_allowed, no_check_in, has_begun.
    """
    tournament = lock(tournament_id)
    before_start(tournament)
    if by is not None and by.pk != player.pk:
        if not may(tournament, by, "check_in"):
            raise TournamentError("not_allowed", right="check_in")
    elif not access.is_check_in_open(tournament):
        raise TournamentError("no_check_in")
    entrant = entry_of(tournament, player)
    if entrant is None:
        raise TournamentError("no_entrant")
    if here != (entrant.checked_in_at is not None):
        entrant.checked_in_at = timezone.now() if here else None
        entrant.save(update_fields=["checked_in_at"])
        _note(tournament, by or player, "checked_in" if here else "checked_out", "", entrant)
    return entrant


def place(
    tournament: Tournament,
    player: Player,
    *,
    partner: Player | None = None,
    name: str = "",
    here: bool = False,
    by: Player | None = None,
) -> Entrant:
    """Enters somebody, or a pair, late if it runs; the event is locked. `by`: who does, if it is
    not the player.
    """
    entrant = Entrant(tournament=tournament, player=player, partner=partner, name=name)
    if tournament.is_running:
        return _enter_late(tournament, entrant, by or player)
    entrant.checked_in_at = timezone.now() if here else None
    return _enter(tournament, entrant)


def refuse_entry(tournament: Tournament, player: Player, key: str = "") -> None:
    """Raises TournamentError unless that player may come in now."""
    if not takes_late_entries(tournament):
        _refuse_closed(tournament)
    if refused := access.refusal(tournament, player, key):
        raise TournamentError(refused)


def leave_out_absent(tournament: Tournament, by: Player | None) -> None:
    """Takes out who has not checked in, once people could, and gives their places to those of the
    waiting list who have; the event is locked and about to start.
    """
    if not access.is_check_in_open(tournament):
        return
    rows = tournament.entrants.filter(checked_in_at=None, player__bot_level="")
    absent = list(rows.filter(status=Status.ACTIVE).select_related("player", "partner"))
    if absent:
        Entrant.objects.filter(pk__in=[row.pk for row in absent]).delete()
        tournament.taken -= len(absent)
        Tournament.objects.filter(pk=tournament.pk).update(taken=tournament.taken)
        names = ", ".join(row.label for row in absent)
        audit.note(tournament, by, "left_out", names=names)
    rows.filter(status=Status.WAITING).delete()
    promote(tournament)


@transaction.atomic
def add_bots(*, tournament_id: int, by: Player, count: int, level: str) -> list[Entrant]:
    """Enters that many bots of a level, or pairs of them, of those not in yet. Raises
    TournamentError too_many, bad_level, and what happens to be wrong with the event.
    """
    tournament = lock_for(tournament_id, by, "entrants")
    if not takes_late_entries(tournament):
        before_start(tournament)
    if not 1 <= count <= tournament.capacity - tournament.taken:
        raise TournamentError("too_many", free=tournament.capacity - tournament.taken)
    rows = tournament.entrants.values_list("player_id", "partner_id")
    inside = {pk for row in rows for pk in row}
    bots = _bots(level, inside)
    paired = tournament.sides == Tournament.Sides.PAIRS
    entered = [
        place(tournament, next(bots), partner=next(bots) if paired else None) for _ in range(count)
    ]
    audit.note(tournament, by, "bots_added", count=count, level=level)
    return entered


def _bots(level: str, inside: Container[int | None]) -> Iterator[Player]:
    """The bots of a level that are not in yet. Raises TournamentError("bad_level")."""
    for number in count_from(1):
        try:
            bot = bot_player(level=level, number=number)
        except ValueError as error:
            raise TournamentError("bad_level", level=level) from error
        if bot.pk not in inside:
            yield bot


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
        entrant = entry_of(tournament, player)
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
        entrant = entry_of(tournament, player)
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
        key = f"{entrant.pk}-{timezone.now():%Y%m%d%H%M%S}"
        publish("entry.freed", key=key, payload={"entrant": entrant.pk, "key": key})


def _refuse_closed(tournament: Tournament) -> None:
    if tournament.status in (Tournament.Status.DRAFT, Tournament.Status.ANNOUNCED):
        raise TournamentError("not_open")
    if not tournament.is_open:
        raise TournamentError("closed", status=tournament.status)


def _enter(tournament: Tournament, entrant: Entrant) -> Entrant:
    entrant.status = Status.ACTIVE if _take_place(tournament) else Status.WAITING
    entrant.save()
    return entrant


def _enter_late(tournament: Tournament, entrant: Entrant, by: Player) -> Entrant:
    """An entry from the next round on (cases.md B9); `missed` says what those before are worth."""
    stage = stages.current(tournament)
    assert stage is not None
    stage.size += 1
    stage.save(update_fields=["size"])
    _take_place(tournament)
    entrant.seed = stage.size
    entrant.save()
    rating = entry_ratings(tournament, [entrant]).get(entrant.pk)
    Seeding.objects.create(stage=stage, entrant=entrant, number=stage.size, rating=rating)
    if stage.format == arena_format.ID:
        presences.enter(entrant)
    else:
        rests.miss(tournament, stage, entrant, worth_of(tournament.missed))
    _note(tournament, by, "entered_late", "", entrant)
    return entrant


def _return(tournament: Tournament, entrant: Entrant, *, by: Player) -> Entrant:
    """From the next round on; the rounds missed meanwhile are worth nothing."""
    running(tournament)
    stage = stages.current(tournament)
    if stage is None or not rounds.can_return(tournament, entrant):
        raise TournamentError("no_return")
    entrant.status = Status.ACTIVE
    entrant.save(update_fields=["status"])
    rests.miss(tournament, stage, entrant, 0)
    progress.catch_up(boards.load(stage))
    _note(tournament, by, "came_back", "", entrant)
    return entrant


def _come_back(tournament: Tournament, entrant: Entrant) -> Entrant:
    """Who left an arena and comes back goes on with the points they had."""
    entrant.status = Status.ACTIVE
    entrant.save(update_fields=["status"])
    presences.enter(entrant)
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
