"""Quality of the ratings as they stand: the log judged, and a better prior looked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from ratings.fold import Entry
from ratings.glicko import State, variance_of
from ratings.models import Rating
from ratings.pools import prior_of
from ratings.quality import (
    DEVIATIONS,
    Bin,
    Fit,
    Forecast,
    Verdict,
    best_of,
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
    flat = [each for _entry, forecasts in ours for each in forecasts]
    elo = [f for _entry, each in _since(elo_forecasts(entries_of(pool)), since) for f in each]
    return Report(pool, len(ours), judged(flat), judged(elo), tuple(bins_of(flat)))


def fitted(
    pool: str,
    since: datetime,
    progress: Callable[[Sequence[float]], Iterable[float]] = iter,
) -> Fit | None:
    """The width in use and the best of those tried, by log-loss since then; None without matches.

    `progress` is given the widths to try and hands them back one by one. Nothing is changed.
    """
    log = list(entries_of(pool))
    if not any(entry.finished_at >= since for entry in log):
        return None
    in_use = round(State(0.0, prior_of(pool)).deviation, 1)
    widths = sorted({in_use, *DEVIATIONS})
    return best_of(in_use, {w: _forecasts(pool, log, since, w) for w in progress(widths)})


def _forecasts(pool: str, log: Sequence[Entry], since: datetime, width: float) -> list[Forecast]:
    prior = variance_of(width)
    states = {player: State(state.mean, prior) for player, state in _start(pool).items()}
    told = _since(glicko_forecasts(log, states, prior=prior), since)
    return [each for _entry, forecasts in told for each in forecasts]


def _start(pool: str) -> dict[int, State]:
    """Every player of the pool as it stood before the first match."""
    rows = Rating.objects.filter(pool=pool).values_list("player", "start_mean")
    return {player: State(mean, prior_of(pool)) for player, mean in rows}


def _since(
    forecasts: Iterator[tuple[Entry, list[Forecast]]], since: datetime
) -> list[tuple[Entry, list[Forecast]]]:
    return [each for each in forecasts if each[0].finished_at >= since]
