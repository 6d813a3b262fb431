"""The words that all formats share: what goes in, and what comes out.

A format is a pure function from a field and the verdicts so far to a plan. It keeps nothing: the
same verdicts, in whatever order they came, give the same plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


class BadVerdict(ValueError):
    """A verdict that no play can have led to; `number` is the pairing it was given for."""

    def __init__(self, number: int, detail: str) -> None:
        super().__init__(f"Match {number}: {detail}")
        self.number = number


@dataclass(frozen=True, slots=True)
class Entrant:
    """A place taken by the entrant with this seed (1 is the strongest)."""

    seed: int


@dataclass(frozen=True, slots=True)
class Bye:
    """A place that nobody was ever to take: whoever is opposite goes on without playing."""


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """A place still to be decided. Not a bye: nobody advances past it (cases.md D3)."""

    number: int


@dataclass(frozen=True, slots=True)
class Nobody:
    """A place that stays empty, since the match that was to fill it had no winner (D8)."""

    number: int


Slot = Entrant | Bye | WinnerOf | Nobody


@dataclass(frozen=True, slots=True)
class Verdict:
    """What decides a pairing: the seed of the entrant who goes on; None when neither does."""

    winner: int | None


@dataclass(frozen=True, slots=True)
class Pairing:
    """One pairing as it stands.

    `number` names it in its stage; `round` and `position` count from 1. `sources` are where the
    slots come from, also once they are filled. `verdict` is None until it is decided, and
    `automatic` says when no play decides it: "bye", "walkover" (the other place stays empty) or
    "vacant" (both do).
    """

    number: int
    round: int
    position: int
    slots: tuple[Slot, Slot]
    sources: tuple[WinnerOf | None, WinnerOf | None]
    verdict: Verdict | None
    automatic: str | None

    @property
    def is_ready(self) -> bool:
        """Whether both opponents are known and nothing is decided yet."""
        return self.verdict is None and len(self.seeds()) == len(self.slots)

    def seeds(self) -> list[int]:
        """The seeds of those who are known to meet here."""
        return [slot.seed for slot in self.slots if isinstance(slot, Entrant)]

    def why(self) -> dict[str, object]:
        """By which rule the pairing was made, as plain data."""
        of = [source.number for source in self.sources if source is not None]
        if of:
            return {"rule": "winners", "of": of}
        return {"rule": "bye" if Bye() in self.slots else "seeds", "seeds": self.seeds()}


@dataclass(frozen=True, slots=True)
class Plan:
    """All pairings that exist, by number; places by seed of those whose place is known."""

    rounds: int
    pairings: Mapping[int, Pairing]
    places: Mapping[int, int]
    over: bool


@dataclass(frozen=True, slots=True)
class Field:
    """Who plays: seeds 1 to `size`; `randomness` is the stage's stored seed."""

    size: int
    randomness: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


class Format(Protocol):
    """What a module of this package offers. `RULES` names the exact rules, for good."""

    ID: str
    RULES: str
    MIN_SIZE: int
    MAX_SIZE: int

    def plan(self, entrants: Field, verdicts: Mapping[int, Verdict]) -> Plan:
        """What follows from all verdicts so far, by pairing number. Raises BadVerdict."""
        ...

    def dependents(self, entrants: Field, number: int) -> tuple[int, ...]:
        """The pairings that a pairing's winner leads to, nearest first."""
        ...
