"""The clock of a round that is on, and where each of its matches is played."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.utils import timezone

from games import services as games
from players.models import Player
from tournaments import audit
from tournaments import board as boards
from tournaments.errors import TournamentError
from tournaments.models import Pairing, Round, Tournament
from tournaments.options import clean_line
from tournaments.services import progress, tables
from tournaments.services.rounds import locked
from tournaments.services.work import lock_for, running

MOST_MINUTES = 240
Play = Tournament.Play


@transaction.atomic
def add_time(*, round_id: int, by: Player, minutes: int, reason: str = "") -> Round:
    """Moves the end of a started round, or sets it that far from now if it had none.

    Raises TournamentError round_gone, not_allowed, not_running, round_not_started, bad_minutes.
    """
    if type(minutes) is not int or not 1 <= minutes <= MOST_MINUTES:
        raise TournamentError("bad_minutes", high=MOST_MINUTES)
    row = _started(round_id, by)
    row.ends_at = (row.ends_at or timezone.now()) + dt.timedelta(minutes=minutes)
    row.save(update_fields=["ends_at"])
    facts = {"round": row.number, "minutes": minutes}
    audit.note(row.stage.tournament, by, "time_added", clean_line(reason), **facts)
    return row


@transaction.atomic
def pause(*, round_id: int, by: Player, reason: str = "") -> Round:
    """Stops a round's clock and opens no more tables; turns at live tables go on. Nothing when it
    stands already. The errors of `add_time`.
    """
    row = _started(round_id, by)
    if row.paused_at is None:
        row.paused_at = timezone.now()
        row.save(update_fields=["paused_at"])
        audit.note(row.stage.tournament, by, "paused", clean_line(reason), round=row.number)
    return row


def resume(*, round_id: int, by: Player) -> Round:
    """Lets a round go on; its end is later by the pause. Nothing when it isn't paused."""
    with transaction.atomic():
        row = _started(round_id, by)
        if row.paused_at is not None:
            if row.ends_at is not None:
                row.ends_at += timezone.now() - row.paused_at
            row.paused_at = None
            row.save(update_fields=["ends_at", "paused_at"])
            audit.note(row.stage.tournament, by, "resumed", round=row.number)
    tables.open_ready(row.stage.tournament_id)
    return row


def call_time(*, round_id: int, by: Player, reason: str = "") -> Round:
    """Lets every table of a started round finish the deal in hand, and nothing else: matches at
    live tables end after it with the score as it stands, series with the games won so far. A
    shared lead is a draw where the format has those, else one more is played. Over the board, the
    scores are entered as they stand. Once, however often it is pressed. The errors of `add_time`.
    """
    with transaction.atomic():
        row = _started(round_id, by)
        if row.called_at is not None:
            return row
        row.called_at, row.paused_at = timezone.now(), None
        row.save(update_fields=["called_at", "paused_at"])
        audit.note(row.stage.tournament, by, "time_called", clean_line(reason), round=row.number)
        board = boards.load(row.stage)
        for number, pairing in board.pairings.items():
            if pairing.round_id != row.pk or board.result(number) is not None:
                continue
            live = board.live_game(number)
            if live is not None:
                games.call_time(match_id=live.match_id, needs_winner=not board.format.DRAWS)
            else:
                progress.settle_tally(board, number)
        progress.advance(board)
    tables.open_ready(row.stage.tournament_id)
    return row


@transaction.atomic
def set_play(*, pairing_id: int, by: Player, play: str, reason: str = "") -> Pairing:
    """Takes an undecided match of a mixed event to the board, or to a live table. A live table that
    nobody has begun to play at is closed.

    Raises TournamentError no_pairing, not_allowed, not_running, not_mixed, decided, has_begun_live.
    """
    known = Pairing.objects.select_related("stage").filter(pk=pairing_id).first()
    if known is None:
        raise TournamentError("no_pairing", pairing=pairing_id)
    tournament = lock_for(known.stage.tournament_id, by, "rounds")
    running(tournament)
    if tournament.play != Play.MIXED or play not in (Play.LIVE, Play.BOARD):
        raise TournamentError("not_mixed")
    board = boards.load(tournament.stages.get(pk=known.stage_id))
    pairing = board.pairings.get(known.number)
    if pairing is None:
        raise TournamentError("no_pairing", pairing=pairing_id)
    if board.result(pairing.number) is not None:
        raise TournamentError("decided", match=pairing.number)
    if (pairing.play or Play.LIVE) == play:
        return pairing
    live = board.live_game(pairing.number)
    if play == Play.BOARD and live is not None and not tables.call_off(live):
        raise TournamentError("has_begun_live", match=pairing.number)
    pairing.play = play
    pairing.save(update_fields=["play"])
    action = "to_board" if play == Play.BOARD else "to_live"
    audit.note(tournament, by, action, clean_line(reason), match=pairing.number)
    progress.advance(board)
    transaction.on_commit(lambda: tables.open_ready(tournament.pk), robust=True)
    return pairing


def _started(round_id: int, by: Player) -> Round:
    row = locked(round_id, by)
    if not row.is_started:
        raise TournamentError("round_not_started")
    return row
