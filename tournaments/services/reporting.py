"""Results entered and corrected by people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Literal

from django.db import transaction

from games.models import Match
from players.models import Player
from tournaments import audit, stages, tally
from tournaments import board as boards
from tournaments.board import Board
from tournaments.errors import TournamentError
from tournaments.models import Game, Pairing, Result, Round, Slot
from tournaments.options import clean_line
from tournaments.permissions import Right
from tournaments.services import annulling, progress, tables
from tournaments.services.work import lock_for

Outcome = Result.Outcome
Force = Literal["void", "keep"]
ENTERABLE = (
    Outcome.PLAYED,
    Outcome.DRAWN,
    Outcome.FORFEIT,
    Outcome.WALKOVER,
    Outcome.DOUBLE_FORFEIT,
    Outcome.DECISION,
)
PLAYED = (Outcome.PLAYED, Outcome.DRAWN)
MOST = 100_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A result as a person enters it; `winner` is an entrant's id, None when all forfeit or the
    first place is shared. Lists are by side.
    """

    outcome: str
    winner: int | None
    games: list[int] | None
    scores: list[int] | None
    places: list[int] | None
    reason: str
    game_scores: list[list[int]] = field(default_factory=list)
    forfeits: list[int] = field(default_factory=list)


def report_result(
    *,
    pairing_id: int,
    by: Player,
    outcome: str,
    winner: int | None = None,
    games: Sequence[int] | None = None,
    scores: Sequence[int] | None = None,
    places: Sequence[int] | None = None,
    game_scores: Sequence[Sequence[int]] = (),
    forfeits: Sequence[int] = (),
    reason: str = "",
    expected_version: int | None = None,
    seats: Sequence[int] = (),
    force: Force | None = None,
    seen: str | None = None,
) -> Result:
    """Enters a pairing's result, or corrects it by a new version.

    `winner` is the id of an entrant of the pairing; `games`, `scores` and `places` are numbers by
    side; `game_scores` the points of each game, where they are known one by one; `forfeits` the
    sides that never came where others played; `seats` who sat there as it was seen, entrants' ids
    by side: if others do by now, it is refused as stale. Where more than
    two sides play, places come from the scores if not given, and the winner from the places. A
    reason is needed unless it is the first entry of a played result. Its table, if one is open,
    is stopped. When others go on by it, later pairings get those; if they have
    begun, it is refused (has_dependents, naming them) unless `force` says what to do: "void", they
    are annulled, their ratings too, and played again; "keep", they stay as they are, though others
    should be there. `seen` is the digest of the preview that was seen: if anything has changed
    since, it is refused as stale. The same entry again changes nothing.

    A later stage that others would play in by it is never kept: it is annulled whole and made anew,
    if it has begun only when `force` is "void".

    Raises TournamentError no_pairing, not_allowed, not_running, over (called off), undecided,
    no_opponent, bad_outcome, bad_winner, bad_score, no_reason, no_draws, bad_places, stale,
    has_dependents, annulled.
    """
    entry = entry_of(outcome, winner, games, scores, places, reason)
    entry.game_scores.extend(_numbers(each) or [] for each in game_scores)
    entry.forfeits.extend(forfeits)
    with transaction.atomic():
        board, pairing = locked_for_entry(pairing_id, by, outcome)
        number = pairing.number
        check_seats(board, number, seats)
        entry = completed(board, number, entry)
        current = board.result(number)
        if current is not None and _is_same(current, entry, force):
            return current
        _check_version(board, number, expected_version)
        if seen is not None and seen != digest_of(board, number, entry):
            raise TournamentError("stale", match=number)
        if not entry.reason and (current is not None or outcome not in PLAYED):
            raise TournamentError("no_reason")
        result = enter(board, number, entry, by, force)
    tables.open_ready(board.stage.tournament_id)
    return result


def _sides_of(board: Board, number: int) -> str:
    """Who met: "Marta – Otis"."""
    names = (
        " & ".join(
            board.entrants[seed].label
            for slot in slots
            if (seed := board.seed_of(slot.entrant_id)) is not None
        )
        for slots in board.sides(number)
    )
    return " – ".join(names)


def _score_of(result: Result) -> str:
    """Games won where several were played, else points, in the order of the sides; "" for none."""
    values = result.games if sum(result.games) > 1 else result.scores
    return "–".join(map(str, values)) if any(values) else ""


