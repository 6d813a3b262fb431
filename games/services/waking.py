"""What time brings: the one function for everything that is due at a table.

Called by the sweep, by nudges and by reads that find a table overdue. Whoever comes second finds
nothing due, so that racing callers, and a move in the last moment, make exactly one action.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import F

from engine.actions import Action
from games import clock, ledger, pace, store
from games.errors import GameError
from games.models import Seat
from games.services.ending import call_off, no_show, take_out
from games.services.playing import (
    choose,
    claim_for_bot,
    run_out,
    serve,
    settle_claims,
)
from games.table import Table

# Bots at a table without pauses play on in one transaction, but don't keep others waiting.
_STEPS: Final = 40
_SECONDS: Final = 0.05
_OPEN_AGAIN: Final = clock.OPEN_FOR / 10


@dataclass(frozen=True, slots=True)
class Thought:
    """What a bot wants to do at a table as it is at `turn_seq`: thought out before the lock."""

    turn_seq: int
    action: Action


def wake(*, match_id: str, now: datetime | None = None, skip_locked: bool = False) -> bool:
    """Do what is due at a match, if anything is; whether anything was done."""
    thought = _think(match_id, now or clock.now())
    with transaction.atomic():
        try:
            table = ledger.lock(match_id, now, skip_locked=skip_locked)
        except GameError:
            return False
        done = _run(table, thought)
        if done or _overdue(table):
            table.touched = True
            ledger.save(table)
    return done


def _think(match_id: str, now: datetime) -> Thought | None:
    """A bot's choice, if one is due. Thinking takes time, so it holds no lock."""
    bots_turn = Seat.objects.filter(match=match_id, index=F("match__turn")).exclude(bot_level="")
    bot = bots_turn.filter(match__wake_at__lte=now).select_related("match").first()
    if bot is None:
        return None
    card = bot.match
    seats = list(Seat.objects.filter(match=card).order_by("index"))
    table = Table(card, seats, store.load(card), now)
    if table.game.turn != bot.index or pace.turn_due(table) > now:
        return None
    return Thought(card.turn_seq, choose(table))


def _overdue(table: Table) -> bool:
    return table.card.wake_at is not None and table.card.wake_at <= table.now


def _run(table: Table, thought: Thought | None) -> bool:
    """One due thing after another, while there are some."""
    until = time.monotonic() + _SECONDS
    done = 0
    while done < _STEPS and _step(table, thought):
        done += 1
        pace.arm(table)
        table.turned = False
        if not _overdue(table) or time.monotonic() > until:
            break
    return done > 0


def _step(table: Table, thought: Thought | None) -> bool:
    if table.card.is_open:
        return _open_step(table)
    return table.card.is_running and (
        _forfeit_step(table) or _claim_step(table) or _phase_step(table, thought)
    )


def _open_step(table: Table) -> bool:
    """The time to sit down is over, or nobody has started this table for long."""
    card = table.card
    if not _overdue(table):
        return False
    if card.sit_by is not None and card.sit_by <= table.now:
        no_show(table)
    elif any(clock.is_present(seat.seen_at, table.now) for seat in table.seats):
        card.wake_at = table.now + _OPEN_AGAIN
    else:
        call_off(table, "nobody_came")
    return True


def _forfeit_step(table: Table) -> bool:
    out = [seat.index for seat, due in pace.forfeits(table) if due <= table.now]
    if out:
        take_out(table, out, "forfeit")
    return bool(out)


def _claim_step(table: Table) -> bool:
    claim = pace.bot_claim(table)
    if claim is None or pace.claim_due(table) > table.now:
        return False
    claim_for_bot(table, *claim)
    return True


def _phase_step(table: Table, thought: Thought | None) -> bool:
    card, game = table.card, table.game
    if game.turn is not None:
        if pace.turn_due(table) > table.now:
            return False
        if table.served(table.seats[game.turn]):
            fits = thought is not None and thought.turn_seq == card.turn_seq
            serve(table, thought.action if thought is not None and fits else None)
        else:
            run_out(table)
        return True
    if card.deadline is None or card.deadline > table.now:
        return False
    if game.phase == "claims":
        settle_claims(table)
    else:
        table.deal_round()
    return True
