"""Who helps to run an event: roles, by invitation link.

A link's key is shown once; only its hash is kept. Nobody gives a role above their own, and a link
is worth no more than whoever made it is when it is used.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from players.models import Player
from tournaments import audit
from tournaments.errors import TournamentError
from tournaments.models import Invitation, Official, Role, Tournament
from tournaments.permissions import (
    OPEN_TO_GUESTS,
    RANKS,
    may_change,
    may_give,
)
from tournaments.services.work import lock, lock_for

KEY_BYTES = 24
HOURS: Final = range(1, 90 * 24 + 1)
USES: Final = range(1, 101)
MOST_TABLES = 200
HIGHEST_TABLE = 10_000


@transaction.atomic
def invite(
    *,
    tournament_id: int,
    by: Player,
    role: str,
    tables: Sequence[int] = (),
    hours: int = 72,
    uses: int = 1,
) -> tuple[Invitation, str]:
    """A link that gives a role to whoever opens it, and its key, which can't be had again.

    It lasts `hours` and lets `uses` people in; `tables` are the numbers of those a scorer is for,
    empty for all. Raises TournamentError not_allowed, bad_role, role_above, bad_tables, bad_time.
    """
    tournament = lock_for(tournament_id, by, "settings")
    role, numbers = _checked(role, tables)
    if not may_give(tournament, by, role):
        raise TournamentError("role_above", role=role)
    if type(hours) is not int or hours not in HOURS or type(uses) is not int or uses not in USES:
        raise TournamentError("bad_time")
    key = secrets.token_urlsafe(KEY_BYTES)
    made = Invitation.objects.create(
        tournament=tournament,
        role=role,
        tables=numbers,
        key_hash=hash_of(key),
        by=by,
        expires_at=timezone.now() + dt.timedelta(hours=hours),
        left=uses,
    )
    audit.note(tournament, by, "official_invited", role=role, uses=uses, hours=hours)
    return made, key


def hash_of(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


def invitation_of(key: str) -> Invitation:
    """The invitation that a key opens, with its event and who made it.

    Raises TournamentError no_invitation, invitation_over.
    """
    found = Invitation.objects.select_related("tournament__organiser", "by")
    invitation = found.filter(key_hash=hash_of(key)).first()
    if invitation is None:
        raise TournamentError("no_invitation")
    is_over = invitation.left < 1 or invitation.expires_at <= timezone.now()
    if is_over or not may_give(invitation.tournament, invitation.by, invitation.role):
        raise TournamentError("invitation_over")
    return invitation


@transaction.atomic
def accept(*, key: str, player: Player) -> Official:
    """Gives the player the link's role; once for each player, however often it is called, and
    nothing when the player has that role or a higher one.

    A scorer of some tables who accepts for others is a scorer of both. Guests may be scorer or
    display. Raises TournamentError no_invitation, invitation_over, account_needed, is_owner.
    """
    invitation = invitation_of(key)
    tournament = lock(invitation.tournament_id)
    if player.pk == tournament.organiser_id:
        raise TournamentError("is_owner")
    if player.is_bot or (player.is_guest and invitation.role not in OPEN_TO_GUESTS):
        raise TournamentError("account_needed")
    official = Official.objects.filter(tournament=tournament, player=player).first()
    if official is not None and not _adds_to(invitation, official):
        return official
    invitation = invitation_of(key)  # again, now that nobody else can use it up
    if not Invitation.objects.filter(pk=invitation.pk, left__gte=1).update(left=F("left") - 1):
        raise TournamentError("invitation_over")
    if official is None:
        official = Official(tournament=tournament, player=player, tables=invitation.tables)
    else:
        official.tables = _tables_of_both(official, invitation)
    official.role = invitation.role
    official.save()
    facts = {"name": player.name, "handle": player.handle, "role": official.role}
    audit.note(tournament, player, "official_joined", **facts)
    return official


@transaction.atomic
def revoke_invitation(*, tournament_id: int, by: Player, invitation_id: int) -> None:
    """Makes a link worth nothing; nothing when it is already."""
    tournament = lock_for(tournament_id, by, "settings")
    invitation = Invitation.objects.filter(tournament=tournament, pk=invitation_id).first()
    if invitation is None:
        raise TournamentError("no_invitation")
    if not may_give(tournament, by, invitation.role):
        raise TournamentError("role_above", role=invitation.role)
    if invitation.left:
        invitation.left = 0
        invitation.save(update_fields=["left"])
        audit.note(tournament, by, "invitation_revoked", role=invitation.role)


@transaction.atomic
def change_official(
    *, tournament_id: int, by: Player, player: Player, role: str, tables: Sequence[int] = ()
) -> Official:
    """Gives an official another role, or other tables. Raises TournamentError not_allowed,
    no_official, bad_role, bad_tables, role_above, account_needed.
    """
    tournament = lock_for(tournament_id, by, "settings")
    role, numbers = _checked(role, tables)
    official = _official(tournament, player)
    if not may_change(tournament, by, official) or not may_give(tournament, by, role):
        raise TournamentError("role_above", role=role)
    if player.is_guest and role not in OPEN_TO_GUESTS:
        raise TournamentError("account_needed")
    if (official.role, official.tables) == (role, numbers):
        return official
    official.role, official.tables = role, numbers
    official.save(update_fields=["role", "tables"])
    audit.note(
        tournament,
        by,
        "official_changed",
        name=player.name,
        handle=player.handle,
        role=role,
        tables=numbers,
    )
    return official


@transaction.atomic
def remove_official(*, tournament_id: int, by: Player, player: Player) -> None:
    """Ends somebody's role; everybody may end their own. Nothing when there is none."""
    if by.pk == player.pk:
        tournament = lock(tournament_id)
    else:
        tournament = lock_for(tournament_id, by, "settings")
    official = Official.objects.filter(tournament=tournament, player=player).first()
    if official is None:
        return
    if by.pk != player.pk and not may_change(tournament, by, official):
        raise TournamentError("role_above", role=official.role)
    official.delete()
    facts = {"name": player.name, "handle": player.handle, "role": official.role}
    audit.note(tournament, by, "official_removed", **facts)


