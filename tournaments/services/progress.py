"""From results to what is there: the only writer of results, slots, statuses and places.

Whatever happened, the same thing is asked: what follows, by the format, from **all** results?
What is missing is made, what is different is replaced, and asking twice changes nothing. Every
function here works under the event's lock.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.utils import timezone

from players.models import Player
from tournaments import board as boards
from tournaments import formats, stages, tally
from tournaments.board import Board
from tournaments.formats import arena
from tournaments.formats import model as fm
from tournaments.models import (
    Entrant,
    Game,
    Pairing,
    Report,
    Result,
    Round,
    Slot,
    Stage,
    Tournament,
)
from tournaments.services import following, presences, seating, tables
from tournaments.services.work import ask_for_round
from tournaments.standings.sheet import UNPLAYED

Outcome, Cause = Result.Outcome, Result.Cause
AUTOMATIC = {
    "bye": Outcome.BYE,
    "walkover": Outcome.WALKOVER,
    "vacant": Outcome.VACANT,
    "not_needed": Outcome.NOT_NEEDED,
}
EMPTY = ("walkover", "vacant")


def advance(board: Board, *, by: Player | None = None, reason: str = "") -> None:
    """Brings the stage up to its results. `by` and `reason` go with results that follow from
    an absence.
    """
    plan = board.plan()
    while forsaken := [p for p in plan.pairings.values() if _is_forsaken(board, p)]:
        for planned in forsaken:
            _decide_for_present(board, planned, by, reason)
        plan = board.plan()
    _create_missing(board, plan)
    for planned in plan.pairings.values():
        if board.is_draft(planned.number):
            continue
        if planned.automatic is not None and board.result(planned.number) is None:
            append(
                board,
                planned.number,
                AUTOMATIC[planned.automatic],
                _seed_of_verdict(planned),
                cause=Cause.EMPTY_PLACE if planned.automatic in EMPTY else "",
            )
    _store(board, plan)
    seating.assign(board)
    if board.stage.format == arena.ID:
        presences.free(board.stage)
    if plan.due is not None:
        ask_for_round(board.stage.tournament_id)
    made = following.conclude(board, by=by)
    if made is not None:
        if presences.begins_by_itself(made):
            presences.begin(made)
        advance(boards.load(made), by=by, reason=reason)


def append(
    board: Board,
    number: int,
    outcome: str,
    winner: int | None,
    *,
    by: Player | None = None,
    cause: str = "",
    reason: str = "",
    games: Sequence[int] | None = None,
    scores: Sequence[int] | None = None,
    places: Sequence[int] = (),
    keeps: Result | None = None,
    game_scores: Sequence[Sequence[int]] = (),
    forfeits: Sequence[int] = (),
    stops: bool = True,
) -> Result:
    """The next version of a pairing's result; its table, if one is open, is stopped, unless it
    `stops` not, and what people reported before is done with.

    `winner` is a seed, of partners the first. Games and scores are counted from the games played
    if not given.
    """
    live = board.live_game(number)
    if live is not None and stops:
        tables.stop(live, losers=_losing_sides(board, number, winner), void=outcome == Outcome.VOID)
    counted = board.counted_games(number)
    last = board.results.get(number)
    result = Result.objects.create(
        pairing=board.pairings[number],
        version=1 if last is None else last.version + 1,
        outcome=outcome,
        winner=None if winner is None else board.entrants[winner],
        games=list(games) if games is not None else tally.games_won(counted),
        scores=list(scores) if scores is not None else tally.points(counted),
        places=list(places),
        game_scores=[list(each) for each in game_scores],
        forfeits=list(forfeits),
        by=by,
        cause=cause,
        reason=reason,
        keeps=keeps,
    )
    board.results[number] = result
    result.pairing.reports.filter(state__in=Report.STANDING).update(state=Report.State.REPLACED)
    return result


def absent(
    tournament: Tournament, entrant: Entrant, *, by: Player | None = None, reason: str = ""
) -> None:
    """What follows from an entrant being out: the game in course is lost, later ones too. Where
    more than two sides play, the others play on.
    """
    stage = stages.current(tournament)
    if stage is not None:
        board = boards.load(stage)
        for number in list(board.games):
            side = board.side_of(number, board.find_seed(entrant.pk))
            live = board.live_game(number)
            if live is not None and side is not None and len(board.sides(number)) > 2:
                tables.leave(live, side)
        catch_up(board, by=by, reason=reason)


def catch_up(board: Board, *, by: Player | None = None, reason: str = "") -> None:
    """Takes over every match of the stage that is over, and what follows."""
    for number in list(board.games):
        collect(board, number)
    advance(board, by=by, reason=reason)


def settle(game: Game) -> None:
    """Takes over a match that is over: the game, the pairing when that decides it, and what
    follows. Nothing when that was done before.
    """
    pairing = Pairing.objects.select_related("stage__tournament").get(pk=game.pairing_id)
    stage = pairing.stage
    if not stage.tournament.is_running or stage.annulled:
        tables.record(Game.objects.get(pk=game.pk))
        return
    board = boards.load_for(stage, pairing)
    if collect(board, pairing.number):
        follow(board, pairing.number)


def follow(board: Board, number: int) -> None:
    """What follows from what a pairing has come to: where the board holds it alone, how it stands,
    else whatever the format says.
    """
    if board.whole:
        advance(board)
        return
    pairing, status = board.pairings[number], Pairing.Status
    waits = status.READY if board.live_game(number) is None else status.LIVE
    pairing.status = waits if board.result(number) is None else status.DECIDED
    pairing.save(update_fields=["status"])


def collect(board: Board, number: int) -> bool:
    """Takes over the pairing's open game if its match is over, and the pairing's result if that
    decides it; whether there was anything.
    """
    live = board.live_game(number)
    if live is None or not tables.record(live):
        return False
    settle_tally(board, number)
    return True


def settle_tally(board: Board, number: int) -> None:
    """Takes over the pairing's result if its games decide it, and it has none."""
    decided = board.tallied(number)
    if decided is not None and board.result(number) is None:
        winner = board.first_of(number, decided.winner)
        append(
            board,
            number,
            decided.outcome,
            winner,
            places=decided.places,
            forfeits=decided.forfeits,
        )


