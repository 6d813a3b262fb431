"""Reading notices."""

from __future__ import annotations

from django.db.models import QuerySet

from notices.kinds import KINDS
from notices.models import Notice
from players.models import Player

MOST_COUNTED = 99


def unread(player: Player) -> int:
    """How many notices a player has not read; 99 stands for any more, too."""
    return player.notices.filter(read_at=None)[:MOST_COUNTED].count()


def of_player(player: Player) -> QuerySet[Notice]:
    """A player's notices, newest first; without those that are only mailed."""
    off = player.notice_wishes.filter(page=False).values("kind")
    return player.notices.exclude(kind__in=off)


def wishes(player: Player) -> dict[str, tuple[bool, bool]]:
    """For each kind, whether it is shown on the site, and mailed."""
    own = {w.kind: (w.page, w.mail) for w in player.notice_wishes.all()}
    return {kind: own.get(kind, (True, facts.mail)) for kind, facts in KINDS.items()}
