"""One round: hands, boneyard and layout on ints, played and unplayed.

>>> from engine.rules import RuleSet
>>> deal = Deal(hands=((27, 26), (25, 21)), boneyard=tuple(range(21)) + (22, 23, 24))
>>> round = Round(RuleSet.parse({"preset": "allfives", "hand_sizes": 2}, 2), deal)
>>> round.turn, round.moves()
(0, ((27, 4),))
>>> round.play(27, LEAD)
12
>>> round.undo()
>>> round.total, len(round.moves())
(0, 1)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.actions import ENDS, End
from engine.errors import EngineError, Refusal
from engine.layout import FITS, LEAD, PIP, Pair, open_ends, shape_of, step
from engine.rules import RuleSet
from engine.tiles import COUNT, DOUBLES, Tile, bits, heaviest, mask_of, text

Move = tuple[Tile, int]
# What an undo brings back: seat, its hand, all tiles held, tiles drawn, line, arms.
_Past = tuple[int, int, int, int, Pair, Pair]
_LEAD_ONLY: Final = (LEAD,)
# The ends named by a bit set of them.
_ENDS_OF: Final = tuple(tuple(e for e in range(4) if named >> e & 1) for named in range(16))


@dataclass(frozen=True, repr=False)
class Deal:
    """A dealt set: each seat's tiles, and the boneyard in the order it is drawn. Secret."""

    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]

    def __repr__(self) -> str:
        return f"Deal({len(self.hands)} hands, boneyard of {len(self.boneyard)})"

    def check(self, rules: RuleSet) -> None:
        """Raise EngineError("bad_deal") unless this deals the whole set by `rules`."""
        if len(self.hands) != rules.seats:
            raise EngineError("bad_deal", f"{len(self.hands)} hands for {rules.seats} seats")
        for seat, hand in enumerate(self.hands):
            if len(hand) != rules.hand_size:
                detail = f"seat {seat} has {len(hand)} tiles, not {rules.hand_size}"
                raise EngineError("bad_deal", detail)
        tiles = [tile for hand in self.hands for tile in hand] + list(self.boneyard)
        if sorted(tiles) != list(range(COUNT)):
            raise EngineError("bad_deal", "hands and boneyard are not the 28 tiles, each once")

    def void(self, rules: RuleSet) -> bool:
        """Whether a hand has so many doubles that the deal is dealt anew (rules.md 3)."""
        most = rules.redeal_doubles
        return most > 0 and any(
            (mask_of(hand) & DOUBLES).bit_count() >= most for hand in self.hands
        )


