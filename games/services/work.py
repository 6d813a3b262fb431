"""Work at one table: one transaction under the match's lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db import transaction

from engine.errors import EngineError
from games import ledger
from games.errors import GameError
from games.models import Match, MatchEvent, Seat
from games.table import Table

T = TypeVar("T")
Refused = GameError | EngineError


@dataclass(frozen=True, slots=True)
class Job(Generic[T]):
    """Something to do at a match. When `work` raises a refusal it has changed nothing."""

    match_id: str
    work: Callable[[Table], T | Refused]


def at_table(match_id: str, work: Callable[[Table], T | Refused], now: datetime | None = None) -> T:
    """Do `work` at the table and keep what it did.

    A refusal that `work` raises undoes everything; one that it returns is raised when what it did
    is saved (a move that came too late still makes the server act).
    """
    with transaction.atomic():
        table = ledger.lock(match_id, now)
        answer = work(table)
        ledger.save(table)
    if isinstance(answer, GameError | EngineError):
        raise answer
    return answer


def at_tables(jobs: Sequence[Job[T]]) -> list[T | Refused]:
    """Do jobs at many matches in one transaction, one at each: an answer or a refusal for each.

    Any other error undoes them all.
    """
    with transaction.atomic():
        tables = ledger.lock_all({job.match_id for job in jobs})
        answers = [_answer(job, tables.get(job.match_id)) for job in jobs]
        ledger.save(*tables.values())
    return answers


def _answer(job: Job[Any], table: Table | None) -> Any:
    if table is None:
        return GameError("not_found")
    try:
        return job.work(table)
    except (GameError, EngineError) as refusal:
        return refusal


def acknowledged(card: Match, seat: Seat, client_id: str) -> int | None:
    """The number of the event that this seat's client sent before under this id, if it did."""
    if not client_id:
        return None
    sent = MatchEvent.objects.filter(match=card, actor=seat.index, client_id=client_id)
    return sent.values_list("seq", flat=True).first()


def running(table: Table) -> None:
    """Raises GameError unless the match is being played."""
    if not table.card.is_running:
        raise GameError("not_running" if table.card.is_open else "match_over")


def welcome_back(table: Table, seat: Seat) -> bool:
    """Hand the seat back to its player, who has given a sign of life; whether it was away."""
    if seat.away_since is None:
        return False
    seat.away_since, seat.timeouts = None, 0
    table.log("back", {"seat": seat.index}, seat.index)
    return True


def send_away(table: Table, seat: Seat, reason: str) -> None:
    """Let the server play a seat until its player is back. `reason`: "timeouts" or "left"."""
    if seat.away_since is None and not seat.is_bot:
        seat.away_since = table.now
        table.log("away", {"seat": seat.index, "reason": reason})
