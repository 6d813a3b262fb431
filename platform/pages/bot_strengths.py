"""How strong the bots are, as a table: pools by levels, and the viewer's chances against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.bots import LEVELS
from games.models import Match
from pages import words
from players.models import Player
from ratings.bots import Yardstick, chances_of, yardsticks
from ratings.pools import POOLS, title_of
from ratings.selectors import pool_of


@dataclass(frozen=True, slots=True)
class Strengths:
    """`rows` are pools by name, with each level's strength and the chance to beat it in percent
    (None where the viewer has no rating, and at tables of more than two).
    """

    levels: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[Yardstick, int | None], ...]], ...]
    has_chances: bool


def strengths(viewer: Player | None, levels: Sequence[str] = LEVELS) -> Strengths:
    sticks = yardsticks()
    chances = chances_of(viewer, sticks)
    percents = {key: round(100 * chance) for key, chance in chances.items()}
    rows = tuple(
        (
            title_of(pool),
            tuple((sticks[pool, level], percents.get((pool, level))) for level in levels),
        )
        for pool in POOLS
    )
    return Strengths(tuple(str(words.BOTS[level]) for level in levels), rows, bool(chances))


def at_table(match: Match) -> list[tuple[str, str, Yardstick]]:
    """The levels that an open table can be filled with: key, name and strength."""
    if not match.is_open:
        return []
    sticks = yardsticks(pool := pool_of(match))
    return [(level, str(words.BOTS[level]), sticks[pool, level]) for level in LEVELS]
