"""Seasons to be read: which there are, who won them, and a player's honours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Exists, Min, OuterRef, Q
from django.utils import timezone

from players.models import Player
from ratings.models import LadderSeason, SeasonRating

FIRST = 3
"""So many ranks of a season stand in the list of seasons."""


@dataclass(frozen=True, slots=True)
class Honour:
    """Where a player ended in a season of a pool; `won` is the division that nobody ended above."""

    season: LadderSeason
    pool: str
    rank: int
    rating: int
    division: int | None
    won: bool


def running(now: datetime | None = None) -> LadderSeason | None:
    """The season of today; None before the first one, and when its tables are final already."""
    today = (now or timezone.now()).astimezone(UTC).date()
    of_today = LadderSeason.objects.filter(begins_on__lte=today, ends_on__gte=today)
    return of_today.filter(closed_at=None).first()


def seasons() -> list[LadderSeason]:
    """All of them, the latest first."""
    return list(LadderSeason.objects.order_by("-number"))


def firsts(pool: str, among: Iterable[LadderSeason]) -> dict[int, list[SeasonRating]]:
    """The first three of each of these seasons in the pool, by season number."""
    found: dict[int, list[SeasonRating]] = {}
    rows = SeasonRating.objects.filter(season__in=list(among), pool=pool, rank__lte=FIRST)
    for row in rows.select_related("player", "season").order_by("rank", "pk"):
        found.setdefault(row.season.number, []).append(row)
    return found


def divisions(season: LadderSeason, pool: str) -> list[int]:
    """The divisions that anybody of the season is in."""
    rows = SeasonRating.objects.filter(season=season, pool=pool, division__gt=0)
    found = rows.order_by("division").values_list("division", flat=True).distinct()
    return [each for each in found if each is not None]


def winners(season: LadderSeason, pool: str) -> list[SeasonRating]:
    """Who ended first in each division of a season that is over, from the first division on."""
    rows = SeasonRating.objects.filter(season=season, pool=pool, rank__gt=0, division__gt=0)
    best = rows.order_by().values("division").annotate(best=Min("rank"))
    chosen = [Q(division=row["division"], rank=row["best"]) for row in best]
    if not chosen:
        return []
    first = Q()
    for each in chosen:
        first |= each
    return list(rows.filter(first).select_related("player").order_by("division", "pk"))


def ranked_players(number: int) -> list[int]:
    """Who has a rank in that season, in any pool."""
    rows = SeasonRating.objects.filter(season__number=number, rank__gt=0)
    return list(rows.order_by("player").values_list("player", flat=True).distinct())


def best_ranks(number: int, players: Iterable[int]) -> list[SeasonRating]:
    """Of each of the players where in that season he or she ended best; of equal ranks the one in
    the pool played most.
    """
    rows = SeasonRating.objects.filter(season__number=number, player__in=list(players), rank__gt=0)
    best: dict[int, SeasonRating] = {}
    for row in rows.select_related("player").order_by("rank", "-matches", "pool"):
        best.setdefault(row.player_id, row)
    return list(best.values())


def honours(player: Player, limit: int = 20) -> list[Honour]:
    """The player's ranks in the seasons that are over, the latest first."""
    above = SeasonRating.objects.filter(
        season=OuterRef("season"),
        pool=OuterRef("pool"),
        division=OuterRef("division"),
        rank__lt=OuterRef("rank"),
    )
    rows = SeasonRating.objects.filter(player=player, rank__gt=0).annotate(beaten=Exists(above))
    rows = rows.select_related("season").order_by("-season__number", "rank", "pool")
    return [
        Honour(
            season=row.season,
            pool=row.pool,
            rank=row.rank or 0,
            rating=round(row.state.rating),
            division=row.division,
            won=row.division is not None and not row.beaten,
        )
        for row in rows[:limit]
    ]