def _losing_sides(board: Board, number: int, winner: int | None) -> list[int]:
    won = board.side_of(number, winner)
    return [side for side in range(len(board.sides(number))) if side != won]


def _seed_of_verdict(planned: fm.Pairing) -> int | None:
    assert planned.verdict is not None
    return planned.verdict.winner


def _is_forsaken(board: Board, planned: fm.Pairing) -> bool:
    """Whether too few sides are left to play it. Of a draft it is said before it is published."""
    is_seen = planned.is_open and not board.is_draft(planned.number)
    return is_seen and len(board.present(planned)) < 2


def _decide_for_present(board: Board, planned: fm.Pairing, by: Player | None, reason: str) -> None:
    """A withdrawn or disqualified entrant loses: by forfeit if the pairing has begun."""
    number = planned.number
    winner = next(iter(board.present(planned).values()), None)
    gone = next(seed for seed in planned.seeds() if not board.entrants[seed].is_active)
    live = board.live_game(number)
    if live is not None:
        tables.stop(live, losers=_losing_sides(board, number, winner))
    has_begun = bool(board.counted_games(number))
    outcome = Outcome.FORFEIT if has_begun else Outcome.WALKOVER
    append(
        board,
        number,
        Outcome.DOUBLE_FORFEIT if winner is None else outcome,
        winner,
        by=by,
        cause=board.entrants[gone].status,
        reason=reason,
    )


