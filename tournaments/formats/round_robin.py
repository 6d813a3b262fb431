"""Round robin: everybody meets everybody, once or twice.

Rounds follow the Berger tables; in an odd field whoever would meet the highest number rests. In the
second leg the same rounds come again with the lead reversed. A match can be played as soon as both
have finished their earlier ones; with `any_order`, as in a league over weeks, at any time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from tournaments.formats.model import (
    BadVerdict,
    Entrant,
    Field,
    Option,
    Pairing,
    Plan,
    Step,
    Verdict,
)
from tournaments.standings.cards import POINT, Card, Encounter
from tournaments.standings.table import Row, table

ID = "round_robin"
RULES = "round_robin/1"
MIN_SIZE = 2
MAX_SIZE = 64
DRAWS = True
SEATS: tuple[int, ...] = (2,)
OPTIONS: Mapping[str, Option] = {
    "legs": Option(1, (1, 2)),
    "any_order": Option(False, (False, True)),
}
CRITERIA = ("wins", "direct", "sonneborn", "difference")


def plan(entrants: Field, verdicts: Mapping[int, Verdict]) -> Plan:
    """All pairings from the start; places once everything is decided. Raises BadVerdict."""
    meetings = _schedule(entrants.size, _legs(entrants))
    if unknown := verdicts.keys() - range(1, len(meetings) + 1):
        raise BadVerdict(min(unknown), "there is no such match.")
    pairings: dict[int, Pairing] = {}
    busy: set[int] = set()
    any_order = bool(entrants.options.get("any_order", False))
    for number, (round_no, position, one, other) in enumerate(meetings, start=1):
        verdict = verdicts.get(number)
        if verdict is not None and verdict.winner not in (None, one, other):
            raise BadVerdict(number, "the winner is neither of the two.")
        pairings[number] = Pairing(
            number,
            round_no,
            position,
            (Entrant(one), Entrant(other)),
            (None, None),
            verdict,
            None,
            held=not any_order and not busy.isdisjoint((one, other)),
            because={"rule": "berger", "round": round_no},
        )
        if verdict is None:
            busy |= {one, other}
    over = not busy
    rows = _table(entrants, pairings)
    places = {row.seed: row.rank for row in rows if over and row.rank is not None}
    return Plan(meetings[-1][0], pairings, places, over, tuple(rows))


def steps(entrants: Field) -> Sequence[Step]:
    """The rounds of all legs."""
    rounds = _schedule(entrants.size, _legs(entrants))[-1][0]
    return tuple(Step(number, "rounds", number, rounds) for number in range(1, rounds + 1))


def dependents(entrants: Field, number: int) -> tuple[int, ...]:
    """None: who meets whom was known from the start."""
    return ()


def berger(entrants: int) -> list[list[tuple[int, int]]]:
    """The rounds for that many, an even number; whoever leads is named first.

    >>> berger(4)
    [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]
    """
    others = entrants - 1
    rounds: list[list[tuple[int, int]]] = []
    for number in range(others):
        fixed = number * (entrants // 2) % others
        top = (fixed + 1, entrants)
        pairs = [top if number % 2 == 0 else top[::-1]]
        pairs += [
            ((fixed + step) % others + 1, (fixed - step) % others + 1)
            for step in range(1, entrants // 2)
        ]
        rounds.append(pairs)
    return rounds


def _legs(entrants: Field) -> int:
    return int(entrants.options.get("legs", 1))


@lru_cache(maxsize=32)
def _schedule(entrants: int, legs: int) -> tuple[tuple[int, int, int, int], ...]:
    """Round, position and the two seeds of each pairing, in order."""
    if not MIN_SIZE <= entrants <= MAX_SIZE:
        raise ValueError(f"{entrants} entrants: a round robin takes 2 to {MAX_SIZE}.")
    leg = berger(entrants + entrants % 2)
    rounds = leg + [[pair[::-1] for pair in pairs] for pairs in leg] if legs == 2 else leg
    return tuple(
        (round_no, position, one, other)
        for round_no, pairs in enumerate(rounds, start=1)
        for position, (one, other) in enumerate(
            [pair for pair in pairs if max(pair) <= entrants], start=1
        )
    )


def _table(entrants: Field, pairings: Mapping[int, Pairing]) -> list[Row]:
    """The rows by all that is decided. Who left before half their matches were played counts for
    nobody (cases.md S6) and stands behind the others.
    """
    void = {seed for seed in entrants.out if _played(pairings, seed) * 2 < _all(entrants)}
    met: dict[int, list[Encounter]] = {seed: [] for seed in range(1, entrants.size + 1)}
    for pairing in pairings.values():
        one, other = pairing.seeds()
        if pairing.verdict is None or not void.isdisjoint((one, other)):
            continue
        met[one].append(encounter(pairing, 0))
        met[other].append(encounter(pairing, 1))
    cards = {seed: Card(seed, tuple(found)) for seed, found in met.items()}
    counted = {seed: card for seed, card in cards.items() if seed not in void}
    rows = table(counted, CRITERIA, last=entrants.disqualified)
    left = sorted(void - entrants.disqualified)
    none = dict.fromkeys((key for key in CRITERIA if key != "direct"), 0)
    ranked = [row for row in rows if row.rank is not None]
    behind = [Row(seed, len(ranked) + 1, 0, none, "", counts=False) for seed in left]
    gone = [Row(seed, None, 0, none, "", counts=False) for seed in sorted(void - set(left))]
    return ranked + behind + [row for row in rows if row.rank is None] + gone


def encounter(pairing: Pairing, slot: int) -> Encounter:
    """A decided pairing of two, as the entrant of that slot has it on its card."""
    assert pairing.verdict is not None
    seeds, verdict = pairing.seeds(), pairing.verdict
    scores = verdict.scores or (0, 0)
    won = POINT if verdict.winner == seeds[slot] else POINT // 2 if verdict.is_drawn else 0
    return Encounter(
        pairing.round, (seeds[1 - slot],), won, verdict.played, scores[slot], scores[1 - slot]
    )


def _played(pairings: Mapping[int, Pairing], seed: int) -> int:
    return sum(
        pairing.verdict is not None and pairing.verdict.played and seed in pairing.seeds()
        for pairing in pairings.values()
    )


def _all(entrants: Field) -> int:
    return (entrants.size - 1) * _legs(entrants)
