"""Standings and the cross table as pages show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

from django.utils.translation import gettext as _

from pages import why, words
from pages.bracket import Meeting, Round
from pages.criteria_words import NAMES, SHORT, points_text, value_text
from tournaments import selectors, stages
from tournaments.board import Board
from tournaments.formats import arena as arenas
from tournaments.models import Entrant, Pairing
from tournaments.scores import score
from tournaments.standings.table import SHARED

CROSS_TABLE_UP_TO = 32


@dataclass(frozen=True, slots=True)
class Column:
    key: str
    title: str
    about: str


@dataclass(frozen=True, slots=True)
class Line:
    """A row; `note` says in words what its rank rests on, `outlook` which are still possible,
    `going` whether it is "through" or "out" for certain, where a stage follows.
    """

    rank: int | None
    entrant: Entrant
    points: str
    values: tuple[tuple[Column, str], ...]
    note: str
    seed: int
    counts: bool
    outlook: str
    going: str


@dataclass(frozen=True)
class Standings:
    """A table, or a part of it: the lines are made of its rows when first asked for. `open_ranks`:
    it is said which ranks are possible, in a group of so many unless all are.
    """

    columns: tuple[Column, ...]
    rows: Sequence[selectors.Standing]
    open_ranks: bool
    group_of: int = 0
    running: str = ""

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        return tuple(self._line(row) for row in self.rows)

    def cut(self, count: int) -> Standings:
        """The first rows."""
        return self.only(self.rows[:count])

    def only(self, rows: Sequence[selectors.Standing]) -> Standings:
        """These rows."""
        return replace(self, rows=rows)

    def _line(self, row: selectors.Standing) -> Line:
        is_said = self.open_ranks and (row.best, row.worst) != (1, self.group_of)
        return _line(row, self.columns, outlook=is_said)


@dataclass(frozen=True, slots=True)
class Mark:
    """What came of a meeting, for the entrant of the row."""

    text: str
    score: str
    url: str


@dataclass(frozen=True, slots=True)
class CrossLine:
    """`cells` by column; None where an entrant would meet itself."""

    seed: int
    entrant: Entrant
    cells: tuple[tuple[Mark, ...] | None, ...]


def standings_of(board: Board) -> Standings | None:
    """The table; None in formats without one."""
    rows = selectors.standings_of(board)
    if not rows or rows[0].points is None:
        return None
    return Standings(_columns(rows), rows, _is_open(rows), running=running_line(board))


def running_line(board: Board) -> str:
    """Says that ranks and criteria are provisional, and because of which round (cases.md S3)."""
    undecided = [p for p in board.pairings.values() if p.status != Pairing.Status.DECIDED]
    if not undecided:
        return ""
    if board.stage.format in ("round_robin", "groups", arenas.ID):
        return _("Provisional: not all matches have been played.")
    number = min(pairing.round.number for pairing in undecided)
    said = _("Provisional: round %(number)s is being played, and criteria change with each result.")
    return said % {"number": number}


@dataclass(frozen=True, slots=True)
class GroupTable:
    """A group's standings and cross table; `name` is its letter, `goes_on` how many of it go on to
    the next stage, 0 where that isn't said by group.
    """

    name: str
    table: Standings
    cross: tuple[CrossLine, ...]
    goes_on: int


def group_tables(board: Board, rounds: Sequence[Round]) -> list[GroupTable]:
    """A table for each group; none in formats without."""
    rows = selectors.standings_of(board)
    if not rows or not rows[0].group:
        return []
    columns = _columns(rows)
    later = stages.plan_of(board.stage.tournament, board.stage.step + 1)
    goes_on = later["take"] if later is not None and later["per_group"] else 0
    seeds = {entrant.pk: seed for seed, entrant in board.entrants.items()}
    return [
        GroupTable(
            words.group_name(number),
            Standings(columns, inside, _is_open(inside), group_of=len(inside)),
            tuple(_cross(board, rounds, [seeds[row.entrant.pk] for row in inside])),
            goes_on,
        )
        for number, inside in _by_group(rows)
    ]


def _by_group(
    rows: Sequence[selectors.Standing],
) -> list[tuple[int, list[selectors.Standing]]]:
    return [(n, list(inside)) for n, inside in groupby(rows, key=lambda row: row.group)]


def _columns(rows: Sequence[selectors.Standing]) -> tuple[Column, ...]:
    return tuple(Column(key, str(SHORT[key]), str(NAMES[key][1])) for key in rows[0].values)


def cross_table(board: Board, rounds: Sequence[Round]) -> list[CrossLine]:
    """Everybody against everybody, by seed; empty for formats and fields it doesn't suit."""
    if board.stage.format != "round_robin":
        return []
    return _cross(board, rounds, sorted(board.entrants))


def _cross(board: Board, rounds: Sequence[Round], seeds: Sequence[int]) -> list[CrossLine]:
    numbered = [(seed, board.entrants[seed]) for seed in seeds]
    if not 2 <= len(numbered) <= CROSS_TABLE_UP_TO:
        return []
    marks: dict[tuple[int | None, int | None], list[Mark]] = {}
    for meeting in (each for part in rounds for each in part.meetings if each.is_plain):
        one, other = meeting.sides
        marks.setdefault((one.seed, other.seed), []).append(_mark(meeting, 0))
        marks.setdefault((other.seed, one.seed), []).append(_mark(meeting, 1))
    return [
        CrossLine(
            seed,
            entrant,
            tuple(
                None if seed == column else tuple(marks.get((seed, column), ()))
                for column, _entrant in numbered
            ),
        )
        for seed, entrant in numbered
    ]


def _is_open(rows: Sequence[selectors.Standing]) -> bool:
    """Whether any rank is still to be decided."""
    return any(row.best != row.worst for row in rows)


def _line(row: selectors.Standing, columns: Sequence[Column], *, outlook: bool) -> Line:
    return Line(
        rank=row.place,
        entrant=row.entrant,
        points=points_text(row.points or 0),
        values=tuple((column, _value(column.key, row)) for column in columns),
        note=_note(row),
        seed=row.seed,
        counts=row.counts,
        outlook=why.outlook_words(row.best, row.worst) if outlook and row.entrant.is_active else "",
        going=row.going,
    )


def _value(key: str, row: selectors.Standing) -> str:
    return value_text(key, row.values[key]) if key in row.values else "–"


def _note(row: selectors.Standing) -> str:
    status = row.entrant.status
    if status == Entrant.Status.DISQUALIFIED:
        return _("disqualified")
    if not row.counts:
        return _("left before half was played: the results count for nobody")
    note = _("level on all tie-breaks: the rank is shared") if row.decided == SHARED else ""
    if row.versus is not None and row.rival is not None:
        parted = why.decided_words(row.decided, row.versus.own, row.versus.other)
        note = _("%(parted)s (%(name)s)") % {"parted": parted, "name": row.rival.label}
    left = _("withdrawn") if status == Entrant.Status.WITHDRAWN else ""
    return "; ".join(part for part in (left, note) if part)


def _mark(meeting: Meeting, slot: int) -> Mark:
    own, other = meeting.sides[slot], meeting.sides[1 - slot]
    said = score((own.score, other.score)) if own.score else ""
    if meeting.decided:
        return Mark("1" if own.won else "0", said, meeting.url)
    return Mark("●" if meeting.live else "", said, meeting.url)
