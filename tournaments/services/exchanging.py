"""Two entrants exchange their seats in matches that nobody has begun: who meets whom changes.

Of formats with a schedule that schedule is kept changed with the stage (formats.round_robin); where
rounds are drawn, what was drawn is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from typing import Any

from django.db import transaction

from games.models import Match
from players.models import Player
from tournaments import audit, stages
from tournaments import board as boards
from tournaments.board import Board
from tournaments.errors import TournamentError
from tournaments.formats import groups, round_robin
from tournaments.formats import model as fm
from tournaments.models import Report, Slot, Stage, Tournament
from tournaments.options import clean_line
from tournaments.services import progress, tables
from tournaments.services.work import lock_for, running

SCHEDULED = (round_robin.ID, groups.ID)
Tables = dict[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Change:
    """A match that others play, or in another order: entrants' ids in the order of the seats."""

    number: int
    round: int
    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What an exchange would do. `again` are pairs who would meet more often than before and more
    than once, `never` those who would have met and don't, by entrants' ids.
    """

    changes: tuple[Change, ...]
    again: tuple[tuple[int, int], ...]
    never: tuple[tuple[int, int], ...]

    @property
    def digest(self) -> str:
        """A hash of who would play instead of whom."""
        return _digest((each.number, each.before, each.after) for each in self.changes)

    @property
    def digest_of_undoing(self) -> str:
        """That of the exchange which this one would undo."""
        return _digest((each.number, each.after, each.before) for each in self.changes)


def preview_exchange(
    *, tournament_id: int, by: Player, one: int, other: int, number: int, onward: bool = False
) -> Exchange:
    """What would come of it; nothing is changed. Raises TournamentError as `exchange` does."""
    with transaction.atomic():
        board = _board(tournament_id, by)
        return _exchange(board, _seeds(board, one, other), number, onward=onward)


def exchange(
    *,
    tournament_id: int,
    by: Player,
    one: int,
    other: int,
    number: int,
    onward: bool = False,
    reason: str,
    seen: str | None = None,
) -> Exchange:
    """Lets two entrants (ids) exchange their seats in the round of that number, and `onward` in the
    later ones too, in matches that nobody has begun.

    `seen` is the digest of the preview that was seen: the same again changes nothing, and another
    is refused as stale.

    Raises TournamentError not_allowed, not_running, no_reason, no_entrant, by_schedule (of a
    format in which places follow from results), not_fitting (the two are in different groups),
    no_round, exchange_begun, stale.
    """
    why = clean_line(reason)[:200]
    with transaction.atomic():
        board = _board(tournament_id, by)
        tournament = board.stage.tournament
        seeds = _seeds(board, one, other)
        found = _exchange(board, seeds, number, onward=onward)
        if seen is not None and seen == found.digest_of_undoing:
            return found
        if seen is not None and seen != found.digest:
            raise TournamentError("stale")
        if not why:
            raise TournamentError("no_reason")
        for change in found.changes:
            live = board.live_game(change.number)
            if live is not None and not tables.call_off(live):
                raise TournamentError("exchange_begun", match=change.number)
        _write(board, found.changes)
        names = [board.entrants[seed].label for seed in seeds]
        numbers = sorted({change.round for change in found.changes})
        audit.note(tournament, by, "exchanged", why, one=names[0], other=names[1], rounds=numbers)
        progress.advance(boards.load(board.stage))
    tables.open_ready(tournament_id)
    return found


def can_exchange(stage: Stage | None) -> bool:
    """Whether seats can be exchanged in a stage: who meets whom doesn't follow from results."""
    if stage is None or stage.annulled or not stage.tournament.is_running:
        return False
    return stage.format in SCHEDULED or isinstance(boards.Board(stage).format, fm.DrawnFormat)


def _board(tournament_id: int, by: Player) -> Board:
    tournament: Tournament = lock_for(tournament_id, by, "rounds")
    running(tournament)
    stage = stages.current(tournament)
    if stage is None or not can_exchange(stage):
        raise TournamentError("by_schedule")
    return boards.load(stage)


def _digest(changes: Iterable[tuple[int, tuple[int, ...], tuple[int, ...]]]) -> str:
    return sha256(repr(sorted(changes)).encode()).hexdigest()


