"""Seasons in the database: opened by the calendar, their tables written, and closed once.

Tables are written by whoever writes a pool's ratings, under the pool's lock (services.py).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta

from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone

from ratings.glicko import State
from ratings.models import LadderSeason, OvertakenTable, RatingChange, SeasonRating
from ratings.pools import POOLS
from ratings.saving import save_all
from ratings.seasonal import (
    MIN_MATCHES,
    MIN_OPPONENTS,
    Calendar,
    Key,
    division_of,
    quarter_of,
    ranks_of,
    usual_end,
)

BATCH = 1000
CLOSES_AFTER = timedelta(hours=1)
"""What ended within the season may still be on its way to the ratings for so long."""


def first_moment(season: LadderSeason) -> datetime:
    return datetime.combine(season.begins_on, time(), UTC)


def over_at(season: LadderSeason) -> datetime:
    """The moment after its last day."""
    return datetime.combine(season.ends_on + timedelta(days=1), time(), UTC)


def known() -> list[LadderSeason]:
    """All seasons, the earliest first."""
    return list(LadderSeason.objects.order_by("number"))


def calendar_of(seasons: Sequence[LadderSeason]) -> Calendar:
    if not seasons:
        return Calendar()
    return Calendar(
        begins=[each.begins_on.toordinal() for each in seasons],
        numbers=[each.number for each in seasons],
        until=seasons[-1].ends_on.toordinal(),
    )


def open_until(day: date) -> bool:
    """Sees to it that there is a season on that day; whether one had to be opened.

    The first one begins with the day's quarter, the others follow one another.
    """
    opened = False
    while True:
        last = LadderSeason.objects.order_by("-number").first()
        if last is not None and last.ends_on >= day:
            return opened
        begins_on = quarter_of(day) if last is None else last.ends_on + timedelta(days=1)
        _row, new = LadderSeason.objects.get_or_create(
            number=1 if last is None else last.number + 1,
            defaults={"begins_on": begins_on, "ends_on": usual_end(begins_on)}
            | ({} if last is None else {"top_division": last.top_division}),
        )
        opened = opened or new


def pools_unseasoned() -> list[str]:
    """The pools with matches in some season that they were not rated for: there was none yet."""
    first = LadderSeason.objects.order_by("number").first()
    if first is None:
        return []
    changes = RatingChange.objects.filter(finished_at__gte=first_moment(first), season_matches=0)
    return sorted(set(changes.order_by().values_list("pool", flat=True)))


def reached(seasons: Iterable[LadderSeason], since: datetime | None) -> list[LadderSeason]:
    """Those of them that matches from `since` on (None: all) belong to."""
    return [each for each in seasons if since is None or since < over_at(each)]


def write(
    pool: str,
    seasons: Iterable[LadderSeason],
    states: Mapping[Key, State],
    players: Collection[int] | None,
    opponents: Mapping[Key, int],
) -> None:
    """Writes these seasons' tables. A final one stays as it is; where it would come out otherwise,
    that is noted.

    `states` holds all that `players` (None: everyone) have in them; who has nothing there any more
    is removed. `opponents` are those that may be others than before.
    """
    for season in seasons:
        found = SeasonRating.objects.filter(season=season, pool=pool)
        if players is not None:
            found = found.filter(player__in=players)
        rows = {row.player_id: row for row in found}
        due = {
            player: state for (number, player), state in states.items() if number == season.number
        }
        if season.is_closed:
            if {player: row.state for player, row in rows.items()} != due:
                OvertakenTable.objects.get_or_create(season=season, pool=pool)
            continue
        gone = [row.pk for player, row in rows.items() if player not in due]
        if gone:
            SeasonRating.objects.filter(pk__in=gone).delete()
        _write_season(season, pool, rows, due, opponents)


def _write_season(
    season: LadderSeason,
    pool: str,
    rows: Mapping[int, SeasonRating],
    due: Mapping[int, State],
    opponents: Mapping[Key, int],
) -> None:
    new = due.keys() - rows.keys()
    divisions = _divisions(season, pool, new) if new else {}
    changed = []
    for player, state in due.items():
        row = rows.get(player) or SeasonRating(
            season=season, pool=pool, player_id=player, division=divisions.get(player)
        )
        now = (state, opponents.get((season.number, player), row.opponents))
        if row.pk is None or now != (row.state, row.opponents):
            row.state, row.opponents = now
            changed.append(row)
    save_all(changed, ["mean", "variance", "last_day", "matches", "opponents"])


def _divisions(season: LadderSeason, pool: str, players: Iterable[int]) -> dict[int, int]:
    """The divisions of those who had a rank in the season before, once that is closed."""
    ranked = SeasonRating.objects.filter(
        season__number=season.number - 1, pool=pool, player__in=list(players), rank__gt=0
    )
    return {
        player: division_of(rank, season.top_division)
        for player, rank in ranked.values_list("player", "rank")
        if rank is not None
    }


def due_to_close(now: datetime | None = None) -> list[int]:
    """The numbers of the seasons whose tables ought to become final, the earliest first."""
    last_day = ((now or timezone.now()) - CLOSES_AFTER).astimezone(UTC).date() - timedelta(days=1)
    found = LadderSeason.objects.filter(closed_at=None, ends_on__lte=last_day)
    return list(found.order_by("number").values_list("number", flat=True))


@transaction.atomic
def close(number: int, now: datetime | None = None) -> bool:
    """Gives the ranks of every pool, and the next season its divisions. False if it was closed.

    Every pool is locked by the caller.
    """
    season = LadderSeason.objects.select_for_update().get(number=number)
    if season.is_closed:
        return False
    for pool in POOLS:
        _rank(season, pool)
    season.closed_at = now or timezone.now()
    season.save(update_fields=["closed_at"])
    for following in LadderSeason.objects.filter(number=number + 1):
        place_anew(following)
    return True


def _rank(season: LadderSeason, pool: str) -> None:
    """Best first; equals share a rank. In one statement, for a pool may have 100,000 players."""
    table = SeasonRating._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} AS t SET rank = r.place FROM "  # noqa: S608
            f"(SELECT id, RANK() OVER (ORDER BY mean DESC) AS place FROM {table} "
            "WHERE season_id = %s AND pool = %s AND matches >= %s AND opponents >= %s) AS r "
            "WHERE t.id = r.id",
            [season.pk, pool, MIN_MATCHES, MIN_OPPONENTS],
        )


def ranks(rows: Iterable[SeasonRating]) -> dict[int, int]:
    """What `close` gives: by player, who has played enough."""
    enough = [r for r in rows if r.matches >= MIN_MATCHES and r.opponents >= MIN_OPPONENTS]
    falling = sorted(-row.mean for row in enough)
    return {row.player_id: 1 + bisect_left(falling, -row.mean) for row in enough}


def place_anew(season: LadderSeason) -> None:
    """Gives those who have begun the season their divisions. Every pool is locked by the caller."""
    for pool in POOLS:
        before = SeasonRating.objects.filter(season__number=season.number - 1, pool=pool)
        rows = SeasonRating.objects.filter(season=season, pool=pool)
        rows.exclude(division=None).update(division=None)
        last = before.aggregate(last=Max("rank"))["last"] or 0
        for division in range(1, division_of(last, season.top_division) + 1 if last else 1):
            there = before.filter(rank__range=ranks_of(division, season.top_division))
            rows.filter(player__in=there.values("player")).update(division=division)
