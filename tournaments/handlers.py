"""What tournaments hear from the outbox (config/subscriptions.py)."""

from __future__ import annotations

from typing import Any

from players.models import Player
from tournaments.ladders import services as ladders
from tournaments.leaving import take_out_everywhere
from tournaments.services import handle_finished_match


def handle_match_finished(payload: dict[str, Any]) -> None:
    """ "match.finished": ``{"match": id}``. Heard twice, it changes nothing the second time."""
    handle_finished_match(str(payload["match"]))


def handle_player_erased(payload: dict[str, Any]) -> None:
    """ "player.erased": ``{"player": id}``: out of whatever has not begun, off the ladders."""
    take_out_everywhere(player=Player.objects.get(pk=payload["player"]))


def handle_ladder_match(payload: dict[str, Any]) -> None:
    """The same message, for challenge ladders."""
    ladders.handle_finished_match(str(payload["match"]))
