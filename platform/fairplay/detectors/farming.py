"""Farming: rating drawn from one opponent who loses on purpose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from fairplay.detectors import rows
from fairplay.detectors.chance import at_least, at_most
from fairplay.detectors.rows import Account, Duel, Finding

KIND: Final = "farming"
MIN_MATCHES: Final = 20
MIN_SHARE: Final = 0.4
IMPROBABLE: Final = 1e-3
# Newcomers are weaker than their first ratings say, and many come with a friend.
OF_NEWCOMERS: Final = 1e-4
# Of a second sign, which alone would mean little.
DOUBTFUL: Final = 0.01
MIN_OTHERS: Final = 10
GIVES_UP: Final = 1 / 3


def find(duels: Iterable[Duel], accounts: Mapping[int, Account]) -> list[Finding]:
    """Pairs of which one beats the other far beyond the chances given, in much of all they play;
    with a sign besides that it isn't skill. `duels` are of one pool, both ways round.
    """
    log = list(duels)
    played = rows.by_player(log)
    found = []
    for (one, two), met in rows.by_pair(log).items():
        share = len(met) / len(played[one])
        if len(met) < MIN_MATCHES or share < MIN_SHARE:
            continue
        p = at_least(rows.wins(met), rows.chances(met))
        if p >= IMPROBABLE:
            continue
        signs = signs_of(met, played, accounts)
        if signs and (p < OF_NEWCOMERS or signs != ["fresh"]):
            facts = {
                "pool": met[0].pool,
                "count": len(met),
                "wins": rows.wins(met),
                "expected": round(sum(rows.chances(met)), 1),
                "gain": round(sum(duel.gain for duel in met)),
                "percent": round(100 * share),
                "p": p,
                "signs": signs,
            }
            found.append(Finding(KIND, (one, two), facts, tuple(duel.match for duel in met)))
    return found


def signs_of(
    met: Sequence[Duel], played: Mapping[int, Sequence[Duel]], accounts: Mapping[int, Account]
) -> list[str]:
    """What speaks for it that `one` didn't win by skill: an honest strong player is as strong
    against others, and an honest weak one as weak.
    """
    one = met[0].one
    losers = {duel.two for duel in met}
    signs = []
    if 2 * sum(rows.is_fresh(accounts.get(duel.two), duel.at) for duel in met) >= len(met):
        signs.append("fresh")
    if rows.given_up(met) >= max(5.0, GIVES_UP * rows.wins(met)):
        signs.append("given_up")
    others = [duel for duel in played[one] if duel.two not in losers]
    if len(others) >= MIN_OTHERS:
        lost = sum(duel.score == 0 for duel in others)
        if at_most(len(others) - lost, rows.chances(others)) < DOUBTFUL:
            signs.append("weaker")
    return signs
