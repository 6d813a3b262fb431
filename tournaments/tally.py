"""What the games of a pairing add up to, by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from games import selectors
from games.models import Match
from tournaments.models import Game, Result

TIME = "time"  # how a match ends whose time has been called


@dataclass(frozen=True, slots=True)
class Tally:
    """Outcome, winning side and places by side (empty where two meet and one wins); of more than
    two sides, those that forfeited.
    """

    outcome: str
    winner: int | None
    places: tuple[int, ...] = ()
    forfeits: tuple[int, ...] = ()


def forfeits_of(*matches: Match) -> dict[str, list[int]]:
    """The sides that were taken out of each match: partners sit across."""
    seats = selectors.forfeits_of([match.pk for match in matches])
    return {
        match.pk: sorted({seat % max(1, len(match.scores)) for seat in seats.get(match.pk, ())})
        for match in matches
    }


def games_won(games: Sequence[Game]) -> list[int]:
    """Games won; the empty list when none was played."""
    if not games:
        return []
    wins = Counter(game.winner for game in games)
    return [wins[side] for side in range(len(games[0].scores) or 2)]


def points(games: Sequence[Game]) -> list[int]:
    """The points of all games."""
    return [sum(scores) for scores in zip(*(game.scores for game in games), strict=True)]


def places_by(values: Sequence[int]) -> tuple[int, ...]:
    """The places by a number of each side, the highest first; equal numbers share a place.

    >>> places_by([120, 150, 120])
    (2, 1, 2)
    """
    return tuple(1 + sum(other > value for other in values) for value in values)


def verdict(
    games: Sequence[Game], best_of: int, *, called: bool = False, draws: bool = False
) -> Tally | None:
    """What the games that count decide, in order; None while undecided. Once time has been
    `called`, whoever is ahead wins, and those who are level have drawn if there are `draws`.

    Of two sides, who doesn't sit down for a game loses the pairing: nobody is to wait for them
    again. More play all their games, and the points of all of them give the places; of a single
    game its own places do. Who is taken out of the last one has forfeited.
    """
    if not games:
        return None
    last = games[-1]
    if last.winner is None and last.reason != TIME:
        return Tally(Result.Outcome.DOUBLE_FORFEIT, None)
    if len(last.scores) > 2:
        return _table_verdict(games, len(games) if called else best_of)
    if last.reason == "no_show":
        return Tally(Result.Outcome.FORFEIT, last.winner)
    won = games_won(games)
    if max(won) <= best_of // 2:
        return _verdict_at_time(won, draws) if called or last.reason == TIME else None
    forfeited = last.reason == "forfeit"
    return Tally(Result.Outcome.FORFEIT if forfeited else Result.Outcome.PLAYED, last.winner)


def _verdict_at_time(won: Sequence[int], draws: bool) -> Tally | None:
    """The verdict on a series that time has cut short."""
    if won[0] != won[1]:
        return Tally(Result.Outcome.PLAYED, int(won[1] > won[0]))
    return Tally(Result.Outcome.DRAWN, None, (1, 1)) if draws else None


def _table_verdict(games: Sequence[Game], best_of: int) -> Tally | None:
    if len(games) < best_of:
        return None
    places = tuple(games[0].places) if best_of == 1 else places_by(points(games))
    first = [side for side, place in enumerate(places) if place == 1]
    forfeits = tuple(games[-1].forfeits)
    if len(first) == 1:
        return Tally(Result.Outcome.PLAYED, first[0], places, forfeits)
    return Tally(Result.Outcome.DRAWN, None, places, forfeits)
