"""What brackets have in common: places that take winners and losers of others, folded to a plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tournaments.formats.model import (
    BadVerdict,
    Bye,
    Entrant,
    LoserOf,
    Nobody,
    Pairing,
    Plan,
    Slot,
    Source,
    Step,
    Verdict,
    WinnerOf,
)

Key = tuple[str, int, int]
"""A place before it has a number: part, ordinal of the round in its part, position from 1."""


@dataclass(frozen=True, slots=True)
class From:
    """Whoever wins, or loses, the place of that key."""

    key: Key
    loses: bool = False


Taken = Entrant | Bye | From


@dataclass(frozen=True, slots=True)
class Place:
    """A pairing before anything is played.

    Whoever is out by losing it has the rank `rank`; winning it may be the end too, with `prize`.
    `repeats` is the match that this one repeats, if its second slot won that: else it isn't
    needed.
    """

    number: int
    round: int
    position: int
    slots: tuple[Slot, Slot]
    rank: int
    prize: int | None
    repeats: int | None


class Placed(Protocol):
    """What any place of a bracket has."""

    @property
    def number(self) -> int: ...

    @property
    def slots(self) -> Sequence[Slot]: ...


@dataclass(frozen=True, slots=True)
class Draw:
    """The empty bracket; sources stand before what they lead to."""

    steps: tuple[Step, ...]
    places: tuple[Place, ...]
    winner_to: Mapping[int, int]
    loser_to: Mapping[int, int]


class Drawing:
    """A bracket being drawn, round by round. Byes are known from the start: nobody loses to one,
    and a place between two of them is none.
    """

    def __init__(self) -> None:
        self._rounds: list[tuple[str, int]] = []
        self._slots: dict[Key, tuple[Taken, Taken]] = {}
        self._prizes: dict[Key, int] = {}
        self._repeats: dict[Key, Key] = {}

    def round(self, part: str, ordinal: int, pairs: Iterable[tuple[Taken, Taken]]) -> None:
        """The next round, its pairs from the top to the bottom."""
        self._rounds.append((part, ordinal))
        for position, pair in enumerate(pairs, start=1):
            if pair != (Bye(), Bye()):
                self._slots[part, ordinal, position] = pair

    def prize(self, part: str, ordinal: int, rank: int) -> None:
        """Says which rank the winner of a round's only match has."""
        self._prizes[part, ordinal, 1] = rank

    def repeat(self, of: Key, by: Key) -> None:
        """Says that a match is played only if the second slot of the other won."""
        self._repeats[by] = of

    def winner(self, part: str, ordinal: int, position: int) -> Taken:
        key = part, ordinal, position
        return From(key) if key in self._slots else Bye()

    def loser(self, part: str, ordinal: int, position: int) -> Taken:
        key = part, ordinal, position
        return From(key, loses=True) if key in self._slots and not self._is_bye(key) else Bye()

    def matches_in(self, part: str, ordinal: int) -> int:
        """How many pairings of a round have to be played."""
        return sum(key[:2] == (part, ordinal) and not self._is_bye(key) for key in self._slots)

    def finished(self, ranks: Mapping[tuple[str, int], int]) -> Draw:
        """The draw, numbered: matches round by round, then the places with a bye. `ranks` are
        those of the losers of each round.
        """
        of = {part: max(n for p, n in self._rounds if p == part) for part, _ in self._rounds}
        steps = tuple(
            Step(number, part, ordinal, of[part])
            for number, (part, ordinal) in enumerate(self._rounds, start=1)
        )
        ordered = sorted(self._slots, key=self._is_bye)
        numbers = {key: number for number, key in enumerate(ordered, start=1)}
        rounds = {(step.part, step.ordinal): step.number for step in steps}
        places = tuple(
            Place(
                numbers[key],
                rounds[key[:2]],
                key[2],
                (_numbered(pair[0], numbers), _numbered(pair[1], numbers)),
                ranks[key[:2]],
                self._prizes.get(key),
                numbers[self._repeats[key]] if key in self._repeats else None,
            )
            for key, pair in self._slots.items()
        )
        to: dict[type[Source], dict[int, int]] = {WinnerOf: {}, LoserOf: {}}
        for place in places:
            for slot in place.slots:
                if isinstance(slot, WinnerOf | LoserOf):
                    to[type(slot)][slot.number] = place.number
        return Draw(steps, places, to[WinnerOf], to[LoserOf])

    def _is_bye(self, key: Key) -> bool:
        return Bye() in self._slots[key]


