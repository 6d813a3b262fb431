"""The words that all formats share: what goes in, and what comes out.

A format is a pure function from a field and the verdicts so far to a plan. It keeps nothing: the
same verdicts, in whatever order they came, give the same plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from tournaments.standings.bounds import Ranks
from tournaments.standings.cards import Cards
from tournaments.standings.table import Row

MOST_POINTS = 100
"""The most that a place at a table may be worth."""


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
class LoserOf:
    """A place still to be decided, for whoever loses a match."""

    number: int


@dataclass(frozen=True, slots=True)
class RankOf:
    """A place still to be decided, for whoever goes on from a table as the first, second, ..."""

    number: int
    rank: int


@dataclass(frozen=True, slots=True)
class Nobody:
    """A place that stays empty, since the match that was to fill it sent nobody (D8)."""

    number: int


Source = WinnerOf | LoserOf | RankOf
Slot = Entrant | Bye | Source | Nobody


@dataclass(frozen=True, slots=True)
class Verdict:
    """What decides a pairing: the seed of the entrant who wins, of partners the first; None when
    nobody does, or when the first place is shared.

    All lists are of those who sit there, in the order of their slots. `scores` are the points,
    `games` the games won, where there are any; `places` the places, 1 the best, equal for those who
    share one: empty where two meet and the winner says it all. `played` is False for a bye, a
    forfeit and a walk-over, which some criteria count differently.

    `forfeits` are those who did not appear or were taken out, where others played on, counted
    from 0.

    `kept` is an earlier verdict on the same pairing that others have gone on by, and have begun to
    play: they stay there, whatever this one says (cases.md D11).
    """

    winner: int | None
    scores: tuple[int, ...] = ()
    played: bool = True
    places: tuple[int, ...] = ()
    kept: Verdict | None = None
    games: tuple[int, ...] = ()
    forfeits: tuple[int, ...] = ()

    @property
    def leads(self) -> Verdict:
        """The verdict by which entrants go on to later pairings, or are out."""
        return self.kept or self

    @property
    def is_drawn(self) -> bool:
        """Whether it was played and the first place is shared."""
        return self.winner is None and self.played and self.places.count(1) > 1


@dataclass(frozen=True, slots=True)
class Pairing:
    """One pairing as it stands.

    `number` names it in its stage; `round` and `position` count from 1. There are two slots, at
    tables of more up to four, in the order of the seats; `sides` says for which side each plays
    (partners: 0, 1, 0, 1), empty when each plays for itself. `sources` are where the slots come
    from, also once they are filled. `verdict` is None until it is decided, and
    `automatic` says when no play decides it: "bye", "walkover" (the other place stays empty),
    "vacant" (both do) or "not_needed". `held`: both are known and one still plays elsewhere.
    `because` says by which rule it was made, where its slots don't.
    """

    number: int
    round: int
    position: int
    slots: tuple[Slot, ...]
    sources: tuple[Source | None, ...]
    verdict: Verdict | None
    automatic: str | None
    held: bool = False
    because: Mapping[str, object] | None = None
    sides: tuple[int, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether all opponents are known and nothing is decided yet."""
        return self.verdict is None and not any(isinstance(slot, Source) for slot in self.slots)

    @property
    def is_ready(self) -> bool:
        """Whether it can be played now."""
        return self.is_open and not self.held

    def seeds(self) -> list[int]:
        """The seeds of those who are known to meet here."""
        return [slot.seed for slot in self.slots if isinstance(slot, Entrant)]

    def winners(self) -> frozenset[int]:
        """The seeds of those who won it: of partners both; nobody while it is open or shared."""
        if self.verdict is None or self.verdict.winner is None:
            return frozenset()
        seeds = self.seeds()
        if not self.sides or self.verdict.winner not in seeds:
            return frozenset({self.verdict.winner})
        sides = [
            (slot.seed, side)
            for slot, side in zip(self.slots, self.sides, strict=True)
            if isinstance(slot, Entrant)
        ]
        won = dict(sides)[self.verdict.winner]
        return frozenset(seed for seed, side in sides if side == won)

    def why(self) -> dict[str, object]:
        """By which rule the pairing was made, as plain data."""
        if self.because is not None:
            return dict(self.because)
        sources = [source for source in self.sources if source is not None]
        if not sources:
            return {"rule": "bye" if Bye() in self.slots else "seeds", "seeds": self.seeds()}
        kinds = {type(source) for source in sources}
        rule = _RULES[kinds.pop()] if len(kinds) == 1 else "mixed"
        return {"rule": rule, "of": [source.number for source in sources]}


