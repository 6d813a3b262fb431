"""Small factories: players, and finished matches as the log of a pool takes them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from games import services as games
from games.models import Match, Seat
from games.selectors import engine_view
from players.models import Player
from ratings import services
from ratings.fold import Entry

START = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)
POOL = "allfives-1v1"


@pytest.fixture
def people(db):
    """Makes `number` registered players, who need no password here."""

    def make(number: int) -> list[Player]:
        rows = [
            Player(handle=f"p{i}", name=f"Player {i}", name_key=f"player {i}")
            for i in range(number)
        ]
        return Player.objects.bulk_create(rows)

    return make


@pytest.fixture
def entry():
    """An entry of a pool's log: sides are players or lists of players, in order of place."""
    numbers = count(1)

    def make(*sides, at=None, days=0.0, places=None, target=150, match_id=None) -> Entry:
        groups = [side if isinstance(side, list | tuple) else [side] for side in sides]
        return Entry(
            match_id=match_id or f"match{next(numbers):07}",
            finished_at=at or START + timedelta(days=days),
            target=target,
            sides=tuple(tuple(sorted(player.pk for player in group)) for group in groups),
            places=tuple(places or range(1, len(groups) + 1)),
        )

    return make


@pytest.fixture
def beat(entry):
    """`beat(a, b)`: a beat b, entered in a pool's log."""

    def make(*sides, pool=POOL, **facts) -> Entry:
        made = entry(*sides, **facts)
        services.enter(pool, made)
        return made

    return make


@pytest.fixture
def play():
    """Plays a running match on, by the first legal action, until it ends or `until` holds."""

    def on(match_id: str, until=lambda match: False) -> Match:
        while (match := Match.objects.get(pk=match_id)).status == "running" and not until(match):
            if match.phase == "between":
                for seat in Seat.objects.filter(match=match).select_related("player"):
                    games.ready(match_id=match_id, player=seat.player)
                continue
            seat = Seat.objects.select_related("player").get(match=match, index=match.turn)
            games.act(
                match_id=match_id,
                player=seat.player,
                expected_seq=match.seq,
                action=engine_view(match_id, seat.index).legal[0],
            )
        return match

    return on
