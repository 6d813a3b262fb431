"""What a view tells about the tiles that it doesn't show.

A seat that drew or passed had no tile for the ends that were open; whoever holds the highest
double leads with it. So each hidden tile of a seat has tiles that it can't be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.actions import Play
from engine.events import Drew, Event, Passed, Played, RoundStarted
from engine.layout import Pair, end_number, shape_of, step
from engine.tiles import ALL, BY_WEIGHT, COUNT, DOUBLES, is_double, mask_of
from engine.view import View

_TRIES = 4


class Unseen:
    """The hidden tiles of a round in progress, as one seat may reckon them.

    `pool` is every tile that is neither on the table nor in the viewer's hand, as a bit set.
    `slots[seat]` has a bit set for each tile of that seat's hand: what that tile can't be.
    `line` and `arms` are the layout.
    """

    def __init__(self, view: View) -> None:
        self.seat = view.seat
        self._highest_leads = RoundStarted(view.number, None) in view.history[:1]
        shape = shape_of(view.rules.spinner, view.rules.arms)
        self.line: Pair = shape.empty
        self.arms: Pair = shape.closed
        self.slots: list[list[int]] = [[0] * view.rules.hand_size for _ in view.counts]
        self._drawing: int | None = None
        for event in view.history:
            self._learn(event)
        seen = mask_of(placed.tile for placed in view.line) | mask_of(view.hand or ())
        self.pool = ALL & ~seen
        self.boneyard = view.boneyard

    def _learn(self, event: Event) -> None:
        if isinstance(event, Played):
            self._learn_play(event)
            self._drawing = None
        elif isinstance(event, (Drew, Passed)):
            fits = self.line.fits | self.arms.fits
            self.slots[event.seat] = [cannot | fits for cannot in self.slots[event.seat]]
            if isinstance(event, Drew):
                # Of tiles drawn in a row only the last can have fitted.
                self.slots[event.seat] += [fits] * (event.count - 1) + [0]
                self._drawing = event.seat
            else:
                self._drawing = None

    def _learn_play(self, event: Played) -> None:
        if event.end is None and self._highest_leads:
            above = _above(event.tile)
            self.slots = [[cannot | above for cannot in hand] for hand in self.slots]
        hand = self.slots[event.seat]
        if self._drawing == event.seat:
            hand.pop()
        else:
            hand.pop(next((i for i, cannot in enumerate(hand) if not cannot >> event.tile & 1), -1))
        self.line, self.arms = self.after(event)

    def after(self, play: Play | Played) -> tuple[Pair, Pair]:
        """The line and the arms after `play`."""
        return step(self.line, self.arms, play.tile, end_number(play.end))

    def void(self, seat: int) -> int:
        """The tiles that `seat` surely doesn't hold, as a bit set."""
        cannot = ALL
        for tile in self.slots[seat]:
            cannot &= tile
        return cannot

    def sample(self, hand: int, chance: Callable[[], float]) -> tuple[list[int], list[int]]:
        """Hands by seat (`hand` the viewer's) and a boneyard, as they could be.

        The boneyard lists tiles as bit sets of one, in the order to draw them.
        """
        wanted = sorted(
            ((cannot, seat) for seat, slots in enumerate(self.slots) for cannot in slots
             if seat != self.seat),
            key=lambda slot: -(slot[0] & self.pool).bit_count(),
        )  # fmt: skip
        hands = [0] * len(self.slots)
        if self.seat is not None:
            hands[self.seat] = hand
        order = [1 << tile for tile in range(COUNT) if self.pool >> tile & 1]
        for tries in range(_TRIES):
            order.sort(key=lambda _: chance())
            dealt = _fill(wanted, order, strict=tries < _TRIES - 1)
            if dealt is not None:
                break
        assert dealt is not None
        picked, rest = dealt
        for (_, seat), tile in zip(wanted, picked, strict=True):
            hands[seat] |= tile
        return hands, rest


def _fill(
    wanted: Sequence[tuple[int, int]], order: Sequence[int], *, strict: bool
) -> tuple[list[int], list[int]] | None:
    """A tile of `order` for each slot of `wanted`, and what is left; None if they don't go."""
    rest = list(order)
    picked = []
    for cannot, _ in wanted:
        tile = next((tile for tile in rest if not tile & cannot), None)
        if tile is None:
            if strict:
                return None
            tile = rest[0]
        rest.remove(tile)
        picked.append(tile)
    return picked, rest


def _above(lead: int) -> int:
    """The tiles that nobody was dealt, as `lead` was the highest double, or the heaviest tile."""
    if is_double(lead):
        return DOUBLES >> (lead + 1) << (lead + 1)
    return DOUBLES | mask_of(BY_WEIGHT[: BY_WEIGHT.index(lead)])
