"""Log and engine, both ways: the state of a match is the replay of its log.

The only reader of `Deal`, and so the only place where hidden tiles come from. A small cache holds
the states of matches lately seen, each good only for the log whose hash it ends with; the log
stays the truth.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from engine import events as ev
from engine.errors import EngineError
from engine.match import Match as Game
from engine.round import Deal as Tiles
from engine.rules import RuleSet
from engine.tiles import texts
from games import clock, dealer
from games.dealer import DealBroken, Dealt
from games.models.deal import Deal
from games.models.event import MatchEvent
from games.models.match import Match

__all__ = ["DealBroken", "LogBroken", "State", "load", "verify"]

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
ZERO_HEAD: Final = "0" * 64
RECENT: Final = 64
CACHED: Final = 2000


class LogBroken(Exception):
    """A log that does not replay, or is not the one its card was written for."""


def head_after(head: str, seq: int, kind: str, data: object) -> str:
    """The hash of a log that has grown by one event (docs/protocol.md, "The log's hash")."""
    fact = json.dumps(
        {"seq": seq, "kind": kind, "data": data},
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
    )
    return hashlib.sha256(bytes.fromhex(head) + fact.encode()).hexdigest()


@dataclass(eq=False, slots=True)
class State:
    """A match as its log tells it up to `seq`. Holds hidden tiles: show it to nobody.

    `ends` are the rounds' ends as logged; `recent` the last events as everyone may see them,
    `round` those since the round was dealt, `at` when the last happened; `drawn` how many tiles of
    this round's boneyard are gone; `prev` what the next deal is tied to.
    """

    game: Game = field(repr=False)
    seq: int = 0
    head: str = ZERO_HEAD
    prev: str = ZERO_HEAD
    at: datetime = EPOCH
    drawn: int = 0
    tiles: dict[int, Tiles] = field(default_factory=dict, repr=False)
    deals: dict[int, Deal] = field(default_factory=dict, repr=False)
    ends: list[dict[str, Any]] = field(default_factory=list)
    recent: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=RECENT), repr=False)
    round: list[dict[str, Any]] = field(default_factory=list, repr=False)
    # What `write_deals` has to store.
    new_deals: list[Deal] = field(default_factory=list, repr=False)
    revealed: list[Deal] = field(default_factory=list, repr=False)

    def copy(self) -> State:
        """A state that goes on by itself."""
        return State(
            self.game.copy(), self.seq, self.head, self.prev, self.at, self.drawn, dict(self.tiles),
            dict(self.deals), list(self.ends), self.recent.copy(), list(self.round),
        )  # fmt: skip

    def note(self, row: MatchEvent) -> None:
        """Take over an event that the game already stands for."""
        if row.seq != self.seq + 1:
            raise LogBroken(f"event {row.seq} of match {row.match_id} follows {self.seq}")
        self.seq, self.at = row.seq, row.at
        self.head = head_after(self.head, row.seq, row.kind, row.data)
        event = public(row)
        self.recent.append(event)
        self.round.append(event)
        if row.kind == "round_started":
            self.drawn, self.round = 0, [event]
        elif row.kind == "drew":
            self.drawn += row.data["count"]
        elif row.kind == "round_ended":
            self.prev = self.head
            self.ends.append(row.data)

    def follow(self, row: MatchEvent) -> None:
        """Replay one logged event; raises EngineError or LogBroken when it can't have been."""
        if row.kind in ev.KINDS:
            event = ev.from_json({**row.data, "kind": row.kind})
            number = event.number if isinstance(event, ev.RoundStarted) else 0
            self.game.apply(event, self.tiles.get(number))
        self.note(row)

    def add_deal(self, row: Deal) -> None:
        self.tiles[row.number] = dealer.derive(row, self.game.rules)
        self.deals[row.number] = row

    def deal(self, match_id: str) -> Dealt:
        """The next round's deal, which the game is not yet started with."""
        game = self.game
        dealt = dealer.deal(
            match_id,
            game.number + 1,
            game.rules,
            self.prev,
            draws_leader=game.next_leader() == "random",
        )
        self.tiles[dealt.row.number], self.deals[dealt.row.number] = dealt.tiles, dealt.row
        self.new_deals.append(dealt.row)
        return dealt

    def reveal(self, number: int) -> dict[str, str]:
        """The deal of a round that is over, with the seed that proves it."""
        row = self.deals[number]
        self.revealed.append(row)
        return {"id": row.deal_id, "commit": row.commit, "seed": dealer.reveal(row)}

    def told(self, event: dict[str, Any], seat: int | None) -> dict[str, Any]:
        """An event as `seat` (None: a spectator) may know it."""
        return event if seat is None else event | self._own_part(event, seat)

    def _own_part(self, event: dict[str, Any], seat: int) -> dict[str, Any]:
        """What the log's event leaves out and `seat` may know: its own tiles, nobody else's."""
        if event["kind"] == "round_started":
            return {"hand": list(texts(sorted(self.tiles[event["number"]].hands[seat])))}
        if event["kind"] == "drew" and event["seat"] == seat:
            first = event["first"]
            drawn = self.tiles[event["round"]].boneyard[first : first + event["count"]]
            return {"tiles": list(texts(drawn))}
        return {}


