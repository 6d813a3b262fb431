"""Stages as they were read and folded last, kept by each process while nothing has changed.

Whoever changes anything of an event takes its lock, and the lock counts the event's `revision` on
(services.work.lock). A stage that was read at a revision is that revision's, so the pages, files
and API of an event read and fold it once a change and process, not once a request. Nothing that is
kept is ever written to: services read for themselves.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass

from tournaments import board as boards
from tournaments.board import Board
from tournaments.models import Stage, Tournament

MOST_PAIRINGS = 150_000
"""Of all kept boards together; about a kilobyte each."""
LONGEST_SECONDS = 30.0
"""Names are the players' own, and change without the event."""
LARGE = 2_000
REST = 3.0
"""A stage of more pairings than that is read again only when it has been kept for so many times as
long as it took to read: what is shown of an event of thousands may be some seconds old."""


@dataclass(frozen=True, slots=True)
class _Kept:
    board: Board
    public: Board
    revision: int
    read_at: float
    took: float

    def holds(self, revision: int, now: float) -> bool:
        """Whether it can be shown for that revision."""
        age = now - self.read_at
        rests = len(self.board.pairings) > LARGE and age < REST * self.took
        return age < LONGEST_SECONDS and (self.revision == revision or rests)


_kept: OrderedDict[int, _Kept] = OrderedDict()
_guard = threading.Lock()


def whole(stage: Stage) -> Board:
    """The stage with its drafts, for its officials, to be read only."""
    return _of(stage).board


def public(stage: Stage) -> Board:
    """The stage as everybody sees it, to be read only."""
    return _of(stage).public


def forget() -> None:
    """Keeps nothing any more."""
    with _guard:
        _kept.clear()


def _of(stage: Stage) -> _Kept:
    events = Tournament.objects.filter(pk=stage.tournament_id)
    revision, now = events.values_list("revision", flat=True).get(), time.monotonic()
    with _guard:
        known = _kept.get(stage.pk)
        if known is not None and known.holds(revision, now):
            _kept.move_to_end(stage.pk)
            return known
    found = _read(stage.pk, revision, now)
    with _guard:
        _kept[stage.pk] = found
        _kept.move_to_end(stage.pk)
        while (
            len(_kept) > 1
            and sum(len(each.board.pairings) for each in _kept.values()) > MOST_PAIRINGS
        ):
            _kept.popitem(last=False)
    return found


def _read(stage: int, revision: int, now: float) -> _Kept:
    board = boards.load(Stage.objects.select_related("tournament").get(pk=stage))
    board.notes = {}
    seen = board.without_drafts()
    if seen is not board:
        seen.notes = {}
    seen.fold()
    return _Kept(board, seen, revision, now, time.monotonic() - now)