def fold(draw: Draw, verdicts: Mapping[int, Verdict]) -> Plan:
    """The whole bracket as it stands.

    Raises BadVerdict for a verdict on a pairing that doesn't exist or whose opponents aren't
    known, and for one that lets an empty place win.
    """
    if unknown := verdicts.keys() - {place.number for place in draw.places}:
        raise BadVerdict(min(unknown), "there is no such match.")
    pairings: dict[int, Pairing] = {}
    for place in draw.places:
        slots = _filled(place.slots[0], pairings), _filled(place.slots[1], pairings)
        given = verdicts.get(place.number)
        verdict: Verdict | None
        automatic: str | None
        if place.repeats is not None and _stands(pairings[place.repeats]):
            slots = Nobody(place.repeats), Nobody(place.repeats)
            verdict, automatic = _unplayed(place.number, Verdict(None), given), "not_needed"
        else:
            verdict, automatic = judged(place.number, slots, given)
        sources = _source(place.slots[0]), _source(place.slots[1])
        pairings[place.number] = Pairing(
            place.number, place.round, place.position, slots, sources, verdict, automatic
        )
    over = all(
        pairings[place.number].verdict is not None
        for place in draw.places
        if place.prize is not None
    )
    ranks = _ranks(draw, pairings)
    return Plan(len(draw.steps), pairings, ranks, over, possible=_possible(draw, pairings, ranks))


def dependents(places: Iterable[Placed], number: int) -> tuple[int, ...]:
    """The pairings that those of a pairing lead on to, in the order of the places."""
    found = {number}
    later: list[int] = []
    for place in places:
        sources = {slot.number for slot in place.slots if isinstance(slot, Source)}
        if sources & found:
            found.add(place.number)
            later.append(place.number)
    return tuple(later)


def seed_order(size: int) -> tuple[int, ...]:
    """The seeds from the top of a full bracket to its bottom; `size` is a power of two.

    >>> seed_order(8)
    (1, 8, 4, 5, 2, 7, 3, 6)
    """
    order: tuple[int, ...] = (1,)
    while len(order) < size:
        both = 2 * len(order) + 1
        order = tuple(seed for high in order for seed in (high, both - high))
    return order


def first_round(entrants: int) -> list[tuple[Taken, Taken]]:
    """Seeds i and n+1−i meet, 1 and 2 in opposite halves; byes go to the top seeds."""
    order = seed_order(1 << (entrants - 1).bit_length())
    taken: list[Taken] = [Entrant(seed) if seed <= entrants else Bye() for seed in order]
    return list(zip(taken[::2], taken[1::2], strict=True))


def _numbered(taken: Taken, numbers: Mapping[Key, int]) -> Slot:
    if not isinstance(taken, From):
        return taken
    number = numbers[taken.key]
    return LoserOf(number) if taken.loses else WinnerOf(number)


def _source(slot: Slot) -> Source | None:
    return slot if isinstance(slot, WinnerOf | LoserOf) else None


def _filled(slot: Slot, pairings: Mapping[int, Pairing]) -> Slot:
    """The slot with its entrant, once the match it waits for is decided.

    Two who both lose leave one place between them below, and neither has a claim to it.
    """
    if not isinstance(slot, WinnerOf | LoserOf):
        return slot
    pairing = pairings[slot.number]
    if pairing.verdict is None:
        return slot
    winner = pairing.verdict.leads.winner
    if winner is None:
        return Nobody(slot.number)
    if isinstance(slot, WinnerOf):
        return Entrant(winner)
    losers = [seed for seed in pairing.seeds() if seed != winner]
    return Entrant(losers[0]) if losers else Nobody(slot.number)


