"""A stage read whole, and folded: what the format says of it.

The bridge between rows and the pure formats, used by what changes a stage (services), what shows
it and what checks it (selectors).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from django.db.models import Q, QuerySet

from players.models import Player
from tournaments import apart, formats, tally
from tournaments.formats import arena
from tournaments.formats import model as fm
from tournaments.models import Entrant, Game, Pairing, Rest, Result, Slot, Stage

Made = TypeVar("Made")
PLAYED = (Result.Outcome.PLAYED, Result.Outcome.DRAWN, Result.Outcome.DECISION)


@dataclass(eq=False, slots=True)
class Board:
    """All rows of a stage; by pairing number, entrants by seed. `results` are the last versions,
    annulled ones included. `left` are the entrants that were out when the next stage was made, and
    the disqualified among them, by id; None for the last stage. A board of one pairing is not
    `whole`: it can't be folded. A board that is only read has `notes` of what was made of it."""

    stage: Stage
    entrants: dict[int, Entrant] = field(default_factory=dict)
    pairings: dict[int, Pairing] = field(default_factory=dict)
    slots: dict[int, list[Slot]] = field(default_factory=lambda: defaultdict(list))
    results: dict[int, Result] = field(default_factory=dict)
    games: dict[int, list[Game]] = field(default_factory=lambda: defaultdict(list))
    drawn: list[fm.Meeting] = field(default_factory=list)
    rests: dict[tuple[int, int], int] = field(default_factory=dict)
    avoid: frozenset[tuple[int, int]] = frozenset()
    left: tuple[frozenset[int], frozenset[int]] | None = None
    whole: bool = True
    notes: dict[str, Any] | None = None
    _seeds: dict[int, int] = field(default_factory=dict)

    @property
    def format(self) -> fm.Format:
        return formats.get(self.stage.format)

    @property
    def field(self) -> fm.Field:
        """What the format is asked about; of a board that was not loaded, nobody is out."""
        out, disqualified = self._left()
        return fm.Field(
            len(self.entrants) or self.stage.size,
            self.stage.seed,
            self.stage.config,
            out=out,
            disqualified=disqualified,
            drawn=tuple(self.drawn),
            rests=self.rests,
            avoid=self.avoid,
            criteria=tuple(self.stage.tournament.criteria),
        )

    def _left(self) -> tuple[frozenset[int], frozenset[int]]:
        """The seeds of those who are out, and of the disqualified among them: of a stage that
        another followed, those who were then.
        """
        if self.left is not None:
            out, disqualified = self.left
            return (
                frozenset(s for s, e in self.entrants.items() if e.pk in out),
                frozenset(s for s, e in self.entrants.items() if e.pk in disqualified),
            )
        word = Entrant.Status.DISQUALIFIED
        return (
            frozenset(s for s, e in self.entrants.items() if not e.is_active),
            frozenset(s for s, e in self.entrants.items() if e.status == word),
        )

    def seed_of(self, entrant_id: int | None) -> int | None:
        return None if entrant_id is None else self._seeds[entrant_id]

    def find_seed(self, entrant_id: int) -> int | None:
        """The seed of an entrant, if it plays in the stage."""
        return self._seeds.get(entrant_id)

    def is_draft(self, number: int) -> bool:
        """Whether a pairing is in a round that only officials see yet."""
        pairing = self.pairings.get(number)
        return pairing is not None and pairing.round.is_draft

    def without_drafts(self) -> Board:
        """The stage as people see it: what is only drafted isn't there."""
        kept = {number: p for number, p in self.pairings.items() if not p.round.is_draft}
        if len(kept) == len(self.pairings):
            return self
        return replace(
            self,
            pairings=kept,
            slots=defaultdict(list, {n: self.slots[n] for n in kept}),
            results={n: result for n, result in self.results.items() if n in kept},
            games=defaultdict(list, {n: games for n, games in self.games.items() if n in kept}),
            drawn=[meeting for meeting in self.drawn if meeting.number in kept],
        )

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

    def tallied(self, number: int) -> tally.Tally | None:
        """What a pairing's games decide, as long as they do."""
        called = self.pairings[number].round.called_at is not None
        best_of, games = self.stage.config["best_of"], self.counted_games(number)
        return tally.verdict(games, best_of, called=called, draws=self.format.DRAWS)

    def sides(self, number: int) -> list[list[Slot]]:
        """The slots of a pairing by side: one each, or two partners. At a table of more than two,
        places that stay empty are none.
        """
        found: dict[int, list[Slot]] = {}
        slots = self.slots[number]
        for slot in slots:
            if len(slots) == 2 or slot.kind != Slot.Kind.NOBODY:
                found.setdefault(slot.side, []).append(slot)
        return [found[side] for side in sorted(found)]

    def is_known(self, number: int) -> bool:
        """Whether it is known who plays a pairing, and there are two at least."""
        kinds = [slot.kind for slot in self.slots[number]]
        return Slot.Kind.UNDECIDED not in kinds and kinds.count(Slot.Kind.ENTRANT) > 1

    def side_of(self, number: int, seed: int | None) -> int | None:
        """The side that an entrant plays for in a pairing."""
        return next(
            (s.side for s in self.slots[number] if seed and self.seed_of(s.entrant_id) == seed),
            None,
        )

    def side_of_player(self, number: int, player_id: int) -> int | None:
        """The side that a player plays for in a pairing."""
        for slot in self.slots[number]:
            entrant = self.entrants.get(self.seed_of(slot.entrant_id) or 0)
            if entrant is not None and player_id in (entrant.player_id, entrant.partner_id):
                return slot.side
        return None

    def first_of(self, number: int, side: int | None) -> int | None:
        """The seed that stands for a side in verdicts: of partners the first."""
        if side is None:
            return None
        return self.seed_of(self.sides(number)[side][0].entrant_id)

    def present(self, planned: fm.Pairing) -> dict[int, int]:
        """The sides all of whose entrants are still in, each with the seed that stands for it."""
        first: dict[int, int] = {}
        absent: set[int] = set()
        for index, slot in enumerate(planned.slots):
            side = planned.sides[index] if planned.sides else index
            if isinstance(slot, fm.Entrant) and self.entrants[slot.seed].is_active:
                first.setdefault(side, slot.seed)
            else:
                absent.add(side)
        return {side: seed for side, seed in first.items() if side not in absent}

    def verdicts(self) -> dict[int, fm.Verdict]:
        """What the results say, as the format takes it."""
        return {
            n: self.verdict_of(n, result) for n, result in self.results.items() if result.counts
        }

    def verdict_of(self, number: int, result: Result) -> fm.Verdict:
        """A result by side, told by slot of those who sit there."""
        slots = [slot for slot in self.slots[number] if slot.kind == Slot.Kind.ENTRANT]
        return fm.Verdict(
            self.seed_of(result.winner_id),
            tuple(result.scores[slot.side] for slot in slots) if result.scores else (),
            played=result.outcome in PLAYED,
            places=tuple(result.places[slot.side] for slot in slots) if result.places else (),
            games=tuple(result.games[slot.side] for slot in slots) if result.games else (),
            forfeits=tuple(at for at, slot in enumerate(slots) if slot.side in result.forfeits),
            kept=None if result.keeps is None else self.verdict_of(number, result.keeps),
        )

    def plan(self) -> fm.Plan:
        """What follows from all results. Raises formats.model.BadVerdict."""
        return self.format.plan(self.field, self.verdicts())

    def sends(self, number: int, verdict: fm.Verdict) -> tuple[fm.Slot, ...]:
        """What the places become that are for those of a pairing, were that its verdict."""
        later = self.format.dependents(self.field, number)
        if not later:
            return ()
        verdicts = {n: each for n, each in self.verdicts().items() if n not in later}
        plan = self.format.plan(self.field, {**verdicts, number: replace(verdict, kept=None)})
        return tuple(
            slot
            for n in later
            for slot, source in zip(plan.pairings[n].slots, plan.pairings[n].sources, strict=True)
            if source is not None and source.number == number
        )

    def fold(self) -> fm.Plan:
        """The same, for readers: once for a board that nobody writes to."""
        return self.once("plan", self.plan)

    def once(self, key: str, make: Callable[[], Made]) -> Made:
        """What is made of the board, made again only where it may have changed since."""
        if self.notes is None:
            return make()
        if key not in self.notes:
            self.notes[key] = make()
        made: Made = self.notes[key]
        return made

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
            case fm.WinnerOf() | fm.LoserOf() | fm.RankOf():
                return Slot.Kind.UNDECIDED, None

    def source_values(self, source: fm.Source | None) -> tuple[Pairing | None, Slot.Takes, int]:
        """How what a slot comes from is stored: the pairing, and which of those in it, by rank."""
        match source:
            case fm.RankOf(number, rank):
                return self.pairings[number], Slot.Takes.RANK, rank
            case fm.LoserOf(number):
                return self.pairings[number], Slot.Takes.LOSER, 1
            case fm.WinnerOf(number):
                return self.pairings[number], Slot.Takes.WINNER, 1
        return None, Slot.Takes.WINNER, 1

    def side_values(self, planned: fm.Pairing) -> tuple[int, ...]:
        """For which side each slot plays."""
        return planned.sides or tuple(range(len(planned.slots)))

    def status_of(self, planned: fm.Pairing) -> Pairing.Status:
        """How a planned pairing stands. In a draft nothing does yet."""
        if self.is_draft(planned.number):
            return Pairing.Status.WAITING
        if planned.verdict is not None:
            return Pairing.Status.DECIDED
        if not planned.is_ready:
            return Pairing.Status.WAITING
        live = self.live_game(planned.number)
        return Pairing.Status.READY if live is None else Pairing.Status.LIVE