@transaction.atomic
def hand_over(*, tournament_id: int, by: Player, to: Player) -> Tournament:
    """Makes an official the event's owner, and the owner a chief arbiter.

    Only to somebody who has a role, and so has agreed to help. Raises TournamentError not_allowed,
    no_official, account_needed.
    """
    tournament = lock_for(tournament_id, by, "own")
    if to.pk == tournament.organiser_id:
        return tournament
    official = _official(tournament, to)
    if to.is_guest or to.is_bot or not to.is_active:
        raise TournamentError("account_needed")
    before = tournament.organiser
    official.delete()
    tournament.organiser = to
    tournament.save(update_fields=["organiser"])
    Official.objects.create(tournament=tournament, player=before, role=Role.CHIEF)
    audit.note(tournament, by, "handed_over", name=to.name, handle=to.handle)
    return tournament


def _official(tournament: Tournament, player: Player) -> Official:
    found = Official.objects.filter(tournament=tournament, player=player).first()
    if found is None:
        raise TournamentError("no_official")
    return found


def _checked(role: str, tables: Sequence[int]) -> tuple[Role, list[int]]:
    if role not in Role:
        raise TournamentError("bad_role", role=str(role)[:20])
    numbers = sorted(set(tables))
    possible = all(type(n) is int and 1 <= n <= HIGHEST_TABLE for n in numbers)
    if not possible or len(numbers) > MOST_TABLES or (numbers and role != Role.SCORER):
        raise TournamentError("bad_tables")
    return Role(role), numbers


def _adds_to(invitation: Invitation, official: Official) -> bool:
    """Whether the link gives more than the official has."""
    given, has = RANKS.index(Role(invitation.role)), RANKS.index(Role(official.role))
    if given != has:
        return given < has
    return _tables_of_both(official, invitation) != list(official.tables)


def _tables_of_both(official: Official, invitation: Invitation) -> list[int]:
    """The tables of both, empty if either is for all."""
    if official.role != invitation.role:
        return list(invitation.tables)
    if not official.tables or not invitation.tables:
        return []
    return sorted({*official.tables, *invitation.tables})
