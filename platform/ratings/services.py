"""All that changes a rating: harmless when repeated, and with one writer a pool at a time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from games import events
from outbox.services import publish
from players.models import Player
from ratings import archive, recomputing, seasons, snapshots
from ratings.fold import Entry
from ratings.judging import judge
from ratings.models import (
    LadderSeason,
    RatedMatch,
    RatingCorrection,
    RatingPool,
    Recomputation,
    UnratedMatch,
)
from ratings.pools import POOLS
from ratings.replay import Difference, replay

Cause = RatingCorrection.Cause

AT_ONCE = 300
"""A correction with more matches after it than this is worked out in the background."""
TOLD_AT_ONCE = 500


class NotRatedYet(Exception):
    """The match is not finished, or it is no match that was ever rated."""


class SeasonFixed(Exception):
    """What was asked for would change a season that is over, or days that have been."""


def handle_match_finished(payload: dict[str, Any]) -> None:
    """The outbox's "match.finished": rates the match, once however often it is delivered."""
    rate(str(payload["match"]))


def rate(match_id: str) -> bool:
    """Rates a finished match, or records why it isn't. False when that had been done before.

    Raises NotRatedYet for a match that is not finished.
    """
    if is_decided(match_id):
        return False
    verdict = judge(match_id)
    if verdict is None:
        raise NotRatedYet(match_id)
    if isinstance(verdict, str):
        _row, new = UnratedMatch.objects.get_or_create(
            match_id=match_id, defaults={"reason": verdict}
        )
        return new
    return enter(*verdict)


def is_decided(match_id: str) -> bool:
    """Whether the match has been rated, or found not to be rated."""
    return (
        RatedMatch.objects.filter(match_id=match_id).exists()
        or UnratedMatch.objects.filter(match_id=match_id).exists()
    )


@transaction.atomic
def annul(*, match_id: str, note: str = "", by: Player | None = None) -> bool:
    """Takes a rated match out of its pool, and rates again all that came after it.

    That is done in the background where it is much.
    False when it had been annulled before. Raises NotRatedYet for a match that was never rated.
    """
    row = _locked_match(match_id)
    if row.annulled:
        return False
    row.annulled = True
    row.weights = []
    row.save(update_fields=["annulled", "weights"])
    UnratedMatch.objects.create(match_id=match_id, reason="annulled", note=note, by=by)
    _follow(row.pool, row.entry, Cause.ANNULLED, by)
    _show_at_table(match_id)
    return True


@transaction.atomic
def reinstate(*, match_id: str, by: Player | None = None) -> bool:
    """Undoes `annul`. False when the match counts already."""
    row = _locked_match(match_id)
    if not row.annulled:
        return False
    row.annulled = False
    row.save(update_fields=["annulled"])
    UnratedMatch.objects.filter(match_id=match_id, reason="annulled").delete()
    _follow(row.pool, row.entry, Cause.REINSTATED, by)
    _show_at_table(match_id)
    return True


@transaction.atomic
def recompute(pool: str) -> list[Difference]:
    """Rates the whole log of a pool anew; the differences, which players see in their history."""
    _lock(pool)
    snapshots.forget(pool, None)
    differences = replay(pool, None)
    _record(pool, differences, Cause.RECOMPUTED)
    return differences


@transaction.atomic
def enter(pool: str, entry: Entry) -> bool:
    """Puts the match where it belongs in the pool's log, and rates from there on.

    A match that comes after all others is rated alone; one that comes late has the later ones
    rated again, so that the order of arrival never matters.
    """
    open_season()
    _lock(pool)
    _row, new = RatedMatch.objects.get_or_create(
        match_id=entry.match_id,
        defaults={
            "pool": pool,
            "finished_at": entry.finished_at,
            "target": entry.target,
            "sides": [list(side) for side in entry.sides],
            "places": list(entry.places),
            "trust": entry.trust,
        },
    )
    if new:
        _follow(pool, entry, Cause.LATE)
        _show_at_table(entry.match_id)
    return new


@transaction.atomic
def ask_to_recompute(*, pool: str, by: Player | None = None) -> Recomputation:
    """Has the whole pool rated anew in the background."""
    _lock(pool)
    return Recomputation.objects.create(pool=pool, cause=Cause.RECOMPUTED, asked_by=by)


def recompute_in_background(pool: str) -> int | None:
    """Works off what is open in the pool; how many came out otherwise, None if nothing was to do.

    What fails is tried again by the next call, a few times.
    """
    run = recomputing.begin(pool)
    if run is None:
        return None
    try:
        recomputing.fold_ahead(run)
        with transaction.atomic():
            _lock(pool)
            differences = recomputing.swap(run)
            _record(pool, differences, run.cause, run.match_id)
    except recomputing.Superseded:
        return None
    except Exception as error:
        recomputing.fail(run, repr(error))
        raise
    return len(differences)


