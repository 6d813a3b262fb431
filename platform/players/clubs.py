"""Clubs: founding one, joining, leaving, and who may do what."""

from __future__ import annotations

import secrets
from functools import reduce
from operator import and_
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet
from django.utils.text import slugify

from players import alphabet
from players.models import Club, Membership, Player
from players.names import clean_line

Rank = Membership.Rank
NAME_LENGTH, PLACE_LENGTH, TEXT_LENGTH = 60, 80, 4000
INSIDE = (Rank.OWNER, Rank.MEMBER)
RESERVED = frozenset({"new"})
_TRIES = 5


class ClubRefused(Exception):
    """`code`: not_found, no_account, bad_name, not_owner, last_owner, not_in."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def found(
    *, founder: Player, name: str, text: str = "", place: str = "", joining: str = "open"
) -> Club:
    """A new club, whose owner is its founder. Raises ClubRefused no_account, bad_name."""
    if founder.is_guest:
        raise ClubRefused("no_account")
    fields = _fields(name=name, text=text, place=place, joining=joining)
    stem = slugify(fields["name"])[:40].strip("-") or "club"
    if stem in RESERVED:
        stem = f"{stem}-club"
    for attempt in range(_TRIES):
        slug = stem if attempt == 0 else f"{stem}-{secrets.token_hex(1 + attempt)}"
        try:
            with transaction.atomic():
                club = Club.objects.create(slug=slug, **fields)
                Membership.objects.create(club=club, player=founder, rank=Rank.OWNER)
                return club
        except IntegrityError:
            if not Club.objects.filter(slug=slug).exists():
                raise
    raise ClubRefused("bad_name")


@transaction.atomic
def edit(*, club_id: int, by: Player, **changes: str) -> Club:
    """Changes name, text, place or joining. Raises ClubRefused not_owner, bad_name."""
    club = _owned(club_id, by)
    fields = _fields(**changes)
    for key, value in fields.items():
        setattr(club, key, value)
    club.save(update_fields=list(fields))
    return club


@transaction.atomic
def join(*, club_id: int, player: Player) -> Membership:
    """Makes a member, or one who asks to be; the same again when it comes twice.

    Raises ClubRefused no_account.
    """
    if player.is_guest:
        raise ClubRefused("no_account")
    club = _lock(club_id)
    rank = Rank.MEMBER if club.joining == Club.Joining.OPEN else Rank.ASKING
    membership, _made = Membership.objects.get_or_create(
        club=club, player=player, defaults={"rank": rank}
    )
    return membership


@transaction.atomic
def leave(*, club_id: int, player: Player) -> None:
    """Ends a membership, or a request for one. The last owner stays while there are members.

    Raises ClubRefused last_owner.
    """
    club = _lock(club_id)
    own = club.memberships.filter(player=player).first()
    if own is not None:
        _keep_an_owner(club, own)
        own.delete()


@transaction.atomic
def set_rank(*, club_id: int, by: Player, player: Player, rank: str | None) -> None:
    """Lets somebody in, makes an owner, or takes somebody out (None).

    Raises ClubRefused not_owner, not_in, last_owner.
    """
    club = _owned(club_id, by)
    membership = club.memberships.filter(player=player).first()
    if membership is None or rank not in (None, *INSIDE):
        raise ClubRefused("not_in")
    if rank != Rank.OWNER:
        _keep_an_owner(club, membership)
    if rank is None:
        membership.delete()
        return
    membership.rank = rank
    membership.save(update_fields=["rank"])


def is_member(club: Club, player: Player | None) -> bool:
    """Whether the player is in the club: asking to be is not enough."""
    return rank_of(club, player) in INSIDE


def rank_of(club: Club, player: Player | None) -> str | None:
    """What the player is in the club; None for nothing."""
    if player is None or not player.pk:
        return None
    return club.memberships.filter(player=player).values_list("rank", flat=True).first()


def of_player(player: Player) -> QuerySet[Club]:
    """The clubs that a player is in, by name."""
    inside = Membership.objects.filter(player=player, rank__in=INSIDE)
    return Club.objects.filter(pk__in=inside.values("club")).order_by("name")


def listed() -> QuerySet[Club]:
    """All clubs by name, each with `members`: how many are in it."""
    return Club.objects.annotate(
        members=Count("memberships", filter=Q(memberships__rank__in=INSIDE))
    ).order_by("name", "pk")


def members_of(club: Club) -> list[Membership]:
    """Owners first, then members, then those who ask; each with its player."""
    order = (Rank.OWNER, Rank.MEMBER, Rank.ASKING)
    rows = club.memberships.select_related("player")
    return sorted(
        rows, key=lambda row: (order.index(Rank(row.rank)), alphabet.key(row.player.name))
    )


def _lock(club_id: int) -> Club:
    club = Club.objects.select_for_update().filter(pk=club_id).first()
    if club is None:
        raise ClubRefused("not_found")
    return club


def _owned(club_id: int, by: Player) -> Club:
    club = _lock(club_id)
    if not by.is_staff and rank_of(club, by) != Rank.OWNER:
        raise ClubRefused("not_owner")
    return club


def _keep_an_owner(club: Club, leaving: Membership) -> None:
    others = club.memberships.filter(rank__in=INSIDE).exclude(pk=leaving.pk)
    is_last = not others.filter(rank=Rank.OWNER).exists()
    if leaving.rank == Rank.OWNER and is_last and others.exists():
        raise ClubRefused("last_owner")


def _fields(**given: str) -> dict[str, Any]:
    """The fields to write, cleaned. Raises ClubRefused("bad_name")."""
    fields: dict[str, Any] = dict(given)
    if "name" in fields:
        fields["name"] = clean_line(fields["name"])
        if not 1 <= len(fields["name"]) <= NAME_LENGTH:
            raise ClubRefused("bad_name")
    if "place" in fields:
        fields["place"] = clean_line(fields["place"])[:PLACE_LENGTH]
    if "text" in fields:
        fields["text"] = fields["text"].replace("\x00", "")[:TEXT_LENGTH]
    if "joining" in fields:
        fields["joining"] = Club.Joining(fields["joining"]).value
    return fields


def condition_of(name: str, country: str, club: Club | None) -> Q | None:
    """A condition on players, whom a list is to show; None for everyone."""
    parts = []
    if name:
        parts.append(Q(name__icontains=name) | Q(handle__istartswith=name))
    if country:
        parts.append(Q(country=country))
    if club is not None:
        members = club.memberships.filter(rank__in=INSIDE)
        parts.append(Q(pk__in=members.values("player")))
    return reduce(and_, parts) if parts else None
