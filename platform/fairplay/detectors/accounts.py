"""One person with several accounts: two that only meet each other, and always one way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Final

from fairplay.detectors import rows
from fairplay.detectors.chance import at_least
from fairplay.detectors.rows import Account, Duel, Finding

KIND: Final = "accounts"
MIN_MATCHES: Final = 8
ONLY: Final = 0.8
ONE_WAY: Final = 0.9
IMPROBABLE: Final = 1e-3
# Where they sign in says more than how they play.
FROM_ONE_PLACE: Final = 1e-2
TOGETHER: Final = timedelta(days=7)


def find(duels: Iterable[Duel], accounts: Mapping[int, Account]) -> list[Finding]:
    """Pairs of which one meets hardly anybody but the other and loses, with a second link between
    the two: they sign in from one place, or were made in one week and both keep to each other.
    """
    log = list(duels)
    count = {player: len(own) for player, own in rows.by_player(log).items()}
    found = []
    for (one, two), met in rows.by_pair(log).items():
        if len(met) < max(MIN_MATCHES, ONLY * count[two]):
            continue
        won = rows.wins(met)
        p = at_least(won, rows.chances(met))
        links = _links(met, count, accounts)
        rare = p < (FROM_ONE_PLACE if "place" in links else IMPROBABLE)
        if links and rare and won >= ONE_WAY * len(met):
            facts = {
                "pool": met[0].pool,
                "count": len(met),
                "wins": won,
                "others": count[two] - len(met),
                "p": p,
                "signs": links,
            }
            found.append(Finding(KIND, (one, two), facts, tuple(duel.match for duel in met)))
    return found


def _links(
    met: Sequence[Duel], count: Mapping[int, int], accounts: Mapping[int, Account]
) -> list[str]:
    one, two = accounts.get(met[0].one), accounts.get(met[0].two)
    if one is None or two is None:
        return []
    links = ["place"] if one.places & two.places else []
    keeps_to_it = len(met) >= ONLY * count[met[0].one]
    if keeps_to_it and abs(one.created_at - two.created_at) < TOGETHER:
        links.append("made_together")
    return links