class Round:
    """A round in progress. Hands are bit sets; an end is a number (LEFT, RIGHT, UP, DOWN, LEAD).

    `play`, `draw` and `skip` trust their caller: use the tiles of `moves()`, or ask `check_play`,
    `check_draw` and `check_skip` first. Every one of them can be undone.

    `held` is all hands together; `lead` the tile that must be led (None: any). `turn` is the seat
    in turn; None once the round is over, with `reason` "domino" or "blocked" and `out` the seat
    that went out.
    """

    __slots__ = (
        "_limit", "_past", "arms", "boneyard", "drawn", "hands", "held", "lead", "leader", "line",
        "out", "reason", "rules", "shape", "turn",
    )  # fmt: skip

    def __init__(self, rules: RuleSet, deal: Deal, leader: int | None = None) -> None:
        """Deal a round led by `leader`, or by whoever has the highest double (None)."""
        self.rules = rules
        self.shape = shape_of(rules.spinner, rules.arms)
        self.hands = [mask_of(hand) for hand in deal.hands]
        self.held = sum(self.hands)
        self.boneyard = deal.boneyard
        self.drawn = 0
        self._limit = max(0, len(deal.boneyard) - rules.keep) if rules.draw else 0
        self.line = self.shape.empty
        self.arms = self.shape.closed
        self.lead: Tile | None = None
        if leader is None:
            self.lead = heaviest(self.held & DOUBLES or self.held)
            leader = next(s for s, hand in enumerate(self.hands) if hand >> self.lead & 1)
        self.leader = leader
        self.turn: int | None = leader
        self.reason: str | None = None
        self.out: int | None = None
        self._past: list[_Past] = []

    def __repr__(self) -> str:
        return f"Round(turn={self.turn}, ends={self.ends()}, reason={self.reason})"

    @property
    def led(self) -> bool:
        """Whether a tile lies on the table."""
        return self.line is not self.shape.empty

    @property
    def total(self) -> int:
        """What the open ends add up to (rules.md 5)."""
        return self.line.worth + self.arms.worth

    @property
    def fits(self) -> int:
        """The tiles that could be played now, whoever holds them, as a bit set."""
        return self.line.fits | self.arms.fits

    def ends(self) -> dict[End, int]:
        """The pips to match, by end, of the ends that are open."""
        return open_ends(self.line, self.arms)

    @property
    def remaining(self) -> int:
        """How many tiles the boneyard still has."""
        return len(self.boneyard) - self.drawn

    @property
    def drawable(self) -> int:
        """How many tiles can still be drawn."""
        return self._limit - self.drawn

    def playable(self) -> int:
        """The tiles that the seat in turn can play, as a bit set."""
        if self.turn is None:
            return 0
        if self.lead is not None and not self.led:
            return 1 << self.lead
        return self.hands[self.turn] & self.fits

    def ends_for(self, tile: Tile) -> tuple[int, ...]:
        """The ends that `tile` fits, in the order left, right, up, down."""
        if not self.led:
            return _LEAD_ONLY
        left, right = self.line.codes
        up, down = self.arms.codes
        return _ENDS_OF[
            (FITS[left] >> tile & 1)
            + (FITS[right] >> tile & 1) * 2
            + (FITS[up] >> tile & 1) * 4
            + (FITS[down] >> tile & 1) * 8
        ]

    def moves(self) -> tuple[Move, ...]:
        """Every (tile, end) that the seat in turn can play."""
        return tuple([(tile, end) for tile in bits(self.playable()) for end in self.ends_for(tile)])

    def total_after(self, tile: Tile, end: int) -> int:
        """The total that playing `tile` at `end` would make."""
        line, arms = step(self.line, self.arms, tile, end)
        return line.worth + arms.worth

    def _codes(self) -> tuple[int, ...]:
        return self.line.codes + self.arms.codes

    def play(self, tile: Tile, end: int) -> int:
        """Play a tile of the seat in turn; the total it makes."""
        seat = self._remember()
        self.line, self.arms = step(self.line, self.arms, tile, end)
        self.hands[seat] ^= 1 << tile
        self.held ^= 1 << tile
        if not self.hands[seat]:
            self.turn, self.reason, self.out = None, "domino", seat
        elif not self._blocked():
            self.turn = (seat + 1) % len(self.hands)
        return self.total

    def draw(self) -> Tile:
        """Draw the next tile of the boneyard for the seat in turn, which keeps the turn."""
        seat = self._remember()
        tile = self.boneyard[self.drawn]
        self.drawn += 1
        self.hands[seat] |= 1 << tile
        self.held |= 1 << tile
        self._blocked()
        return tile

    def skip(self) -> None:
        """Pass the turn on."""
        self.turn = (self._remember() + 1) % len(self.hands)

    def undo(self) -> None:
        """Take the last play, draw or pass back."""
        seat, self.hands[seat], self.held, self.drawn, self.line, self.arms = self._past.pop()
        self.turn, self.reason, self.out = seat, None, None

    def _remember(self) -> int:
        seat = self.turn
        assert seat is not None, "the round is over"
        hand = self.hands[seat]
        self._past.append((seat, hand, self.held, self.drawn, self.line, self.arms))
        return seat

    def _blocked(self) -> bool:
        """End the round if nobody can play and nothing can be drawn (rules.md 6)."""
        if self._limit > self.drawn or self.held & (self.line.fits | self.arms.fits):
            return False
        self.turn, self.reason = None, "blocked"
        return True

    def check_play(self, tile: Tile, end: int | None) -> int:
        """The end that a play means (None: the lead). Raises Refusal."""
        assert self.turn is not None
        if not self.hands[self.turn] >> tile & 1:
            raise Refusal("not_in_hand", f"{text(tile)} is not in your hand", tile=text(tile))
        if not self.led:
            if end is not None:
                raise Refusal("no_such_end", "the lead names no end", end=ENDS[end])
            if self.lead is not None and tile != self.lead:
                detail = f"{text(self.lead)} must be led"
                raise Refusal("must_lead", detail, tile=text(self.lead))
            return LEAD
        if end is None:
            raise Refusal("no_such_end", "a play names its end", end=None)
        code = self._codes()[end]
        if PIP[code] < 0:
            raise Refusal("no_such_end", f"{ENDS[end]} is not open", end=ENDS[end])
        if not FITS[code] >> tile & 1:
            detail = f"{text(tile)} does not match the {PIP[code]} at {ENDS[end]}"
            raise Refusal("end_mismatch", detail, tile=text(tile), end=ENDS[end], pip=PIP[code])
        return end

    def check_draw(self) -> None:
        """Raises Refusal unless the seat in turn must draw."""
        if self.playable():
            raise Refusal("must_play", "you can play, so you may not draw")
        if not self.drawable:
            raise Refusal("cannot_draw", "nothing can be drawn")

    def check_skip(self) -> None:
        """Raises Refusal unless the seat in turn must pass."""
        if self.playable():
            raise Refusal("must_play", "you can play, so you may not pass")
        if self.drawable:
            raise Refusal("must_draw", "you can draw, so you may not pass", drawable=self.drawable)

    def copy(self) -> Round:
        """A round that plays on by itself."""
        twin = object.__new__(Round)
        for name in Round.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.hands = list(self.hands)
        twin._past = list(self._past)
        return twin

    def state(self) -> tuple[object, ...]:
        """All that matters of the round, to compare it with another."""
        return (
            tuple(self.hands), self.boneyard, self.drawn, self._codes(), self.lead,
            self.leader, self.turn, self.reason, self.out,
        )  # fmt: skip
