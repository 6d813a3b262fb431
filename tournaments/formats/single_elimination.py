"""Single elimination: whoever loses is out.

Seeds i and n+1−i meet, 1 and 2 only in the final; byes go to the top seeds. Matches are numbered
round by round, the places with a bye last, so that n entrants play matches 1 to n−1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from tournaments.formats.model import (
    BadVerdict,
    Bye,
    Entrant,
    Field,
    Nobody,
    Pairing,
    Plan,
    Slot,
    Verdict,
    WinnerOf,
)

ID = "single_elimination"
RULES = "single_elimination/1"
MIN_SIZE = 2
MAX_SIZE = 1024


@dataclass(frozen=True, slots=True)
class _Place:
    """A pairing before anything is played; its winner goes on to the pairing `next`."""

    number: int
    round: int
    position: int
    slots: tuple[Slot, Slot]
    next: int | None


def plan(entrants: Field, verdicts: Mapping[int, Verdict]) -> Plan:
    """The whole bracket as it stands.

    Raises BadVerdict for a verdict on a pairing that doesn't exist or whose opponents aren't
    known, and for one that lets an empty place win.
    """
    places = _draw(entrants.size)
    if unknown := verdicts.keys() - {place.number for place in places}:
        raise BadVerdict(min(unknown), "there is no such match.")
    pairings: dict[int, Pairing] = {}
    for place in places:  # in the order of rounds: sources come first
        slots = (_filled(place.slots[0], pairings), _filled(place.slots[1], pairings))
        verdict, automatic = _judge(place.number, slots, verdicts.get(place.number))
        sources = (_source(place.slots[0]), _source(place.slots[1]))
        pairings[place.number] = Pairing(
            place.number, place.round, place.position, slots, sources, verdict, automatic
        )
    rounds = places[-1].round
    over = pairings[places[-1].number].verdict is not None
    return Plan(rounds, pairings, _ranks(pairings, rounds), over)


def dependents(entrants: Field, number: int) -> tuple[int, ...]:
    """The pairings on the way from a pairing to the final, nearest first."""
    following = {place.number: place.next for place in _draw(entrants.size)}
    path: list[int] = []
    here = following[number]
    while here is not None:
        path.append(here)
        here = following[here]
    return tuple(path)


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


@lru_cache(maxsize=64)
def _draw(entrants: int) -> tuple[_Place, ...]:
    """The empty bracket, in the order of rounds and positions."""
    if not MIN_SIZE <= entrants <= MAX_SIZE:
        raise ValueError(f"{entrants} entrants: single elimination takes 2 to {MAX_SIZE}.")
    size = 1 << (entrants - 1).bit_length()
    order = seed_order(size)
    first = [_pair(order[i], order[i + 1], entrants) for i in range(0, size, 2)]
    numbers = _numbers(first, size)
    drawn: list[_Place] = []
    for round_no in range(1, size.bit_length()):
        for position in range(1, (size >> round_no) + 1):
            key = (round_no, position)
            above = (round_no - 1, 2 * position - 1), (round_no - 1, 2 * position)
            drawn.append(
                _Place(
                    numbers[key],
                    round_no,
                    position,
                    first[position - 1]
                    if round_no == 1
                    else (WinnerOf(numbers[above[0]]), WinnerOf(numbers[above[1]])),
                    numbers.get((round_no + 1, (position + 1) // 2)),
                )
            )
    return tuple(drawn)


def _pair(high: int, low: int, entrants: int) -> tuple[Slot, Slot]:
    return Entrant(high), Entrant(low) if low <= entrants else Bye()


def _numbers(first: list[tuple[Slot, Slot]], size: int) -> dict[tuple[int, int], int]:
    """The number of each (round, position): matches first, then the places with a bye."""
    keys = [
        (round_no, position)
        for round_no in range(1, size.bit_length())
        for position in range(1, (size >> round_no) + 1)
    ]
    byes = [key for key in keys if key[0] == 1 and first[key[1] - 1][1] == Bye()]
    ordered = [key for key in keys if key not in byes] + byes
    return {key: number for number, key in enumerate(ordered, start=1)}


def _source(slot: Slot) -> WinnerOf | None:
    return slot if isinstance(slot, WinnerOf) else None


def _filled(slot: Slot, pairings: Mapping[int, Pairing]) -> Slot:
    """The slot with its entrant, once the match it waits for is decided."""
    if not isinstance(slot, WinnerOf):
        return slot
    verdict = pairings[slot.number].verdict
    if verdict is None:
        return slot
    return Nobody(slot.number) if verdict.winner is None else Entrant(verdict.winner)


def _judge(
    number: int, slots: tuple[Slot, Slot], given: Verdict | None
) -> tuple[Verdict | None, str | None]:
    """The verdict on a pairing, and the word for it if nobody had to play."""
    if any(isinstance(slot, WinnerOf) for slot in slots):
        if given is not None:
            raise BadVerdict(number, "an opponent is still to be decided.")
        return None, None
    verdict, automatic = _without_play(slots)
    if automatic is None:
        if given is not None and given.winner not in (None, *_seeds(slots)):
            raise BadVerdict(number, "the winner is neither of the two.")
        return given, None
    if given is not None and given != verdict:
        raise BadVerdict(number, "nothing can win against, or as, an empty place.")
    return verdict, automatic


def _without_play(slots: tuple[Slot, Slot]) -> tuple[Verdict | None, str | None]:
    present = _seeds(slots)
    if len(present) == 2:
        return None, None
    if not present:
        return Verdict(None), "vacant"
    return Verdict(present[0]), "bye" if Bye() in slots else "walkover"


def _seeds(slots: tuple[Slot, Slot]) -> list[int]:
    return [slot.seed for slot in slots if isinstance(slot, Entrant)]


def _ranks(pairings: Mapping[int, Pairing], rounds: int) -> dict[int, int]:
    """Places by seed: 1 for the winner, and for all who lost in one round the place below
    those who could still go on: 2, 3, 5, 9 … A place that nobody won stays vacant.
    """
    ranks: dict[int, int] = {}
    for pairing in pairings.values():
        if pairing.verdict is None:
            continue
        for seed in _seeds(pairing.slots):
            if seed != pairing.verdict.winner:
                ranks[seed] = (1 << (rounds - pairing.round)) + 1
            elif pairing.round == rounds:
                ranks[seed] = 1
    return ranks
