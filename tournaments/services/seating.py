"""Tables of the room: an entrant who can't move about always sits at the same one.

The others of a round keep the tables of their positions as far as those are free, and get the
lowest free ones otherwise. Tables that are being played at, or were, keep their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db import IntegrityError, transaction

from players.models import Player
from tournaments import audit, stages
from tournaments import board as boards
from tournaments.board import Board
from tournaments.errors import TournamentError
from tournaments.models import Entrant, Pairing, Slot
from tournaments.services.work import lock_for, running_or_before

MOST_TABLES = 5000


@transaction.atomic
def fix_table(*, tournament_id: int, by: Player, entrant_id: int, table: int | None) -> Entrant:
    """Has an entrant sit at that table in every round whose tables are not set yet; anywhere again
    if it is None. Raises TournamentError not_allowed, over, no_entrant, bad_table, table_taken.
    """
    tournament = lock_for(tournament_id, by, "entrants")
    running_or_before(tournament)
    entrant = tournament.entrants.select_related("player", "partner").filter(pk=entrant_id).first()
    if entrant is None:
        raise TournamentError("no_entrant")
    if table is not None and not 1 <= table <= MOST_TABLES:
        raise TournamentError("bad_table", key="table")
    if entrant.fixed_table == table:
        return entrant
    entrant.fixed_table = table
    try:
        with transaction.atomic():
            entrant.save(update_fields=["fixed_table"])
    except IntegrityError as error:
        raise TournamentError("table_taken", key="table") from error
    action = "table_fixed" if table is not None else "table_freed"
    audit.note(tournament, by, action, entrant=entrant.label, table=table)
    stage = stages.current(tournament)
    if stage is not None:
        assign(boards.load(stage))
    return entrant


def assign(board: Board) -> None:
    """Sets the tables of a stage's pairings, round by round. The event is locked."""
    fixed = {e.pk: e.fixed_table for e in board.entrants.values() if e.fixed_table is not None}
    if not fixed and not any(pairing.table for pairing in board.pairings.values()):
        return
    changed = []
    for rows in _by_round(board.pairings.values()):
        wanted = _tables(rows, board.slots, fixed)
        for row in rows:
            if row.table != wanted[row.number]:
                row.table = wanted[row.number]
                changed.append(row)
    Pairing.objects.bulk_update(changed, ["table"], batch_size=200)


def _by_round(pairings: Iterable[Pairing]) -> list[list[Pairing]]:
    found: dict[int, list[Pairing]] = {}
    for pairing in pairings:
        found.setdefault(pairing.round_id, []).append(pairing)
    return [sorted(rows, key=lambda row: row.position) for rows in found.values()]


def _tables(
    rows: Sequence[Pairing], slots: Mapping[int, Sequence[Slot]], fixed: Mapping[int, int]
) -> dict[int, int | None]:
    """The table of each pairing of a round; None where it is the one of its position."""
    status = Pairing.Status
    tables = {r.number: r.at_table for r in rows if r.status in (status.LIVE, status.DECIDED)}
    taken = set(tables.values())
    for row in rows:
        own = [fixed[pk] for s in slots[row.number] if (pk := s.entrant_id or 0) in fixed]
        if own and row.number not in tables and len(slots[row.number]) > 1 and own[0] not in taken:
            tables[row.number] = own[0]
            taken.add(own[0])
    for row in rows:
        if row.number not in tables and row.position not in taken:
            tables[row.number] = row.position
            taken.add(row.position)
    free = (table for table in range(1, len(taken) + len(rows) + 1) if table not in taken)
    for row in rows:
        if row.number not in tables:
            tables[row.number] = next(free)
    return {row.number: None if tables[row.number] == row.position else tables[row.number]
            for row in rows}  # fmt: skip
