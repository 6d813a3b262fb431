"""What the games of a pairing add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tournaments.models import Game, Result


def games_won(games: Sequence[Game]) -> list[int]:
    """Games won by slot; the empty list when none was played."""
    if not games:
        return []
    wins = Counter(game.winner for game in games)
    return [wins[0], wins[1]]


def points(games: Sequence[Game]) -> list[int]:
    """The points of all games, by slot."""
    return [sum(scores) for scores in zip(*(game.scores for game in games), strict=True)]


def verdict(games: Sequence[Game], best_of: int) -> tuple[str, int | None] | None:
    """Outcome and winning slot by the games that count, in order; None while undecided.

    Who doesn't sit down for a game loses the pairing: nobody is to wait for them again.
    """
    if not games:
        return None
    last = games[-1]
    if last.winner is None:
        return Result.Outcome.DOUBLE_FORFEIT, None
    if last.reason == "no_show":
        return Result.Outcome.FORFEIT, last.winner
    if games_won(games)[last.winner] <= best_of // 2:
        return None
    return (
        Result.Outcome.FORFEIT if last.reason == "forfeit" else Result.Outcome.PLAYED
    ), last.winner
