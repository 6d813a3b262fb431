"""A draft paired by hand: any round that is one, and no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from players.models import Player
from tournaments import audit
from tournaments import board as boards
from tournaments.board import Board
from tournaments.errors import TournamentError
from tournaments.formats import manual
from tournaments.formats import model as fm
from tournaments.models import Entrant, Pairing, Round, Slot, Tournament
from tournaments.options import clean_line, seats_of
from tournaments.services import progress
from tournaments.services.rounds import draft, locked

PARTNERS = (0, 1, 0, 1)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A draft on the table: who is in the round, the tables as stored (seeds), the engine's own,
    and `seen`, which changes with every saving.
    """

    board: Board
    before: fm.Plan
    inside: frozenset[int]
    tables: tuple[tuple[int, ...], ...]
    engine: tuple[tuple[int, ...], ...]
    seen: int

    def check(self, tables: manual.Tables) -> manual.Check:
        """Whether these tables are a round, and what they cost."""
        tournament = self.board.stage.tournament
        seats = seats_of(self.board.stage.format, tournament.sides)
        if tournament.sides == Tournament.Sides.PAIRS:
            seats = (2,)  # an entrant is two people
        return manual.check(tables, self.inside, seats, self.board.field, self.before)


def open_sheet(row: Round) -> Sheet:
    """A draft, for pairing by hand. Raises TournamentError by_schedule, being_drawn."""
    board = boards.load(row.stage)
    if not isinstance(board.format, fm.DrawnFormat):
        raise TournamentError("by_schedule")
    meetings = [meeting for meeting in board.drawn if meeting.round == row.number]
    if not meetings:
        raise TournamentError("being_drawn")
    resting = {seed for at, seed in board.rests if at == row.number}
    active = {seed for seed, entrant in board.entrants.items() if entrant.is_active}
    return Sheet(
        board,
        board.without_drafts().plan(),
        frozenset(active - resting),
        tuple(meeting.seeds for meeting in sorted(meetings, key=lambda each: each.position)),
        tuple(tuple(seeds) for seeds in row.draw.get("tables", [])),
        min(board.pairings[meeting.number].pk for meeting in meetings),
    )


@transaction.atomic
def pair_by_hand(
    *,
    round_id: int,
    by: Player,
    tables: Sequence[Sequence[int]],
    reason: str,
    seen: int | None = None,
) -> Round:
    """Puts a draft's tables as given: entrant ids, a single one for a bye, in the order of seats.

    Raises TournamentError round_gone, not_allowed, by_schedule, not_draft, is_started, being_drawn,
    no_reason; stale if somebody has saved another pairing than was `seen`; not_fitting (naming
    seeds and tables) unless everyone who is in is there once.
    """
    row = draft(round_id, by)
    sheet = open_sheet(row)
    if seen is not None and seen != sheet.seen:
        raise TournamentError("stale")
    seated = [tuple(sheet.board.find_seed(pk) or 0 for pk in table) for table in tables if table]
    found = sheet.check(seated)
    if not found.is_legal:
        raise TournamentError(
            "not_fitting",
            twice=found.twice,
            missing=found.missing,
            strangers=found.strangers,
            tables=found.seats,
        )
    if tuple(seated) == sheet.tables:
        return row
    why = clean_line(reason)[:200]
    if not why:
        raise TournamentError("no_reason")
    _replace(row, sheet, seated, why)
    audit.note(row.stage.tournament, by, "paired_by_hand", why, round=row.number)
    return row


@transaction.atomic
def swap_seats(*, pairing_id: int, by: Player) -> Pairing:
    """Lets the other one of two lead: before the round starts, and where rounds are drawn.

    Raises TournamentError no_pairing, not_allowed, not_running, is_started, by_schedule, decided,
    no_opponent; not_fitting where more than two sit.
    """
    known = Pairing.objects.filter(pk=pairing_id).first()
    if known is None:
        raise TournamentError("no_pairing", pairing=pairing_id)
    row = locked(known.round_id, by)
    if row.is_started:
        raise TournamentError("is_started", round=row.number)
    pairing = row.pairings.filter(pk=pairing_id).first()
    if pairing is None:  # paired anew while this waited
        raise TournamentError("no_pairing", pairing=pairing_id)
    board = boards.load(row.stage)
    if not isinstance(board.format, fm.DrawnFormat):
        raise TournamentError("by_schedule")
    if board.result(pairing.number) is not None:
        raise TournamentError("decided", match=pairing.number)
    slots = board.slots[pairing.number]
    if any(slot.kind != Slot.Kind.ENTRANT for slot in slots):
        raise TournamentError("no_opponent", match=pairing.number)
    if len(slots) != 2:
        raise TournamentError("not_fitting")
    first = _seat(pairing, slots)
    facts: dict[str, Any] = {"match": pairing.number, "stage": row.stage.number}
    facts["first"] = first.label
    audit.note(row.stage.tournament, by, "seats_swapped", **facts)
    progress.advance(boards.load(row.stage))
    return pairing


def _seat(pairing: Pairing, slots: Sequence[Slot]) -> Entrant:
    """Puts the second first; who that is. What is known by seat goes with them."""
    first, second = slots
    for slot, index in ((first, len(slots)), (second, 0), (first, 1)):  # no two at one place
        slot.index = slot.side = index
        slot.save(update_fields=["index", "side"])
    why = {**pairing.why, "swapped": not pairing.why.get("swapped", False)}
    if "points" in why:
        why["points"] = why["points"][::-1]
    pairing.why = why
    pairing.save(update_fields=["why"])
    assert second.entrant is not None
    return second.entrant


def _replace(row: Round, sheet: Sheet, seated: list[tuple[int, ...]], why: str) -> None:
    """The draft's pairings made anew; a table that stays keeps why it was made."""
    old = [meeting for meeting in sheet.board.drawn if meeting.round == row.number]
    kept = {meeting.seeds: meeting.because for meeting in old}
    met = {flag.table: flag.times for flag in sheet.check(seated).flags if flag.kind == "rematch"}
    points = {each.seed: each.points for each in sheet.before.table}
    partners = any(meeting.sides == PARTNERS for meeting in old)
    first = min(meeting.number for meeting in old)
    made = [
        fm.Meeting(
            first + at,
            row.number,
            at + 1,
            seeds,
            kept.get(seeds)
            or {
                "rule": "manual",
                "points": [points.get(seed, 0) for seed in seeds],
                "met_before": met.get(at, 0),
                "reason": why,
            },
            PARTNERS if partners and len(seeds) == len(PARTNERS) else (),
        )
        for at, seeds in enumerate(seated)
    ]
    row.pairings.all().delete()
    board = boards.load(row.stage)
    board.drawn += made
    progress.advance(board)
