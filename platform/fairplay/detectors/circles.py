"""Boosting circles: accounts that lift one player, and play for hardly anything else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from fairplay.detectors import rows
from fairplay.detectors.chance import at_least
from fairplay.detectors.farming import signs_of
from fairplay.detectors.rows import Account, Duel, Finding

KIND: Final = "circle"
MIN_FEEDERS: Final = 3
MIN_MEETINGS: Final = 3
INSIDE: Final = 0.6
MIN_GAIN: Final = 1 / 3
IMPROBABLE: Final = 1e-3


def find(duels: Iterable[Duel], accounts: Mapping[int, Account]) -> list[Finding]:
    """Players who owe much of their gain to three or more accounts that keep to the circle; with
    a sign, other than that these are new, that they didn't win by skill.
    """
    log = list(duels)
    played = rows.by_player(log)
    fed: dict[int, list[list[Duel]]] = {}
    for (one, _two), met in rows.by_pair(log).items():
        if len(met) >= MIN_MEETINGS and sum(duel.gain for duel in met) > 0:
            fed.setdefault(one, []).append(met)
    found = (_circle(one, meetings, played, accounts) for one, meetings in fed.items())
    return [each for each in found if each is not None]


def _circle(
    one: int,
    meetings: list[list[Duel]],
    played: Mapping[int, list[Duel]],
    accounts: Mapping[int, Account],
) -> Finding | None:
    circle = {one, *(met[0].two for met in meetings)}
    inside = [
        met
        for met in meetings
        if sum(duel.two in circle for duel in played[met[0].two])
        >= INSIDE * len(played[met[0].two])
    ]
    if len(inside) < MIN_FEEDERS:
        return None
    met = sorted((duel for each in inside for duel in each), key=lambda duel: (duel.at, duel.match))
    gain = sum(duel.gain for duel in met)
    all_gain = sum(duel.gain for duel in played[one] if duel.gain > 0)
    p = at_least(rows.wins(met), rows.chances(met))
    if gain < MIN_GAIN * all_gain or p >= IMPROBABLE:
        return None
    signs = [sign for sign in signs_of(met, played, accounts) if sign != "fresh"]
    if not signs:
        return None
    feeders = sorted({duel.two for duel in met})
    facts = {
        "pool": met[0].pool,
        "feeders": len(feeders),
        "count": len(met),
        "wins": rows.wins(met),
        "expected": round(sum(rows.chances(met)), 1),
        "gain": round(gain),
        "percent": round(100 * gain / all_gain),
        "p": p,
        "signs": signs,
    }
    return Finding(KIND, (one, *feeders), facts, tuple(duel.match for duel in met), str(one))
