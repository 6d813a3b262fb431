"""What a table waits for: writes the card's turn, phase, deadline and wake_at from its state.

Called whenever a table is saved. A deadline is set when the turn or the phase changes and then
stays; `wake_at` is the earliest moment at which the server has something to do, and a match that
is open or running always has one.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engine import bots
from engine.view import view
from games import chance, clock
from games.models import Match, Seat

if TYPE_CHECKING:
    from games.table import Table

_PHASES = {"deal": "between", "play": "play", "claims": "claims", "over": "over"}


def arm(table: Table) -> None:
    """Bring the card up to the state, and set when the server must look at it again."""
    card, game = table.card, table.game
    card.scores = list(game.scores)
    if card.status == Match.Status.OPEN:
        card.deadline = card.sit_by
        if card.wake_at is None or card.wake_at <= table.now:
            card.wake_at = card.sit_by or table.now + clock.OPEN_FOR
        return
    if card.status != Match.Status.RUNNING:
        card.phase, card.turn, card.deadline, card.wake_at = "over", None, None, None
        return
    card.phase, card.turn = _PHASES[game.phase], game.turn
    if table.turned or card.deadline is None:
        card.deadline = _deadline(table)
    card.wake_at = min(_wakes(table))


def _deadline(table: Table) -> datetime:
    if table.game.phase == "claims":
        return table.now + _claim_window(table)
    if table.game.phase == "deal":
        return table.now + break_of(table)
    return clock.turn_end(table.now, turn_length(table))


def turn_length(table: Table) -> float:
    """The seconds that the seat in turn is given."""
    turn = table.game.turn
    percent = 100 if turn is None else table.seats[turn].time_percent
    return table.card.turn_seconds * percent / 100


def break_of(table: Table) -> timedelta:
    """The break before a deal; bots that play as fast as they can take none."""
    if table.card.bot_delay_ms == 0 and all(seat.is_bot for seat in table.seats):
        return timedelta(0)
    # Nobody has waited for the first deal's scores to be read.
    return timedelta(seconds=table.card.break_seconds if table.game.number else 0)


def _wakes(table: Table) -> list[datetime]:
    wakes = [due for _, due in forfeits(table)]
    if table.game.phase == "play":
        wakes.append(turn_due(table))
    elif table.card.deadline is not None:
        wakes.append(table.card.deadline)
    claim = bot_claim(table)
    if claim is not None:
        wakes.append(claim_due(table))
    return wakes


def started_at(table: Table) -> datetime:
    """When the turn, the claims or the break in course began."""
    assert table.card.deadline is not None
    if table.game.phase == "claims":
        return table.card.deadline - _claim_window(table)
    return clock.turn_start(table.card.deadline, turn_length(table))


def _claim_window(table: Table) -> timedelta:
    """Five seconds (rules.md 5); where only bots could claim, as long as they take for it."""
    if _people_may_claim(table):
        return clock.CLAIM_WINDOW
    return min(clock.CLAIM_WINDOW, timedelta(milliseconds=3 * table.card.bot_delay_ms))


def turn_due(table: Table) -> datetime:
    """When the server acts for the seat in turn."""
    card, turn = table.card, table.game.turn
    assert turn is not None
    assert card.deadline is not None
    seat = table.seats[turn]
    if not table.served(seat):
        return clock.last_moment(card.deadline, seat.bank_ms, lag_of(seat))
    pause = clock.server_delay(card.bot_delay_ms, card.pk, card.turn_seq)
    if _people_may_claim(table):
        pause = max(pause, clock.CLAIM_PAUSE)
    due = started_at(table) + pause
    # A bot that means to claim does so before any move of the server's ends its chance.
    return due if bot_claim(table) is None else max(due, claim_due(table))


def lag_of(seat: Seat) -> timedelta:
    """What the network may take of the seat's turn."""
    return clock.lag(seat.trip_ms, seat.lag_ms)


def claim_due(table: Table) -> datetime:
    """When a bot says "muggins": later than it would play, so that people may be first."""
    card = table.card
    assert card.deadline is not None
    pause = 2 * clock.server_delay(card.bot_delay_ms, card.pk, card.turn_seq)
    return min(started_at(table) + pause, card.deadline)


def forfeits(table: Table) -> list[tuple[Seat, datetime]]:
    """The seats that lose the match by being away too long, and when."""
    limit = table.card.forfeit_away_seconds
    if limit is None:
        return []
    return [
        (seat, clock.forfeit_at(seat.away_since, limit))
        for seat in table.seats
        if seat.away_since is not None
        and table.game.rules.side_of(seat.index) not in table.game.resigned
    ]


def bot_claim(table: Table) -> tuple[int, int] | None:
    """The bot that will claim the last play, and the points it will name (rules.md 5)."""
    if not table.game.rules.called:
        return None
    for seat in table.seats:
        if seat.is_bot and table.game.claim_open_for(seat.index):
            seed = chance.seed(table.card.pk, table.card.turn_seq, seat.index)
            claim = bots.claim(seat.bot_level, view(table.game, seat.index), seed)
            if claim is not None:
                return seat.index, claim.points
    return None


def _people_may_claim(table: Table) -> bool:
    return any(
        not table.served(seat) and table.game.claim_open_for(seat.index) for seat in table.seats
    )
