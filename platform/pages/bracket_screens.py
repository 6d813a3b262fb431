"""A bracket cut into screens that can be read from the back of a room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pages.bracket import Meeting, Round, Tree

COLUMNS: Final = 4
ROWS, ROWS_OF_TABLES = 8, 4


@dataclass(frozen=True, slots=True)
class Column:
    """A round, or the part of it that fits: None is a place without a match."""

    title: str
    leads: str
    meetings: tuple[Meeting | None, ...]


@dataclass(frozen=True, slots=True)
class Screen:
    """Columns side by side, of one part of the bracket."""

    title: str
    columns: tuple[Column, ...]


def screens(trees: Sequence[Tree]) -> Iterator[Screen]:
    """All screens of the parts: from the round before the one in hand on, the rest is over."""
    for tree in trees:
        rounds = tree.rounds[_first(tree.rounds) :]
        for at in range(0, max(1, len(rounds) - 1), COLUMNS - 1):
            yield from _side_by_side(tree.title, rounds[at : at + COLUMNS])


def _first(rounds: Sequence[Round]) -> int:
    """Where to begin: a round before the first that isn't decided; three at the end."""
    is_open = (i for i, one in enumerate(rounds) if not all(m.decided for m in one.meetings))
    return max(0, min(next(is_open, len(rounds)) - 1, len(rounds) - COLUMNS + 1))


def _side_by_side(title: str, rounds: Sequence[Round]) -> Iterator[Screen]:
    count = len(rounds[0].rows)
    size = ROWS if all(m.is_plain for one in rounds for m in one.meetings) else ROWS_OF_TABLES
    for begin in range(0, count, size):
        end = min(count, begin + size)
        columns = tuple(_column(one, begin, end, count) for one in rounds)
        if any(meeting for column in columns for meeting in column.meetings):
            yield Screen(title, columns)


def _column(shown: Round, begin: int, end: int, of: int) -> Column:
    """What stands beside those rows of the first column."""
    count = len(shown.rows)
    low = begin * count // of
    high = max(low + 1, end * count // of)
    rows = tuple(None if r.meeting is None or r.meeting.bye else r.meeting
                 for r in shown.rows[low:high])  # fmt: skip
    return Column(shown.title, shown.leads if high - low > 1 else "", rows)
