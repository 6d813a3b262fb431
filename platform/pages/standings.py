"""Standings and the cross table as pages show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pages import words
from pages.bracket import Meeting, Round
from tournaments import selectors, stages
from tournaments.board import Board
from tournaments.models import Entrant
from tournaments.standings.cards import POINT

CROSS_TABLE_UP_TO = 32

COLUMNS = {
    "wins": (gettext_lazy("Wins"), gettext_lazy("Rounds won against an opponent")),
    "sonneborn": (gettext_lazy("SB"), gettext_lazy("Sonneborn-Berger: the points of those beaten")),
    "difference": ("±", gettext_lazy("Points scored at the table less those conceded")),
    "scored": (gettext_lazy("Pts"), gettext_lazy("Points scored at the table")),
    "strength": (gettext_lazy("Opp"), gettext_lazy("The points of the opponents, table by table")),
    "buchholz": (gettext_lazy("Bh"), gettext_lazy("Buchholz: the points of all opponents")),
    "buchholz_cut": (gettext_lazy("Bh−1"), gettext_lazy("Buchholz without the lowest")),
    "buchholz_median": (gettext_lazy("BhM"), gettext_lazy("Buchholz without both extremes")),
}
IN_POINTS = frozenset({"strength", "sonneborn", "buchholz", "buchholz_cut", "buchholz_median"})
DECIDED = {
    "wins": gettext_lazy("level on points; wins decide"),
    "direct": gettext_lazy("level on points; direct encounter decides"),
    "sonneborn": gettext_lazy("level on points; Sonneborn-Berger decides"),
    "difference": gettext_lazy("level on points; points difference decides"),
    "buchholz": gettext_lazy("level on points; Buchholz decides"),
    "buchholz_cut": gettext_lazy("level on points; Buchholz without the lowest decides"),
    "buchholz_median": gettext_lazy("level on points; median Buchholz decides"),
    "scored": gettext_lazy("level on points; points scored at the table decide"),
    "strength": gettext_lazy("level on points; the opponents’ points decide"),
    "shared": gettext_lazy("level on everything: the rank is shared"),
}


@dataclass(frozen=True, slots=True)
class Column:
    key: str
    title: str
    about: str


@dataclass(frozen=True, slots=True)
class Line:
    """A row; `note` says in words what its rank rests on."""

    rank: int | None
    entrant: Entrant
    points: str
    values: tuple[tuple[Column, str], ...]
    note: str


@dataclass(frozen=True, slots=True)
class Standings:
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]

    def cut(self, count: int) -> Standings:
        """The first lines."""
        return Standings(self.columns, self.lines[:count])


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
    columns = _columns(rows)
    return Standings(columns, tuple(_line(row, columns) for row in rows))


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
            Standings(columns, tuple(_line(row, columns) for row in inside)),
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
    return tuple(Column(key, str(COLUMNS[key][0]), str(COLUMNS[key][1])) for key in rows[0].values)


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


def points_text(twelfths: int) -> str:
    """Points as people write them.

    >>> [points_text(value) for value in (0, 6, 12, 30, -6)]
    ['0', '½', '1', '2½', '-½']
    """
    sign, whole, rest = "-" if twelfths < 0 else "", *divmod(abs(twelfths), POINT)
    if rest == POINT // 2:
        return f"{sign}{whole or ''}½"
    return f"{sign}{whole}" if not rest else f"{twelfths / POINT:.2f}"


def _line(row: selectors.Standing, columns: Sequence[Column]) -> Line:
    return Line(
        rank=row.place,
        entrant=row.entrant,
        points=points_text(row.points or 0),
        values=tuple((column, _value(column.key, row.values)) for column in columns),
        note=_note(row),
    )


def _value(key: str, values: Mapping[str, int]) -> str:
    value = values.get(key, 0)
    if key in IN_POINTS:
        return points_text(value)
    return f"{value:+d}" if key == "difference" and value else str(value)


def _note(row: selectors.Standing) -> str:
    status = row.entrant.status
    if status == Entrant.Status.DISQUALIFIED:
        return _("disqualified")
    if not row.counts:
        return _("left before half was played: the results count for nobody")
    note = str(DECIDED[row.decided]) if row.decided else ""
    left = _("withdrawn") if status == Entrant.Status.WITHDRAWN else ""
    return "; ".join(part for part in (left, note) if part)


def _mark(meeting: Meeting, slot: int) -> Mark:
    own, other = meeting.sides[slot], meeting.sides[1 - slot]
    score = f"{own.score}:{other.score}" if own.score else ""
    if meeting.decided:
        return Mark("1" if own.won else "0", score, meeting.url)
    return Mark("●" if meeting.live else "", score, meeting.url)
