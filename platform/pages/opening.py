"""Opening a table from a page: twice the same form opens it once."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.models import Match
from games.services import open_match
from players.models import Player

ONCE = "once"
REMEMBERED_FOR = timedelta(minutes=10)


def fresh_once() -> str:
    """What a form carries so that its second sending is known."""
    return secrets.token_urlsafe(12)


def open_once(*, player: Player, once: str, **settings: Any) -> Match:
    """A new table of this player, or the one that the same form has opened already."""
    with transaction.atomic():
        # The player's row is the lock: a double click waits here for the first.
        Player.objects.select_for_update().get(pk=player.pk)
        made = (
            Match.objects.filter(host=player, created_at__gte=timezone.now() - REMEMBERED_FOR)
            .filter(context__once=once)
            .first()
            if once
            else None
        )
        return made or open_match(host=player, context={ONCE: once} if once else None, **settings)
