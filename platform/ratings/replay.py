"""The fold applied to the database: a pool's log read, its players' states written.

Everything here expects the pool's row to be locked by the caller (services.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice

from django.db.models import Count, F, OuterRef, Q, Subquery

from ratings.fold import Entry, Meetings, Rated, fold
from ratings.glicko import State, pair_index
from ratings.models import RatedMatch, Rating, RatingChange
from ratings.pools import DAMPING_WINDOW, prior_of

BATCH = 1000


@dataclass(frozen=True, slots=True)
class Difference:
    """A player's mean before and after a replay, where they differ."""

    player: int
    before: float
    after: float


def entries_of(pool: str, since: Entry | None = None) -> Iterator[Entry]:
    """The pool's log in its order, from `since` on if given; annulled matches left out."""
    rows = RatedMatch.objects.filter(pool=pool, annulled=False).order_by("finished_at")
    if since is not None:
        rows = rows.filter(finished_at__gte=since.finished_at)
    for _time, together in groupby(rows.iterator(BATCH), key=lambda row: row.finished_at):
        # Sorted here, not by the database, whose collation may put "a" before "B".
        for entry in sorted((row.entry for row in together), key=lambda entry: entry.match_id):
            if since is None or entry.order >= since.order:
                yield entry


def replay(pool: str, since: Entry | None, touched: Iterable[int] = ()) -> list[Difference]:
    """Rates the log anew from `since` on (None: all of it), and writes what comes out.

    `touched` are players whose state may change though no match of theirs is left to rate.
    """
    _forget(pool, since)
    if since is None:
        ratings = {row.player_id: row for row in Rating.objects.filter(pool=pool)}
        players = set(ratings).union(touched, *(entry.players for entry in entries_of(pool)))
    else:
        players = set(touched).union(*(entry.players for entry in entries_of(pool, since)))
        ratings = {
            row.player_id: row for row in Rating.objects.filter(pool=pool, player__in=players)
        }
    before = {player: row.mean for player, row in ratings.items() if row.matches}
    _admit(pool, ratings, players - ratings.keys())
    latest = {} if since is None else _latest_changes(pool, ratings)
    last = {player: change.finished_at for player, change in latest.items()}
    prior = prior_of(pool)
    states = {player: State(row.start_mean, prior) for player, row in ratings.items()}
    states.update((player, change.after) for player, change in latest.items())
    meetings = _meetings_before(pool, players, since)
    rated = fold(entries_of(pool, since), states, prior=prior, meetings=meetings)
    while batch := list(islice(rated, BATCH)):
        _write_changes(pool, batch)
        for each in batch:
            last.update(dict.fromkeys(each.changes, each.entry.finished_at))
    _write_ratings(pool, ratings, states, last, whole=since is None)
    return [
        Difference(player, mean, states[player].mean)
        for player, mean in sorted(before.items())
        if states[player].mean != mean
    ]


def start_mean(pool: str, players: Iterable[int]) -> dict[int, float]:
    """Where newcomers to `pool` start: half the mean of the pool in which each is best known."""
    known = Rating.objects.filter(player__in=list(players), matches__gt=0).exclude(pool=pool)
    starts: dict[int, float] = {}
    for row in known.order_by("-variance", "pool"):
        starts[row.player_id] = round(row.mean / 2, 9)
    return starts


def _forget(pool: str, since: Entry | None) -> None:
    """Removes the changes from `since` on."""
    changes = RatingChange.objects.filter(pool=pool)
    if since is None:
        changes.delete()
        return
    changes.filter(finished_at__gt=since.finished_at).delete()
    same_instant = changes.filter(finished_at=since.finished_at)
    ids = same_instant.values_list("match_id", flat=True)
    after = [match for match in ids if match >= since.match_id]
    if after:
        same_instant.filter(match_id__in=after).delete()


def _admit(pool: str, ratings: dict[int, Rating], newcomers: set[int]) -> None:
    if not newcomers:
        return
    starts, prior = start_mean(pool, newcomers), prior_of(pool)
    rows = [
        Rating(
            player_id=player,
            pool=pool,
            start_mean=starts.get(player, 0.0),
            mean=starts.get(player, 0.0),
            variance=prior,
        )
        for player in sorted(newcomers)
    ]
    Rating.objects.bulk_create(rows, batch_size=BATCH)
    ratings.update((row.player_id, row) for row in rows)


