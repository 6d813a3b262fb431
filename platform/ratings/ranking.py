"""The order of a ladder's ranked players, kept a few seconds where it is long."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from datetime import date
from time import monotonic
from typing import TYPE_CHECKING

from ratings import glicko, seasonal
from ratings.glicko import State
from ratings.models import LadderSeason, Rating, SeasonRating
from ratings.pools import MAX_DEVIATION, MIN_MATCHES, MIN_OPPONENTS, prior_of

if TYPE_CHECKING:
    from django.db.models import QuerySet

    Rows = QuerySet[Rating] | QuerySet[SeasonRating]

LIKELY = 1.96
"""Standard deviations to either side that hold 95 % of a normal distribution."""

LONG = 2000
KEPT_SECONDS = 15.0
"""An order of this many or more is kept this long: sorting 100,000 takes about a second."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The ranked, best first: their rows' keys, places by key, means and deviations (logit scale),
    and the sorted ends of their likely intervals.
    """

    keys: list[int]
    places: dict[int, int]
    falling: list[float]
    deviations: list[float]
    lows: list[float]
    highs: list[float]

    def ranks(self, place: int) -> tuple[int, int, int]:
        """The rank at a place, and the best and worst that are likely.

        A rank is likely when no interval of 95 % lies wholly between: counted by sorted bounds.
        """
        mean, spread = -self.falling[place], LIKELY * self.deviations[place]
        surely_better = len(self.lows) - bisect_right(self.lows, mean + spread)
        surely_worse = bisect_left(self.highs, mean - spread)
        rank = 1 + bisect_left(self.falling, -mean)
        return rank, 1 + surely_better, len(self.keys) - surely_worse


_kept: dict[tuple[str, date, int], tuple[float, Standing]] = {}


def standing(pool: str, active: Rows, today: date, season: LadderSeason | None = None) -> Standing:
    """The order of those among the active who have a rank: known well enough, or in a season
    those who have played enough.
    """
    name = (pool, today, season.number if season else 0)
    at, found = _kept.get(name, (0.0, None))
    if found is not None and monotonic() - at < KEPT_SECONDS:
        return found
    found = _sorted(pool, _enough(active, season), today, season)
    _kept.clear() if len(_kept) > 20 else _kept.pop(name, None)
    if len(found.keys) >= LONG:
        _kept[name] = (monotonic(), found)
    return found


def _enough(active: Rows, season: LadderSeason | None) -> Rows:
    if season is not None:
        return active.filter(
            matches__gte=seasonal.MIN_MATCHES, opponents__gte=seasonal.MIN_OPPONENTS
        )
    return active.filter(
        matches__gte=MIN_MATCHES,
        opponents__gte=MIN_OPPONENTS,
        variance__lte=glicko.variance_of(MAX_DEVIATION),
    )


def _sorted(pool: str, enough: Rows, today: date, season: LadderSeason | None) -> Standing:
    prior, day = prior_of(pool), today.toordinal()
    limit = prior if season else glicko.variance_of(MAX_DEVIATION)
    rows = []
    for key, mean, variance, last in enough.values_list("pk", "mean", "variance", "last_day"):
        state = State(mean, variance, None if last is None else last.toordinal())
        variance = glicko.aged(state, day, prior).variance
        if variance <= limit:
            rows.append((-mean, key, variance**0.5))
    rows.sort()
    return Standing(
        keys=[key for _mean, key, _deviation in rows],
        places={key: place for place, (_mean, key, _deviation) in enumerate(rows)},
        falling=[mean for mean, _key, _deviation in rows],
        deviations=[deviation for *_rest, deviation in rows],
        lows=sorted(-mean - LIKELY * deviation for mean, _key, deviation in rows),
        highs=sorted(-mean + LIKELY * deviation for mean, _key, deviation in rows),
    )
