"""Pod elimination: tables of three and four, of which the best go on, round after round to a last
table.

Two of each go on, on wish one or three, but never all: of a table of three at most two. Nobody
rests where tables of three and four fit; of five, which fit none, one rests or two have a table
(the option `five`). Who is level across the cut of a table goes on by lot, drawn from the stage's
seed. Who forfeits is out; nobody moves up for them, their place stays empty.

The last table gives the ranks 1 to 4. Those out in the same round stand behind all who went on,
thirds before fourths; who forfeited has the round's last rank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournaments.formats import elimination, onward, pods
from tournaments.formats.model import (
    BadVerdict,
    Entrant,
    Field,
    Nobody,
    Option,
    Pairing,
    Plan,
    RankOf,
    Slot,
    Source,
    Step,
    Verdict,
)
from tournaments.formats.pod_bracket import Bracket, bracket
from tournaments.standings.bounds import Ranks

ID = "pod_elimination"
RULES = "pod_elimination/1"
MIN_SIZE = 3
MAX_SIZE = 1024
DRAWS = False
SEATS: tuple[int, ...] = pods.SEATS
OPTIONS: Mapping[str, Option] = {
    "advance": Option(2, (1, 2, 3)),
    "five": pods.OPTIONS["five"],
}
misfit = pods.misfit


def plan(entrants: Field, verdicts: Mapping[int, Verdict]) -> Plan:
    """All tables as they stand. Raises BadVerdict."""
    found = _bracket_of(entrants)
    if unknown := verdicts.keys() - {table.number for table in found.tables}:
        raise BadVerdict(min(unknown), "there is no such match.")
    pairings: dict[int, Pairing] = {}
    order: dict[int, list[int]] = {}
    for table in found.tables:
        slots = tuple(_filled(slot, pairings, order) for slot in table.slots)
        verdict, automatic = elimination.judged(table.number, slots, verdicts.get(table.number))
        sources = tuple(slot if isinstance(slot, Source) else None for slot in table.slots)
        pairing = pairings[table.number] = Pairing(
            table.number,
            table.round,
            table.position,
            slots,
            sources,
            verdict,
            automatic,
            sides=_sides(slots),
        )
        order[table.number] = _in_order(entrants, pairing)
    places, possible = _ranks(found, pairings, order)
    over = pairings[found.tables[-1].number].verdict is not None
    return Plan(len(found.steps), pairings, places, over, possible=possible)


def steps(entrants: Field) -> Sequence[Step]:
    """The rounds, the one of the last table at the end."""
    return _bracket_of(entrants).steps


def dependents(entrants: Field, number: int) -> tuple[int, ...]:
    """The tables on the ways from a table to the last one, nearest first."""
    return elimination.dependents(_bracket_of(entrants).tables, number)


def _bracket_of(entrants: Field) -> Bracket:
    advance = int(entrants.options.get("advance", OPTIONS["advance"].default))
    return bracket(entrants.size, advance, str(entrants.options.get("five", "bye")))


def _filled(
    slot: Slot, pairings: Mapping[int, Pairing], order: Mapping[int, Sequence[int]]
) -> Slot:
    """The slot with its entrant, once the table it waits for is decided."""
    if not isinstance(slot, RankOf) or pairings[slot.number].verdict is None:
        return slot
    through = order[slot.number]
    return Entrant(through[slot.rank - 1]) if slot.rank <= len(through) else Nobody(slot.number)


def _sides(slots: Sequence[Slot]) -> tuple[int, ...]:
    """The sides, where places stay empty at a table: those who play are counted first."""
    if len(slots) < 3 or not any(isinstance(slot, Nobody) for slot in slots):
        return ()
    playing = [at for at, slot in enumerate(slots) if not isinstance(slot, Nobody)]
    order = [*playing, *(at for at in range(len(slots)) if at not in playing)]
    return tuple(order.index(at) for at in range(len(slots)))


def _in_order(entrants: Field, pairing: Pairing) -> list[int]:
    """Who may go on from a table, the best first: all who have not forfeited. Those who are level
    stand by lot.
    """
    if pairing.verdict is None:
        return []
    places = _places(pairing)
    lot = onward.lot_of(f"{entrants.randomness}|{pairing.number}")
    return sorted(places, key=lambda seed: (places[seed], lot(seed)))


def _places(pairing: Pairing) -> dict[int, int]:
    """The places of a decided table, by seed, of those who have not forfeited."""
    assert pairing.verdict is not None
    verdict, seeds = pairing.verdict.leads, pairing.seeds()
    if verdict.places:
        return {
            seed: place
            for at, (seed, place) in enumerate(zip(seeds, verdict.places, strict=True))
            if at not in verdict.forfeits
        }
    if not verdict.played:
        return {} if verdict.winner is None else {verdict.winner: 1}
    return {seed: 1 if seed == verdict.winner else 2 for seed in seeds}


def _ranks(
    found: Bracket, pairings: Mapping[int, Pairing], order: Mapping[int, Sequence[int]]
) -> tuple[dict[int, int], Ranks]:
    """Ranks by seed of all who are out, and of all at the last table once it is decided; and the
    ranks that everybody can still come to.
    """
    ranks: dict[int, int] = {}
    possible: dict[int, tuple[int, int]] = {}
    for table in found.tables:
        pairing = pairings[table.number]
        if pairing.verdict is None:
            possible |= dict.fromkeys(pairing.seeds(), (1, table.ranks[-1]))
            continue
        places = _places(pairing)
        for seed in pairing.seeds():
            if seed not in order[table.number][: table.through]:
                place = max(places.get(seed, len(table.ranks)), table.through + 1)
                ranks[seed] = table.ranks[place - 1]
    return ranks, possible | {seed: (rank, rank) for seed, rank in ranks.items()}
