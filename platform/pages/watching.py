"""Which of the tables that are being played are best to watch, and how they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from games.models import Match
from games.protocol import MOST_WATCHED
from games.selectors import live_matches
from pages import listings
from pages.listings import Table
from players.models import Player
from ratings import pools
from ratings import selectors as ratings

# How many tables are looked at for the best; who has no rating counts as somebody average.
CONSIDERED: Final = 200
UNRATED: Final = 1500


@dataclass(frozen=True, slots=True)
class Game:
    """The best tables of one game."""

    key: str
    title: str
    tables: tuple[Table, ...]


def best_tables(viewer: Player | None, limit: int = MOST_WATCHED) -> list[Game]:
    """Public tables that are being played, game by game: those of events first, then by rating.
    Every game has its share of the places.
    """
    found = _ranked(running())
    games = [key for key in pools.GAMES if any(match.game == key for match in found)]
    share = limit // max(1, len(games))
    return [
        Game(
            key,
            str(pools.GAMES[key]),
            tuple(
                listings.table_of(match, viewer)
                for match in [match for match in found if match.game == key][:share]
            ),
        )
        for key in games
    ]


def running(limit: int = CONSIDERED) -> list[Match]:
    """The public matches that are looked at for the best, the newest first."""
    return list(live_matches()[:limit])


def featured(matches: Sequence[Match], viewer: Player | None) -> Table | None:
    """The one of `running` to show where there is place for one."""
    best = _ranked(matches)
    return listings.table_of(best[0], viewer) if best else None


def _ranked(matches: Sequence[Match]) -> list[Match]:
    """The best to watch first; among equals the one that began last."""
    strength = _strengths(matches)
    return sorted(matches, key=lambda match: ("pairing" not in match.context, -strength[match.pk]))


def _strengths(matches: Sequence[Match]) -> dict[str, float]:
    """By match, the mean rating of those who play it."""
    known = {
        pool: ratings.ratings_in(
            pool,
            {
                seat.player_id
                for match in matches
                if ratings.pool_of(match) == pool
                for seat in match.seat_set.all()
                if seat.player_id is not None
            },
        )
        for pool in {ratings.pool_of(match) for match in matches}
    }
    return {
        match.pk: fmean(
            shown.rating
            if (shown := known[ratings.pool_of(match)].get(seat.player_id or 0))
            else UNRATED
            for seat in match.seat_set.all()
        )
        for match in matches
    }
