"""What is read of seeks: one's own, and how many wait."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q
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

    `reach` is how many rating points away an opponent may be now, None for anybody; `rated` and
    `unrated` are what they, with a partner both, would play. `bot` is the
    name of one who offers itself. `partner` is who waits with them, None while nobody has come;
    `party` the invitation's key.
    """

    seek: Seek
    queue: Queue
    seconds: int
    rated: bool
    unrated: bool
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
    """How many people wait for opponents, in each queue in which somebody does."""
    present = Seek.objects.filter(OPEN, seen_at__gte=(now or timezone.now()) - PRESENT)
    partner = present.filter(party=OuterRef("party")).exclude(pk=OuterRef("pk"))
    ready = present.filter(Q(party="") | Exists(partner))
    return dict(ready.order_by().values_list("queue").annotate(Count("pk")))


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
    both = [seek, *_partners(seek)]
    since = max(each.created_at for each in both)
    seconds = max(0, int((moment - since).total_seconds()))
    points = pairing.reach_after(seconds, max(each.deviation for each in both))
    queue, rated = QUEUES[seek.queue], all(each.rated for each in both)
    offers = moment - seek.created_at >= BOT_AFTER
    return Own(
        seek=seek,
        queue=queue,
        seconds=seconds,
        rated=rated,
        unrated=not rated or all(each.unrated for each in both),
        reach=None if math.isinf(points) else round(points),
        bot=name_of(bots.level_for(queue, seek.rating), 1) if offers else "",
        party=seek.party,
        partner=both[1].player if len(both) == 2 else None,
    )


def _partners(seek: Seek) -> list[Seek]:
    if not seek.party:
        return []
    others = Seek.objects.filter(OPEN, party=seek.party).exclude(pk=seek.pk)
    return list(others.select_related("player"))