def _latest_changes(pool: str, ratings: dict[int, Rating]) -> dict[int, RatingChange]:
    """Each player's last change, once `_forget` has removed what is to be rated anew."""
    latest = RatingChange.objects.filter(pool=pool, player=OuterRef("player")).order_by("-number")
    rows = Rating.objects.filter(pool=pool, player__in=ratings.keys())
    keys = rows.annotate(change=Subquery(latest.values("pk")[:1])).values("change")
    return {change.player_id: change for change in RatingChange.objects.filter(pk__in=keys)}


def _meetings_before(pool: str, players: set[int], since: Entry | None) -> Meetings:
    """The meetings of these players in the week before `since`, for the damping."""
    meetings = Meetings()
    if since is None:
        return meetings
    week = RatingChange.objects.filter(
        pool=pool,
        player__in=players,
        finished_at__gt=since.finished_at - DAMPING_WINDOW,
        finished_at__lte=since.finished_at,
    )
    rows = RatedMatch.objects.filter(match_id__in=week.values("match"), annulled=False)
    for entry in sorted((row.entry for row in rows), key=lambda entry: entry.order):
        meetings.note(entry)
    return meetings


def _write_changes(pool: str, batch: list[Rated]) -> None:
    RatingChange.objects.bulk_create(
        [change for rated in batch for change in _changes(pool, rated)], batch_size=BATCH
    )
    weights = {rated.entry.match_id: list(rated.weights) for rated in batch}
    rows = [
        row
        for row in RatedMatch.objects.filter(match_id__in=weights)
        if row.weights != weights[row.match_id]
    ]
    for row in rows:
        row.weights = weights[row.match_id]
    RatedMatch.objects.bulk_update(rows, ["weights"], batch_size=BATCH)


def _changes(pool: str, rated: Rated) -> Iterator[RatingChange]:
    entry = rated.entry
    for index, side in enumerate(entry.sides):
        weight = mean_weight(rated, index)
        opponents = [
            player for j, other in enumerate(entry.sides) if j != index for player in other
        ]
        for player in side:
            change = rated.changes[player]
            yield RatingChange(
                match_id=entry.match_id,
                player_id=player,
                pool=pool,
                finished_at=entry.finished_at,
                number=change.after.matches,
                side=index,
                place=entry.places[index],
                before_mean=change.before.mean,
                before_variance=change.variance,
                after_mean=change.after.mean,
                after_variance=change.after.variance,
                expected=change.expected,
                weight=weight,
                opponents=opponents,
            )


def mean_weight(rated: Rated, side: int) -> float:
    """The weight of a side's match: the mean over its pairings with the other sides."""
    count = len(rated.entry.sides)
    pairs = [
        rated.weights[pair_index(min(side, other), max(side, other), count)]
        for other in range(count)
        if other != side
    ]
    return round(sum(pairs) / len(pairs), 9)


def _write_ratings(
    pool: str,
    ratings: dict[int, Rating],
    states: dict[int, State],
    last: dict[int, datetime],
    *,
    whole: bool,
) -> None:
    opponents = _opponents(pool, None if whole else ratings.keys())
    for player, row in ratings.items():
        row.state = states[player]
        row.opponents = opponents.get(player, 0)
        row.last_at = last.get(player)
    fields = ["mean", "variance", "last_day", "last_at", "matches", "opponents"]
    Rating.objects.bulk_update(ratings.values(), fields, batch_size=BATCH)


def _opponents(pool: str, players: Iterable[int] | None) -> dict[int, int]:
    """How many different people each has been rated against."""
    changes = RatingChange.objects.filter(pool=pool)
    if players is not None:
        changes = changes.filter(player__in=players)
    other_side = ~Q(match__changes__side=F("side"))
    counted = changes.values("player").annotate(
        people=Count("match__changes__player", filter=other_side, distinct=True)
    )
    return dict(counted.values_list("player", "people"))
