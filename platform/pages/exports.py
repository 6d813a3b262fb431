"""What can be taken out of an event, as tables: docs/exports.md says what each column holds."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from pages.criteria_words import IN_POINTS, SHORT
from pages.look import Look
from tournaments import selectors
from tournaments.board import Board
from tournaments.bracket import round_name
from tournaments.models import Entrant, Round
from tournaments.standings.cards import POINT

BOM: Final = "\ufeff"
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
SEATS: Final = 4
Row = list[Any]


@dataclass(frozen=True, slots=True)
class Export:
    """A table: its columns, and its rows for an event."""

    columns: tuple[str, ...]
    rows: Callable[[Look], Iterator[Row]]


def as_csv(export: Export, look: Look, *, bom: bool = False) -> str:
    """The table as text, RFC 4180; `bom` for programs that take UTF-8 for something else."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(export.columns)
    for row in export.rows(look):
        writer.writerow([harmless(value) for value in row])
    return (BOM if bom else "") + out.getvalue()


def as_json(export: Export, look: Look) -> dict[str, Any]:
    """The table with the event it is of, a row an object."""
    event = look.event
    return {
        "tournament": {"slug": event.slug, "name": event.name, "status": event.status},
        "rows": [dict(zip(export.columns, row, strict=True)) for row in export.rows(look)],
    }


def harmless(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula (cases.md Z5).

    >>> harmless("=1+1"), harmless("Marta"), harmless(-5), harmless(None)
    ("'=1+1", 'Marta', -5, '')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.lstrip(" ").startswith(FORMULA) else value
    return value


def _entrants(look: Look) -> Iterator[Row]:
    ratings = selectors.ratings_of(look.event)
    for entry in [*look.entrants, *selectors.waiting_list(look.event)]:
        shown = ratings.get(entry.player_id)
        yield [
            entry.seed,
            entry.label,
            _handle(entry),
            entry.partner.name if entry.partner is not None else None,
            str(shown) if shown is not None else None,
            entry.status,
            entry.checked_in_at.isoformat() if entry.checked_in_at else None,
            entry.place,
        ]


def _pairings(look: Look) -> Iterator[Row]:
    for board, number in _seen(look):
        pairing = board.pairings[number]
        slots = board.slots[number]
        names = [
            board.entrants[seed].label
            if (seed := board.seed_of(slot.entrant_id)) is not None
            else slot.kind
            for slot in slots
        ]
        yield [
            board.stage.number,
            pairing.round.number,
            round_name(board.stage, pairing.round.number),
            number,
            pairing.table or pairing.position,
            pairing.status,
            *(names + [None] * SEATS)[:SEATS],
        ]


def _results(look: Look) -> Iterator[Row]:
    for board, number in _seen(look):
        result = board.result(number)
        if result is None:
            continue
        pairing = board.pairings[number]
        sides = [
            " & ".join(
                board.entrants[seed].label
                for slot in side
                if (seed := board.seed_of(slot.entrant_id)) is not None
            )
            for side in board.sides(number)
        ]
        winner = board.seed_of(result.winner_id)
        yield [
            board.stage.number,
            pairing.round.number,
            number,
            pairing.table or pairing.position,
            *(sides + [None] * SEATS)[:SEATS],
            *([*result.scores] + [None] * SEATS)[:SEATS],
            *([*result.places] + [None] * SEATS)[:SEATS],
            board.entrants[winner].label if winner is not None else None,
            result.outcome,
            result.cause,
            result.reason,
            result.by.name if result.by is not None else None,
            result.at.isoformat(),
            result.version,
        ]


def _standings(look: Look) -> Iterator[Row]:
    if look.board is None:
        return
    for row in selectors.standings_of(look.board):
        entry = row.entrant
        values = {
            key: value / POINT if key in IN_POINTS else value for key, value in row.values.items()
        }
        yield [
            row.place,
            entry.label,
            _handle(entry),
            entry.status,
            None if row.points is None else row.points / POINT,
            row.wins,
            row.decided or None,
            *(values.get(key) for key in SHORT),
        ]


EXPORTS: Final[dict[str, Export]] = {
    "entrants": Export(
        ("seed", "name", "player", "partner", "rating", "status", "checked_in_at", "place"),
        _entrants,
    ),
    "pairings": Export(
        (
            *("stage", "round", "round_name", "match", "table", "status"),
            *(f"seat_{n}" for n in range(1, SEATS + 1)),
        ),
        _pairings,
    ),
    "results": Export(
        (
            *("stage", "round", "match", "table"),
            *(f"side_{n}" for n in range(1, SEATS + 1)),
            *(f"score_{n}" for n in range(1, SEATS + 1)),
            *(f"place_{n}" for n in range(1, SEATS + 1)),
            *("winner", "outcome", "cause", "reason", "by", "at", "version"),
        ),
        _results,
    ),
    "standings": Export(
        ("rank", "name", "player", "status", "points", "won", "decided_by", *SHORT),
        _standings,
    ),
}


def _seen(look: Look) -> Iterator[tuple[Board, int]]:
    """Every pairing of every stage that may be seen."""
    for stage in look.stages:
        board = look.board_of(stage)
        for number, pairing in sorted(board.pairings.items()):
            if pairing.round.status != Round.Status.DRAFT:
                yield board, number


def _handle(entry: Entrant) -> str | None:
    """Guests have none that anybody is told."""
    return None if entry.player.is_guest else entry.player.handle
