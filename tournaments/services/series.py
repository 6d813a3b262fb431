"""Events made after others: a copy of one, and the same evening week after week."""

from __future__ import annotations

import datetime as dt
import logging
import secrets
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from players.models import Player
from tournaments import audit, moments
from tournaments.errors import TournamentError
from tournaments.models import Apart, Official, Tournament
from tournaments.options import EDITABLE
from tournaments.services.setup import make
from tournaments.services.work import lock, lock_for

COPIED: Final = (EDITABLE - {"starts_at", "closes_at", "weekly"}) | {"preset", "game"}
"""What a copy takes over: all that an organiser sets but the times."""
WEEK: Final = 7
AT_ONCE: Final = 20
Status = Tournament.Status

log = logging.getLogger(__name__)


@transaction.atomic
def copy(*, tournament_id: int, by: Player) -> Tournament:
    """A draft with the same settings and officials, and no times yet; another each time.

    Raises TournamentError not_found, not_allowed.
    """
    event = lock_for(tournament_id, by)
    return _copy(event, by, organiser=by)


@transaction.atomic
def next_week(*, tournament_id: int, by: Player) -> Tournament:
    """The next of the weekly series, open for entry: the same time on the clocks of its zone, in
    the first week still to come. The same again when it is there already.

    Raises TournamentError not_found, not_allowed; no_start where the event has no time.
    """
    return _next(lock_for(tournament_id, by), by)


def make_due() -> int:
    """For the clock: the next of each weekly event that is over; how many were made."""
    over = Tournament.objects.filter(weekly=True, status=Status.FINISHED)
    made = 0
    for tournament_id in list(over.order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        try:
            with transaction.atomic():
                event = lock(tournament_id)
                if event.weekly and event.status == Status.FINISHED:
                    _next(event, None)
                    made += 1
        except Exception:
            log.exception("The event after tournament %d was not made", tournament_id)
            Tournament.objects.filter(pk=tournament_id).update(weekly=False)
    return made


def _next(event: Tournament, by: Player | None) -> Tournament:
    """`weekly` goes over to the next one, so that each is followed once."""
    if event.starts_at is None:
        raise TournamentError("no_start", key="starts_at")
    if not event.series:
        event.series, event.series_number = secrets.token_hex(8), 1
    number = (event.series_number or 1) + 1
    made = Tournament.objects.filter(series=event.series, series_number=number).first()
    weekly = event.weekly
    event.weekly = False
    event.save(update_fields=["series", "series_number", "weekly"])
    if made is not None:
        return made
    days = _days_until_next(event, event.starts_at)
    times = {
        key: None
        if (at := getattr(event, key)) is None
        else moments.days_later(at, event.zone, days)
        for key in ("starts_at", "closes_at")
    }
    return _copy(
        event,
        by,
        organiser=event.organiser,
        status=Status.REGISTRATION,
        series=event.series,
        series_number=number,
        weekly=weekly,
        **times,
    )


def _days_until_next(event: Tournament, starts_at: dt.datetime) -> int:
    days = WEEK
    while moments.days_later(starts_at, event.zone, days) <= timezone.now():
        days += WEEK
    return days


def _copy(event: Tournament, by: Player | None, *, organiser: Player, **more: Any) -> Tournament:
    fields = {key: getattr(event, key) for key in COPIED}
    made = make(organiser, {**fields, **more, "copied_from": event})
    Official.objects.bulk_create(
        Official(tournament=made, player=each.player, role=each.role, tables=each.tables)
        for each in event.officials.exclude(player=organiser)
    )
    if event.aparts.filter(kind=Apart.Kind.CLUB).exists():
        Apart.objects.create(tournament=made, kind=Apart.Kind.CLUB, by=by)
    audit.note(made, by, "copied", of=event.name)
    return made
