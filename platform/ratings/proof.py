"""Ratings proved: the log folded anew equals what is stored, and the log tells what was played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from ratings import recomputing, seasons, snapshots
from ratings.fold import Rated, fold
from ratings.glicko import State
from ratings.judging import judge, undecided
from ratings.models import (
    LadderSeason,
    OvertakenTable,
    RatedMatch,
    Rating,
    RatingChange,
    Recomputation,
    SeasonRating,
    UnratedMatch,
)
from ratings.pools import POOLS, prior_of
from ratings.replay import BATCH, entries_of, mean_weight
from ratings.seasonal import Seasons


def verify() -> list[str]:
    """One sentence for each fault; an empty list means that everything adds up."""
    return [fault for pool in POOLS for fault in _faults(pool)] + list(_log_faults())


def _faults(pool: str) -> Iterator[str]:
    failed = Recomputation.objects.filter(pool=pool, state=Recomputation.State.FAILED)
    last_done = Recomputation.objects.filter(pool=pool, state=Recomputation.State.DONE)
    latest = last_done.order_by("-run").first()
    if failed.filter(run__gt=latest.run if latest else 0).exists():
        yield f"{pool}: a recomputation has failed; ask for it anew."
    if recomputing.is_open(pool):
        yield f"{pool} is being recomputed; look again when that is done."
        return
    yield from _pool_faults(pool)
    yield from snapshots.faults(pool)


def _pool_faults(pool: str) -> Iterator[str]:
    rows = {row.player_id: row for row in Rating.objects.filter(pool=pool)}
    prior = prior_of(pool)
    states = {player: State(row.start_mean, prior) for player, row in rows.items()}
    known = [each for each in entries_of(pool) if rows.keys() >= set(each.players)]
    if len(known) < sum(1 for _entry in entries_of(pool)):
        yield f"{pool}: the log names players who have no rating."
        return
    opponents: dict[int, set[int]] = {player: set() for player in rows}
    all_seasons = seasons.known()
    seasonal = Seasons(seasons.calendar_of(all_seasons), prior)
    rated = fold(known, states, prior=prior)
    count = 0
    while batch := list(islice(rated, BATCH)):
        yield from _change_faults(pool, batch, opponents, seasonal)
        count += sum(len(each.changes) for each in batch)
    stored = RatingChange.objects.filter(pool=pool).count()
    if stored != count:
        yield f"{pool}: {stored} changes are stored, {count} follow from the log."
    for player, row in rows.items():
        if row.state != states[player]:
            yield f"{pool}: player {player} has {row.state}, the log gives {states[player]}."
        if row.opponents != len(opponents[player]):
            met = len(opponents[player])
            yield f"{pool}: player {player} met {met} people, not {row.opponents}."
    overtaken = set(OvertakenTable.objects.filter(pool=pool).values_list("season", flat=True))
    for season in all_seasons:
        if season.pk not in overtaken:
            yield from _season_faults(pool, season, seasonal)
        if season.is_closed:
            yield from _rank_faults(pool, season)


def _season_faults(pool: str, season: LadderSeason, due: Seasons) -> Iterator[str]:
    """A season's table, and the opponents in it, against what the log gives."""
    rows = SeasonRating.objects.filter(season=season, pool=pool)
    stored = {(season.number, row.player_id): (row.state, row.opponents) for row in rows}
    played = {key for key in due.states if key[0] == season.number}
    for key in sorted(stored.keys() | played):
        given = (due.states[key], len(due.met[key])) if key in played else None
        if stored.get(key) != given:
            have = stored.get(key)
            yield f"{pool}: player {key[1]} has {have} in {season}, the log gives {given}."


def _rank_faults(pool: str, season: LadderSeason) -> Iterator[str]:
    """The ranks of a final table against its ratings."""
    rows = list(SeasonRating.objects.filter(season=season, pool=pool).order_by("player"))
    due = seasons.ranks(rows)
    for row in rows:
        if row.rank != due.get(row.player_id):
            yield (
                f"{pool}: player {row.player_id} has rank {row.rank} in {season}, the table gives "
                f"{due.get(row.player_id)}."
            )


def _change_faults(
    pool: str, batch: list[Rated], opponents: dict[int, set[int]], seasonal: Seasons
) -> Iterator[str]:
    matches = [each.entry.match_id for each in batch]
    stored = {
        (change.match_id, change.player_id): change
        for change in RatingChange.objects.filter(match__in=matches)
    }
    for each in batch:
        in_season = seasonal.note(each)
        for side, players in enumerate(each.entry.sides):
            weight = mean_weight(each, side)
            others = set(each.entry.players) - set(players)
            for player in players:
                opponents[player] |= others
                change = stored.get((each.entry.match_id, player))
                due = each.changes[player]
                if change is None or (
                    change.before_mean,
                    change.after,
                    change.weight,
                    change.season_state(due.after.day or 0),
                ) != (due.before.mean, due.after, weight, in_season.get(player)):
                    yield f"{pool}: match {each.entry.match_id} changed player {player} otherwise."


def _log_faults() -> Iterator[str]:
    """The log against the matches themselves."""
    for match_id in undecided():
        yield f"Match {match_id} is finished and neither rated nor found unrated."
    both = RatedMatch.objects.filter(annulled=False, pk__in=UnratedMatch.objects.values("pk"))
    for match_id in both.values_list("pk", flat=True):
        yield f"Match {match_id} is both rated and unrated."
    for row in RatedMatch.objects.iterator(BATCH):
        verdict = judge(row.match_id)
        if not isinstance(verdict, tuple):
            yield f"Match {row.match_id} is rated, but: {verdict or 'not finished'}."
        elif verdict[0] != row.pool or replace(verdict[1], trust=row.trust) != row.entry:
            yield f"Match {row.match_id} is in the log otherwise than it was played."
