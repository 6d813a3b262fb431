"""What pages listen to of events and ladders (games.events)."""

from __future__ import annotations


def of_event(tournament_id: int) -> str:
    return f"event:{tournament_id}"


def of_ladder(ladder_id: int) -> str:
    return f"ladder:{ladder_id}"
