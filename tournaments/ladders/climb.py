"""How the order of a ladder follows from what happened: pure.

Beat somebody higher and move half-way up to them, rounded up, so that beating the one right above
takes their place; those passed move down by one. Nobody drops for losing to somebody higher.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["joined", "left", "won", "held", "refused", "expired", "idle", "corrected"]


@dataclass(frozen=True, slots=True)
class Event:
    """A line of the log. `player` is who it is about: who joined, left or idled, the challenger;
    `other` the defender. `cost` is what a refusal cost: "nothing", "place" or "loss". A
    "corrected" line says that the line number `of` was of the kind `becomes`.
    """

    number: int
    kind: Kind
    player: int
    other: int | None = None
    cost: str = ""
    of: int | None = None
    becomes: Kind | None = None


def fold(log: Iterable[Event]) -> list[int]:
    """The order after all of it, the highest first; corrections count from where they belong.

    >>> fold([Event(1, "joined", 7), Event(2, "joined", 8), Event(3, "won", 8, 7)])
    [8, 7]
    """
    order: list[int] = []
    for event in corrected(log):
        order = after(order, event)
    return order


def corrected(log: Iterable[Event]) -> list[Event]:
    """The log as it should have been: the last correction of a line counts."""
    lines = sorted(log, key=lambda event: event.number)
    becomes = {line.of: line.becomes for line in lines if line.kind == "corrected"}
    return [
        replace(line, kind=becomes.get(line.number) or line.kind)
        for line in lines
        if line.kind != "corrected"
    ]


def after(order: Sequence[int], event: Event) -> list[int]:
    """The order after one event; somebody who isn't on the ladder moves nobody."""
    kind, player = event.kind, event.player
    if kind == "joined":
        return [*order, player] if player not in order else list(order)
    if kind == "left":
        return [each for each in order if each != player]
    if kind == "idle":
        return _fallen(order, player)
    if event.other is None or kind == "held":
        return list(order)
    if kind == "won" or event.cost == "loss":
        return climbed(order, player, event.other)
    return _fallen(order, event.other) if event.cost == "place" else list(order)


def climbed(order: Sequence[int], winner: int, loser: int) -> list[int]:
    """The winner half-way up to the loser, if that stood higher.

    >>> climbed([1, 2, 3, 4, 5], 5, 1), climbed([1, 2, 3], 3, 2), climbed([1, 2, 3, 4], 4, 1)
    ([1, 2, 5, 3, 4], [1, 3, 2], [1, 4, 2, 3])
    """
    if winner not in order or loser not in order:
        return list(order)
    at, above = order.index(winner), order.index(loser)
    if at <= above:
        return list(order)
    rest = [each for each in order if each != winner]
    to = at - (at - above + 1) // 2
    return [*rest[:to], winner, *rest[to:]]


def _fallen(order: Sequence[int], player: int) -> list[int]:
    """The player one place down, past the one below."""
    found = list(order)
    if player in found and (at := found.index(player)) + 1 < len(found):
        found[at], found[at + 1] = found[at + 1], found[at]
    return found
