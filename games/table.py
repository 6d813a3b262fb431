"""A match while something happens at it: its row locked, its log being written.

Services work on a table; `games.ledger` locks and saves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from engine import events as ev
from engine.match import Match as Game
from games import clock, store
from games.errors import GameError
from games.models import Match, MatchEvent, Seat

# After these a move that was meant for the table before them would be another move …
_MOVES: Final = frozenset(
    ("started", "round_started", "played", "drew", "passed", "round_ended", "match_ended")
)
# … and after these a new turn, round or break begins: drawing does not end a turn.
_TURNS: Final = _MOVES - {"drew"}
_SEAT: Final = (
    "player_id", "name", "bot_level", "sat_at", "bank_ms", "lag_ms", "timeouts", "away_since",
    "seen_at", "ready",
)  # fmt: skip


@dataclass(eq=False, slots=True)
class Table:
    """One match under work. `now` is the moment that all of it happens at."""

    card: Match
    seats: list[Seat]
    state: store.State
    now: datetime
    new: list[MatchEvent] = field(default_factory=list)
    is_new: bool = False
    turned: bool = False
    touched: bool = False
    _before: list[tuple[Any, ...]] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self._before = [_values(seat) for seat in self.seats]

    @property
    def game(self) -> Game:
        return self.state.game

    def seat_of(self, player: Any) -> Seat | None:
        """The seat of a player; None for anyone else."""
        pk = getattr(player, "pk", None)
        return next((s for s in self.seats if s.player_id == pk), None) if pk else None

    def own_seat(self, player: Any) -> Seat:
        """The seat of a player. Raises GameError("not_seated")."""
        seat = self.seat_of(player)
        if seat is None:
            raise GameError("not_seated")
        return seat

    def served(self, seat: Seat) -> bool:
        """Whether the server plays this seat: a bot's, an absent player's, a resigned side's."""
        return (
            seat.is_bot
            or seat.away_since is not None
            or self.game.rules.side_of(seat.index) in self.game.resigned
        )

    def log(
        self, kind: str, data: dict[str, Any], actor: int | None = None, client_id: str = ""
    ) -> MatchEvent:
        """Append one event to the log."""
        row = MatchEvent(
            match=self.card,
            seq=self.state.seq + 1,
            kind=kind,
            data=data,
            actor=actor,
            client_id=client_id,
            at=self.now,
        )
        self.state.note(row)
        self.new.append(row)
        self.card.seq, self.card.head = self.state.seq, self.state.head
        if kind in _MOVES:
            self.card.turn_seq = row.seq
        self.turned = self.turned or kind in _TURNS
        return row

    def log_game(
        self,
        happened: Iterable[ev.Event],
        actor: int | None = None,
        client_id: str = "",
        *,
        forced: int | None = None,
        notes: Mapping[str, object] | None = None,
    ) -> int:
        """Append what the game answered; the number of the first event, which is the actor's.

        What the seat `forced` did, the server did for it. `notes` go with a round's start or a
        match's end.
        """
        first = self.state.seq + 1
        happened = tuple(happened)
        for event in _joined(happened):
            data = ev.to_json(event)
            kind = str(data.pop("kind"))
            self._complete(event, data)
            if forced is not None and data.get("seat") == forced:
                data["forced"] = True
            if notes and kind in ("round_started", "match_ended"):
                data |= notes
            self.log(kind, data, actor, client_id)
            if isinstance(event, ev.MatchEnded):
                self._finish(event)
            actor, client_id = None, ""
        if any(isinstance(event, ev.RoundEnded) for event in happened):
            self.end_if_time()
        return first

    def end_if_time(self) -> None:
        """Ends the match between rounds if time has been called, and somebody is ahead if need
        be.
        """
        card, game = self.card, self.game
        if card.time_called and card.is_running and game.phase == "deal" and game.number:
            ended = game.call_time(needs_winner=card.time_called == "winner")
            if ended:
                self.log_game(ended)

    def _finish(self, end: ev.MatchEnded) -> None:
        card = self.card
        card.status, card.finished_at = Match.Status.FINISHED, self.now
        card.winner, card.places, card.reason = end.winner, list(end.places), end.reason

    def _complete(self, event: ev.Event, data: dict[str, Any]) -> None:
        """Add what the log says beyond the game's own event: which deal, which tiles of it."""
        number = self.game.number
        if isinstance(event, ev.Drew):
            data |= {"round": number, "first": self.state.drawn}
        elif isinstance(event, ev.RoundEnded):
            data |= {"number": number, "deal": self.state.reveal(number)}
        elif isinstance(event, ev.MatchEnded) and number > len(self.state.ends):
            data |= {"deal": self.state.reveal(number)}

    def moved_seats(self) -> list[tuple[Seat, dict[str, Any]]]:
        """The seats that changed, each with its changed fields alone: others are written beside."""
        moved = []
        for seat, before in zip(self.seats, self._before, strict=True):
            fields = {
                name: value
                for name, old, value in zip(_SEAT, before, _values(seat), strict=True)
                if old != value
            }
            if fields:
                moved.append((seat, fields))
        return moved

    @property
    def is_changed(self) -> bool:
        return bool(self.new or self.touched or self.moved_seats())

    def begin(self) -> None:
        """Start the match with its first deal."""
        self.card.status, self.card.started_at = Match.Status.RUNNING, self.now
        self.log("started", {})
        self.deal_round()

    def deal_round(self) -> None:
        """Deal the next round and start it."""
        dealt = self.state.deal(self.card.pk)
        started = self.game.start_round(dealt.tiles, dealt.leader)
        self.log_game(started, notes={"deal": dealt.public})
        for seat in self.seats:
            seat.ready, seat.lag_ms = False, int(clock.LAG_POOL.total_seconds() * 1000)


def _values(seat: Seat) -> tuple[Any, ...]:
    return tuple(getattr(seat, name) for name in _SEAT)


def _joined(happened: Iterable[ev.Event]) -> list[ev.Event]:
    """Tiles that a seat draws in a row are one event."""
    out: list[ev.Event] = []
    for event in happened:
        last = out[-1] if out else None
        if isinstance(event, ev.Drew) and isinstance(last, ev.Drew) and last.seat == event.seat:
            out[-1] = ev.Drew(event.seat, last.count + event.count)
        else:
            out.append(event)
    return out
