"""What tournaments hear from the outbox (config/subscriptions.py)."""

from __future__ import annotations

from typing import Any

from tournaments.services import handle_finished_match


def handle_match_finished(payload: dict[str, Any]) -> None:
    """ "match.finished": ``{"match": id}``. Heard twice, it changes nothing the second time."""
    handle_finished_match(str(payload["match"]))
