"""Who is there. Written beside the match's lock: a sign of life must not wait for a move."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Q

from games import clock, events
from games.models import Match, Seat
from games.services.opening import sit

MOST_TRIP_MS: Final = 10_000


def arrive(*, match_id: str, player: Any, now: datetime | None = None) -> None:
    """A player's socket has said hello: take a reserved seat, end being away, be seen.

    Nothing for anyone without a seat.
    """
    seat = _seat(match_id, player)
    if seat is None:
        return
    waited_for = seat.sat_at is None and seat.match.is_open
    if waited_for or seat.away_since is not None:
        sit(match_id=match_id, player=player, now=now)
    else:
        _be_seen(seat, now or clock.now())


def seen(
    *, match_id: str, player: Any, trip_ms: int | None = None, now: datetime | None = None
) -> None:
    """A heartbeat of a player's socket, and how long its messages take there and back, if that was
    measured. It comes from a machine, so it ends no absence.
    """
    seat = _seat(match_id, player)
    if seat is None:
        return
    _be_seen(seat, now or clock.now())
    # A turn that has begun keeps the lag that its end was set by.
    if trip_ms is not None and seat.match.turn != seat.index:
        Seat.objects.filter(pk=seat.pk).update(trip_ms=min(trip_ms, MOST_TRIP_MS))


def _seat(match_id: str, player: Any) -> Seat | None:
    pk = getattr(player, "pk", None)
    if pk is None:
        return None
    return Seat.objects.select_related("match").filter(match=match_id, player=pk).first()


def _be_seen(seat: Seat, now: datetime) -> None:
    later = Q(seen_at__isnull=True) | Q(seen_at__lt=now)
    Seat.objects.filter(later, pk=seat.pk).update(seen_at=now)
    alive = seat.match.status in (Match.Status.OPEN, Match.Status.RUNNING)
    if alive and not clock.is_present(seat.seen_at, now):
        transaction.on_commit(lambda: events.refresh_table(seat.match_id))
