"""A pool's states at the ends of months, from which a replay begins.

Snapshots follow from the changes, and can be thrown away: a replay then begins earlier.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time

from django.db.models import Min, Q

from ratings.glicko import State
from ratings.models import Rating, RatingChange, RatingPool, RatingSnapshot
from ratings.pools import prior_of

BATCH = 1000


@dataclass(frozen=True, slots=True)
class Start:
    """Where a replay begins: at `at` (None: with the first match), from these states.

    `last` has when each player's last match before that ended, `rows` what is kept of it.
    """

    at: datetime | None
    states: dict[int, State]
    last: dict[int, datetime]
    rows: dict[int, RatingSnapshot] = field(default_factory=dict)


def month_of(moment: datetime) -> date:
    """The first day of the month, in UTC."""
    return moment.astimezone(UTC).date().replace(day=1)


def beginning(month: date) -> datetime:
    return datetime.combine(month, time(), UTC)


def following(month: date) -> date:
    """
    >>> following(date(2026, 12, 1))
    datetime.date(2027, 1, 1)
    """
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def start_before(pool: str, since: datetime | None) -> Start:
    """The latest moment not after `since` at which every player's state is known."""
    rows = Rating.objects.filter(pool=pool).values_list("player", "start_mean")
    prior = prior_of(pool)
    states = {player: State(mean, prior) for player, mean in rows}
    until = RatingPool.objects.get(key=pool).snapshots_until
    if since is None or until is None:
        return Start(None, states, {})
    month = min(until, month_of(since))
    last: dict[int, datetime] = {}
    latest: dict[int, RatingSnapshot] = {}
    for row in RatingSnapshot.objects.filter(pool=pool, month__lt=month).order_by("month"):
        states[row.player_id] = row.as_state
        last[row.player_id] = row.last_at
        latest[row.player_id] = row
    return Start(beginning(month), states, last, latest)


def take(pool: RatingPool, month: date) -> int:
    """Writes the month's snapshot and notes that it is there; the pool is locked by the caller."""
    RatingSnapshot.objects.filter(pool=pool.key, month=month).delete()
    rows = RatingSnapshot.objects.bulk_create(states_at_end(pool.key, month), batch_size=BATCH)
    pool.snapshots_until = following(month)
    pool.save(update_fields=["snapshots_until"])
    return len(rows)


def forget(pool: str, since: datetime | None) -> None:
    """Throws away what a correction at `since` (None: at the beginning) has made untrue."""
    found = RatingPool.objects.filter(key=pool, snapshots_until__isnull=False)
    snapshots = RatingSnapshot.objects.filter(pool=pool)
    if since is None:
        found.update(snapshots_until=None)
        snapshots.delete()
        return
    month = month_of(since)
    if found.filter(snapshots_until__gt=month).update(snapshots_until=month):
        snapshots.filter(month__gte=month).delete()


def next_month(pool: RatingPool) -> date | None:
    """The first month without a snapshot; None in a pool without matches."""
    if pool.snapshots_until is not None:
        return pool.snapshots_until
    first = RatingChange.objects.filter(pool=pool.key).aggregate(first=Min("finished_at"))["first"]
    return None if first is None else month_of(first)


def states_at_end(pool: str, month: date) -> list[RatingSnapshot]:
    """The last change of each who played in the month."""
    latest: dict[int, RatingChange] = {}
    within = Q(finished_at__gte=beginning(month), finished_at__lt=beginning(following(month)))
    for change in RatingChange.objects.filter(within, pool=pool).order_by("finished_at", "number"):
        known = latest.get(change.player_id)
        if known is None or known.number < change.number:
            latest[change.player_id] = change
    return [
        RatingSnapshot(
            pool=pool,
            month=month,
            player_id=player,
            mean=change.after_mean,
            variance=change.after_variance,
            last_at=change.finished_at,
            matches=change.number,
            season_mean=change.season_mean,
            season_variance=change.season_variance,
            season_matches=change.season_matches,
        )
        for player, change in sorted(latest.items())
    ]


def faults(pool: str) -> Iterator[str]:
    """One sentence for each month whose snapshot is not what the changes give."""
    row = RatingPool.objects.filter(key=pool, snapshots_until__isnull=False).first()
    first = (
        None
        if row is None
        else RatingChange.objects.filter(pool=pool).aggregate(first=Min("finished_at"))["first"]
    )
    if row is None or row.snapshots_until is None or first is None:
        return
    month = month_of(first)
    while month < row.snapshots_until:
        stored = RatingSnapshot.objects.filter(pool=pool, month=month)
        if _facts(stored) != _facts(states_at_end(pool, month)):
            yield f"{pool}: the snapshot of {month:%Y-%m} is not what the changes give."
        month = following(month)


def _facts(rows: object) -> set[tuple[int, State, datetime, State | None]]:
    return {(row.player_id, row.as_state, row.last_at, row.season_state(0)) for row in rows}  # type: ignore[attr-defined]
