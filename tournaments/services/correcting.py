"""What hangs on a result: a correction done for trial, looked at, and undone.

The code that carries a correction out is the code that is looked at: nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from games.models import Match
from players.models import Player
from ratings import selectors as ratings
from ratings.models import RatingCorrection
from ratings.selectors import Extent
from tournaments import board as boards
from tournaments import bracket
from tournaments.board import Board
from tournaments.models import Slot, Stage, Tournament
from tournaments.options import pool_of
from tournaments.services.reporting import (
    Entry,
    Force,
    begun_by,
    begun_later,
    completed,
    digest_of,
    enter,
    entry_of,
    locked_for_entry,
)


@dataclass(frozen=True, slots=True)
class Later:
    """A later pairing that is touched: who meets there before and after, in the order of the
    slots; `had_begun`, and whether what was played is `annulled`.
    """

    stage: int
    number: int
    round: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    had_begun: bool
    annulled: bool


@dataclass(frozen=True, slots=True)
class Change:
    """A number of somebody, before and after: a place (None: none yet) or a rating."""

    name: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Way:
    """What comes of the correction, done one way: "plain" (nothing that has begun hangs on it),
    "void" (what has begun is annulled and played again) or "keep" (it stays as it is played).
    `anew` is what is rated anew in the background, and so is not among `ratings` yet.
    """

    name: str
    later: tuple[Later, ...]
    places: tuple[Change, ...]
    ratings: tuple[Change, ...]
    status: str
    anew: Extent | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What a correction would do. `begun` are the later pairings that have begun and hang on it,
    `stages` the numbers of later stages that would be made anew, `stays` those of later rounds
    that were drawn by the old result and stay; `digest` is for report_result(seen=…), `version`
    that of the result that would be replaced.
    """

    number: int
    version: int
    digest: str
    begun: tuple[int, ...]
    stages: tuple[int, ...]
    stays: tuple[int, ...]
    ways: tuple[Way, ...]


def preview_result(
    *,
    pairing_id: int,
    by: Player,
    outcome: str,
    winner: int | None = None,
    games: Sequence[int] | None = None,
    scores: Sequence[int] | None = None,
    places: Sequence[int] | None = None,
) -> Preview:
    """What entering this would do, each way that it can be done. Changes nothing.

    Raises TournamentError as report_result does.
    """
    entry = entry_of(outcome, winner, games, scores, places, "")
    with transaction.atomic():
        board, pairing = locked_for_entry(pairing_id, by, outcome)
        entry = completed(board, pairing.number, entry)
        last = board.results.get(pairing.number)
        begun = begun_by(board, pairing.number, entry)
        later = begun_later(board, pairing.number, entry)
        forces: tuple[Force | None, ...] = ("void", "keep") if begun else (None,)
        if any(later.values()):  # who plays in a later stage can't be kept
            forces = ("void",)
        seen = Preview(
            number=pairing.number,
            version=0 if last is None else last.version,
            digest=digest_of(board, pairing.number, entry),
            begun=tuple(begun),
            stages=tuple(later),
            stays=_drawn_after(board, pairing.number),
            ways=tuple(_tried(board.stage, pairing.number, entry, by, force) for force in forces),
        )
        transaction.set_rollback(True)
    return seen


def _drawn_after(board: Board, number: int) -> tuple[int, ...]:
    """The later rounds of a stage whose rounds are drawn by the results before."""
    this = board.pairings[number].round.number
    return tuple(sorted({meeting.round for meeting in board.drawn if meeting.round > this}))