def public(row: MatchEvent) -> dict[str, Any]:
    """An event as everyone may see it."""
    return {"seq": row.seq, "kind": row.kind, "time": clock.ms(row.at), **row.data}


class _Cache:
    """The states last used, by match. A state in it is never changed, only copied."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._states: OrderedDict[str, State] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, match_id: str) -> State | None:
        with self._lock:
            state = self._states.get(match_id)
            if state is not None:
                self._states.move_to_end(match_id)
            return state

    def put(self, match_id: str, state: State) -> None:
        with self._lock:
            known = self._states.get(match_id)
            if known is not None and known.seq > state.seq:
                return
            self._states[match_id] = state
            self._states.move_to_end(match_id)
            while len(self._states) > self._size:
                self._states.popitem(last=False)

    def drop(self, match_id: str) -> None:
        with self._lock:
            self._states.pop(match_id, None)

    def clear(self) -> None:
        with self._lock:
            self._states.clear()


cache: Final = _Cache(CACHED)
# The states that delayed spectators were shown last.
_earlier: Final = _Cache(CACHED)


def load(card: Match) -> State:
    """The state that `card` stands for: read it, or copy it; never change it.

    Raises LogBroken or DealBroken, loudly, when the log does not lead to the card.
    """
    known = cache.get(card.pk)
    if known is not None and known.seq == card.seq and known.head == card.head:
        return known
    state = _caught_up(known, card) if known is not None and known.seq < card.seq else None
    if state is None:
        state = replay(card)
    cache.put(card.pk, state)
    return state


def _caught_up(known: State, card: Match) -> State | None:
    """The cached state with the events since; None if it was of another log (a lost write)."""
    state = known.copy()
    with contextlib.suppress(EngineError, LogBroken):
        _follow(state, card, _rows(card, after=known.seq))
        if (state.seq, state.head) == (card.seq, card.head):
            return state
    cache.drop(card.pk)
    return None


def replay(card: Match) -> State:
    """The state from the first event on, checked against the card."""
    state = State(Game(rules_of(card)))
    try:
        _follow(state, card, _rows(card, after=0))
    except EngineError as error:
        raise LogBroken(f"match {card.pk} at event {state.seq + 1}: {error.detail}") from error
    if (state.seq, state.head) != (card.seq, card.head):
        raise LogBroken(f"match {card.pk}: the log ends at {state.seq}, the card at {card.seq}")
    return state


def rules_of(card: Match) -> RuleSet:
    return RuleSet.parse(card.rules, card.seats)


def _rows(card: Match, after: int) -> list[MatchEvent]:
    return list(
        MatchEvent.objects.filter(match=card.pk, seq__gt=after, seq__lte=card.seq).order_by("seq")
    )


def _follow(state: State, card: Match, rows: Sequence[MatchEvent]) -> None:
    numbers = [row.data["number"] for row in rows if row.kind == "round_started"]
    if numbers:
        for deal in Deal.objects.filter(match=card.pk, number__in=numbers):
            state.add_deal(deal)
    for row in rows:
        state.follow(row)


def write_deals(states: Iterable[State]) -> None:
    """Store new deals, and the seeds of rounds that are over."""
    states = list(states)
    new = [row for state in states for row in state.new_deals]
    if new:
        Deal.objects.bulk_create(new)
    # The rows themselves are shared with states that know of no end yet.
    revealed = [
        Deal(pk=row.pk, seed=dealer.reveal(row)) for state in states for row in state.revealed
    ]
    Deal.objects.bulk_update(revealed, ["seed"])
    for state in states:
        state.new_deals, state.revealed = [], []


def rounds_of(card: Match) -> list[tuple[Tiles, list[ev.Event]]]:
    """Each finished round's deal and events, for records; a running round is left out."""
    state = load(card)
    rounds: list[tuple[Tiles, list[ev.Event]]] = []
    events: list[ev.Event] = []
    for row in _rows(card, after=0):
        if row.kind not in ev.KINDS:
            continue
        event = ev.from_json({**row.data, "kind": row.kind})
        events = [event] if row.kind == "round_started" else [*events, event]
        if row.kind == "round_ended":
            rounds.append((state.tiles[row.data["number"]], events))
    return rounds