def _create_missing(board: Board, plan: fm.Plan) -> None:
    """Rounds, pairings and slots that the plan has and the database hasn't."""
    missing = [p for p in plan.pairings.values() if p.number not in board.pairings]
    if not missing:
        return
    rounds = {row.number: row for row in board.stage.rounds.all()}
    needed = sorted({planned.round for planned in missing} - rounds.keys())
    made = Round.objects.bulk_create(_round(board, number) for number in needed)
    rounds |= {row.number: row for row in made}
    rows = Pairing.objects.bulk_create(
        Pairing(
            stage=board.stage,
            round=rounds[planned.round],
            number=planned.number,
            position=planned.position,
            why=planned.why(),
        )
        for planned in missing
    )
    board.pairings |= {row.number: row for row in rows}
    slots = [
        _slot(board, planned, index) for planned in missing for index in range(len(planned.slots))
    ]
    for slot in Slot.objects.bulk_create(slots):
        board.slots[slot.pairing.number].append(slot)


def _round(board: Board, number: int) -> Round:
    """A draft where the arbiter starts rounds; else its time begins to run, if it was drawn."""
    tournament = board.stage.tournament
    made = Round(stage=board.stage, number=number)
    if tournament.round_start == Tournament.RoundStart.ARBITER:
        made.status = Round.Status.DRAFT
    elif isinstance(board.format, fm.DrawnFormat):
        start_clock(made, board.stage.round_minutes)
    return made


def start_clock(row: Round, minutes: int) -> None:
    """The round begins now, and ends after so many minutes, if that is limited."""
    row.started_at = timezone.now()
    row.ends_at = row.started_at + dt.timedelta(minutes=minutes) if minutes else None


def _slot(board: Board, planned: fm.Pairing, index: int) -> Slot:
    source, takes, rank = board.source_values(planned.sources[index])
    pairing = board.pairings[planned.number]
    kind, entrant = board.slot_values(planned.slots[index])
    return Slot(
        pairing=pairing,
        round=pairing.round,
        index=index,
        side=board.side_values(planned)[index],
        kind=kind,
        entrant=entrant,
        source=source,
        takes=takes,
        rank=rank,
    )


def _store(board: Board, plan: fm.Plan) -> None:
    """Writes what differs from the plan."""
    _store_slots(board, plan)
    moved = []
    for planned in plan.pairings.values():
        pairing = board.pairings[planned.number]
        status = board.status_of(planned)
        if pairing.status != status:
            pairing.status = status
            moved.append(pairing)
    Pairing.objects.bulk_update(moved, ["status"], batch_size=200)


def _store_slots(board: Board, plan: fm.Plan) -> None:
    changed = []
    for planned in plan.pairings.values():
        stored, sides = board.slots[planned.number], board.side_values(planned)
        for slot, wanted, side in zip(stored, planned.slots, sides, strict=True):
            kind, entrant = board.slot_values(wanted)
            known = slot.kind, slot.entrant_id, slot.side
            if known != (kind, entrant.pk if entrant else None, side):
                slot.kind, slot.entrant, slot.side = kind, entrant, side
                changed.append(slot)
    # An entrant is in one slot of a round at any moment, also while places are being replaced.
    emptied = [slot.pk for slot in changed]
    Slot.objects.filter(pk__in=emptied, source__isnull=False, entrant__isnull=False).update(
        kind=Slot.Kind.UNDECIDED, entrant=None
    )
    Slot.objects.bulk_update(changed, ["kind", "entrant", "side"], batch_size=200)


def new_stage(tournament: Tournament, seed: str, size: int) -> Stage:
    """The event's first stage, to be played by its format."""
    return Stage.objects.create(
        tournament=tournament,
        number=1,
        format=tournament.format,
        rules_id=formats.get(tournament.format).RULES,
        config={
            "best_of": tournament.best_of,
            "unplayed": UNPLAYED,
            **formats.settled(tournament.format, tournament.options),
        },
        seed=seed,
        size=size,
    )
