"""Results entered and corrected by people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.db import transaction

from games.models import Match
from players.models import Player
from ratings import services as ratings
from tournaments import board as boards
from tournaments.board import Board
from tournaments.errors import TournamentError
from tournaments.models import Game, Pairing, Result, Slot
from tournaments.options import clean_line
from tournaments.services import progress, tables
from tournaments.services.work import lock_for

Outcome = Result.Outcome
ENTERABLE = (
    Outcome.PLAYED,
    Outcome.FORFEIT,
    Outcome.WALKOVER,
    Outcome.DOUBLE_FORFEIT,
    Outcome.DECISION,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A result as a person enters it; `winner` is an entrant's id, None when both forfeit."""

    outcome: str
    winner: int | None
    games: list[int] | None
    scores: list[int] | None
    reason: str


def report_result(
    *,
    pairing_id: int,
    by: Player,
    outcome: str,
    winner: int | None = None,
    games: Sequence[int] | None = None,
    scores: Sequence[int] | None = None,
    reason: str = "",
    expected_version: int | None = None,
    force: Literal["void"] | None = None,
) -> Result:
    """Enters a pairing's result, or corrects it by a new version.

    `winner` is the id of an entrant of the pairing; `games` and `scores` are two numbers each, by
    slot. A reason is needed unless it is the first entry of a played result. Its table, if one is
    open, is stopped. When the winner changes, later pairings get the other entrant; if they have
    begun, it is refused (has_dependents, naming them) unless `force` is "void": then they are
    annulled, their ratings too, and played again. The same entry again changes nothing.

    Raises TournamentError no_pairing, not_allowed, not_running, over (called off), undecided,
    no_opponent, bad_outcome, bad_winner, bad_score, no_reason, stale, has_dependents.
    """
    entry = _checked(outcome, winner, games, scores, reason)
    with transaction.atomic():
        board, pairing = _locked(pairing_id, by)
        number = pairing.number
        _check_pairing(board, number, entry)
        current = board.result(number)
        if current is not None and _is_same(current, entry):
            return current
        _check_version(board, number, expected_version)
        if not entry.reason and (current is not None or outcome != Outcome.PLAYED):
            raise TournamentError("no_reason")
        if current is not None and current.winner_id != winner:
            _free_dependents(board, number, by, void=force == "void")
        result = progress.append(
            board,
            number,
            entry.outcome,
            board.seed_of(winner),
            by=by,
            reason=entry.reason,
            games=entry.games,
            scores=entry.scores,
        )
        progress.advance(board)
    tables.open_ready(board.stage.tournament_id)
    return result


def dependents(board: Board, number: int) -> list[int]:
    """The later matches that have begun because of how this one ended, nearest first."""
    return [later for later in _touched(board, number) if _has_begun(board, later)]


def _checked(
    outcome: str,
    winner: int | None,
    games: Sequence[int] | None,
    scores: Sequence[int] | None,
    reason: str,
) -> Entry:
    if outcome not in ENTERABLE:
        raise TournamentError("bad_outcome", outcome=str(outcome)[:20])
    if (winner is None) != (outcome == Outcome.DOUBLE_FORFEIT):
        raise TournamentError("bad_winner")
    for pair in (games, scores):
        if pair is not None and (len(pair) != 2 or any(type(n) is not int for n in pair)):
            raise TournamentError("bad_score")
    return Entry(
        outcome,
        winner,
        None if games is None else list(games),
        None if scores is None else list(scores),
        clean_line(reason)[:200],
    )


def _locked(pairing_id: int, by: Player) -> tuple[Board, Pairing]:
    pairing = Pairing.objects.select_related("stage").filter(pk=pairing_id).first()
    if pairing is None:
        raise TournamentError("no_pairing", pairing=pairing_id)
    tournament = lock_for(pairing.stage.tournament_id, by)
    if tournament.status == tournament.Status.CANCELLED:
        raise TournamentError("over", status=tournament.status)
    board = boards.load(tournament.stages.get(pk=pairing.stage_id))
    return board, pairing


def _check_pairing(board: Board, number: int, entry: Entry) -> None:
    kinds = {slot.kind for slot in board.slots[number]}
    if Slot.Kind.UNDECIDED in kinds:
        raise TournamentError("undecided", match=number)
    if kinds != {Slot.Kind.ENTRANT}:
        raise TournamentError("no_opponent", match=number)
    inside = {slot.entrant_id for slot in board.slots[number]}
    if entry.winner is not None and entry.winner not in inside:
        raise TournamentError("bad_winner", winner=entry.winner)


def _check_version(board: Board, number: int, expected: int | None) -> None:
    last = board.results.get(number)
    version = 0 if last is None else last.version
    if expected is not None and expected != version:
        raise TournamentError("stale", version=version)


def _is_same(current: Result, entry: Entry) -> bool:
    return (
        current.outcome == entry.outcome
        and current.winner_id == entry.winner
        and entry.games in (None, current.games)
        and entry.scores in (None, current.scores)
    )


def _touched(board: Board, number: int) -> list[int]:
    """The later matches that something has come of already, or is about to."""
    return [
        later
        for later in board.format.dependents(board.field, number)
        if board.result(later) is not None or _standing_games(board, later)
    ]


def _standing_games(board: Board, number: int) -> list[Game]:
    return [game for game in board.games.get(number, ()) if not game.void]


def _has_begun(board: Board, number: int) -> bool:
    """Whether people have acted on it: played, sat down to play, or entered a result."""
    result, live = board.result(number), board.live_game(number)
    entered = result is not None and result.by_id is not None and not result.cause
    if entered or board.counted_games(number):
        return True
    return live is not None and not Match.objects.get(pk=live.match_id).is_open


def _free_dependents(board: Board, number: int, by: Player, *, void: bool) -> None:
    """Annuls what follows from the old winner; refuses to if that has begun, unless `void`."""
    begun = dependents(board, number)
    if begun and not void:
        raise TournamentError("has_dependents", matches=begun)
    for later in reversed(_touched(board, number)):
        for game in _standing_games(board, later):
            tables.stop(game, losers=(0, 1), void=True)
            _annul_rating(game, number)
        if board.result(later) is not None:
            cause = Result.Cause.REPLACED
            progress.append(board, later, Outcome.VOID, None, by=by, cause=cause)


def _annul_rating(game: Game, number: int) -> None:
    """Ratings follow (cases.md D11): an annulled match is as if it had never been played."""
    match = Match.objects.get(pk=game.match_id)
    if match.status != Match.Status.FINISHED:
        return
    ratings.rate(match.pk)  # the outbox may not have come round to it yet
    try:
        ratings.annul(match_id=match.pk, note=f"pairing {game.pairing_id}, match {number}")
    except ratings.NotRatedYet:
        return  # it was not for the ratings in the first place