_RULES: Mapping[type[Source], str] = {WinnerOf: "winners", LoserOf: "losers", RankOf: "ranks"}


@dataclass(frozen=True, slots=True)
class Step:
    """A round of a stage: the `ordinal`th `of` those in its part.

    Parts: "main", "third" (the match for third place), "winners", "losers", "final", "rounds",
    "tables" (of three and four, of which some go on).
    """

    number: int
    part: str
    ordinal: int
    of: int


@dataclass(frozen=True, slots=True)
class Meeting:
    """A pairing that was drawn, as it is stored: its seeds in the order of the seats, a single one
    for a bye; why it was made; and `sides`, as in Pairing.
    """

    number: int
    round: int
    position: int
    seeds: tuple[int, ...]
    because: Mapping[str, object]
    sides: tuple[int, ...] = ()

    @property
    def is_bye(self) -> bool:
        return len(self.seeds) == 1


@dataclass(frozen=True, slots=True)
class Plan:
    """All pairings that exist, by number; places by seed of those whose place is known.

    `table` is the standings of formats that have one, as they are now; `due` the number of the
    round to be drawn next, where rounds are drawn one by one and the time has come. `cards` are
    what the table was made of, `possible` the best and worst rank that each can still come to.
    """

    rounds: int
    pairings: Mapping[int, Pairing]
    places: Mapping[int, int]
    over: bool
    table: Sequence[Row] = ()
    due: int | None = None
    cards: Cards = field(default_factory=dict)
    possible: Ranks = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Field:
    """Who plays: seeds 1 to `size`; `randomness` is the stage's stored seed. Those who are `out`
    have left; the `disqualified` are among them. What has been `drawn` so far is as much a fact as
    a verdict, in formats that draw one round after another.

    `rests`: rounds that an entrant is not in by its own wish, or since it came later, by round and
    seed, with what each is worth in twelfths. `avoid`: seeds that should not meet (a household, a
    club), in pairs, the lower first. `criteria`: what separates those level on points, in order;
    empty for the format's own.
    """

    size: int
    randomness: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    out: frozenset[int] = frozenset()
    disqualified: frozenset[int] = frozenset()
    drawn: tuple[Meeting, ...] = ()
    rests: Mapping[tuple[int, int], int] = field(default_factory=dict)
    avoid: frozenset[tuple[int, int]] = frozenset()
    criteria: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of a format: its default, and the values it may have."""

    default: Any
    allowed: Sequence[Any]

    def accepts(self, value: Any) -> bool:
        """Whether it may be set to this; 1 is not True."""
        return type(value) is type(self.default) and value in self.allowed


@dataclass(frozen=True, slots=True)
class Scale(Option):
    """Points by place, the best first: whole numbers, never more for a worse place than for a
    better, and not the same for all.
    """

    length: int = 4

    def accepts(self, value: Any) -> bool:
        """Whether it may be set to this list."""
        return (
            isinstance(value, list)
            and len(value) == self.length
            and all(type(points) is int and 0 <= points <= MOST_POINTS for points in value)
            and value == sorted(value, reverse=True)
            and value[0] > value[-1]
        )


class Format(Protocol):
    """What a module of this package offers. `RULES` names the exact rules, for good; `DRAWS` says
    whether a match may end with the first place shared, `SEATS` how many may sit at a table when
    everyone plays for themselves.
    """

    ID: str
    RULES: str
    MIN_SIZE: int
    MAX_SIZE: int
    OPTIONS: Mapping[str, Option]
    DRAWS: bool
    SEATS: tuple[int, ...]

    def plan(self, entrants: Field, verdicts: Mapping[int, Verdict]) -> Plan:
        """What follows from all verdicts so far, by pairing number. Raises BadVerdict."""
        ...

    def steps(self, entrants: Field) -> Sequence[Step]:
        """All rounds there will be, in order; a round's number is its place in it, from 1."""
        ...

    def dependents(self, entrants: Field, number: int) -> tuple[int, ...]:
        """The pairings whose opponents follow from a pairing's verdict, nearest first."""
        ...


@runtime_checkable
class DrawnFormat(Format, Protocol):
    """A format whose rounds are drawn one after another, each by the results before."""

    def draw(self, entrants: Field, verdicts: Mapping[int, Verdict]) -> tuple[Meeting, ...]:
        """The round that is due. May be slow; the same input gives the same round."""
        ...


@runtime_checkable
class SizedFormat(Format, Protocol):
    """A format that can't be played by any number of entrants between its smallest and largest."""

    def misfit(self, size: int, options: Mapping[str, Any]) -> str | None:
        """Why that many can't play it: a code of tournaments.errors; None if they can."""
        ...