def _stands(first: Pairing) -> bool:
    """Whether a match is decided so that it needn't be repeated."""
    if first.verdict is None:
        return False
    seeds = first.seeds()
    return len(seeds) < 2 or first.verdict.leads.winner != seeds[1]


def judged(
    number: int, slots: Sequence[Slot], given: Verdict | None
) -> tuple[Verdict | None, str | None]:
    """The verdict on a pairing, and the word for it if nobody had to play. Raises BadVerdict."""
    if any(isinstance(slot, Source) for slot in slots):
        if given is not None:
            raise BadVerdict(number, "an opponent is still to be decided.")
        return None, None
    present = [slot.seed for slot in slots if isinstance(slot, Entrant)]
    if len(present) > 1:
        if given is not None:
            _check(number, present, given)
        return given, None
    if not present:
        return _unplayed(number, Verdict(None), given), "vacant"
    word = "bye" if Bye() in slots else "walkover"
    return _unplayed(number, Verdict(present[0]), given), word


def _check(number: int, present: Sequence[int], given: Verdict) -> None:
    for each in (given, given.leads):
        if each.winner not in (None, *present):
            raise BadVerdict(number, f"the winner is {nobody_of(present)}.")
        if each.places and len(each.places) != len(present):
            raise BadVerdict(number, "there must be a place for everyone at the table.")


def nobody_of(present: Sequence[int]) -> str:
    """Who somebody else is, at a table of so many."""
    return "none of those at the table" if len(present) > 2 else "neither of the two"


def _unplayed(number: int, verdict: Verdict, given: Verdict | None) -> Verdict:
    if given is not None and given.winner != verdict.winner:
        raise BadVerdict(number, "nothing can win against, or as, an empty place.")
    return verdict


def _ranks(draw: Draw, pairings: Mapping[int, Pairing]) -> dict[int, int]:
    """Ranks by seed of all who are out, and of who has won. Who drops out from where a loser
    goes on has the rank of losing there; a rank that nobody won stays vacant.
    """
    rank_of = {place.number: place.rank for place in draw.places}
    ranks: dict[int, int] = {}
    for place in draw.places:
        pairing = pairings[place.number]
        if pairing.verdict is None:
            continue
        winner = pairing.verdict.leads.winner
        above = _goes_to(draw.winner_to, place, pairings)
        below = _goes_to(draw.loser_to, place, pairings)
        for seed in pairing.seeds():
            if seed == winner:
                if place.prize is not None and above is None:
                    ranks[seed] = place.prize
            elif below is None or winner is None:
                ranks[seed] = place.rank if below is None else rank_of[below]
    return ranks


def _possible(
    draw: Draw, pairings: Mapping[int, Pairing], ranks: Mapping[int, int]
) -> dict[int, tuple[int, int]]:
    """The ranks that everybody can still come to: who is in can win all that is to come, or lose
    it.
    """
    rank_of = {place.number: place.rank for place in draw.places}
    found: dict[int, tuple[int, int]] = {}
    for place in draw.places:
        if pairings[place.number].verdict is None:
            below = draw.loser_to.get(place.number)
            best = 1 if place.number in draw.winner_to else place.prize or 1
            worst = place.rank if below is None else rank_of[below]
            found |= dict.fromkeys(pairings[place.number].seeds(), (best, worst))
    return found | {seed: (rank, rank) for seed, rank in ranks.items()}


def _goes_to(leads: Mapping[int, int], place: Place, pairings: Mapping[int, Pairing]) -> int | None:
    """The next match on a way, if there is one and it is needed."""
    number = leads.get(place.number)
    return None if number is None or pairings[number].automatic == "not_needed" else number
