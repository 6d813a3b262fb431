"""What is read of seeks: one's own, and how many wait."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count
from django.utils import timezone

from players.bots import name_of
from players.models import Player
from quickplay import bots, pairing
from quickplay.models import OPEN, Seek
from quickplay.queues import QUEUES, Queue

PRESENT: Final = timedelta(seconds=8)
"""Who has given a sign of life within this time can be seated."""
BOT_AFTER: Final = timedelta(seconds=20)
"""How long somebody waits before a bot offers itself."""


@dataclass(frozen=True, slots=True)
class Own:
    """How a player's seek stands.

    `reach` is how many rating points away an opponent may be now, None for anybody. `bot` is the
    name of one who offers itself. `partner` is who waits with them, None while nobody has come;
    `party` the invitation's key.
    """

    seek: Seek
    queue: Queue
    seconds: int
    reach: int | None
    bot: str
    party: str
    partner: Player | None

    @property
    def clock(self) -> str:
        minutes, seconds = divmod(self.seconds, 60)
        return f"{minutes}:{seconds:02}"

    @property
    def waits_for_partner(self) -> bool:
        return self.party != "" and self.partner is None


def waiting(now: datetime | None = None) -> Mapping[str, int]:
    """How many people wait in each queue in which somebody does."""
    there = Seek.objects.filter(OPEN, seen_at__gte=(now or timezone.now()) - PRESENT)
    return dict(there.order_by().values_list("queue").annotate(Count("pk")))


def own_seek(player: Player) -> Seek | None:
    """The player's open seek."""
    return Seek.objects.filter(OPEN, player=player).first()


def last_seek(player: Player) -> Seek | None:
    """The player's open seek, or the last that was closed."""
    return Seek.objects.filter(player=player).select_related("match").order_by("-pk").first()


def inviting(party: str) -> Seek | None:
    """The open seek of somebody who waits for a partner by this key."""
    if not party:
        return None
    there = list(Seek.objects.filter(OPEN, party=party).select_related("player")[:2])
    return there[0] if len(there) == 1 else None


def own(seek: Seek, now: datetime | None = None) -> Own:
    """How an open seek stands."""
    moment = now or timezone.now()
    partner = (
        Seek.objects.filter(OPEN, party=seek.party)
        .exclude(pk=seek.pk)
        .select_related("player")
        .first()
        if seek.party
        else None
    )
    since = max(seek.created_at, partner.created_at) if partner else seek.created_at
    seconds = max(0, int((moment - since).total_seconds()))
    points = pairing.reach_after(seconds, seek.deviation)
    offers = moment - seek.created_at >= BOT_AFTER
    return Own(
        seek=seek,
        queue=QUEUES[seek.queue],
        seconds=seconds,
        reach=None if math.isinf(points) else round(points),
        bot=name_of(bots.level_for(seek.rating), 1) if offers else "",
        party=seek.party,
        partner=partner.player if partner else None,
    )
