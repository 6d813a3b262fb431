"""What a guest has, brought over to the account they signed in to.

Seats, hosted tables, entries, offers of a pair and roles go over, finished ones too. Where the
account is in the same match or event already, the guest's own stays with the guest's row: two
places can't become one. What the guest did as an official, in logs and results, keeps the guest's
name. Guests have no rating, so no rating changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q, QuerySet

from games.models import Match, Seat
from players.models import Player
from tournaments.models import Entrant, Official, PairInvitation, PlayWish


@dataclass(frozen=True, slots=True)
class Belongings:
    """How many matches and events a guest is in, and how many of them can't go over."""

    matches: int
    events: int
    kept_matches: int = 0
    kept_events: int = 0

    def __bool__(self) -> bool:
        return bool(self.matches or self.events)


def belongings(*, guest: Player, account: Player) -> Belongings:
    """What would go over, and what would stay."""
    seats, entries = Seat.objects.filter(player=guest), _entries(guest)
    return Belongings(
        matches=seats.count() - (kept := _own_seats(seats, account).count()),
        events=entries.count() - (stay := _own_entries(entries, account).count()),
        kept_matches=kept,
        kept_events=stay,
    )


def bring_over(*, guest: Player, account: Player) -> Belongings:
    """Gives the account what the guest has, and closes the guest's row; once.

    Raises ValueError unless `guest` is a guest and `account` an account of somebody.
    """
    if not guest.is_guest or account.is_guest or account.is_bot:
        raise ValueError("Only a guest's seats go over, and only to an account.")
    with transaction.atomic():
        ids = sorted((guest.pk, account.pk))
        rows = {p.pk: p for p in Player.objects.select_for_update().filter(pk__in=ids)}
        row = rows[guest.pk]
        if not row.is_active:
            return Belongings(0, 0)
        found = belongings(guest=row, account=account)
        _move(row, account)
        row.is_active, row.became = False, account
        row.save(update_fields=["is_active", "became"])
    return found


def _move(guest: Player, account: Player) -> None:
    seats = Seat.objects.filter(player=guest)
    seats.exclude(pk__in=_own_seats(seats, account).values("pk")).update(player=account)
    Match.objects.filter(host=guest).update(host=account)
    stay = set(_own_entries(_entries(guest), account).values_list("pk", flat=True))
    for field in ("player", "partner"):
        Entrant.objects.filter(**{field: guest}).exclude(pk__in=stay).update(**{field: account})
    asked = PairInvitation.objects.filter(player=account).values("tournament")
    PairInvitation.objects.filter(player=guest).exclude(
        Q(tournament__in=asked) | Q(partner=account)
    ).update(player=account)
    PairInvitation.objects.filter(partner=guest).exclude(player=account).update(partner=account)
    offices = Official.objects.filter(player=account).values("tournament")
    Official.objects.filter(player=guest).exclude(tournament__in=offices).update(player=account)
    wishes = PlayWish.objects.filter(player=account).values("pairing")
    PlayWish.objects.filter(player=guest).exclude(pairing__in=wishes).update(player=account)


def _own_seats(seats: QuerySet[Seat], account: Player) -> QuerySet[Seat]:
    """Those of `seats` that are in matches where the account sits too."""
    return seats.filter(match__in=Seat.objects.filter(player=account).values("match"))


def _entries(player: Player) -> QuerySet[Entrant]:
    return Entrant.objects.filter(Q(player=player) | Q(partner=player))


def _own_entries(entries: QuerySet[Entrant], account: Player) -> QuerySet[Entrant]:
    return entries.filter(tournament__in=_entries(account).values("tournament"))
