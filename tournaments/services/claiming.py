"""Taking over the entry that an official made by name: by a link, once."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.utils import timezone

from players.models import Player
from tournaments import audit
from tournaments.errors import TournamentError
from tournaments.models import Claim, Entrant, Tournament
from tournaments.pairs import entry_of
from tournaments.services.standing_in import reopen_tables
from tournaments.services.work import lock, lock_for, running_or_before


def is_claimable(player: Player | None) -> bool:
    """Whether somebody was entered by name and nobody has been signed in as them yet."""
    return (
        player is not None and player.is_guest and not player.is_bot and player.last_login is None
    )


@transaction.atomic
def offer_claims(*, tournament_id: int, by: Player) -> list[Claim]:
    """A link for each who was entered by name and has none yet; all that can still be used.

    Raises TournamentError not_allowed, over.
    """
    tournament = lock_for(tournament_id, by, "entrants")
    running_or_before(tournament)
    before = {(claim.entrant_id, claim.player_id) for claim in open_claims(tournament)}
    wanted = [
        (entrant, player)
        for entrant in tournament.entrants.select_related("player", "partner").order_by("pk")
        for player in (entrant.player, entrant.partner)
        if player is not None and is_claimable(player) and (entrant.pk, player.pk) not in before
    ]
    Claim.objects.bulk_create(
        Claim(entrant=entrant, player=player, key=secrets.token_hex(16))
        for entrant, player in wanted
    )
    if wanted:
        audit.note(tournament, by, "claims_offered", count=len(wanted))
    return open_claims(tournament)


@transaction.atomic
def revoke_claim(*, tournament_id: int, by: Player, claim_id: int) -> None:
    """Makes a link worth nothing; nothing when it is used or gone. Raises TournamentError
    not_allowed.
    """
    tournament = lock_for(tournament_id, by, "entrants")
    found = next((each for each in open_claims(tournament) if each.pk == claim_id), None)
    if found is not None:
        audit.note(tournament, by, "claim_revoked", entrant=found.player.name)
        found.delete()


@transaction.atomic
def claim(*, key: str, player: Player | None) -> Claim:
    """Takes the entry over: as the guest itself for who isn't signed in (`player` None), else by
    the player's own account or guest, who plays on in the guest's place.

    Raises TournamentError no_claim, in_already, over.
    """
    known = claim_of(key)
    tournament = lock(known.entrant.tournament_id)
    found = claim_of(key)
    running_or_before(tournament)
    taker = found.player if player is None else player
    if taker.pk != found.player_id:
        if entry_of(tournament, taker) is not None:
            raise TournamentError("in_already", player=taker.handle)
        _seat(tournament, found.entrant, found.player_id, taker)
    found.taken_at, found.taken_by = timezone.now(), taker
    found.save(update_fields=["taken_at", "taken_by"])
    audit.note(tournament, taker, "claimed", entrant=found.entrant.label, name=found.player.name)
    return found


def claim_of(key: str) -> Claim:
    """What a link leads to, unused. Raises TournamentError("no_claim")."""
    rows = Claim.objects.filter(key=key, taken_at__isnull=True)
    found = rows.select_related(
        "player", "entrant__player", "entrant__partner", "entrant__tournament"
    ).first()
    inside = found and found.player_id in (found.entrant.player_id, found.entrant.partner_id)
    if found is None or not inside or not is_claimable(found.player):
        raise TournamentError("no_claim")
    return found


def open_claims(tournament: Tournament) -> list[Claim]:
    """The links that can still be used, as their entries came in."""
    rows = Claim.objects.filter(entrant__tournament=tournament, taken_at__isnull=True)
    found = rows.select_related("player", "entrant__player", "entrant__partner")
    return [
        each
        for each in found.order_by("entrant_id", "pk")
        if each.player_id in (each.entrant.player_id, each.entrant.partner_id)
        and is_claimable(each.player)
    ]


def _seat(tournament: Tournament, entrant: Entrant, guest: int, taker: Player) -> None:
    if entrant.player_id == guest:
        entrant.player = taker
    else:
        entrant.partner = taker
    entrant.save(update_fields=["player", "partner"])
    if tournament.is_running:
        reopen_tables(tournament, entrant)
