"""What formats have in common that draw one round after another: what was drawn, as it stands."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.formats.elimination import nobody_of
from tournaments.formats.model import (
    BadVerdict,
    Bye,
    Entrant,
    Field,
    Meeting,
    Pairing,
    Slot,
    Step,
    Verdict,
)


def rounds_of(entrants: Field, default: int) -> int:
    """How many rounds there are to be."""
    return int(entrants.options.get("rounds", default))


def steps(rounds: int) -> tuple[Step, ...]:
    """All rounds there are to be, a step each."""
    return tuple(Step(number, "rounds", number, rounds) for number in range(1, rounds + 1))


def pairings(entrants: Field, verdicts: Mapping[int, Verdict]) -> dict[int, Pairing]:
    """The pairings drawn so far, by number. Raises BadVerdict."""
    meetings = {meeting.number: meeting for meeting in entrants.drawn}
    if unknown := verdicts.keys() - meetings.keys():
        raise BadVerdict(min(unknown), "there is no such match.")
    return {
        number: _pairing(meeting, verdicts.get(number))
        for number, meeting in sorted(meetings.items())
    }


def _pairing(meeting: Meeting, given: Verdict | None) -> Pairing:
    slots: tuple[Slot, ...] = tuple(Entrant(seed) for seed in meeting.seeds)
    if given is not None and given.winner not in (None, *meeting.seeds):
        raise BadVerdict(meeting.number, f"the winner is {nobody_of(meeting.seeds)}.")
    if given is not None and given.places and len(given.places) != len(slots):
        raise BadVerdict(meeting.number, "there must be a place for everyone at the table.")
    if meeting.is_bye:
        if given is not None and given.winner is None:
            raise BadVerdict(meeting.number, "nothing can win against, or as, an empty place.")
        slots, given = (*slots, Bye()), Verdict(meeting.seeds[0], played=False)
    return Pairing(
        meeting.number,
        meeting.round,
        meeting.position,
        slots,
        (None,) * len(slots),
        given,
        "bye" if meeting.is_bye else None,
        because=meeting.because,
        sides=meeting.sides,
    )