@transaction.atomic
def take_snapshot(pool: str, now: datetime | None = None) -> int | None:
    """Takes the snapshot of the first month that has none and is over; None if there is no such.

    A month is left alone for a day after its end, and while the pool is being recomputed.
    """
    row = _lock(pool)
    month = snapshots.next_month(row)
    if month is None or recomputing.is_open(pool):
        return None
    over = snapshots.beginning(snapshots.following(month)) + timedelta(days=1)
    return snapshots.take(row, month) if over <= (now or timezone.now()) else None


@transaction.atomic
def open_season(now: datetime | None = None) -> bool:
    """Sees to it that today has a season; whether one was opened.

    Matches of its days that were rated before it was there are rated again in the background.
    """
    if not seasons.open_until((now or timezone.now()).astimezone(UTC).date()):
        return False
    for pool in seasons.pools_unseasoned():
        Recomputation.objects.create(pool=pool, cause=Cause.RECOMPUTED)
    return True


@transaction.atomic
def close_season(number: int, now: datetime | None = None) -> bool:
    """Makes the tables of a season final. False if they are, or while ratings are recomputed."""
    for pool in POOLS:
        _lock(pool)
    if any(recomputing.is_open(pool) for pool in POOLS):
        return False
    if not seasons.close(number, now):
        return False
    _tell_of_places(number)
    return True


@transaction.atomic
def change_season(
    number: int, *, name: str, ends_on: date, top_division: int, today: date | None = None
) -> LadderSeason:
    """Renames the running season, moves its last day, or sizes its divisions.

    Raises SeasonFixed where that would change what has been: of a season that is over, or by a
    last day before today.
    """
    for pool in POOLS:
        _lock(pool)
    season = LadderSeason.objects.select_for_update().get(number=number)
    today = today or timezone.now().astimezone(UTC).date()
    if min(season.ends_on, ends_on) < today:
        raise SeasonFixed
    sized = season.top_division != top_division
    season.name, season.ends_on, season.top_division = name, ends_on, top_division
    season.save(update_fields=["name", "ends_on", "top_division"])
    if sized:
        seasons.place_anew(season)
    return season


def _follow(
    pool: str, entry: Entry, cause: RatingCorrection.Cause, by: Player | None = None
) -> None:
    """Rates what comes after a match that has come into the log, or gone from it.

    Little at once; what is more, or would run into a recomputation, in the background.
    """
    later = RatedMatch.objects.filter(
        pool=pool, annulled=False, finished_at__gte=entry.finished_at
    ).exclude(pk=entry.match_id)
    count = later.values("pk")[: AT_ONCE + 1].count()
    if count > AT_ONCE or ((count or cause != Cause.LATE) and recomputing.is_open(pool)):
        Recomputation.objects.create(
            pool=pool, since=entry.finished_at, cause=cause, match_id=entry.match_id, asked_by=by
        )
        return
    differences = replay(pool, entry, entry.players)
    snapshots.forget(pool, entry.finished_at)
    if cause == Cause.LATE:  # those who played it see the match itself
        differences = [each for each in differences if each.player not in entry.players]
    _record(pool, differences, cause, entry.match_id)


def _tell_of_places(number: int) -> None:
    """The news of a closed season, for those who have a rank in it."""
    players = archive.ranked_players(number)
    for start in range(0, len(players), TOLD_AT_ONCE):
        some = players[start : start + TOLD_AT_ONCE]
        payload = {"season": number, "players": some}
        publish("season.closed", key=f"{number}-{some[0]}", payload=payload)


def _show_at_table(match_id: str) -> None:
    """Lets those who still sit at the table see what the match did to their ratings."""
    transaction.on_commit(lambda: events.refresh_table(match_id))


def _lock(pool: str) -> RatingPool:
    """Makes this transaction the pool's only writer until it ends."""
    RatingPool.objects.get_or_create(key=pool)
    return RatingPool.objects.select_for_update().get(key=pool)


def _locked_match(match_id: str) -> RatedMatch:
    pool = RatedMatch.objects.filter(match_id=match_id).values_list("pool", flat=True).first()
    if pool is None:
        raise NotRatedYet(match_id)
    _lock(pool)
    return RatedMatch.objects.get(match_id=match_id)


def _record(pool: str, differences: Iterable[Difference], cause: str, match_id: str = "") -> None:
    """A line in the history of each whose shown rating is another, and the news of it."""
    now = timezone.now()
    lines = [
        RatingCorrection(
            player_id=each.player,
            pool=pool,
            at=now,
            cause=cause,
            match_id=match_id,
            before_mean=each.before,
            after_mean=each.after,
        )
        for each in differences
    ]
    rows = RatingCorrection.objects.bulk_create([line for line in lines if line.delta])
    for start in range(0, len(rows), TOLD_AT_ONCE):
        ids = [row.pk for row in rows[start : start + TOLD_AT_ONCE]]
        publish("rating.corrected", key=str(ids[0]), payload={"corrections": ids})
