"""The lock of an event, and the word to a worker that a round is due.

Lock order, always: the event's row, then a match, then rating rows. The event's row stands for
its stages too, so that results, withdrawals and corrections of one event go one by one.
"""

from __future__ import annotations

import logging
import threading

from celery import current_app
from django.db import transaction

from games import events
from players.models import Player
from tournaments import topics
from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.permissions import Right, may

DRAW_ROUND = "tournaments.tasks.draw_round"

log = logging.getLogger(__name__)


def lock(tournament_id: int) -> Tournament:
    """The event's row, locked until the transaction ends: a new revision of it, whatever is
    changed then, of which its pages are told. Raises TournamentError("not_found").
    """
    row = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
    if row is None:
        raise TournamentError("not_found", tournament=tournament_id)
    row.revision += 1
    row.save(update_fields=["revision"])
    events.changed(topics.of_event(row.pk))
    return row


def lock_for(
    tournament_id: int, by: Player, right: Right = "settings", table: int | None = None
) -> Tournament:
    """The same, for whoever has that right. Raises TournamentError("not_allowed")."""
    row = lock(tournament_id)
    if not may(row, by, right, table):
        raise TournamentError("not_allowed", right=right)
    return row


def before_start(tournament: Tournament) -> None:
    """Raises TournamentError unless the event is still being prepared."""
    if tournament.is_running:
        raise TournamentError("has_begun")
    if not tournament.is_before_start:
        raise TournamentError("over", status=tournament.status)


def running_or_before(tournament: Tournament) -> None:
    """Raises TournamentError once the event is over."""
    if not tournament.is_running and not tournament.is_before_start:
        raise TournamentError("over", status=tournament.status)


def running(tournament: Tournament) -> None:
    """Raises TournamentError unless the event is running."""
    if not tournament.is_running:
        raise TournamentError(
            "not_running" if tournament.is_before_start else "over", status=tournament.status
        )


def ask_for_round(tournament_id: int) -> None:
    """Has a worker draw the round that is due, once the transaction is through. Should the message
    be lost, the tick draws it.
    """
    transaction.on_commit(lambda: _send_from_a_thread(tournament_id), robust=True)


def _send_from_a_thread(tournament_id: int) -> None:
    """A broker that is down takes its client seconds to give up on; no request waits for that."""
    threading.Thread(target=_send, args=[tournament_id], name="draw-round", daemon=True).start()


def _send(tournament_id: int) -> None:
    try:
        current_app.send_task(DRAW_ROUND, args=[tournament_id], retry=False, expires=60)
    except Exception as error:
        log.warning("The broker did not take the word that a round is due: %r", error)
