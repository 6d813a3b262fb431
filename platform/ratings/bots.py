"""What is shown of the bots' strengths: "about 1540". It is measured; bots are never rated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils import timezone

from engine.bots import LEVELS
from engine.rules import RuleSet
from players.models import Player
from ratings import glicko
from ratings.bot_yardsticks import MATCHES, MEASURED
from ratings.glicko import State
from ratings.models import BotRating, Rating
from ratings.pools import POOLS, prior_of
from ratings.ranking import LIKELY

Chances = dict[tuple[str, str], float]
"""By pool and level."""

STEP = 10
"""Nobody needs to know a bot's strength more precisely than this."""


@dataclass(frozen=True, slots=True)
class Yardstick:
    """A level's strength in a pool, from so many matches of bots and so many with people."""

    state: State
    matches: int
    with_people: int

    @property
    def rating(self) -> int:
        """
        >>> Yardstick(State.shown(1536.2, 80), 450, 0).rating
        1540
        """
        return STEP * round(self.state.rating / STEP)

    @property
    def spread(self) -> int:
        """What stands after the ±: with 95 % the strength lies this near."""
        return STEP * round(LIKELY * self.state.deviation / STEP)


def yardsticks(pool: str | None = None) -> dict[tuple[str, str], Yardstick]:
    """The strengths by pool and level, of one pool or of all: what this site has measured, and
    what we have where it hasn't.
    """
    pools = POOLS if pool is None else (pool,)
    shipped = {
        (key, level): Yardstick(State.shown(*MEASURED[key][level]), MATCHES[key], 0)
        for key in pools
        for level in LEVELS
    }
    return shipped | {
        (row.pool, row.level): Yardstick(row.state, row.matches, row.with_people)
        for row in BotRating.objects.filter(pool__in=pools)
    }


def chances_of(player: Player | None, sticks: Mapping[tuple[str, str], Yardstick]) -> Chances:
    """A player's chances to beat each bot, one against one to the game's usual target, in the pools
    where he or she has a rating.
    """
    today, found = timezone.now().toordinal(), {}
    for row in Rating.objects.filter(player=player, pool__endswith="-1v1", matches__gt=0):
        state = glicko.aged(row.state, today, prior_of(row.pool))
        target = RuleSet.parse({"preset": row.pool.partition("-")[0]}, 2).target
        for (pool, level), stick in sticks.items():
            if pool == row.pool:
                found[pool, level] = glicko.chance([state], [stick.state], target)
    return found