def _seeds(board: Board, one: int, other: int) -> tuple[int, int]:
    seeds = [board.find_seed(pk) for pk in (one, other)]
    if seeds[0] is None or seeds[1] is None or one == other:
        raise TournamentError("no_entrant")
    if board.stage.format == groups.ID:
        members = groups.members(board.field)
        if not any({seeds[0], seeds[1]} <= set(group) for group in members):
            raise TournamentError("not_fitting")
    return seeds[0], seeds[1]


def _exchange(board: Board, seeds: tuple[int, int], number: int, *, onward: bool) -> Exchange:
    rounds = {pairing.round.number for pairing in board.pairings.values()}
    wanted = sorted(at for at in rounds if at == number or (onward and at > number))
    if number not in rounds:
        raise TournamentError("no_round", round=number)
    before = _tables(board)
    after: Tables = {}
    for at in wanted:
        inside = [
            n for n, p in board.pairings.items()
            if p.round.number == at and not set(seeds).isdisjoint(before[n])
        ]  # fmt: skip
        if all(_is_free(board, n) for n in inside):
            after |= {n: _swapped(before[n], seeds) for n in inside}
    if not after:
        raise TournamentError("exchange_begun", round=number)
    ids = {seed: entrant.pk for seed, entrant in board.entrants.items()}
    changes = tuple(
        Change(
            n,
            board.pairings[n].round.number,
            tuple(ids[seed] for seed in before[n]),
            tuple(ids[seed] for seed in after[n]),
        )
        for n in sorted(after)
    )
    met, will = _meetings(before.values()), _meetings({**before, **after}.values())
    return Exchange(
        changes,
        again=_named(ids, (pair for pair in will if will[pair] > max(1, met[pair]))),
        never=_named(ids, (pair for pair in met if not will[pair])),
    )


def _tables(board: Board) -> Tables:
    """Who sits where, by match."""
    found: Tables = {}
    for number in board.pairings:
        seeds = (board.seed_of(slot.entrant_id) for slot in board.slots[number])
        found[number] = tuple(seed for seed in seeds if seed is not None)
    return found


def _is_free(board: Board, number: int) -> bool:
    """Whether nobody has begun it, or said what came of it."""
    if board.result(number) is not None or board.counted_games(number):
        return False
    if board.pairings[number].reports.filter(state__in=Report.STANDING).exists():
        return False
    live = board.live_game(number)
    return live is None or Match.objects.get(pk=live.match_id).is_open


def _swapped(table: Sequence[int], seeds: tuple[int, int]) -> tuple[int, ...]:
    turned = {seeds[0]: seeds[1], seeds[1]: seeds[0]}
    return tuple(turned.get(seed, seed) for seed in table)


def _meetings(tables: Iterable[Sequence[int]]) -> Counter[tuple[int, int]]:
    return Counter(pair for table in tables for pair in combinations(sorted(table), 2))


def _named(ids: Mapping[int, int], pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple((ids[one], ids[other]) for one, other in sorted(pairs))


def _write(board: Board, changes: Sequence[Change]) -> None:
    """The slots, and what says why they are so."""
    slots = [slot for change in changes for slot in board.slots[change.number]]
    kinds = Slot.Kind
    # An entrant is in one slot of a round at any moment, also while places are being exchanged.
    Slot.objects.filter(pk__in=[slot.pk for slot in slots]).update(kind=kinds.BYE, entrant=None)
    for change in changes:
        for slot, entrant in zip(board.slots[change.number], change.after, strict=True):
            slot.kind, slot.entrant_id = kinds.ENTRANT, entrant
        pairing = board.pairings[change.number]
        pairing.why = _why(pairing.why)
        pairing.save(update_fields=["why"])
    Slot.objects.bulk_update(slots, ["kind", "entrant"], batch_size=200)
    if board.stage.format in SCHEDULED:
        _keep(board, changes)
        return
    for row in {board.pairings[change.number].round for change in changes}:
        row.draw = {**row.draw, "manual": True}
        row.save(update_fields=["draw"])


def _why(why: Mapping[str, Any]) -> dict[str, Any]:
    """What was said of the meeting goes with those it was about; that it was exchanged stays."""
    rule = why.get("rule")
    kept = dict(why) if rule == "berger" else {"rule": "manual", "reason": why.get("reason", "")}
    return {**kept, "exchanged": True}


def _keep(board: Board, changes: Sequence[Change]) -> None:
    stage = board.stage
    told = {str(change.number): [board.seed_of(pk) for pk in change.after] for change in changes}
    stage.config = {**stage.config, "exchanged": {**stage.config.get("exchanged", {}), **told}}
    stage.save(update_fields=["config"])
