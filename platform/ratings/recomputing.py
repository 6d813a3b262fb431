"""A pool rated anew in the background.

A run folds the log from the last monthly snapshot before the earliest correction, and keeps what
comes out in a shadow table, page by page, without holding a lock. Then, in one transaction and as
the pool's only writer, it takes in the matches that have come meanwhile and swaps. A run that dies
leaves nothing that is seen; the next one begins anew.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, cast

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from ratings import seasons, shadow, snapshots
from ratings.fold import Entry, Meetings, fold
from ratings.glicko import State
from ratings.models import (
    RatedMatch,
    Rating,
    RatingCorrection,
    RatingPool,
    Recomputation,
)
from ratings.pools import DAMPING_WINDOW, prior_of
from ratings.replay import (
    Difference,
    differences_of,
    facts_of,
    opponents_of,
    season_opponents_of,
    start_mean,
    write,
)
from ratings.seasonal import Seasons

log = logging.getLogger(__name__)

PAGE = 1000
STALE = timedelta(seconds=60)
"""A run that has not been heard of for this long is dead."""
MAX_TRIES = 5
NEAR = 100
"""So many matches, at most, are left to be taken in under the lock."""

_OPEN = (Recomputation.State.WAITING, Recomputation.State.RUNNING)


class Superseded(Exception):
    """Another run has taken this one for dead."""


@dataclass(slots=True)
class Run:
    """A run: what it was asked for, and where it stands.

    It folds what `begins` then (None: the whole log), and writes what came out `since` then: so
    many rows are `kept` in the shadow, and the changes with these keys are `stale`.
    """

    pool: str
    number: int
    since: datetime | None
    begins: datetime | None
    cause: str
    match_id: str
    touched: set[int]
    states: dict[int, State]
    last: dict[int, datetime]
    seasonal: Seasons
    meetings: Meetings
    met: dict[int, set[int]] = field(default_factory=dict)
    weights: dict[str, list[float]] = field(default_factory=dict)
    newest: Entry | None = None
    done: int = 0
    kept: int = 0
    stale: set[int] = field(default_factory=set)

    @property
    def jobs(self) -> QuerySet[Recomputation]:
        return Recomputation.objects.filter(
            pool=self.pool, run=self.number, state=Recomputation.State.RUNNING
        )


def is_open(pool: str) -> bool:
    """Whether a recomputation of the pool waits or runs."""
    return Recomputation.objects.filter(pool=pool, state__in=_OPEN).exists()


def pools_waiting() -> list[str]:
    """The pools in which there is something to recompute."""
    found = Recomputation.objects.filter(state__in=_OPEN).order_by("pool")
    return list(found.values_list("pool", flat=True).distinct())


def begin(pool: str, now: datetime | None = None) -> Run | None:
    """Claims all that is open in the pool; None where nothing is, or where another run lives."""
    now = now or timezone.now()
    with transaction.atomic():
        row = RatingPool.objects.select_for_update().get(key=pool)
        found = Recomputation.objects.filter(pool=pool, state__in=_OPEN)
        if found.filter(state=Recomputation.State.RUNNING, beat_at__gt=now - STALE).exists():
            return None
        found.filter(tries__gte=MAX_TRIES).update(state=Recomputation.State.FAILED, ended_at=now)
        jobs = list(found)
        if not jobs:
            return None
        row.runs += 1
        row.save(update_fields=["runs"])
        since = (
            None if any(j.since is None for j in jobs) else min(j.since for j in jobs if j.since)
        )
        found.update(
            state=Recomputation.State.RUNNING, run=row.runs, beat_at=now, tries=F("tries") + 1,
            done=0,
        )  # fmt: skip
        shadow.clear(pool)
    return _prepared(pool, row.runs, since, jobs)


def fold_ahead(run: Run) -> None:
    """Folds the log into the shadow table until little is left. Raises Superseded."""
    while _newer(run).count() > (NEAR if run.newest else 0):
        for rows in _pages(run):
            facts = _folded(run, rows)
            with transaction.atomic():
                _keep(run, rows, facts)
                if not run.jobs.update(beat_at=timezone.now(), done=run.done):
                    raise Superseded


def swap(run: Run) -> list[Difference]:
    """Takes in what has come meanwhile and puts all in place; who came out otherwise.

    The pool is locked by the caller. Raises Superseded.
    """
    if RatingPool.objects.get(key=run.pool).runs != run.number:
        raise Superseded
    newest = run.newest
    rows = [row for row in _sorted(_newer(run)) if not newest or row.entry.order > newest.order]
    _keep(run, rows, _folded(run, rows))
    return _put_in_place(run)


def fail(run: Run, error: str) -> None:
    """Leaves the run's corrections to the next one, which gives up after some tries."""
    run.jobs.update(state=Recomputation.State.WAITING, error=error[-4000:])


