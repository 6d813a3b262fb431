"""What the arbiter's desk shows: the next step, the tables in play, who is missing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import median

from django.utils import timezone

from games.models import Match, Seat
from players import alphabet
from tournaments import arena, drawn, stages, tally
from tournaments import board as boards
from tournaments.board import Board
from tournaments.bracket import round_name
from tournaments.formats import arena as arena_format
from tournaments.formats import model as fm
from tournaments.models import Entrant, Pairing, Report, Result, Round, Slot, Tournament
from tournaments.services import rounds

SLOW = 1.5  # times the median of the round
STATES = ("disputed", "reported", "absent", "slow", "running", "ready", "done", "bye")
"""In the order the desk shows them."""


@dataclass(frozen=True, slots=True)
class Side:
    """Who plays for one side; `entrant` is the id of the first."""

    entrant: int
    label: str
    seed: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """A table of a round. `state` is one of STATES; `minutes` it has been going on, or took.

    `scores` are those of the live match, or of the result; `games` won so far where more than one
    is played; `reports` what people say, the first one first.
    """

    id: int
    number: int
    round: int
    table: int
    play: str
    state: str
    sides: tuple[Side, ...]
    bye: str = ""
    match: str = ""
    scores: tuple[int, ...] = ()
    games: tuple[int, ...] = ()
    result: Result | None = None
    winner: int | None = None
    since: dt.datetime | None = None
    minutes: int | None = None
    absent: tuple[str, ...] = ()
    reports: tuple[Report, ...] = ()
    unconfirmed: bool = False
    seats: int = 2

    @property
    def is_open(self) -> bool:
        return self.result is None and not self.bye


@dataclass(frozen=True, slots=True)
class Step:
    """What comes next. `word`: "start" (the event), "begin_arena" (its clock waits), "draw",
    "drawing", "publish", "start_round", "results" (are awaited), "over", "nothing"; `round` is the
    one it is about. `first`: nothing of the stage has been drawn before.
    """

    word: str
    round: Round | None = None
    name: str = ""
    first: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft: its round, its tables as rows, and what is to be said of it.

    `left`, `missing`: labels of those who are in the draft and out of the event, and the other way
    round. `changed`: results have been corrected since it was drawn. `apart`: labels of two who sit
    at one table and should not meet.
    """

    round: Round
    name: str
    rows: tuple[Row, ...]
    drawn: bool
    left: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    changed: bool = False
    rematches: int = 0
    apart: tuple[tuple[str, str], ...] = ()
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Hand:
    """A round in hand, with its tables in the order that they need looking at."""

    round: Round
    name: str
    rows: tuple[Row, ...]
    is_over: bool

    @property
    def tables(self) -> int:
        return sum(not row.bye for row in self.rows)

    @property
    def left(self) -> int:
        return sum(row.is_open for row in self.rows)


@dataclass(frozen=True, slots=True)
class Desk:
    """All of it, of the `stage` of that number. `missing` are those not checked in.
    `draws`: matches may be drawn; `drawn`: rounds are, one after another.
    """

    step: Step
    hands: tuple[Hand, ...] = ()
    draft: Draft | None = None
    missing: tuple[Entrant, ...] = ()
    draws: bool = False
    drawn: bool = False
    best_of: int = 1
    stage: int = 0
    counts: dict[str, int] = field(default_factory=dict)


def desk(tournament: Tournament) -> Desk:
    """The desk of an event, in a dozen queries."""
    stage = stages.current(tournament)
    if stage is None:
        step = Step("start" if tournament.is_before_start else "nothing")
        return Desk(step, missing=_not_checked_in(tournament))
    stage.tournament = tournament
    board = boards.load(stage)
    read = _Reading(board)
    order = list(stage.rounds.order_by("number"))
    hands = tuple(read.hand(row) for row in _in_hand(board, order))
    draft = next((row for row in order if row.is_draft), None)
    return Desk(
        _step(board, order),
        hands,
        None if draft is None else _draft(read, draft),
        draws=board.format.DRAWS,
        drawn=isinstance(board.format, fm.DrawnFormat),
        best_of=board.stage.config["best_of"],
        stage=stage.number,
        counts=_counts(row for hand in hands for row in hand.rows),
    )