def _tried(stage: Stage, number: int, entry: Entry, by: Player, force: Force | None) -> Way:
    before = _look(stage.tournament_id)
    first = RatingCorrection.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    asked = ratings.newest_recomputation()
    with transaction.atomic():
        board = boards.load(Stage.objects.select_related("tournament").get(pk=stage.pk))
        enter(board, number, entry, by, force)
        after = _look(stage.tournament_id)
        moved = set(
            RatingCorrection.objects.filter(pk__gt=first).values_list("player_id", flat=True)
        )
        pool = pool_of(board.stage.tournament)
        rated = _ratings(pool, moved)
        anew = ratings.extent_after(asked)
        transaction.set_rollback(True)
    return Way(
        name=force or "plain",
        later=_later(before, after, (stage.number, number)),
        places=_changes(before.places, after.places),
        ratings=_changes(_ratings(pool, moved), rated),
        status=after.status,
        anew=anew,
    )


@dataclass(frozen=True, slots=True)
class _Meeting:
    round: str
    who: tuple[str, ...]
    result: int
    games: frozenset[int]
    begun: bool


@dataclass(frozen=True, slots=True)
class _Look:
    """An event at a moment: pairings by stage and number, names and places by entrant."""

    status: str
    meetings: Mapping[tuple[int, int], _Meeting]
    places: Mapping[int, tuple[str, int | None]]


def _look(tournament_id: int) -> _Look:
    tournament = Tournament.objects.get(pk=tournament_id)
    meetings: dict[tuple[int, int], _Meeting] = {}
    places: dict[int, tuple[str, int | None]] = {}
    for stage in tournament.stages.select_related("tournament").order_by("number"):
        board = boards.load(stage)
        ids = {pairing.pk: pairing.number for pairing in board.pairings.values()}
        steps = board.steps()
        tables = [game.match_id for games in board.games.values() for game in games]
        cards = Match.objects.in_bulk(tables)
        for number, pairing in board.pairings.items():
            result = board.result(number)
            games = [game for game in board.games.get(number, ()) if not game.void]
            meetings[stage.number, number] = _Meeting(
                bracket.step_name(steps[pairing.round.number - 1]),
                tuple(_who(board, slot, ids) for slot in board.slots[number]),
                0 if result is None else result.version,
                frozenset(game.pk for game in games),
                (result is not None and result.by_id is not None and not result.cause)
                or any(not cards[game.match_id].is_open for game in games),
            )
        places |= _places(board)
    return _Look(tournament.status, meetings, places)


def _places(board: Board) -> dict[int, tuple[str, int | None]]:
    """Ranks so far where there is a table, final places else."""
    plan = board.plan()
    ranks: dict[int, int | None] = {row.seed: row.rank for row in plan.table}
    return {
        entrant.pk: (entrant.label, ranks.get(seed) if plan.table else entrant.place)
        for seed, entrant in sorted(board.entrants.items())
    }


def _who(board: Board, slot: Slot, ids: dict[int, int]) -> str:
    seed = board.seed_of(slot.entrant_id)
    return bracket.slot_text(board, slot, ids) if seed is None else board.entrants[seed].label


def _later(before: _Look, after: _Look, corrected: tuple[int, int]) -> tuple[Later, ...]:
    """Pairings that change, but for the corrected one, and those that have begun and don't."""
    found = []
    for key, was in before.meetings.items():
        now = after.meetings.get(key)
        if key == corrected or now is None:
            continue
        annulled = was.begun and bool(was.games - now.games or was.result > now.result)
        if was.who != now.who or annulled:
            found.append(Later(*key, was.round, was.who, now.who, was.begun, annulled))
    return tuple(found)


def _changes(
    before: Mapping[int, tuple[str, int | None]], after: Mapping[int, tuple[str, int | None]]
) -> tuple[Change, ...]:
    found = []
    for key, (name, number) in after.items():
        _name, was = before.get(key, (name, None))
        if was != number:
            found.append(Change(name, was, number))
    return tuple(found)


def _ratings(pool: str, players: set[int]) -> dict[int, tuple[str, int | None]]:
    shown = ratings.ratings_in(pool, players)
    found = Player.objects.in_bulk(list(players))
    return {
        pk: (found[pk].name, shown[pk].rating if pk in shown else None)
        for pk in sorted(players, key=lambda pk: found[pk].name)
    }
