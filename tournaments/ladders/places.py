"""Places on a ladder: taken, given up, and fallen from by not playing."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from players import clubs
from players.models import Player
from tournaments.ladders.challenges import open_on, place_of
from tournaments.ladders.errors import LadderError
from tournaments.ladders.log import append
from tournaments.ladders.running import lock
from tournaments.models import Challenge, LadderGame, LadderLine, LadderPlace

State, Kind = Challenge.State, LadderLine.Kind


@transaction.atomic
def join(*, ladder_id: int, player: Player) -> LadderPlace:
    """A place at the bottom; the one they have, if they do. Raises LadderError no_account,
    members_only.
    """
    ladder = lock(ladder_id)
    if player.is_guest or player.is_bot:
        raise LadderError("no_account")
    if ladder.club is not None and not clubs.is_member(ladder.club, player):
        raise LadderError("members_only")
    known = place_of(ladder, player)
    if known is None:
        append(ladder, Kind.JOINED, player)
        known = place_of(ladder, player)
    assert known is not None
    return known


@transaction.atomic
def leave(*, ladder_id: int, player: Player) -> None:
    """Gives the place up; open challenges with it. Raises LadderError being_played."""
    ladder = lock(ladder_id)
    if place_of(ladder, player) is None:
        return
    own = open_on(ladder).filter(Q(challenger=player) | Q(defender=player))
    if LadderGame.objects.filter(challenge__in=own, over_at__isnull=True).exists():
        raise LadderError("being_played")
    own.update(state=State.WITHDRAWN, ended_at=timezone.now())
    append(ladder, Kind.LEFT, player)


@transaction.atomic
def fall_idle(ladder_id: int, player_id: int, now: dt.datetime) -> bool:
    """Who hasn't played for the ladder's `idle_days` falls a place; whether they did."""
    ladder = lock(ladder_id)
    limit = now - dt.timedelta(days=ladder.idle_days)
    row = ladder.places.filter(player=player_id, rank__isnull=False, active_at__lte=limit).first()
    if row is None or not ladder.idle_days:
        return False
    last = ladder.places.aggregate(last=Max("rank"))["last"]
    LadderPlace.objects.filter(pk=row.pk).update(active_at=now)
    if row.rank == last:
        return False
    append(ladder, Kind.IDLE, row.player)
    return True
