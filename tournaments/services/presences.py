"""Who waits, plays or pauses in an arena: the only writer of presences and of a clock's beginning.

Every function here works under the event's lock.
"""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from tournaments.formats import arena
from tournaments.models import ArenaClock, Entrant, Pairing, Presence, Stage, Tournament


def begins_by_itself(stage: Stage) -> bool:
    """Whether a stage is an arena whose time runs from its first moment. After another stage
    people need a word when rounds start by the arbiter's hand.
    """
    by_hand = stage.tournament.round_start == Tournament.RoundStart.ARBITER
    return stage.format == arena.ID and not (by_hand and stage.step)


def begin(stage: Stage, now: dt.datetime | None = None) -> None:
    """Starts the clock; everybody who is in waits, and what an earlier arena left is gone."""
    moment = now or timezone.now()
    minutes = dt.timedelta(minutes=stage.config["minutes"])
    ArenaClock.objects.create(stage=stage, ends_at=moment + minutes)
    Presence.objects.filter(entrant__tournament=stage.tournament_id).delete()
    entrants = stage.seedings.filter(entrant__status=Entrant.Status.ACTIVE)
    Presence.objects.bulk_create(
        Presence(entrant_id=entrant, since=moment)
        for entrant in entrants.values_list("entrant", flat=True)
    )


def enter(entrant: Entrant) -> None:
    """Who came in while it runs, or came back, waits."""
    Presence.objects.update_or_create(
        entrant=entrant, defaults={"paused": False, "since": timezone.now()}
    )


def free(stage: Stage) -> None:
    """Who played a pairing that is decided waits again, or pauses."""
    Presence.objects.filter(pairing__stage=stage, pairing__status=Pairing.Status.DECIDED).update(
        pairing=None, since=timezone.now()
    )


def end(stage: Stage) -> None:
    """Nobody is paired any more in a stage that was annulled."""
    ArenaClock.objects.filter(stage=stage, closed_at=None).update(closed_at=timezone.now())
