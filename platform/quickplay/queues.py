"""What can be played quickly: a few games, each at three paces.

>>> queue_of("partners-150-normal").rules
{'preset': 'allfives', 'target': 150, 'partners': True}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from quickplay.errors import QuickError
from ratings import pools as ratings

PACES: Final[Mapping[str, tuple[int, int]]] = {
    "blitz": (10, 20),
    "normal": (20, 60),
    "relaxed": (45, 180),
}
"""Seconds for a turn, and the bank, by pace."""

DEFAULT_PACE: Final = "normal"


@dataclass(frozen=True, slots=True)
class Offer:
    """A game to be played at any pace."""

    key: str
    preset: str
    target: int
    seats: int = 2
    partners: bool = False


OFFERS: Final = (
    Offer("allfives-100", "allfives", 100),
    Offer("allfives-150", "allfives", 150),
    Offer("allfives-250", "allfives", 250),
    Offer("draw-100", "draw", 100),
    Offer("block-100", "block", 100),
    Offer("partners-150", "allfives", 150, 4, partners=True),
    Offer("three-150", "allfives", 150, 3),
    Offer("four-150", "allfives", 150, 4),
)


@dataclass(frozen=True, slots=True)
class Queue:
    """Whoever waits for one offer at one pace waits in it."""

    offer: Offer
    pace: str

    @property
    def key(self) -> str:
        return f"{self.offer.key}-{self.pace}"

    @property
    def turn_seconds(self) -> int:
        return PACES[self.pace][0]

    @property
    def bank_seconds(self) -> int:
        return PACES[self.pace][1]

    @property
    def rules(self) -> dict[str, object]:
        rules: dict[str, object] = {"preset": self.offer.preset, "target": self.offer.target}
        return {**rules, "partners": True} if self.offer.partners else rules

    @property
    def rating_pool(self) -> str:
        """The pool of ratings that its matches count in."""
        kind = ratings.kind_of(self.offer.seats, self.offer.partners)
        return ratings.pool_key(self.offer.preset, kind)


QUEUES: Final[Mapping[str, Queue]] = {
    queue.key: queue for queue in (Queue(offer, pace) for offer in OFFERS for pace in PACES)
}


def queue_of(key: str) -> Queue:
    """The queue of that key. Raises QuickError("no_such_queue")."""
    try:
        return QUEUES[key]
    except KeyError:
        raise QuickError("no_such_queue", key="queue") from None
