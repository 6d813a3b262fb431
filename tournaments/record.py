"""A player's record in events: the matches of one, and the places that were hardest to reach."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Avg, Count, Q

from players.models import Player
from ratings.glicko import State
from tournaments.models import Entrant, Game, Tournament
from tournaments.options import pool_of

LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class Place:
    """A place in an event that is over: among so many entrants, whose mean rating in the event's
    pool is `strength` (None where nobody has one).
    """

    event: Tournament
    place: int
    entrants: int
    strength: int | None

    @property
    def left_behind(self) -> float:
        """The share of the entrants that ended below."""
        return (self.entrants - self.place) / self.entrants


def matches_of(event: Tournament) -> list[str]:
    """The ids of the event's matches at live tables."""
    games = Game.objects.filter(pairing__round__stage__tournament=event)
    return list(games.values_list("match_id", flat=True))


def best_places(
    player: Player, pool: str, since: datetime | None = None, limit: int = 5
) -> list[Place]:
    """In the latest events of the pool: those in which the largest share was left behind, of equals
    the strongest field first. Events by link alone are nobody else's business.
    """
    entries = Entrant.objects.filter(
        Q(player=player) | Q(partner=player),
        tournament__status=Tournament.Status.FINISHED,
        place__gt=0,
    ).exclude(tournament__access=Tournament.Access.LINK)
    if since is not None:
        entries = entries.filter(tournament__finished_at__gte=since)
    latest = entries.select_related("tournament").order_by("-tournament__finished_at", "-pk")
    found = [each for each in latest[:LOOKED_AT] if pool_of(each.tournament) == pool]
    fields = _fields([each.tournament_id for each in found], pool)
    places = [Place(each.tournament, each.place or 0, *fields[each.tournament_id])
              for each in found]  # fmt: skip
    return sorted(places, key=lambda each: (-each.left_behind, -(each.strength or 0)))[:limit]


def _fields(events: list[int], pool: str) -> dict[int, tuple[int, int | None]]:
    """How many were placed in each event, and the mean of their ratings in the pool."""
    known = Q(player__ratings__pool=pool, player__ratings__matches__gt=0)
    rows = (
        Entrant.objects.filter(tournament__in=events, place__gt=0)
        .order_by()
        .values("tournament")
        .annotate(count=Count("pk", distinct=True), mean=Avg("player__ratings__mean", filter=known))
    )
    return {
        row["tournament"]: (
            row["count"],
            None if row["mean"] is None else round(State(row["mean"], 1.0).rating),
        )
        for row in rows
    }
