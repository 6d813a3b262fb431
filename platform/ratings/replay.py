"""The fold applied to the database: a pool's log read, its players' states written.

Everything here expects the pool's row to be locked by the caller (services.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice
from typing import Any

from django.db.models import Count, F, OuterRef, Q, Subquery

from ratings import seasons
from ratings.fold import Entry, Meetings, Rated, fold
from ratings.glicko import State, pair_index
from ratings.models import LadderSeason, RatedMatch, Rating, RatingChange
from ratings.pools import DAMPING_WINDOW, prior_of
from ratings.saving import save_all
from ratings.seasonal import Key, Seasons

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

    `touched` are the players of `since`, which may be in the log or not be in it any more. Of what
    came later only the matches are rated again that those players, or others through them, had a
    part in: the rest can't come out otherwise.
    """
    whole = since is None
    later = [] if since is None else list(entries_of(pool, since))
    tail = list(_that_follow(later, set(touched)))
    _forget(pool, None if since is None else [since, *tail])
    rows = Rating.objects.filter(pool=pool)
    if not whole:
        players = set(touched).union(*(entry.players for entry in tail))
        rows = rows.filter(player__in=players)
    else:
        players = set[int]().union(*(entry.players for entry in entries_of(pool)))
    ratings = {row.player_id: row for row in rows}
    before = {player: row.mean for player, row in ratings.items() if row.matches}
    _admit(pool, ratings, players - ratings.keys())
    latest = {} if whole else _latest_changes(pool, ratings)
    last = {player: change.finished_at for player, change in latest.items()}
    prior = prior_of(pool)
    states = {player: State(row.start_mean, prior) for player, row in ratings.items()}
    states.update((player, change.after) for player, change in latest.items())
    known_seasons = seasons.known()
    seasonal = Seasons(seasons.calendar_of(known_seasons), prior)
    for player, change in latest.items():
        seasonal.take_up(player, change.finished_at, change)
    meetings = Meetings() if since is None else _meetings_before(pool, players, since)
    log = entries_of(pool) if whole else iter(later)
    only = None if whole else {entry.match_id for entry in tail}
    rated = fold(log, states, prior=prior, meetings=meetings, only=only)
    while batch := list(islice(rated, BATCH)):
        _write_changes(pool, batch, seasonal)
        for each in batch:
            last.update(dict.fromkeys(each.changes, each.entry.finished_at))
    opponents = opponents_of(pool, None if whole else touched)
    write(ratings, states, last, opponents)
    reached = seasons.reached(known_seasons, None if since is None else since.finished_at)
    met = season_opponents_of(pool, None if whole else touched, reached, seasonal)
    seasons.write(pool, reached, seasonal.states, None if whole else ratings.keys(), met)
    return differences_of(before, states)


def differences_of(before: Mapping[int, float], states: Mapping[int, State]) -> list[Difference]:
    """Whose mean came out otherwise, by player id."""
    return [
        Difference(player, mean, states[player].mean)
        for player, mean in sorted(before.items())
        if states[player].mean != mean
    ]


def _that_follow(entries: Iterable[Entry], moved: set[int]) -> Iterator[Entry]:
    """The entries that any of the moved players had a part in, who move all others in it."""
    for entry in entries:
        if not moved.isdisjoint(entry.players):
            moved.update(entry.players)
            yield entry


def start_mean(pool: str, players: Iterable[int]) -> dict[int, float]:
    """Where newcomers to `pool` start: half the mean of the pool in which each is best known."""
    known = Rating.objects.filter(player__in=list(players), matches__gt=0).exclude(pool=pool)
    starts: dict[int, float] = {}
    for row in known.order_by("-variance", "pool"):
        starts[row.player_id] = round(row.mean / 2, 9)
    return starts


def _forget(pool: str, entries: Sequence[Entry] | None) -> None:
    """Removes the changes by these matches, or by all."""
    changes = RatingChange.objects.filter(pool=pool)
    if entries is None:
        changes.delete()
        return
    for start in range(0, len(entries), BATCH):
        ids = [entry.match_id for entry in entries[start : start + BATCH]]
        changes.filter(match__in=ids).delete()


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
    ratings.update((row.player_id, row) for row in rows)


