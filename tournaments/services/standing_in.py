"""Somebody else in an entry: before the start, or while it runs, for one player or one of a pair.

The entry keeps its results, its seat and its seed. A match that has begun is played on by those
who began it; the newcomer plays from the next one on, and each match moves the ratings of who sat
there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from django.db import transaction

from players.models import Player
from tournaments import audit, rounds, stages
from tournaments import board as boards
from tournaments.board import Board
from tournaments.errors import TournamentError
from tournaments.models import Entrant, PairInvitation, Rest, Stage, StandIn, Tournament
from tournaments.options import clean_line
from tournaments.pairs import entry_of
from tournaments.permissions import may
from tournaments.services import apart, progress, tables
from tournaments.services.roster import Newcomer, look_at, person_of
from tournaments.services.work import lock, running_or_before

Part = Literal["player", "partner"]


@transaction.atomic
def replace_entrant(
    *,
    tournament_id: int,
    by: Player,
    entrant_id: int,
    row: Newcomer,
    part: Part = "player",
    reason: str = "",
    seen: int | None = None,
) -> Entrant | Newcomer:
    """Puts a newcomer in the place of a player, or of one `part` of a pair; or answers the row with
    its problem. Officials at any time, with a reason while it runs; before the start each of a pair
    may name an account. `seen` is the id of the player who was seen in that place: if another is by
    now, it is refused as stale.

    Raises TournamentError no_entrant, not_allowed, no_reason, is_out, over, stale.
    """
    tournament, entrant = _entry(tournament_id, by, entrant_id, by_pair=bool(row.account))
    out = entrant.partner if part == "partner" else entrant.player
    if out is None:
        raise TournamentError("no_entrant")
    if seen is not None and seen != out.pk:
        raise TournamentError("stale")
    why = _reason(tournament, entrant, reason)
    checked = look_at(tournament, [row], single=True)[0]
    if checked.problem:
        return checked
    return _take_over(tournament, entrant, out, lambda: person_of(checked), by, why)


@transaction.atomic
def substitute(
    *, tournament_id: int, by: Player, entrant_id: int, out: Player, into: Player, reason: str = ""
) -> Entrant:
    """Puts a known player, also a guest, in the place of `out`, who plays in that entry. The same
    rights. Raises the same, and in_already.
    """
    tournament, entrant = _entry(tournament_id, by, entrant_id, by_pair=True)
    if out.pk not in (entrant.player_id, entrant.partner_id):
        raise TournamentError("no_entrant")
    why = _reason(tournament, entrant, reason)
    if entry_of(tournament, into) is not None:
        raise TournamentError("in_already", player=into.handle)
    return _take_over(tournament, entrant, out, lambda: into, by, why)


def _entry(
    tournament_id: int, by: Player, entrant_id: int, *, by_pair: bool
) -> tuple[Tournament, Entrant]:
    """The entry, its event being locked, if `by` may change who plays in it."""
    tournament = lock(tournament_id)
    found = tournament.entrants.select_related("player", "partner").filter(pk=entrant_id).first()
    own = found is not None and found.partner and by.pk in (found.player_id, found.partner_id)
    if not (by_pair and own and tournament.is_before_start) and not may(tournament, by, "entrants"):
        raise TournamentError("not_allowed", right="entrants")
    if found is None:
        raise TournamentError("no_entrant")
    running_or_before(tournament)
    return tournament, found


def _reason(tournament: Tournament, entrant: Entrant, reason: str) -> str:
    why = clean_line(reason)[:200]
    if tournament.is_running and not entrant.is_active:
        raise TournamentError("is_out")
    if tournament.is_running and not why:
        raise TournamentError("no_reason")
    return why


def _take_over(
    tournament: Tournament,
    entrant: Entrant,
    out: Player,
    into: Callable[[], Player],
    by: Player,
    why: str,
) -> Entrant:
    newcomer = into()
    if entrant.player_id == out.pk:
        entrant.player = newcomer
    else:
        entrant.partner = newcomer
    if tournament.is_before_start:
        entrant.checked_in_at = None
    entrant.save(update_fields=["player", "partner", "checked_in_at"])
    PairInvitation.objects.filter(tournament=tournament, player=newcomer).delete()
    if entrant.partner is None:
        _forget_wishes(tournament, entrant)
    action = "replaced" if entrant.partner is None else "substituted"
    facts: dict[str, object] = {
        "entrant": entrant.label,
        "out": out.name,
        "into": newcomer.name,
    }
    if tournament.is_running:
        action += "_meanwhile"
        facts |= {"round": _from_now_on(tournament, entrant, out, newcomer)}
    audit.note(tournament, by, action, why, **facts)
    return entrant


def _forget_wishes(tournament: Tournament, entrant: Entrant) -> None:
    """What was the other's own: rests still to come, and whom it should not meet."""
    wished = Rest.objects.filter(entrant=entrant, asked_by__isnull=False)
    for stage, number in rounds.every_coming(tournament):
        wished.filter(stage=stage, round=number).delete()
    apart.forget(entrant.pk)


def _from_now_on(tournament: Tournament, entrant: Entrant, out: Player, into: Player) -> int:
    """Notes from which round the newcomer plays; answers its number."""
    stage, first = reopen_tables(tournament, entrant)
    StandIn.objects.create(entrant=entrant, out=out, into=into, stage=stage, round=first)
    return first


def reopen_tables(tournament: Tournament, entrant: Entrant) -> tuple[Stage, int]:
    """Opens the entry's tables anew that nobody has begun to play at, for who plays in it now; the
    stage, and the first round that has not begun for it.
    """
    stage = stages.current(tournament)
    assert stage is not None
    board = boards.load(stage)
    numbers = [number for number in _undecided(board, entrant) if _is_free(board, number)]
    drawn = max((pairing.round.number for pairing in board.pairings.values()), default=0)
    first = min((board.pairings[number].round.number for number in numbers), default=drawn + 1)
    progress.advance(board)
    transaction.on_commit(lambda: tables.open_ready(tournament.pk), robust=True)
    return stage, first


def _undecided(board: Board, entrant: Entrant) -> list[int]:
    """The entry's matches without a result."""
    seed = board.find_seed(entrant.pk)
    inside = [number for number in board.pairings if board.side_of(number, seed) is not None]
    return [number for number in inside if board.result(number) is None]


def _is_free(board: Board, number: int) -> bool:
    """Whether nobody plays it now; a table at which nobody has begun is closed."""
    live = board.live_game(number)
    return live is None or tables.call_off(live)
