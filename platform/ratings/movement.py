"""By how much the last seven days' matches moved players: on a ladder, and in a season."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import OuterRef, Subquery

from ratings.glicko import points_of
from ratings.models import LadderSeason, RatingChange
from ratings.pools import prior_of
from ratings.seasonal import beginning
from ratings.seasons import first_moment, over_at

WEEK = timedelta(days=7)


def moved(
    pool: str, players: Iterable[int], now: datetime, season: LadderSeason | None = None
) -> dict[int, int]:
    """Points by player, of those who played; in a season what its own matches moved there."""
    week = RatingChange.objects.filter(
        pool=pool, player__in=list(players), finished_at__gte=now - WEEK
    )
    if season is None:
        return _between_ends(
            (each.player_id, each.before_mean, each.after_mean) for each in week.order_by("number")
        )
    # One query: who had a match of the season before has its state from there.
    earlier = RatingChange.objects.filter(
        player=OuterRef("player"), pool=pool, number=OuterRef("number") - 1
    )
    week = week.filter(
        finished_at__gte=first_moment(season), finished_at__lt=over_at(season), season_matches__gt=0
    )
    prior = prior_of(pool)
    rows = week.annotate(left=Subquery(earlier.values("season_mean")[:1])).order_by("number")
    return _between_ends(
        (
            row.player_id,
            row.left if row.season_matches > 1 else beginning(row.before_mean, prior).mean,
            row.season_mean or 0.0,
        )
        for row in rows
    )


def _between_ends(changes: Iterable[tuple[int, float, float]]) -> dict[int, int]:
    """From each player's first mean before to the last one after, as points that are shown."""
    first: dict[int, float] = {}
    last: dict[int, float] = {}
    for player, before, after in changes:
        first.setdefault(player, before)
        last[player] = after
    return {player: points_of(last[player]) - points_of(mean) for player, mean in first.items()}
