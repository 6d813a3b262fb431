"""People's moves chosen by the bots' minds: what seeding and simulation play with.

Every move goes through the live tables' own services, as a person's would; only the choice comes
from `engine.bots`, which sees no more than the seat's view.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine import bots
from games import selectors, services
from games.models import Match


def move(match: Match, levels: Mapping[int, str]) -> bool:
    """One move at `match` by the seat in turn, or what is due there; False when it is over.

    `levels` gives the strength of each person by primary key; a seat with none is a bot of the
    table's own, or a person who must wait for the clock.
    """
    match.refresh_from_db()
    if match.status == Match.Status.FINISHED:
        return False
    seat = None if match.turn is None else match.seat_set.get(index=match.turn)
    level = None if seat is None or seat.player_id is None else levels.get(seat.player_id)
    if seat is None or level is None or seat.bot_level:
        services.wake(match_id=match.id, now=match.wake_at)
        return True
    assert seat.player is not None
    view = selectors.engine_view(match.id, seat.index)
    action = bots.choose(level, view, seed=match.seq)
    services.act(
        match_id=match.id, player=seat.player, expected_seq=match.seq, action=action
    )
    return True


def play_out(match: Match, levels: Mapping[int, str]) -> None:
    """Plays `match` to its end."""
    while move(match, levels):
        pass
