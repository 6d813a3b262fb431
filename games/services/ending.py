"""How a match ends other than by the score."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from games.errors import GameError
from games.models import Match
from games.services.playing import Ack
from games.services.work import acknowledged, at_table, running
from games.table import Table


def resign(*, match_id: str, player: Any, client_id: str = "", now: datetime | None = None) -> Ack:
    """Give up. With three or four sides the others play on, and the server plays the seat."""

    def work(table: Table) -> Ack:
        seat = table.own_seat(player)
        seq = acknowledged(table.card, seat, client_id)
        if seq is not None:
            return Ack(seq)
        running(table)
        if table.game.rules.side_of(seat.index) in table.game.resigned:
            raise GameError("resigned")
        seat.away_since = None
        return Ack(table.log_game(table.game.resign(seat.index), seat.index, client_id))

    return at_table(match_id, work, now)


def forfeit(
    *, match_id: str, seats: Iterable[int], reason: str, now: datetime | None = None
) -> None:
    """Take seats out of a match that is open or running; nothing when it is over.

    An open match in which two sides are left begins without the others.
    """

    def work(table: Table) -> None:
        if table.card.status not in (Match.Status.FINISHED, Match.Status.CANCELLED):
            take_out(table, seats, reason)

    at_table(match_id, work, now)


def take_out(table: Table, seats: Iterable[int], reason: str) -> None:
    """`forfeit` at a table that is locked and will be saved."""
    out = sorted(set(seats))
    happened = table.game.forfeit(out, reason)
    for seat in out:
        table.seats[seat].away_since = None
    table.log_game(happened, notes={"seats": out})
    if table.card.is_open:
        table.begin()


def call_time(*, match_id: str, needs_winner: bool = False, now: datetime | None = None) -> None:
    """Let the round in hand be the last: the match ends after it, at once if none is running, with
    the score as it stands. When a winner is needed and the lead is shared, one more is played.
    One that has not begun plays one round. Nothing when it is over, or time has been called.
    """

    def work(table: Table) -> None:
        card = table.card
        is_over = card.status in (Match.Status.FINISHED, Match.Status.CANCELLED)
        if is_over or card.time_called:
            return
        card.time_called = "winner" if needs_winner else "any"
        Match.objects.filter(pk=card.pk).update(time_called=card.time_called)
        table.touched = True
        table.end_if_time()

    at_table(match_id, work, now)


def cancel(*, match_id: str, reason: str, now: datetime | None = None) -> None:
    """Close a table that never started. Raises GameError("has_begun")."""

    def work(table: Table) -> None:
        if table.card.status == Match.Status.CANCELLED:
            return
        if not table.card.is_open:
            raise GameError("has_begun")
        call_off(table, reason)

    at_table(match_id, work, now)


def call_off(table: Table, reason: str) -> None:
    table.card.status, table.card.reason = Match.Status.CANCELLED, reason[:20]
    table.log("cancelled", {"reason": reason[:20]})


def no_show(table: Table) -> None:
    """The time to sit down is over: whoever is not there loses; nobody wins an empty table."""
    absent = [seat.index for seat in table.seats if seat.sat_at is None]
    if absent:
        take_out(table, absent, "no_show")
    else:
        table.begin()
