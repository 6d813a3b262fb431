"""Who should not meet in an event, worked out from the wishes that its officials have noted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final

from django.db.models import Q

from players.clubs import INSIDE
from players.models import Membership
from tournaments.models import Apart, ApartMember, Entrant, Result, Slot, Tournament

Kind = Apart.Kind
MET: Final = (Result.Outcome.PLAYED, Result.Outcome.DRAWN)
Pairs = frozenset[tuple[int, int]]
MOST_OF_A_CLUB: Final = 300
"""With more of its members in the event a club is left out: they could not but meet."""
MOST_EARLIER: Final = 50


def pairs_of(event: Tournament, entrants: Mapping[int, Entrant]) -> Pairs:
    """The seeds that should not meet, in pairs, the lower first; `entrants` by seed."""
    wishes = list(Apart.objects.filter(tournament=event))
    if not wishes:
        return frozenset()
    seeds = {entrant.pk: seed for seed, entrant in entrants.items()}
    seats = {pk: seed for seed, entrant in entrants.items() for pk in _people(entrant)}
    circles: list[Collection[int]] = []
    for wish in wishes:
        circles += [list(circle) for circle in _circles(event, wish, seeds, seats)]
    return frozenset(pair for circle in circles for pair in combinations(sorted(set(circle)), 2))


def wishes_of(event: Tournament) -> list[Apart]:
    """The event's wishes, with their members."""
    found = Apart.objects.filter(tournament=event).select_related("earlier")
    return list(found.prefetch_related("members__player", "members__partner"))


def earlier_events(event: Tournament) -> list[Tournament]:
    """Those of the same organiser in which people have met, the newest first."""
    found = Tournament.objects.filter(organiser=event.organiser_id, started_at__isnull=False)
    return list(found.exclude(pk=event.pk).order_by("-started_at")[:MOST_EARLIER])


def _people(entrant: Entrant) -> list[int]:
    return [pk for pk in (entrant.player_id, entrant.partner_id) if pk is not None]


def _circles(
    event: Tournament, wish: Apart, seeds: Mapping[int, int], seats: Mapping[int, int]
) -> Iterator[Iterable[int]]:
    """The seeds of those who should not meet one another; `seeds` by entrant, `seats` by player."""
    if wish.kind == Kind.PEOPLE:
        members = ApartMember.objects.filter(apart=wish).values_list("entrant_id", flat=True)
        yield [seeds[pk] for pk in members if pk in seeds]
    elif wish.kind == Kind.CLUB:
        yield from _clubs(event, seats)
    elif wish.earlier_id is not None:
        yield from _met(wish.earlier_id, seats)


def _clubs(event: Tournament, seats: Mapping[int, int]) -> Iterator[Collection[int]]:
    """By club, but for one that everybody is in, or too many."""
    entrants = Entrant.objects.filter(tournament=event)
    people = Q(player__in=entrants.values("player")) | Q(player__in=entrants.values("partner"))
    found: dict[int, set[int]] = defaultdict(set)
    rows = Membership.objects.filter(people, rank__in=INSIDE).exclude(club=event.club_id)
    for club, player in rows.values_list("club_id", "player_id"):
        if player in seats:
            found[club].add(seats[player])
    inside = len(set(seats.values()))
    for club in sorted(found):
        if len(found[club]) <= min(MOST_OF_A_CLUB, inside - 1):
            yield found[club]


def _met(earlier: int, seats: Mapping[int, int]) -> Iterator[Collection[int]]:
    """Those who sat at one table of an earlier event, and played."""
    rows = Slot.objects.filter(
        pairing__stage__tournament=earlier,
        entrant__isnull=False,
        pairing__results__outcome__in=MET,
    ).distinct()
    tables: dict[int, set[int]] = defaultdict(set)
    for table, *people in rows.values_list("pairing_id", "entrant__player", "entrant__partner"):
        tables[table] |= {seats[pk] for pk in people if pk in seats}
    for table in sorted(tables):
        if len(tables[table]) > 1:
            yield tables[table]
