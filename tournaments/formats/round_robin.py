"""Round robin: everybody meets everybody, once or twice.

Rounds follow the Berger tables; in an odd field whoever would meet the highest number rests. In the
second leg the same rounds come again with the lead reversed. A match can be played as soon as both
have finished their earlier ones; with `any_order`, as in a league over weeks, at any time.

Two may have exchanged their seats by hand in some matches: the stage keeps that as its option
"exchanged", seeds by match number.
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
from tournaments.formats.ranking import outlook, ranked
from tournaments.standings.bounds import Ranks
from tournaments.standings.cards import POINT, Card, Encounter
from tournaments.standings.table import Row

ID = "round_robin"
RULES = "round_robin/1"
MIN_SIZE = 2
MAX_SIZE = 64
DRAWS = True
SEATS: tuple[int, ...] = (2,)
DIFFERENCE_CAP = Option(0, range(1001))
"""The most that a round adds to the points difference; 0 for no limit."""
OPTIONS: Mapping[str, Option] = {
    "legs": Option(1, (1, 2)),
    "any_order": Option(False, (False, True)),
    "difference_cap": DIFFERENCE_CAP,
}
CRITERIA = ("wins", "direct", "sonneborn", "difference")


def plan(entrants: Field, verdicts: Mapping[int, Verdict]) -> Plan:
    """All pairings from the start; places once everything is decided. Raises BadVerdict."""
    meetings = _meetings(entrants)
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
    cards = _cards(entrants, pairings)
    rows = _table(entrants, cards)
    places = {row.seed: row.rank for row in rows if over and row.rank is not None}
    possible = {seed: (rank, rank) for seed, rank in places.items()}
    if not over:
        possible = dict(_possible(entrants, cards, rows, pairings))
    return Plan(
        meetings[-1][0], pairings, places, over, tuple(rows), cards=cards, possible=possible
    )


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


def _meetings(entrants: Field) -> tuple[tuple[int, int, int, int], ...]:
    """The schedule, with what was exchanged by hand."""
    scheduled = _schedule(entrants.size, _legs(entrants))
    exchanged = entrants.options.get("exchanged")
    if not exchanged:
        return scheduled
    told = {int(number): tuple(seeds) for number, seeds in exchanged.items()}
    return tuple(
        (round_no, position, *told.get(number, (one, other)))
        for number, (round_no, position, one, other) in enumerate(scheduled, start=1)
    )


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


def _cards(entrants: Field, pairings: Mapping[int, Pairing]) -> dict[int, Card]:
    """All that is decided, of those who count. Who left before half their matches were played
    counts for nobody (cases.md S6).
    """
    void = {seed for seed in entrants.out if _played(pairings, seed) * 2 < _all(entrants)}
    met: dict[int, list[Encounter]] = {seed: [] for seed in range(1, entrants.size + 1)}
    for pairing in pairings.values():
        one, other = pairing.seeds()
        if pairing.verdict is None or not void.isdisjoint((one, other)):
            continue
        met[one].append(encounter(pairing, 0))
        met[other].append(encounter(pairing, 1))
    return {seed: Card(seed, tuple(found)) for seed, found in met.items() if seed not in void}


def _possible(
    entrants: Field,
    cards: Mapping[int, Card],
    rows: Sequence[Row],
    pairings: Mapping[int, Pairing],
) -> Ranks:
    """The ranks still possible. Whoever leaves before half of its matches takes the points away
    that others made against it.
    """
    unsure = {
        seed for seed in cards.keys() - entrants.out if _played(pairings, seed) * 2 < _all(entrants)
    }
    at_risk = {
        seed: sum(e.points for e in card.encounters if not unsure.isdisjoint(e.opponents))
        for seed, card in cards.items()
    }
    return outlook(entrants, rows, pairings, at_risk=at_risk, may_vanish=unsure)


def _table(entrants: Field, cards: Mapping[int, Card]) -> list[Row]:
    """The rows by all that is decided; who counts for nobody stands behind the others."""
    void = set(range(1, entrants.size + 1)) - cards.keys()
    rows = ranked(entrants, cards, CRITERIA)
    left = sorted(void - entrants.disqualified)
    none = dict.fromkeys((key for key in entrants.criteria or CRITERIA if key != "direct"), 0)
    placed = [row for row in rows if row.rank is not None]
    behind = [Row(seed, len(placed) + 1, 0, none, "", counts=False) for seed in left]
    gone = [Row(seed, None, 0, none, "", counts=False) for seed in sorted(void - set(left))]
    return placed + behind + [row for row in rows if row.rank is None] + gone


def encounter(pairing: Pairing, slot: int) -> Encounter:
    """A decided pairing of two, as the entrant of that slot has it on its card."""
    assert pairing.verdict is not None
    verdict, seeds = pairing.verdict, pairing.seeds()
    scores = verdict.scores or (0, 0)
    won = POINT if verdict.winner == seeds[slot] else POINT // 2 if verdict.is_drawn else 0
    return Encounter(
        pairing.round,
        (seeds[1 - slot],),
        won,
        verdict.played,
        scores[slot],
        scores[1 - slot],
        games=verdict.games[slot] if verdict.games else 0,
    )


def _played(pairings: Mapping[int, Pairing], seed: int) -> int:
    return sum(
        pairing.verdict is not None and pairing.verdict.played and seed in pairing.seeds()
        for pairing in pairings.values()
    )


def _all(entrants: Field) -> int:
    return (entrants.size - 1) * _legs(entrants)
