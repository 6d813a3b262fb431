"""Throwing: losing on purpose to come into an event with a rating limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import fsum
from typing import Final

from fairplay.detectors.chance import at_most, likely_means
from fairplay.detectors.rows import Duel, Finding
from ratings import glicko
from ratings.glicko import State
from ratings.pools import MAX_DEVIATION

KIND: Final = "throwing"
WINDOW: Final = timedelta(days=28)
MIN_MATCHES: Final = 8
IMPROBABLE: Final = 1e-3


@dataclass(frozen=True, slots=True)
class CappedEntry:
    """An entry into an event for ratings of at most `limit`; `rating` is the one it was made by."""

    player: int
    event: int
    name: str
    limit: int
    rating: int
    at: datetime


def find(entry: CappedEntry, duels: Sequence[Duel]) -> Finding | None:
    """Whether the entrant came below the limit by results that the rating of four weeks before
    makes all but impossible. `duels` are the entrant's own in the event's pool.
    """
    lately = sorted(
        (duel for duel in duels if entry.at - WINDOW <= duel.at < entry.at),
        key=lambda duel: (duel.at, duel.match),
    )
    if len(lately) < MIN_MATCHES or entry.rating > entry.limit:
        return None
    before = lately[0].state
    if before.rating <= entry.limit or before.deviation > MAX_DEVIATION:
        return None
    not_lost = sum(duel.score > 0 for duel in lately)
    p = improbability(before, lately, not_lost)
    if p >= IMPROBABLE:
        return None
    facts = {
        "pool": lately[0].pool,
        "event": entry.event,
        "name": entry.name,
        "limit": entry.limit,
        "before": round(before.rating),
        "after": entry.rating,
        "count": len(lately),
        "lost": len(lately) - not_lost,
        "given_up": sum(duel.given_up for duel in lately if duel.score == 0),
        "p": p,
    }
    matches = tuple(duel.match for duel in lately)
    return Finding(KIND, (entry.player,), facts, matches, f"{entry.player}-{entry.event}")


def improbability(before: State, duels: Sequence[Duel], wins: int) -> float:
    """The chance of as few wins, were the skill still what the rating said: over all that it may
    have been, since a rating that is off would make a whole series look strange.
    """
    means = likely_means(before.mean, before.variance)
    return fsum(
        at_most(
            wins,
            [glicko.chance([State(mean, 0.0)], [duel.other], duel.target) for duel in duels],
        )
        for mean in means
    ) / len(means)