def load(stage: Stage) -> Board:
    """The board of a stage, in a handful of queries.

    Without the event's lock a round may be drawn between two of them: what belongs to pairings
    that were not there yet is left out.
    """
    return _loaded(stage, Q(), Q())


def load_one(stage: Stage, number: int) -> Board:
    """The same of one pairing and its entrants alone: enough to take over its games, not to fold
    the stage.
    """
    return load_some(stage, [number])


def load_some(stage: Stage, numbers: Sequence[int]) -> Board:
    """The same of several pairings: enough to show them."""
    own = Slot.objects.filter(pairing__stage=stage, pairing__number__in=numbers)
    board = _loaded(stage, Q(number__in=numbers), Q(entrant__in=own.values("entrant")))
    board.whole = False
    return board


def load_for(stage: Stage, pairing: Pairing) -> Board:
    """What is needed to take over what comes of a pairing: it alone where nothing else follows
    from it yet, since others of its round still play and the next is drawn after the last of them;
    else the whole stage. Under the event's lock.
    """
    is_drawn = isinstance(formats.get(stage.format), fm.DrawnFormat)
    return load_one(stage, pairing.number) if is_drawn and _leaves_others(pairing) else load(stage)


def _leaves_others(pairing: Pairing) -> bool:
    others = Pairing.objects.filter(round=pairing.round_id).exclude(pk=pairing.pk)
    later = Stage.objects.filter(
        tournament__stages=pairing.stage_id, number__gt=pairing.stage.number, annulled=False
    )
    return others.exclude(status=Pairing.Status.DECIDED).exists() and not later.exists()


