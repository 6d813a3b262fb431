"""People's moves chosen by the bots' minds: how the first site gets its histories.

Every move goes through the live tables' own services, as a person's would; only the choice comes
from `engine.bots`, which sees no more than the seat's view.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine import bots
from games import selectors, services
from games.models import Match


def play_out(match: Match, levels: Mapping[int, str]) -> None:
    """Plays `match` to its end. `levels` gives people's strengths by primary key."""
    while step(match, levels):
        pass


def step(match: Match, levels: Mapping[int, str]) -> bool:
    """One move of the seat in turn, or what is due at the table; False when it is over.

    A seat without a level is a bot of the table's own, or a break: the clock is brought forward.
    """
    match.refresh_from_db()
    if not match.is_running:
        return False
    seat = None if match.turn is None else match.seat_set.get(index=match.turn)
    level = None if seat is None or seat.player_id is None else levels.get(seat.player_id)
    if seat is None or seat.bot_level or level is None:
        services.wake(match_id=match.pk, now=match.wake_at)
        return True
    action = bots.choose(level, selectors.engine_view(match.pk, seat.index), seed=match.seq)
    services.act(match_id=match.pk, player=seat.player, expected_seq=match.seq, action=action)
    return True