def as_of(card: Match, seq: int) -> State:
    """The match as its log told it up to `seq`, which must lie between two turns."""
    known = _earlier.get(card.pk)
    state = known.copy() if known is not None and known.seq <= seq else State(Game(rules_of(card)))
    rows = MatchEvent.objects.filter(match=card.pk, seq__gt=state.seq, seq__lte=seq)
    _follow(state, card, list(rows.order_by("seq")))
    _earlier.put(card.pk, state)
    return state


def story_of(card: Match, state: State) -> tuple[list[MatchEvent], dict[int, Tiles]]:
    """The log up to `card.seq` of what the engine knows, and the deals of all rounds that are over
    by then: the last one's too once the match is, however it ended.
    """
    over = card.status == Match.Status.FINISHED
    deals = {
        number: tiles for number, tiles in state.tiles.items() if over or number <= len(state.ends)
    }
    return [row for row in _rows(card, after=0) if row.kind in ev.KINDS], deals


def verify(match_id: str) -> list[str]:
    """Where the log's replay, the card and the deals differ; empty when all is well."""
    card = Match.objects.filter(pk=match_id).first()
    if card is None:
        return [f"match {match_id}: there is none"]
    try:
        state = replay(card)
    except (LogBroken, DealBroken, EngineError) as error:
        return [f"match {match_id}: {error}"]
    found = [
        f"{name} is {shown!r}, by the log {told!r}"
        for name, shown, told in (*_card_differs(card, state), *_deals_differ(card, state))
        if shown != told
    ]
    times = list(card.events.order_by("seq").values_list("at", flat=True))
    if times != sorted(times):
        found.append("its log runs back in time")
    if card.events.count() != card.seq:
        found.append(f"{card.events.count()} events, the card says {card.seq}")
    return [f"match {match_id}: {difference}" for difference in found]


def _card_differs(card: Match, state: State) -> list[tuple[str, object, object]]:
    """Each value of the card, and what the log says it is."""
    game = state.game
    facts: list[tuple[str, object, object]] = [("scores", card.scores, game.scores)]
    if card.status == Match.Status.RUNNING:
        phase = "between" if game.phase == "deal" else game.phase
        facts += [("phase", card.phase, phase), ("turn", card.turn, game.turn)]
    over = card.status == Match.Status.FINISHED
    facts += [("being finished", over, game.phase == "over"), ("winner", card.winner, game.winner)]
    if over:
        end = next(e for e in reversed(game.history) if isinstance(e, ev.MatchEnded))
        facts += [("reason", card.reason, end.reason), ("places", card.places, list(end.places))]
    return facts


def _deals_differ(card: Match, state: State) -> list[tuple[str, object, object]]:
    """One deal a round; each seed published exactly when its round was over."""
    rows = {row.number: row for row in Deal.objects.filter(match=card)}
    facts: list[tuple[str, object, object]] = [
        ("the list of deals", sorted(rows), list(range(1, state.game.number + 1)))
    ]
    for number, row in rows.items():
        over = number <= len(state.ends) or state.game.phase == "over"
        seed = dealer.reveal(row) if over else ""
        facts.append((f"the revealed seed of round {number}", row.seed, seed))
    return facts
