"""Who may ask a player something: to be their partner, or to play with them."""

from __future__ import annotations

from players.clubs import INSIDE
from players.models import Membership, Player
from players.muting import is_muted

Invites = Player.Invites


def may_invite(*, by: Player, asked: Player) -> bool:
    """Whether `asked` wishes to be asked by somebody; never by whom they have muted.

    A challenge ladder has rules of its own: whoever takes a place there can be challenged for it.
    """
    if asked.invites == Invites.NOBODY or is_muted(player=asked, other=by):
        return False
    if asked.invites == Invites.EVERYBODY:
        return True
    own = Membership.objects.filter(player=asked, rank__in=INSIDE).values("club")
    return Membership.objects.filter(player=by, rank__in=INSIDE, club__in=own).exists()
