"""What one seat, or a spectator, may know. Built up from nothing, never filtered down.

A view for a seat shows that seat's hand, and of everything else only what everyone saw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.actions import Action, End
from engine.events import Event
from engine.rules import RuleSet
from engine.tiles import Tile, bits

if TYPE_CHECKING:
    from engine.match import Match


@dataclass(frozen=True, slots=True)
class Placement:
    """A tile on the table: who played it where, the total it made and what it paid."""

    seat: int
    tile: Tile
    end: End | None
    total: int
    score: int


@dataclass(frozen=True, slots=True)
class View:
    """A match as `seat` sees it (None: a spectator).

    `scores` are by side; `ends` the pips to match by open end; `hand` the seat's own tiles (None
    for a spectator, or before the first deal); `counts` the tiles in each hand; `boneyard` how
    many tiles it has, `drawable` how many of them can be drawn; `history` the events of this
    round; `legal` what the seat may do now; `claim` whether it may claim muggins.
    """

    seat: int | None
    rules: RuleSet
    phase: str
    turn: int | None
    number: int
    leader: int | None
    scores: tuple[int, ...]
    line: tuple[Placement, ...]
    ends: Mapping[End, int]
    total: int
    hand: tuple[Tile, ...] | None = field(repr=False)
    counts: tuple[int, ...]
    boneyard: int
    drawable: int
    history: tuple[Event, ...]
    legal: tuple[Action, ...] = field(repr=False)
    claim: bool


def view(match: Match, seat: int | None) -> View:
    """The view of `match` from `seat`, or a spectator's (None)."""
    round = match.round
    return View(
        seat=seat,
        rules=match.rules,
        phase=match.phase,
        turn=match.turn,
        number=match.number,
        leader=round.leader if round else None,
        scores=tuple(match.scores),
        line=tuple(match.line),
        ends=round.ends() if round else {},
        total=round.total if round else 0,
        hand=bits(round.hands[seat]) if round and seat is not None else None,
        counts=tuple(hand.bit_count() for hand in round.hands) if round else (),
        boneyard=round.remaining if round else 0,
        drawable=round.drawable if round else 0,
        history=tuple(match.history),
        legal=match.legal(seat) if seat is not None else (),
        claim=seat is not None and match.claim_open_for(seat),
    )