def enter(
    board: Board, number: int, entry: Entry, by: Player, force: Force | None = None
) -> Result:
    """The entry as the pairing's next version, and all that follows from it; under the lock."""
    current = board.result(number)
    keeps = None if current is None else _make_way(board, number, current, entry, by, force)
    later = begun_later(board, number, entry, keeps)
    if any(later.values()) and force != "void":
        raise TournamentError("has_dependents", matches=[], stages=later)
    result = progress.append(
        board,
        number,
        entry.outcome,
        board.seed_of(entry.winner),
        by=by,
        reason=entry.reason,
        games=entry.games,
        scores=entry.scores,
        places=entry.places or (),
        game_scores=entry.game_scores,
        forfeits=entry.forfeits,
        keeps=keeps,
    )
    audit.note(
        board.stage.tournament,
        by,
        "result" if current is None else "corrected",
        entry.reason,
        match=number,
        stage=board.stage.number,
        outcome=result.outcome,
        winner="" if result.winner is None else result.winner.label,
        sides=_sides_of(board, number),
        score=_score_of(result),
    )
    progress.follow(board, number)
    return result


def dependents(board: Board, number: int) -> list[int]:
    """The later matches that have begun because of how this one ended, nearest first."""
    return [later for later in _touched(board, number) if _has_begun(board, later)]


def begun_by(board: Board, number: int, entry: Entry) -> list[int]:
    """The later matches that have begun and that others would be in, were that the result."""
    current = board.result(number)
    if current is None or not _moves_others(board, number, current.keeps or current, entry):
        return []
    return dependents(board, number)


def begun_later(
    board: Board, number: int, entry: Entry, keeps: Result | None = None
) -> dict[int, list[int]]:
    """The later stages that would be annulled and made anew, since others would play in them, were
    that the result: by their number, the matches in each that have begun.
    """
    if not board.whole or not board.stage.tournament.later_stages:
        return {}
    return {
        later.stage.number: [n for n in sorted(later.pairings) if _has_begun(later, n)]
        for later in stages.falling(board, number, _told(board, number, entry, keeps))
    }


def _told(board: Board, number: int, entry: Entry, keeps: Result | None = None) -> Result:
    """The result that the entry would be."""
    scores = entry.scores
    return Result(
        outcome=entry.outcome,
        winner_id=entry.winner,
        scores=tally.points(board.counted_games(number)) if scores is None else scores,
        places=entry.places or [],
        keeps=keeps,
    )


def entry_of(
    outcome: str,
    winner: int | None,
    games: Sequence[int] | None,
    scores: Sequence[int] | None,
    places: Sequence[int] | None,
    reason: str,
) -> Entry:
    """What can be said of an entry before it is known for which pairing it is."""
    if outcome not in ENTERABLE:
        raise TournamentError("bad_outcome", outcome=str(outcome)[:20])
    numbers = [_numbers(given) for given in (games, scores, places)]
    return Entry(outcome, winner, numbers[0], numbers[1], numbers[2], clean_line(reason)[:200])


def _numbers(given: Sequence[int] | None) -> list[int] | None:
    if given is not None and any(type(n) is not int or abs(n) > MOST for n in given):
        raise TournamentError("bad_score")
    return None if given is None else list(given)


def completed(board: Board, number: int, entry: Entry) -> Entry:
    """The entry with all that follows from it, checked against the pairing."""
    if any(slot.kind == Slot.Kind.UNDECIDED for slot in board.slots[number]):
        raise TournamentError("undecided", match=number)
    if not board.is_known(number):
        raise TournamentError("no_opponent", match=number)
    sides = board.sides(number)
    for given in (entry.games, entry.scores, entry.places):
        if given is not None and len(given) != len(sides):
            raise TournamentError("bad_score", sides=len(sides))
    if entry.outcome in PLAYED and (len(sides) > 2 or entry.outcome == Outcome.DRAWN):
        entry = _with_places(board, number, entry)
    if entry.outcome == Outcome.DRAWN and not board.format.DRAWS:
        raise TournamentError("no_draws")
    without = entry.outcome in (Outcome.DOUBLE_FORFEIT, Outcome.DRAWN)
    inside = {slot.entrant_id for side in sides for slot in side}
    if (entry.winner is None) != without or entry.winner not in inside | {None}:
        raise TournamentError("bad_winner", winner=entry.winner)
    if entry.places and entry.outcome not in PLAYED:
        _check_places(board, number, entry)
    return entry


def _check_places(board: Board, number: int, entry: Entry) -> None:
    """Places given with what was not played through, by a decision say, put the winner first."""
    places = list(entry.places or ())
    side = board.side_of(number, board.seed_of(entry.winner))
    first = [at for at, place in enumerate(places) if place == 1]
    if tuple(places) != tally.places_by([-place for place in places]) or first != [side]:
        raise TournamentError("bad_places")


