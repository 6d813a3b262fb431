"""How wide a pool's skills are: the RD of an unknown player that would have predicted best. Pure.

A width is tried by telling it the pool's log and summing what its forecasts lose. Few matches say
little about a width, and a pool of them would be fitted to its luck. So the pools of a site are
fitted together. In logarithms, the pools' widths lie normally about their site's, and that about
what a new site has; what a log says is worth the more against this, the more matches there are. The
most likely is taken. (That a site's pools have about the same width says more of the first halves
of bench/season.py than that they have the same factor to the widths of a new site.)
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import exp, fsum, inf, log, sqrt
from operator import itemgetter
from statistics import fmean, geometric_mean, stdev
from typing import NamedTuple

from ratings.fold import Entry
from ratings.glicko import State, variance_of
from ratings.pools import PRIOR_DEVIATION
from ratings.quality import glicko_forecasts, loss_of

LEAST, MOST = 20, 400
"""The widths that a pool may have, in points."""
STEP = log(MOST / LEAST) / 15
WIDTHS = tuple(LEAST * exp(step * STEP) for step in range(16))
"""What is tried, a fifth wider each; between them the loss is taken for a parabola."""
FINE = 10
EACH = STEP / FINE
"""So many steps are looked at between two widths, each so much wider (in logarithms)."""
USUAL = geometric_mean(PRIOR_DEVIATION.values())
SITES_DIFFER, POOLS_DIFFER = 0.5, 0.25
"""Standard deviations, in logarithms: of a site's width about the usual, of its pools' about it."""
ENOUGH = 0.0005
"""Less log-loss than this is no reason to change anything."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a pool is fitted by: its log, the means its players began with, the width in use."""

    entries: Sequence[Entry]
    starts: Mapping[int, float]
    in_use: float


@dataclass(frozen=True, slots=True)
class Fit:
    """The width in use and the best, with their mean log-losses; `error` is the standard error of
    the difference, match by match. `weight` is how much has been told of in all.
    """

    in_use: float
    loss: float
    best: int
    best_loss: float
    error: float
    weight: int

    @property
    def gain(self) -> float:
        return self.loss - self.best_loss

    @property
    def is_sure(self) -> bool:
        """Whether a change is worth it, and more than luck."""
        return _is_sure(self.gain, self.error)


class Losses(NamedTuple):
    """What each match costs, in log-loss: the mean of its pairs times its weight, the pairs that
    tell something new. The last side's place follows from the others'.
    """

    costs: array[float]
    weight: int

    @property
    def mean(self) -> float:
        return fsum(self.costs) / self.weight


def proposed(fits: Mapping[str, Fit]) -> dict[str, int]:
    """The widths to be changed: where that is sure, or everywhere if it is in sum."""
    weight = sum(each.weight for each in fits.values())
    gain = fsum(each.gain * each.weight for each in fits.values())
    error = sqrt(fsum((each.error * each.weight) ** 2 for each in fits.values()))
    in_sum = bool(fits) and _is_sure(gain / weight, error / weight)
    return {
        pool: each.best
        for pool, each in fits.items()
        if each.best != each.in_use and (in_sum or each.is_sure)
    }


def fit(pools: Iterable[str], known: Callable[[str], Known], since: datetime) -> dict[str, Fit]:
    """The best width of each pool that has a match since then; the log before it only teaches.

    `known` is asked twice for a pool, so that no two logs have to be held at once.
    """
    curves = {}
    for pool in pools:
        facts = known(pool)
        if any(entry.finished_at >= since for entry in facts.entries):
            curves[pool] = [fsum(losses(facts, since, width).costs) for width in WIDTHS]
    return {pool: compared(known(pool), since, width) for pool, width in together(curves).items()}


def losses(known: Known, since: datetime, width: float) -> Losses:
    """What the matches since then cost where unknown players are so wide."""
    prior = variance_of(width)
    states = {player: State(mean, prior) for player, mean in known.starts.items()}
    costs, total = array("d"), 0
    for entry, forecasts in glicko_forecasts(known.entries, states, prior=prior):
        if entry.finished_at >= since:
            weight = len(entry.sides) - 1
            costs.append(weight * fmean(map(loss_of, forecasts)))
            total += weight
    return Losses(costs, total)


def together(curves: Mapping[str, Sequence[float]]) -> dict[str, int]:
    """The best width of each pool, by what it loses at each of WIDTHS."""
    fine = {pool: _fine(curve) for pool, curve in curves.items()}
    usual = log(USUAL / LEAST) / EACH
    found: list[tuple[float, dict[str, int]]] = []
    for site in range((len(WIDTHS) - 1) * FINE + 1):
        best = {pool: _best(curve, site) for pool, curve in fine.items()}
        loss = (
            fsum(loss for loss, _step in best.values())
            + ((site - usual) * EACH / SITES_DIFFER) ** 2 / 2
        )
        found.append((loss, {pool: step for pool, (_loss, step) in best.items()}))
    _loss, steps = min(found, key=itemgetter(0))
    return {pool: round(LEAST * exp(step * EACH)) for pool, step in steps.items()}


def compared(known: Known, since: datetime, best: int) -> Fit:
    """The width in use against the best, match by match."""
    now, then = losses(known, since, known.in_use), losses(known, since, best)
    gains = [a - b for a, b in zip(now.costs, then.costs, strict=True)]
    error = stdev(gains) * sqrt(len(gains)) / now.weight if len(gains) > 1 else inf
    return Fit(known.in_use, now.mean, best, then.mean, error, now.weight)


def _is_sure(gain: float, error: float) -> bool:
    return gain > max(ENOUGH, 2 * error)


def _fine(curve: Sequence[float]) -> list[float]:
    """The curve with FINE steps for one: the parabola through the nearest three."""
    found = []
    for step in range((len(curve) - 1) * FINE + 1):
        near = min(max(round(step / FINE), 1), len(curve) - 2)
        before, here, after = curve[near - 1 : near + 2]
        by = step / FINE - near
        found.append(here + by * (after - before) / 2 + by * by * (after + before - 2 * here) / 2)
    return found


def _best(curve: Sequence[float], site: int) -> tuple[float, int]:
    """The least loss and its step, if the site is as wide as that step."""
    return min(
        (loss + ((step - site) * EACH / POOLS_DIFFER) ** 2 / 2, step)
        for step, loss in enumerate(curve)
    )
