"""A stage read whole, and folded: what the format says of it.

The bridge between rows and the pure formats, used by what changes a stage (services), what shows
it and what checks it (selectors).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from tournaments import formats
from tournaments.formats import model as fm
from tournaments.models import Entrant, Game, Pairing, Result, Slot, Stage


@dataclass(eq=False, slots=True)
class Board:
    """All rows of a stage; by pairing number, entrants by seed. `results` are the last versions,
    annulled ones included."""

    stage: Stage
    entrants: dict[int, Entrant] = field(default_factory=dict)
    pairings: dict[int, Pairing] = field(default_factory=dict)
    slots: dict[int, list[Slot]] = field(default_factory=lambda: defaultdict(list))
    results: dict[int, Result] = field(default_factory=dict)
    games: dict[int, list[Game]] = field(default_factory=lambda: defaultdict(list))
    drawn: list[fm.Meeting] = field(default_factory=list)
    _seeds: dict[int, int] = field(default_factory=dict)

    @property
    def format(self) -> fm.Format:
        return formats.get(self.stage.format)

    @property
    def field(self) -> fm.Field:
        """What the format is asked about; of a board that was not loaded, nobody is out."""
        disqualified = Entrant.Status.DISQUALIFIED
        return fm.Field(
            len(self.entrants) or self.stage.size,
            self.stage.seed,
            self.stage.config,
            out=frozenset(s for s, e in self.entrants.items() if not e.is_active),
            disqualified=frozenset(s for s, e in self.entrants.items() if e.status == disqualified),
            drawn=tuple(self.drawn),
        )

    def seed_of(self, entrant_id: int | None) -> int | None:
        return None if entrant_id is None else self._seeds[entrant_id]

    def result(self, number: int) -> Result | None:
        """The result that counts."""
        result = self.results.get(number)
        return result if result is not None and result.counts else None

    def live_game(self, number: int) -> Game | None:
        """The game whose table is open."""
        return next((game for game in self.games.get(number, ()) if not game.over_at), None)

    def counted_games(self, number: int) -> list[Game]:
        """The games that are over and count, in the order they were played."""
        return [game for game in self.games.get(number, ()) if game.over_at and not game.void]

    def verdicts(self) -> dict[int, fm.Verdict]:
        """What the results say, as the format takes it."""
        return {
            number: fm.Verdict(
                self.seed_of(result.winner_id),
                (result.scores[0], result.scores[1]) if len(result.scores) == 2 else (0, 0),
                played=result.outcome in (Result.Outcome.PLAYED, Result.Outcome.DECISION),
            )
            for number, result in self.results.items()
            if result.counts
        }

    def plan(self) -> fm.Plan:
        """What follows from all results. Raises formats.model.BadVerdict."""
        return self.format.plan(self.field, self.verdicts())

    def steps(self) -> Sequence[fm.Step]:
        """The rounds there will be, a step each."""
        return self.format.steps(self.field)

    def slot_values(self, slot: fm.Slot) -> tuple[Slot.Kind, Entrant | None]:
        """How a planned slot is stored."""
        match slot:
            case fm.Entrant(seed):
                return Slot.Kind.ENTRANT, self.entrants[seed]
            case fm.Bye():
                return Slot.Kind.BYE, None
            case fm.Nobody():
                return Slot.Kind.NOBODY, None
            case fm.WinnerOf() | fm.LoserOf():
                return Slot.Kind.UNDECIDED, None

    def source_values(self, source: fm.Source | None) -> tuple[Pairing | None, Slot.Takes]:
        """How what a slot comes from is stored."""
        takes = Slot.Takes.LOSER if isinstance(source, fm.LoserOf) else Slot.Takes.WINNER
        return None if source is None else self.pairings[source.number], takes

    def status_of(self, planned: fm.Pairing) -> Pairing.Status:
        """How a planned pairing stands."""
        if planned.verdict is not None:
            return Pairing.Status.DECIDED
        if not planned.is_ready:
            return Pairing.Status.WAITING
        live = self.live_game(planned.number)
        return Pairing.Status.READY if live is None else Pairing.Status.LIVE

    def places(self, plan: fm.Plan) -> dict[int, int | None]:
        """Final places by seed; None while in, and for the disqualified (cases.md S1)."""
        disqualified = Entrant.Status.DISQUALIFIED
        return {
            seed: None if entrant.status == disqualified else plan.places.get(seed)
            for seed, entrant in self.entrants.items()
        }


def load(stage: Stage) -> Board:
    """The board of a stage, in five queries.

    Without the event's lock a round may be drawn between two of them: what belongs to pairings
    that were not there yet is left out.
    """
    board = Board(stage)
    by_id: dict[int, int] = {}
    for pairing in stage.pairings.select_related("round").order_by("number"):
        board.pairings[pairing.number] = pairing
        by_id[pairing.pk] = pairing.number
    for seeding in stage.seedings.select_related("entrant__player"):
        board.entrants[seeding.number] = seeding.entrant
        board._seeds[seeding.entrant_id] = seeding.number
    for slot in Slot.objects.filter(pairing__stage=stage).order_by("index"):
        if slot.pairing_id in by_id:
            board.slots[by_id[slot.pairing_id]].append(slot)
    results = Result.objects.filter(pairing__stage=stage).select_related("by")
    for result in results.order_by("version"):
        if result.pairing_id in by_id:
            board.results[by_id[result.pairing_id]] = result
    for game in Game.objects.filter(pairing__stage=stage).order_by("number"):
        if game.pairing_id in by_id:
            board.games[by_id[game.pairing_id]].append(game)
    if isinstance(board.format, fm.DrawnFormat):
        board.drawn = [_meeting(board, pairing) for pairing in board.pairings.values()]
    return board


def _meeting(board: Board, pairing: Pairing) -> fm.Meeting:
    """A stored pairing of a round that was drawn."""
    one, other = (board.seed_of(slot.entrant_id) for slot in board.slots[pairing.number])
    assert one is not None
    return fm.Meeting(
        pairing.number, pairing.round.number, pairing.position, one, other, pairing.why
    )
