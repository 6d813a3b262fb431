"""The page on which an arbiter pairs a draft by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages.criteria_words import points_text
from tournaments import selectors, services
from tournaments.errors import TournamentError
from tournaments.formats import manual
from tournaments.models import Round, Tournament
from tournaments.services.pairing import Sheet

CHOOSE_UP_TO = 80
"""With more entrants than this a list in every seat would be too long; two can still be swapped."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The tables as they were sent: entrant ids, also of tables with none left."""

    tables: list[list[int]]
    seen: int


def open_draft(row: Round) -> Sheet:
    """The draft, if it still is one. Raises TournamentError."""
    if row.is_started:
        raise TournamentError("is_started")
    if not row.is_draft:
        raise TournamentError("not_draft")
    return services.open_sheet(row)


def wish_of(data: Any, sheet: Sheet) -> Wish:
    """Reads ``seat-0-1`` = entrant id …, and does the swap that was asked for, if one was."""
    tables: list[list[int]] = []
    for at in range(len(sheet.inside) + 1):
        names = [f"seat-{at}-{index}" for index in range(4)]
        if names[0] not in data:
            break
        tables.append([pk for name in names if (pk := _id(data.get(name))) is not None])
    if data.get("engine"):
        tables = _ids(sheet, sheet.engine)
    one, other = _id(data.get("one")), _id(data.get("other"))
    if data.get("swap") and one is not None and other is not None:
        swapped = {one: other, other: one}
        tables = [[swapped.get(pk, pk) for pk in table] for table in tables]
    return Wish(tables, _id(data.get("seen")) or 0)


def context(
    event: Tournament, row: Round, sheet: Sheet, wish: Wish | None, reason: str, error: str
) -> dict[str, Any]:
    """Everything for pages/desk_pair.html and its check."""
    ids = wish.tables if wish is not None else _ids(sheet, sheet.tables)
    board, points = sheet.board, {each.seed: each.points for each in sheet.before.table}
    people = [
        (board.entrants[seed].pk, board.entrants[seed].label, points_text(points.get(seed, 0)))
        for seed in sorted(sheet.inside, key=lambda each: (-points.get(each, 0), each))
    ]
    seeds = [[board.find_seed(pk) or 0 for pk in table] for table in ids]
    width = max(2, *(len(table) for table in (*ids, *sheet.tables)))
    wanted = max(len(ids), -(-len(sheet.inside) // width))
    padded = [*ids, *([] for _ in range(wanted - len(ids)))]
    found = sheet.check([table for table in seeds if table])
    named = {pk: f"{label} ({score})" for pk, label, score in people}
    return {
        "event": event,
        "round": row,
        "name": selectors.round_name(row.stage, row.number),
        "seen": sheet.seen,
        "reason": reason,
        "error": error,
        "people": people,
        "choose": len(people) <= CHOOSE_UP_TO,
        "tables": [
            [
                (f"seat-{at}-{index}", _at(table, index), named.get(_at(table, index) or 0, "—"))
                for index in range(width)
            ]
            for at, table in enumerate(padded)
        ],
        "wrong": _wrong(sheet, found),
        "flags": _flags(sheet, found, [table for table in seeds if table]),
        "compared": _compared(sheet, found),
        "legal": found.is_legal,
    }


def saved() -> str:
    return _("The pairing is saved in the draft.")


def _ids(sheet: Sheet, tables: Sequence[Sequence[int]]) -> list[list[int]]:
    return [[sheet.board.entrants[seed].pk for seed in table] for table in tables]


def _at(table: Sequence[int], index: int) -> int | None:
    return table[index] if index < len(table) else None


def _names(sheet: Sheet, seeds: Sequence[int]) -> str:
    entrants = sheet.board.entrants
    return ", ".join(entrants[seed].label if seed in entrants else "?" for seed in seeds)


def _wrong(sheet: Sheet, found: manual.Check) -> list[str]:
    """Why it can't be saved."""
    said = []
    if found.twice:
        said.append(_("Seated twice: %(names)s.") % {"names": _names(sheet, found.twice)})
    if found.missing:
        said.append(_("Not seated: %(names)s.") % {"names": _names(sheet, found.missing)})
    if found.strangers:
        names = _names(sheet, found.strangers)
        said.append(_("Seated, but not in this round: %(names)s.") % {"names": names})
    if found.seats:
        numbers = ", ".join(str(at + 1) for at in found.seats)
        said.append(_("Wrong number of players at table %(numbers)s.") % {"numbers": numbers})
    return said


def _flags(sheet: Sheet, found: manual.Check, tables: Sequence[Sequence[int]]) -> list[str]:
    """What may be, and should be known."""
    said = []
    for flag in found.flags:
        facts = {"names": _names(sheet, flag.seeds), "table": flag.table + 1, "n": flag.times}
        if flag.kind == "rematch":
            text = _("Table %(table)s: %(names)s have met before (%(n)s).")
        elif flag.kind == "second_bye":
            text = _("%(names)s would have another bye (%(n)s so far).")
        else:
            text = _("Table %(table)s: %(names)s should not meet if it can be helped.")
        said.append(text % facts)
    return said


def _compared(sheet: Sheet, found: manual.Check) -> list[tuple[str, str, str]]:
    """What it costs, in words, by hand and by the engine."""
    if not sheet.engine:
        return []
    own, engine = found.cost, sheet.check(sheet.engine).cost
    return [
        (_("Rematches"), str(own.rematches), str(engine.rematches)),
        (_("Differences in points"), points_text(own.gap), points_text(engine.gap)),
        (_("Byes"), _byes(own), _byes(engine)),
        (_("Who should not meet"), str(own.avoided), str(engine.avoided)),
    ]


def _byes(cost: manual.Cost) -> str:
    if not cost.second_byes:
        return str(cost.byes)
    said = ngettext(
        "%(n)s, %(again)s of them a second one",
        "%(n)s, %(again)s of them second ones",
        cost.second_byes,
    )
    return said % {"n": cost.byes, "again": cost.second_byes}


def _id(text: Any) -> int | None:
    text = str(text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None