def _prepared(pool: str, number: int, since: datetime | None, jobs: list[Recomputation]) -> Run:
    start = snapshots.start_before(pool, since)
    touched = {
        player
        for row in RatedMatch.objects.filter(pk__in={job.match_id for job in jobs})
        for player in row.entry.players
    }
    cause, match_id = RatingCorrection.Cause.RECOMPUTED.value, ""
    if len(jobs) == 1:
        cause, match_id = jobs[0].cause, jobs[0].match_id
    run = Run(
        pool,
        number,
        since,
        start.at,
        cause,
        match_id,
        touched,
        start.states,
        start.last,
        Seasons(seasons.calendar_of(seasons.known()), prior_of(pool)),
        Meetings(),
    )
    for player, row in start.rows.items():
        run.seasonal.take_up(player, row.last_at, row)
    if start.at is not None:
        week = _log(pool, start.at - DAMPING_WINDOW).filter(finished_at__lt=start.at)
        for entry in sorted((row.entry for row in week), key=lambda each: each.order):
            run.meetings.note(entry)
    run.jobs.update(total=_log(pool, start.at).count())
    return run


def _pages(run: Run) -> Iterator[list[RatedMatch]]:
    """The log on from where the run stands; matches of one instant are on one page.

    No cursor stays open between pages: on SQLite its old view of the data would forbid writing.
    """
    while True:
        if run.newest is None:
            found = _log(run.pool, run.begins)
        else:
            found = _log(run.pool, None).filter(finished_at__gt=run.newest.finished_at)
        rows = list(found.order_by("finished_at")[:PAGE])
        if not rows:
            return
        edge = rows[-1].finished_at
        page = [row for row in rows if row.finished_at < edge]
        yield _sorted([*page, *_log(run.pool, edge).filter(finished_at=edge)])


def _newer(run: Run) -> QuerySet[RatedMatch]:
    """What the log has from the run's newest match on, itself included."""
    return _log(run.pool, run.newest.finished_at if run.newest else run.begins)


def _log(pool: str, since: datetime | None) -> QuerySet[RatedMatch]:
    rows = RatedMatch.objects.filter(pool=pool, annulled=False)
    return rows if since is None else rows.filter(finished_at__gte=since)


def _sorted(rows: object) -> list[RatedMatch]:
    return sorted(cast("list[RatedMatch]", rows), key=lambda row: row.entry.order)


def _folded(run: Run, rows: list[RatedMatch]) -> list[dict[str, Any]]:
    """Folds these matches; what comes out, as columns of changes."""
    entries = [row.entry for row in rows]
    new = {player for entry in entries for player in entry.players} - run.states.keys()
    if new:
        starts, prior = start_mean(run.pool, new), prior_of(run.pool)
        run.states.update((player, State(starts.get(player, 0.0), prior)) for player in new)
    rated = list(fold(entries, run.states, prior=prior_of(run.pool), meetings=run.meetings))
    for row, each in zip(rows, rated, strict=True):
        run.last.update(dict.fromkeys(each.changes, each.entry.finished_at))
        if row.weights != list(each.weights):
            run.weights[row.match_id] = list(each.weights)
        if run.since is None:
            _meet(run.met, each.entry)
    if rated:
        run.newest = rated[-1].entry
    return [
        facts
        for each in rated
        for facts in facts_of(run.pool, each, run.seasonal)
        if run.since is None or each.entry.finished_at >= run.since
    ]


def _keep(run: Run, rows: list[RatedMatch], facts: list[dict[str, Any]]) -> None:
    """Puts what has come out of these matches into the shadow table."""
    twins = shadow.twins_of({each["match_id"] for each in facts})
    run.kept += shadow.fill(facts, twins)
    run.stale.update(twins.values())
    run.done += len(rows)


def _meet(met: dict[int, set[int]], entry: Entry) -> None:
    for side in entry.sides:
        for player in side:
            met.setdefault(player, set()).update(set(entry.players).difference(side))


def _put_in_place(run: Run) -> list[Difference]:
    ratings = {row.player_id: row for row in Rating.objects.filter(pool=run.pool)}
    before = {player: row.mean for player, row in ratings.items() if row.matches}
    shadow.put_in_place(run.pool, run.since, run.stale, run.kept)
    _reweigh(run.weights)
    for player in run.states.keys() - ratings.keys():
        mean = start_mean(run.pool, [player]).get(player, 0.0)
        ratings[player] = Rating(
            player_id=player, pool=run.pool, start_mean=mean, mean=mean, variance=prior_of(run.pool)
        )
    if run.since is None:
        opponents = {player: len(run.met.get(player, ())) for player in run.states}
    else:
        opponents = opponents_of(run.pool, run.touched)
    write(ratings, run.states, run.last, opponents)
    _write_seasons(run)
    snapshots.forget(run.pool, run.since)
    run.jobs.update(
        state=Recomputation.State.DONE, ended_at=timezone.now(), done=run.done, total=run.done
    )
    return differences_of(before, run.states)


def _write_seasons(run: Run) -> None:
    reached = seasons.reached(seasons.known(), run.since)
    if run.since is None:
        opponents = {key: len(people) for key, people in run.seasonal.met.items()}
    else:
        opponents = season_opponents_of(run.pool, run.touched, reached, run.seasonal)
    seasons.write(run.pool, reached, run.seasonal.states, None, opponents)


def _reweigh(weights: dict[str, list[float]]) -> None:
    rows = list(RatedMatch.objects.filter(pk__in=list(weights)))
    for row in rows:
        row.weights = weights[row.match_id]
    RatedMatch.objects.bulk_update(rows, ["weights"], batch_size=PAGE)
