"""What the outbox tells of (config/subscriptions.py)."""

from __future__ import annotations

from typing import Any

from games.services.talking import forget_texts


def handle_player_erased(payload: dict[str, Any]) -> None:
    """ "player.erased": ``{"player": id}``: what they wrote at tables goes."""
    forget_texts(player_id=payload["player"])
