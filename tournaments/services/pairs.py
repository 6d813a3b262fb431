"""Fixed pairs: asking a partner, and accepting.

Nobody is in two entries of an event, neither as the player nor as the partner: looked at under the
event's lock, since no single constraint can say it.
"""

from __future__ import annotations

import secrets

from django.db import transaction
from django.db.models import Q

from outbox.services import publish
from players.inviting import may_invite
from players.models import Player
from tournaments import audit
from tournaments.errors import TournamentError
from tournaments.models import Entrant, PairInvitation, Tournament
from tournaments.options import clean_line
from tournaments.pairs import entry_of
from tournaments.services import entry
from tournaments.services.work import before_start, lock, lock_for

MOST_NAME = 80


@transaction.atomic
def invite_partner(
    *,
    tournament_id: int,
    player: Player,
    partner: Player | None = None,
    name: str = "",
    key: str = "",
) -> PairInvitation:
    """Asks somebody to be the partner: a player, or whoever gets the invitation's link. `key` is
    that of the event's own link. One who asks again asks anew.

    Raises TournamentError no_pairs, in_already, partner_in_already, own_partner,
    not_to_be_asked, and what keeps somebody from entering (services.entry.join).
    """
    tournament = lock(tournament_id)
    _only_pairs(tournament)
    entry.refuse_entry(tournament, player, key)
    _free(tournament, player, partner)
    if partner is not None and not may_invite(by=player, asked=partner):
        raise TournamentError("not_to_be_asked", player=partner.handle)
    invitation, _new = PairInvitation.objects.update_or_create(
        tournament=tournament,
        player=player,
        defaults={
            "partner": partner,
            "name": clean_line(name)[:MOST_NAME],
            "key": secrets.token_hex(16),
        },
    )
    if partner is not None:
        publish(
            "pair.asked",
            key=invitation.key,
            payload={"invitation": invitation.pk, "key": invitation.key},
        )
    return invitation


@transaction.atomic
def accept_partner(*, tournament_id: int, player: Player, invitation_key: str) -> Entrant:
    """Enters the pair, on the waiting list when all places are taken. A second call answers the
    same entry. Raises TournamentError no_pair_invitation, and as above.
    """
    tournament = lock(tournament_id)
    found = PairInvitation.objects.filter(tournament=tournament, key=invitation_key)
    invitation = found.select_related("player").first()
    if invitation is None:
        own = entry_of(tournament, player)
        if own is None:
            raise TournamentError("no_pair_invitation")
        return own
    if invitation.partner_id not in (None, player.pk):
        raise TournamentError("no_pair_invitation")
    if invitation.player_id == player.pk:
        raise TournamentError("own_partner")
    entry.refuse_entry(tournament, player, tournament.link_key)
    return _enter(tournament, invitation.player, player, invitation.name, by=player)


@transaction.atomic
def drop_invitation(*, tournament_id: int, player: Player, invitation_key: str) -> None:
    """Takes an invitation back, or declines it; nothing when it is gone."""
    tournament = lock(tournament_id)
    PairInvitation.objects.filter(
        Q(player=player) | Q(partner=player), tournament=tournament, key=invitation_key
    ).delete()


@transaction.atomic
def enter_pair(
    *, tournament_id: int, by: Player, player: Player, partner: Player, name: str = ""
) -> Entrant:
    """Enters both, by an official, before the start. Raises TournamentError no_pairs, in_already,
    partner_in_already, own_partner, not_allowed.
    """
    tournament = lock_for(tournament_id, by, "entrants")
    before_start(tournament)
    _only_pairs(tournament)
    return _enter(tournament, player, partner, clean_line(name)[:MOST_NAME], by=by)


def _only_pairs(tournament: Tournament) -> None:
    if tournament.sides != Tournament.Sides.PAIRS:
        raise TournamentError("no_pairs")


def _free(tournament: Tournament, player: Player, partner: Player | None) -> None:
    if partner is not None and partner.pk == player.pk:
        raise TournamentError("own_partner")
    if entry_of(tournament, player) is not None:
        raise TournamentError("in_already", player=player.handle)
    if partner is not None and entry_of(tournament, partner) is not None:
        raise TournamentError("partner_in_already", player=partner.handle)


def _enter(
    tournament: Tournament, player: Player, partner: Player, name: str, *, by: Player
) -> Entrant:
    _free(tournament, player, partner)
    entrant = entry.place(tournament, player, partner=partner, name=name)
    PairInvitation.objects.filter(tournament=tournament, player__in=[player, partner]).delete()
    audit.note(tournament, by, "pair_entered", entrant=entrant.label)
    return entrant