def _loaded(stage: Stage, which: Q, who: Q) -> Board:
    """Rows that many others point to (rounds, officials) are read once each, not once a row."""
    board = Board(stage, left=left_by(stage))
    by_id: dict[int, Pairing] = {}
    found = stage.pairings.filter(which)
    rounds = stage.rounds.in_bulk()
    for pairing in found.order_by("number"):
        if pairing.round_id not in rounds:
            continue
        pairing.round, pairing.stage = rounds[pairing.round_id], stage
        board.pairings[pairing.number] = by_id[pairing.pk] = pairing
    for seeding in stage.seedings.filter(who).select_related("entrant__player", "entrant__partner"):
        board.entrants[seeding.number] = seeding.entrant
        board._seeds[seeding.entrant_id] = seeding.number
    for slot in Slot.objects.filter(pairing__in=found).order_by("index"):
        if slot.pairing_id in by_id:
            slot.pairing = by_id[slot.pairing_id]
            board.slots[slot.pairing.number].append(slot)
    _load_results(board, Result.objects.filter(pairing__in=found), by_id)
    for game in Game.objects.filter(pairing__in=found).order_by("number"):
        if game.pairing_id in by_id:
            board.games[by_id[game.pairing_id].number].append(game)
    if isinstance(board.format, fm.DrawnFormat):
        _load_wishes(board)
    if isinstance(board.format, fm.DrawnFormat) or stage.format == arena.ID:
        board.drawn = [_meeting(board, pairing) for pairing in board.pairings.values()]
    return board


def _load_results(board: Board, found: QuerySet[Result], by_id: Mapping[int, Pairing]) -> None:
    """The last versions, with who entered them and what they keep."""
    rows = [row for row in found.order_by("version") if row.pairing_id in by_id]
    officials = Player.objects.in_bulk({row.by_id for row in rows if row.by_id is not None})
    kept = Result.objects.in_bulk({row.keeps_id for row in rows if row.keeps_id is not None})
    for row in rows:
        row.pairing = by_id[row.pairing_id]
        if row.by_id is not None:
            row.by = officials[row.by_id]
        if row.keeps_id is not None:
            row.keeps = kept[row.keeps_id]
        board.results[row.pairing.number] = row


def left_by(stage: Stage) -> tuple[frozenset[int], frozenset[int]] | None:
    """Who had left when the stage after this one was made."""
    if not stage.tournament.later_stages:
        return None
    later = Stage.objects.filter(
        tournament=stage.tournament_id, number__gt=stage.number, annulled=False
    )
    origin = later.order_by("number").values_list("origin", flat=True).first()
    if origin is None:
        return None
    return frozenset(origin["out"]), frozenset(origin["disqualified"])


def _load_wishes(board: Board) -> None:
    """Who rests when, and who should not meet."""
    seeds = board._seeds
    event = board.stage.tournament_id
    resting = Rest.objects.filter(entrant__tournament=event, stage=board.stage.step + 1)
    for rest in () if board.stage.is_play_off else resting:
        if rest.entrant_id in seeds:
            board.rests[rest.round, seeds[rest.entrant_id]] = rest.points
    board.avoid = apart.pairs_of(board.stage.tournament, board.entrants)


def _meeting(board: Board, pairing: Pairing) -> fm.Meeting:
    """A stored pairing of a round that was drawn."""
    slots = [slot for slot in board.slots[pairing.number] if slot.kind == Slot.Kind.ENTRANT]
    return fm.Meeting(
        pairing.number,
        pairing.round.number,
        pairing.position,
        tuple(seed for slot in slots if (seed := board.seed_of(slot.entrant_id)) is not None),
        pairing.why,
        tuple(slot.side for slot in slots) if len(slots) > 2 else (),
    )
