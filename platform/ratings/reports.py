"""Quality of the ratings as they stand: the log judged, and a better prior looked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from ratings.fitting import Fit, Known, fit
from ratings.fold import Entry
from ratings.glicko import State
from ratings.models import Rating
from ratings.pools import prior_of
from ratings.quality import (
    Bin,
    Forecast,
    Verdict,
    bins_of,
    elo_forecasts,
    glicko_forecasts,
    judged,
)
from ratings.replay import entries_of


@dataclass(frozen=True, slots=True)
class Report:
    """A pool's forecasts since a moment. `glicko` is the rule in use, `elo` Elo with K 16; a coin
    has a log-loss of 0.6931 and a Brier score of 0.25.
    """

    pool: str
    matches: int
    glicko: Verdict
    elo: Verdict
    bins: tuple[Bin, ...]


def report(pool: str, since: datetime) -> Report | None:
    """How the pool's forecasts did from `since` on; the log before it only teaches. None when there
    was no match.
    """
    ours = _since(glicko_forecasts(entries_of(pool), _start(pool), prior=prior_of(pool)), since)
    if not ours:
        return None
    elo = _since(elo_forecasts(entries_of(pool)), since)
    return Report(pool, len(ours), judged(ours), judged(elo), tuple(bins_of(chain(*ours))))


def fits(pools: Iterable[str], since: datetime) -> dict[str, Fit]:
    """The width in use and the best of each pool with matches since then. Nothing is changed."""
    return fit(pools, _known, since)


def _known(pool: str) -> Known:
    return Known(
        entries=list(entries_of(pool)),
        starts={player: state.mean for player, state in _start(pool).items()},
        in_use=round(State(0.0, prior_of(pool)).deviation, 1),
    )


def _start(pool: str) -> dict[int, State]:
    """Every player of the pool as it stood before the first match."""
    rows = Rating.objects.filter(pool=pool).values_list("player", "start_mean")
    return {player: State(mean, prior_of(pool)) for player, mean in rows}


def _since(
    forecasts: Iterator[tuple[Entry, list[Forecast]]], since: datetime
) -> list[list[Forecast]]:
    return [each for entry, each in forecasts if entry.finished_at >= since]
