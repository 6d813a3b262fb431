"""The bots' chance: repeatable in every process, and not to be guessed from outside."""

from __future__ import annotations

import hmac

from django.conf import settings


def seed(match_id: str, seq: int, seat: int) -> int:
    """The seed of a bot's choice after event `seq`. Whoever knew it could foresee the bot."""
    place = f"bot:{match_id}:{seq}:{seat}".encode()
    return int.from_bytes(hmac.digest(settings.SECRET_KEY.encode(), place, "sha256")[:8], "big")