def _latest_changes(pool: str, ratings: dict[int, Rating]) -> dict[int, RatingChange]:
    """Each player's last change, once `_forget` has removed what is to be rated anew."""
    latest = RatingChange.objects.filter(pool=pool, player=OuterRef("player")).order_by("-number")
    rows = Rating.objects.filter(pool=pool, player__in=ratings.keys())
    keys = rows.annotate(change=Subquery(latest.values("pk")[:1])).values("change")
    return {change.player_id: change for change in RatingChange.objects.filter(pk__in=keys)}


def _meetings_before(pool: str, players: set[int], since: Entry) -> Meetings:
    """The meetings of these players in the week before `since`, for the damping."""
    meetings = Meetings()
    week = RatingChange.objects.filter(
        pool=pool,
        player__in=players,
        finished_at__gt=since.finished_at - DAMPING_WINDOW,
        finished_at__lte=since.finished_at,
    )
    rows = RatedMatch.objects.filter(match_id__in=week.values("match"), annulled=False)
    for entry in sorted((row.entry for row in rows), key=lambda entry: entry.order):
        if entry.order < since.order:
            meetings.note(entry)
    return meetings


def _write_changes(pool: str, batch: list[Rated], seasonal: Seasons) -> None:
    RatingChange.objects.bulk_create(
        [RatingChange(**facts) for rated in batch for facts in facts_of(pool, rated, seasonal)],
        batch_size=BATCH,
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


def facts_of(pool: str, rated: Rated, seasonal: Seasons) -> Iterator[dict[str, Any]]:
    """What the match did to each player, as a change's columns; the season goes on by it."""
    entry, in_season = rated.entry, seasonal.note(rated)
    for index, side in enumerate(entry.sides):
        weight = mean_weight(rated, index)
        opponents = [
            player for j, other in enumerate(entry.sides) if j != index for player in other
        ]
        for player in side:
            change, season = rated.changes[player], in_season.get(player)
            yield {
                "match_id": entry.match_id,
                "player_id": player,
                "pool": pool,
                "finished_at": entry.finished_at,
                "number": change.after.matches,
                "side": index,
                "place": entry.places[index],
                "before_mean": change.before.mean,
                "before_variance": change.variance,
                "after_mean": change.after.mean,
                "after_variance": change.after.variance,
                "expected": change.expected,
                "weight": weight,
                "opponents": opponents,
                "season_mean": None if season is None else season.mean,
                "season_variance": None if season is None else season.variance,
                "season_matches": 0 if season is None else season.matches,
            }


def mean_weight(rated: Rated, side: int) -> float:
    """The weight of a side's match: the mean over its pairings with the other sides."""
    count = len(rated.entry.sides)
    pairs = [
        rated.weights[pair_index(min(side, other), max(side, other), count)]
        for other in range(count)
        if other != side
    ]
    return round(sum(pairs) / len(pairs), 9)


def write(
    ratings: dict[int, Rating],
    states: dict[int, State],
    last: dict[int, datetime],
    opponents: dict[int, int],
) -> None:
    """Writes those that are new or came out otherwise; `opponents` where they may have changed."""
    changed = []
    for player, row in ratings.items():
        met = opponents.get(player, 0 if player not in last else row.opponents)
        now = (states[player], last.get(player), met)
        if row.pk is None or now != (row.state, row.last_at, row.opponents):
            row.state, row.last_at, row.opponents = now
            changed.append(row)
    save_all(changed, ["mean", "variance", "last_day", "last_at", "matches", "opponents"])


def season_opponents_of(
    pool: str, players: Iterable[int] | None, of_seasons: Iterable[LadderSeason], states: Seasons
) -> dict[Key, int]:
    """The same within each of the seasons that anybody has a state in, and that is not closed."""
    begun = {number for number, _player in states.states}
    return {
        (season.number, player): people
        for season in of_seasons
        if season.number in begun and not season.is_closed
        for player, people in opponents_of(
            pool,
            players,
            Q(
                finished_at__gte=seasons.first_moment(season),
                finished_at__lt=seasons.over_at(season),
            ),
        ).items()
    }


def opponents_of(
    pool: str, players: Iterable[int] | None, within: Q | None = None
) -> dict[int, int]:
    """How many different people each has been rated against."""
    changes = RatingChange.objects.filter(within or Q(), pool=pool)
    if players is not None:
        changes = changes.filter(player__in=list(players))
    other_side = ~Q(match__changes__side=F("side"))
    counted = changes.values("player").annotate(
        people=Count("match__changes__player", filter=other_side, distinct=True)
    )
    return dict(counted.values_list("player", "people"))
