"""Erasing an account: asked for by its owner, done a week later unless they change their mind.

Matches, results and ratings stay, since others have them too; of the player only the row stays,
under another name. Sealed records keep the name a match was played under.
"""

from __future__ import annotations

import datetime as dt

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from outbox.services import publish
from players import names
from players.models import Club, Membership, Player

AFTER = dt.timedelta(days=7)


class ErasureRefused(Exception):
    """`code`: wrong_password, or last_owner: of `clubs`, which would be nobody's."""

    def __init__(self, code: str, clubs: list[Club] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.clubs = clubs or []


def ask(*, player: Player, password: str) -> dt.datetime:
    """The account will be erased in a week; when, is answered. Again, it changes nothing.

    Raises ErasureRefused. Guests have no password: their `password` is not looked at.
    """
    if not player.is_guest and not player.check_password(password):
        raise ErasureRefused("wrong_password")
    if alone := owned_alone(player):
        raise ErasureRefused("last_owner", alone)
    with transaction.atomic():
        row = Player.objects.select_for_update().get(pk=player.pk)
        if row.erase_at is None:
            row.erase_at = timezone.now() + AFTER
            row.save(update_fields=["erase_at"])
        return row.erase_at


def keep(*, player: Player) -> None:
    """The owner changed their mind."""
    Player.objects.filter(pk=player.pk, erased_at=None).update(erase_at=None)


def erase_due(now: dt.datetime | None = None) -> int:
    """Erases the accounts whose week is over; answers how many."""
    due = Player.objects.filter(erase_at__lte=now or timezone.now(), erased_at=None)
    return sum(erase(player_id=pk) for pk in due.values_list("pk", flat=True))


def erase(*, player_id: int) -> bool:
    """Takes from a player's row whatever tells who it was; false when that was done before.

    A last owner's club keeps the row as its owner: staff give it to somebody else.
    """
    with transaction.atomic():
        player = Player.objects.select_for_update().get(pk=player_id)
        if player.erased_at is not None:
            return False
        alone = {club.pk for club in owned_alone(player)}
        Membership.objects.filter(player=player).exclude(club__in=alone).delete()
        for kind in (EmailAddress, Authenticator):
            kind.objects.filter(user=player).delete()
        sessions = UserSession.objects.filter(user=player)
        Session.objects.filter(session_key__in=sessions.values("session_key")).delete()
        sessions.delete()
        player.tokens.all().delete()
        player.mutes.all().delete()
        player.groups.clear()
        player.user_permissions.clear()
        player.handle, player.name = f"deleted-{player.pk}", names.number(player.pk)
        player.name_key = None if player.is_guest else f"deleted-{player.pk}"
        player.email = player.country = player.language = player.theme = player.zone = ""
        player.table_settings = {}
        player.is_active = player.is_staff = player.is_superuser = False
        player.last_login = player.last_seen_at = player.erase_at = None
        player.erased_at = timezone.now()
        player.set_unusable_password()
        player.save()
        publish("player.erased", key=str(player.pk), payload={"player": player.pk})
    return True


def owned_alone(player: Player) -> list[Club]:
    """The clubs that have no other owner, and other members."""
    owner = Membership.Rank.OWNER
    own = Membership.objects.filter(player=player, rank=owner).select_related("club")
    clubs = [m.club for m in own]
    return [
        club
        for club in clubs
        if not club.memberships.filter(rank=owner).exclude(player=player).exists()
        and club.memberships.filter(rank=Membership.Rank.MEMBER).exists()
    ]
