"""What the outbox tells of (config/subscriptions.py)."""

from __future__ import annotations

from typing import Any

from fairplay.models import Report


def handle_erased(payload: dict[str, Any]) -> None:
    """ "player.erased": ``{"player": id}``: what they wrote about others goes, and that they did;
    what others wrote about them keeps no words of theirs.
    """
    Report.objects.filter(reporter=payload["player"]).update(text="")
    Report.objects.filter(subject=payload["player"]).update(words=[])
