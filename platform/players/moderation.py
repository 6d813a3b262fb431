"""Keeping somebody off the site or from talking, and giving an offensive name another."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import Player, Silence, Suspension
from players.services import rename, take_name
from players.zones import with_zone


class ModerationRefused(Exception):
    """`code`: not_staff, no_reason, past, or not_suspendable (staff, bots, oneself)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def suspend(
    *, player: Player, by: Player, reason: str, until: datetime | None = None
) -> Suspension:
    """Ends every sign-in, token and socket of `player` and takes no new one.

    Tables go on: the server plays for who is away, as for anyone who left. A second call gives the
    suspension that stands. Raises ModerationRefused.
    """
    _require_staff(by)
    reason = _reason(reason)
    if until is not None and until <= timezone.now():
        raise ModerationRefused("past")
    if player.is_staff or player.is_bot or player.pk == by.pk or player.erased_at:
        raise ModerationRefused("not_suspendable")
    with transaction.atomic():
        row = Player.objects.select_for_update().get(pk=player.pk)
        standing = row.suspensions.filter(lifted_at=None).first()
        if standing is not None:
            return standing
        row.is_active = False
        row.save(update_fields=["is_active"])
        return Suspension.objects.create(player=row, by=by, reason=reason, until=until)


def lift(*, player: Player, by: Player) -> None:
    """Lets somebody in again; nothing happens where no suspension stands."""
    _require_staff(by)
    _lift(player, by)


def lift_expired(*, player: Player | None = None) -> int:
    """Ends suspensions whose time is over, of one player or of all; answers how many."""
    over = Suspension.objects.filter(lifted_at=None, until__lte=timezone.now())
    if player is not None:
        over = over.filter(player=player)
    rows = list(over.select_related("player"))
    for row in rows:
        _lift(row.player, None)
    return len(rows)


def silence(*, player: Player, by: Player, reason: str, days: int) -> bool:
    """Nothing said or written at tables for so many days; false where that is so anyway.

    Raises ModerationRefused.
    """
    _require_staff(by)
    reason = _reason(reason)
    if player.is_bot or player.erased_at:
        raise ModerationRefused("not_suspendable")
    now = timezone.now()
    until = now + timedelta(days=days)
    with transaction.atomic():
        row = Player.objects.select_for_update().get(pk=player.pk)
        if row.silences.filter(until__gte=until).exists():
            return False
        Silence.objects.create(player=row, by=by, reason=reason, since=now, until=until)
    return True


def unsilence(*, player: Player, by: Player) -> bool:
    """Gives the word back; false where it had not been taken."""
    _require_staff(by)
    now = timezone.now()
    return bool(player.silences.filter(until__gt=now).update(until=now))


def is_silenced(player: Player) -> bool:
    return player.silences.filter(until__gt=timezone.now()).exists()


def rename_offensive(*, player: Player, by: Player, name: str = "") -> Player:
    """Gives a name that may stay: the one given, or "#1234". Raises NameRefused."""
    _require_staff(by)
    return rename(player=player, name=name) if name else take_name(player=player)


def sentence_for(player: Player) -> str:
    """What somebody who may not sign in is told."""
    standing = player.suspensions.filter(lifted_at=None).first()
    if standing is None:
        return _("This account is closed.")
    facts = {"reason": standing.reason}
    if standing.until is None:
        return _("This account is suspended: %(reason)s") % facts
    facts["day"] = with_zone(standing.until)
    return _("This account is suspended until %(day)s: %(reason)s") % facts


def _reason(text: str) -> str:
    reason = " ".join(text.split())[:300]
    if not reason:
        raise ModerationRefused("no_reason")
    return reason


def _require_staff(by: Player) -> None:
    if not (by.is_staff and by.is_active):
        raise ModerationRefused("not_staff")


def _lift(player: Player, by: Player | None) -> None:
    with transaction.atomic():
        row = Player.objects.select_for_update().get(pk=player.pk)
        standing = row.suspensions.filter(lifted_at=None)
        if standing.update(lifted_at=timezone.now(), lifted_by=by) and row.erased_at is None:
            row.is_active = True
            row.save(update_fields=["is_active"])
