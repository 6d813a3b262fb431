"""Playing: actions of players, and of the server for those who are slow, away or bots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError

from engine import bots
from engine.actions import Action, Claim, Draw, Pass
from engine.errors import EngineError
from engine.events import Claimed, Event
from engine.match import Match as Game
from engine.view import view
from games import chance, clock, pace
from games.errors import GameError
from games.models import Match, Seat
from games.services.work import (
    Job,
    Refused,
    acknowledged,
    at_table,
    running,
    send_away,
    welcome_back,
)
from games.table import Table


@dataclass(frozen=True, slots=True)
class Ack:
    """A command is durable: `seq` is the number of its own event."""

    seq: int


def act(
    *,
    match_id: str,
    player: Any,
    expected_seq: int,
    action: Action,
    client_id: str = "",
    received: datetime | None = None,
    now: datetime | None = None,
) -> Ack:
    """Carry out a player's action, meant for the table as it was at `expected_seq`.

    The same `client_id` again is answered as it was the first time. `received` is when the server
    got it: waiting for a lock makes nobody late. Raises GameError (not_seated, stale_seq,
    too_late, …) or the engine's Refusal; after either nothing has changed, except that after
    too_late the server has acted for the seat.
    """

    job = action_job(
        match_id=match_id,
        player=player,
        expected_seq=expected_seq,
        action=action,
        client_id=client_id,
        received=received,
    )
    try:
        return at_table(match_id, job.work, now)
    except IntegrityError:
        # This client's id is in the log already, though it named a number that still stood.
        seat = Seat.objects.filter(match=match_id, player=player).first()
        seq = acknowledged(Match(pk=match_id), seat, client_id) if seat else None
        if seq is None:
            raise
        return Ack(seq)


def action_job(
    *,
    match_id: str,
    player: Any,
    expected_seq: int,
    action: Action,
    client_id: str = "",
    received: datetime | None = None,
) -> Job[Ack]:
    """What `act` does, to be done with others in one transaction."""

    def work(table: Table) -> Ack | Refused:
        return take_action(table, player, expected_seq, action, client_id, received)

    return Job(match_id, work)


def take_action(
    table: Table,
    player: Any,
    expected_seq: int,
    action: Action,
    client_id: str = "",
    received: datetime | None = None,
) -> Ack | Refused:
    """`act` at a table that is locked and will be saved."""
    card, seat = table.card, table.own_seat(player)
    if not card.is_running or not card.turn_seq <= expected_seq <= card.seq:
        seq = acknowledged(card, seat, client_id)
        if seq is not None:
            return Ack(seq)
        running(table)
        raise GameError("stale_seq", seq=card.seq)
    if table.game.rules.side_of(seat.index) in table.game.resigned:
        raise GameError("resigned")
    if isinstance(action, Claim) and _has_claimed(table.game, seat.index):
        raise GameError("claimed_once")
    was_away = welcome_back(table, seat)
    moment = min(received or table.now, table.now)
    late = _late(table, seat, action, moment)
    if late is not None:
        late(table)
        return GameError("too_late")
    try:
        happened = _with_what_follows(table.game, seat.index, action)
    except EngineError as refusal:
        if was_away:
            return refusal
        raise
    if not isinstance(action, Claim):
        assert card.deadline is not None
        lag = pace.lag_of(seat)
        seat.bank_ms = clock.bank_after(card.deadline, seat.bank_ms, moment, lag)
        seat.lag_ms = clock.lag_left(card.deadline, seat.lag_ms, moment, lag)
    seat.timeouts = 0
    return Ack(table.log_game(happened, seat.index, client_id))


def _late(
    table: Table, seat: Seat, action: Action, moment: datetime
) -> Callable[[Table], None] | None:
    """What the server does instead of an action that came too late; None if it came in time."""
    deadline, game = table.card.deadline, table.game
    if deadline is None:
        return None
    if game.phase == "claims":
        return settle_claims if moment > deadline + clock.LAG else None
    if game.turn != seat.index or isinstance(action, Claim):
        return None
    last = clock.last_moment(deadline, seat.bank_ms, pace.lag_of(seat))
    return run_out if moment > last else None


def _has_claimed(game: Game, seat: int) -> bool:
    """Whether a seat has claimed the last play before: guessing on would only fill the log."""
    for event in reversed(game.history):
        if not isinstance(event, Claimed):
            return False
        if event.seat == seat:
            return True
    return False


def _with_what_follows(game: Game, seat: int, action: Action) -> tuple[Event, ...]:
    """The action, and the draws and passes that nobody has a choice in (rules.md 4).

    In "called" games players draw and pass themselves, since that ends the claims (rules.md 5).
    """
    happened = game.act(seat, action)
    while not game.rules.called and game.turn is not None:
        only = game.legal()[0]
        if not isinstance(only, Draw | Pass):
            break
        happened += game.act(game.turn, only)
    return happened


def run_out(table: Table) -> None:
    """The seat in turn let its time run out: the server acts (rules.md 8)."""
    turn = table.game.turn
    assert turn is not None
    seat = table.seats[turn]
    deadline = table.card.deadline
    if deadline is not None:
        seat.lag_ms = clock.lag_left(deadline, seat.lag_ms, table.now, pace.lag_of(seat))
    seat.bank_ms = 0
    seat.timeouts += 1
    force(table)
    if seat.timeouts >= table.card.away_after and table.card.is_running:
        send_away(table, seat, "timeouts")


def force(table: Table) -> None:
    """Finish the turn in course by the forced play: draw while it must, then play or pass."""
    game, turn = table.game, table.game.turn
    assert turn is not None
    happened: tuple[Event, ...] = ()
    drawing = True
    while drawing and game.turn == turn:
        action = game.forced()
        drawing = isinstance(action, Draw)
        happened += _with_what_follows(game, turn, action)
    table.log_game(happened, forced=turn)


def choose(table: Table) -> Action:
    """What the bot in turn wants to do: by its own view, and a chance that repeats."""
    turn = table.game.turn
    assert turn is not None
    seed = chance.seed(table.card.pk, table.card.turn_seq, turn)
    return bots.choose(table.seats[turn].bot_level, view(table.game, turn), seed)


def serve(table: Table, action: Action | None = None) -> None:
    """Play the seat in turn, which is the server's to play; a bot's `action` may be known."""
    turn = table.game.turn
    assert turn is not None
    if not table.seats[turn].is_bot:
        force(table)
        return
    table.log_game(_with_what_follows(table.game, turn, action or choose(table)))


def claim_for_bot(table: Table, seat: int, points: int) -> None:
    table.log_game(table.game.act(seat, Claim(points)))


def settle_claims(table: Table) -> None:
    """Nobody has claimed a round's last play in time (rules.md 5)."""
    table.log_game(table.game.settle())


def ready(*, match_id: str, player: Any, now: datetime | None = None) -> None:
    """The player wants the next round; it is dealt once everybody who is there does."""
    at_table(match_id, ready_job(match_id=match_id, player=player).work, now)


def ready_job(*, match_id: str, player: Any) -> Job[Ack]:
    """What `ready` does, to be done with others in one transaction; answers the log's number."""

    def work(table: Table) -> Ack:
        seat = table.own_seat(player)
        welcome_back(table, seat)
        if table.card.is_running and table.game.phase == "deal" and not seat.ready:
            seat.ready = True
            table.log("ready", {"seat": seat.index}, seat.index)
            if all(_waits_for_nothing(table, other) for other in table.seats):
                table.deal_round()
        return Ack(table.card.seq)

    return Job(match_id, work)


def _waits_for_nothing(table: Table, seat: Seat) -> bool:
    return seat.ready or table.served(seat) or not clock.is_present(seat.seen_at, table.now)


def back(*, match_id: str, player: Any, now: datetime | None = None) -> None:
    """The player is there again and takes the seat back from the server."""

    def work(table: Table) -> None:
        welcome_back(table, table.own_seat(player))

    at_table(match_id, work, now)