def _with_places(board: Board, number: int, entry: Entry) -> Entry:
    sides = board.sides(number)
    if entry.places is None and entry.scores is None and len(sides) == 2:
        entry = replace(entry, places=[1, 1])
    places = entry.places
    if places is None:
        if entry.scores is None:
            raise TournamentError("bad_score", sides=len(sides))
        places = list(tally.places_by(entry.scores))
    if tuple(places) != tally.places_by([-place for place in places]):
        raise TournamentError("bad_places")
    first = [side for side, place in enumerate(places) if place == 1]
    shared = len(first) > 1
    return replace(
        entry,
        outcome=Outcome.DRAWN if shared else Outcome.PLAYED,
        winner=None if shared else sides[first[0]][0].entrant_id,
        places=places,
    )


def locked_for_entry(pairing_id: int, by: Player, outcome: str) -> tuple[Board, Pairing]:
    """The pairing's board, for whoever may enter that: what was played is a scorer's to enter, to
    decide otherwise and to change what was entered is an arbiter's.
    """
    pairing = Pairing.objects.select_related("stage").filter(pk=pairing_id).first()
    if pairing is None:
        raise TournamentError("no_pairing", pairing=pairing_id)
    decided = pairing.results.exclude(outcome=Outcome.VOID).exists()
    right: Right = "correct" if decided or outcome not in PLAYED else "results"
    table = pairing.at_table
    tournament = lock_for(pairing.stage.tournament_id, by, right, table)
    if tournament.status == tournament.Status.CANCELLED:
        raise TournamentError("over", status=tournament.status)
    if not Round.objects.get(pk=pairing.round_id).is_started:
        raise TournamentError("round_not_started")
    stage = tournament.stages.get(pk=pairing.stage_id)
    if stage.annulled:
        raise TournamentError("annulled", stage=stage.number)
    return boards.load(stage) if decided else boards.load_for(stage, pairing), pairing


def check_seats(board: Board, number: int, seats: Sequence[int]) -> None:
    """Raises TournamentError("stale") if others sit at that match than those that were seen."""
    if seats and list(seats) != [side[0].entrant_id for side in board.sides(number)]:
        raise TournamentError("stale", match=number)


def _check_version(board: Board, number: int, expected: int | None) -> None:
    last = board.results.get(number)
    version = 0 if last is None else last.version
    if expected is not None and expected != version:
        raise TournamentError("stale", version=version)


def _is_same(current: Result, entry: Entry, force: Force | None) -> bool:
    if current.keeps is not None and force == "void":  # what was kept is to be played again now
        return False
    return (
        current.outcome == entry.outcome
        and current.winner_id == entry.winner
        and entry.games in (None, current.games)
        and entry.scores in (None, current.scores)
        and (entry.places or []) == current.places
        and (not entry.game_scores or entry.game_scores == current.game_scores)
        and (not entry.forfeits or entry.forfeits == current.forfeits)
    )


def _make_way(
    board: Board, number: int, current: Result, entry: Entry, by: Player, force: Force | None
) -> Result | None:
    """Sees to the later matches that follow from the pairing; the version that others go on by, if
    it is another than the one to come.
    """
    gone_on = current.keeps or current
    if not _moves_others(board, number, gone_on, entry):
        return None
    if not _moves_others(board, number, current, entry) and force is None:
        return current.keeps
    if force == "keep" and dependents(board, number):
        return gone_on
    _free_dependents(board, number, by, void=force == "void")
    return None


def _moves_others(board: Board, number: int, gone_on: Result, entry: Entry) -> bool:
    """Whether somebody else goes on to later pairings by the new result."""
    before = board.verdict_of(number, gone_on)
    now = board.verdict_of(number, _told(board, number, entry))
    return board.sends(number, before) != board.sends(number, now)


def digest_of(board: Board, number: int, entry: Entry) -> str:
    """A hash of all that the consequences of an entry follow from."""
    games = Game.objects.filter(pairing__stage__tournament=board.stage.tournament_id)
    cards = Match.objects.filter(pk__in=games.values("match_id"))
    results = Result.objects.filter(pairing__stage__tournament=board.stage.tournament_id)
    parts = (
        board.stage.pk,
        number,
        replace(entry, reason=""),
        sorted(results.values_list("pairing_id", "version")),
        sorted(games.values_list("pk", "void")),
        sorted(cards.values_list("pk", "status")),
        sorted((seed, entrant.status) for seed, entrant in board.entrants.items()),
    )
    return sha256(repr(parts).encode()).hexdigest()


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
            tables.stop(game, losers=tables.EVERY_SIDE, void=True)
            annulling.annul_rating(game, f"match {number}", by)
        if board.result(later) is not None:
            cause = Result.Cause.REPLACED
            progress.append(board, later, Outcome.VOID, None, by=by, cause=cause)