def at_table(board: Board, table: int) -> Pairing | None:
    """The pairing of a started round that is at a table now: the one still open, else the last."""
    found = [
        pairing
        for number, pairing in board.pairings.items()
        if pairing.round.is_started and pairing.at_table == table and board.is_known(number)
    ]
    still_open = [pairing for pairing in found if board.result(pairing.number) is None]
    ordered = sorted(still_open, key=lambda pairing: pairing.round.number)
    last = sorted(found, key=lambda pairing: -pairing.round.number)
    return next(iter(ordered or last), None)


class _Reading:
    """A board with what the desk needs besides, read once."""

    def __init__(self, board: Board) -> None:
        self.board, self.now = board, timezone.now()
        self.patience = dt.timedelta(minutes=board.stage.tournament.confirm_minutes)
        live = [game.match_id for games in board.games.values() for game in games
                if not game.over_at]  # fmt: skip
        self.cards = Match.objects.in_bulk(live)
        self.absent: dict[str, list[str]] = {}
        waiting = Seat.objects.filter(match__in=live, sat_at=None, player__isnull=False)
        for seat in waiting.filter(match__status=Match.Status.OPEN):
            self.absent.setdefault(seat.match_id, []).append(seat.name)
        self.reports: dict[int, list[Report]] = {}
        standing = Report.objects.filter(pairing__stage=board.stage, state__in=Report.STANDING)
        for report in standing.select_related("by"):
            self.reports.setdefault(report.pairing_id, []).append(report)

    def hand(self, row: Round) -> Hand:
        numbers = [n for n, p in self.board.pairings.items() if p.round_id == row.pk]
        usual = self._usual(numbers)
        rows = sorted(
            (self.row(number, usual) for number in numbers),
            key=lambda each: (STATES.index(each.state), each.table),
        )
        is_over = all(each.result is not None or each.bye for each in rows)
        return Hand(row, round_name(self.board.stage, row.number), tuple(rows), is_over)

    def row(self, number: int, usual: float | None = None) -> Row:
        board, pairing = self.board, self.board.pairings[number]
        live, result = board.live_game(number), board.result(number)
        card = self.cards.get(live.match_id) if live is not None else None
        reports = tuple(self.reports.get(pairing.pk, ()))
        since = card.started_at if card is not None else pairing.round.started_at
        end = result.at if result is not None else self.now
        minutes = None if since is None else max(0, int((end - since).total_seconds() // 60))
        absent = tuple(self.absent.get(card.pk, ())) if card is not None else ()
        bye = self._bye(number)
        is_slow = minutes is not None and self._is_slow(minutes, usual)
        return Row(
            id=pairing.pk,
            number=number,
            round=pairing.round.number,
            table=pairing.at_table,
            play=pairing.play or board.stage.tournament.play,
            state=_state(result, reports, bool(absent), is_slow, card, bye, pairing),
            sides=_sides(board, number),
            bye=bye,
            match=live.match_id if live is not None else "",
            scores=tuple(result.scores if result else card.scores if card else ()),
            games=tuple(result.games if result else tally.games_won(board.counted_games(number))),
            result=result,
            winner=board.side_of(number, board.seed_of(result.winner_id)) if result else None,
            since=since,
            minutes=minutes,
            absent=absent,
            reports=reports,
            seats=sum(slot.kind != Slot.Kind.NOBODY for slot in board.slots[number]),
            unconfirmed=any(each.at < self.now - self.patience for each in reports),
        )

    def _is_slow(self, minutes: int, usual: float | None) -> bool:
        """Whether it takes longer than the organiser said, or much longer than the others."""
        limit = self.board.stage.tournament.slow_minutes
        if limit:
            return minutes >= limit
        return usual is not None and minutes > max(5, SLOW * usual)

    def _bye(self, number: int) -> str:
        """Why there is nothing to play: "bye", "nobody" or "undecided"; else empty."""
        if self.board.is_known(number):
            return ""
        kinds = [slot.kind for slot in self.board.slots[number]]
        return next((kind for kind in kinds if kind != Slot.Kind.ENTRANT), "")

    def _usual(self, numbers: Sequence[int]) -> float | None:
        """How many minutes a table of the round took, by the median of those that are over."""
        took = [
            (result.at - started).total_seconds() / 60
            for number in numbers
            if (result := self.board.result(number)) is not None
            and result.outcome in boards.PLAYED
            and (started := self.board.pairings[number].round.started_at) is not None
        ]
        return median(took) if len(took) > 1 else None


def _state(
    result: Result | None,
    reports: Sequence[Report],
    absent: bool,
    is_slow: bool,
    card: Match | None,
    bye: str,
    pairing: Pairing,
) -> str:
    if bye:
        return "bye"
    if result is not None:
        return "done"
    if any(report.state == Report.State.DISPUTED for report in reports):
        return "disputed"
    if reports:
        return "reported"
    if absent:
        return "absent"
    if is_slow:
        return "slow"
    is_on = card is not None or pairing.round.is_started
    return "running" if is_on and pairing.status != Pairing.Status.WAITING else "ready"


def _sides(board: Board, number: int) -> tuple[Side, ...]:
    found = []
    for slots in board.sides(number):
        seeds = [seed for slot in slots if (seed := board.seed_of(slot.entrant_id)) is not None]
        if seeds:
            names = " & ".join(board.entrants[seed].label for seed in seeds)
            found.append(Side(board.entrants[seeds[0]].pk, names, seeds[0]))
    return tuple(found)


def _draft(read: _Reading, row: Round) -> Draft:
    board = read.board
    numbers = [n for n, p in board.pairings.items() if p.round_id == row.pk]
    ordered = sorted((read.row(number) for number in numbers), key=lambda each: each.table)
    name = round_name(board.stage, row.number)
    if not isinstance(board.format, fm.DrawnFormat):
        return Draft(row, name, tuple(ordered), drawn=False)
    meetings = [meeting for meeting in board.drawn if meeting.round == row.number]
    found = rounds.misfits(board, meetings, row.number)
    label = {seed: entrant.label for seed, entrant in board.entrants.items()}
    before = board.without_drafts()
    return Draft(
        row,
        name,
        tuple(ordered),
        drawn=True,
        left=tuple(label[seed] for seed in found.left) if meetings else (),
        missing=tuple(label[seed] for seed in found.missing) if meetings else (),
        changed=bool(meetings) and row.draw.get("input") != _input(before, row),
        rematches=sum(bool(meeting.because.get("met_before")) for meeting in meetings),
        apart=tuple(
            (label[one], label[other])
            for meeting in meetings
            for one, other in combinations(sorted(meeting.seeds), 2)
            if (one, other) in board.avoid
        ),
        by_hand=any(meeting.because.get("rule") == "manual" for meeting in meetings),
    )


def _input(before: Board, row: Round) -> str:
    """The hash of what the round would be drawn from now."""
    seed = str(row.draw.get("seed", before.stage.seed))
    return str(drawn.facts(before, row.number, seed)["input"])


def _in_hand(board: Board, order: Sequence[Round]) -> list[Round]:
    """Rounds with something to play, those published, or else the last one that was played."""
    undecided = {p.round_id for n, p in board.pairings.items() if board.result(n) is None}
    shown = [row for row in order if not row.is_draft]
    return [row for row in shown if row.pk in undecided or not row.is_started] or shown[-1:]


def _step(board: Board, order: Sequence[Round]) -> Step:
    tournament = board.stage.tournament
    if not tournament.is_running:
        return Step("over")
    if board.stage.format == arena_format.ID and arena.clock_of(board.stage).phase == "ready":
        return Step("begin_arena")

    def step(word: str, row: Round) -> Step:
        return Step(word, row, round_name(board.stage, row.number))

    published = next((row for row in order if row.status == Round.Status.PUBLISHED), None)
    hand = [row for row in _in_hand(board, order) if row.is_started]
    is_open = any(board.result(n) is None and p.round.is_started for n, p in board.pairings.items())
    draft = next((row for row in order if row.is_draft), None)
    if published is not None:
        return step("start_round", published)
    if is_open and hand:
        return step("results", hand[0])
    if draft is not None:
        has_tables = any(p.round_id == draft.pk for p in board.pairings.values())
        return step("publish" if has_tables else "drawing", draft)
    due = board.plan().due
    if due is None:
        return Step("nothing")
    by_itself = tournament.round_start == Tournament.RoundStart.AUTO
    name = round_name(board.stage, due)
    return Step("drawing" if by_itself else "draw", None, name, first=not board.pairings)


def _not_checked_in(tournament: Tournament) -> tuple[Entrant, ...]:
    if not tournament.check_in_minutes:
        return ()
    waiting = tournament.entrants.filter(
        status=Entrant.Status.ACTIVE, checked_in_at=None, player__bot_level=""
    )
    found = waiting.select_related("player", "partner").order_by("pk")
    return tuple(sorted(found, key=lambda entry: alphabet.key(entry.label)))


def _counts(rows: Iterable[Row]) -> dict[str, int]:
    counts = dict.fromkeys(STATES, 0)
    for row in rows:
        counts[row.state] += 1
    return counts
