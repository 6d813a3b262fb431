"""Fixed pairs: whose entry it is, and how strong it is. A pair is as strong as its mean."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from players.models import Player
from ratings import selectors as ratings
from tournaments.models import Entrant, PairInvitation, Tournament
from tournaments.options import pool_of


def entry_of(tournament: Tournament, player: Player) -> Entrant | None:
    """The player's entry, also as the partner of somebody."""
    return (
        tournament.entrants.filter(Q(player=player) | Q(partner=player))
        .select_related("player", "partner")
        .first()
    )


def entry_ratings(tournament: Tournament, entrants: Iterable[Entrant]) -> dict[int, int]:
    """The ratings of entrants in the event's pool, by entrant id; of a pair the mean of those
    known. Who has none is not in it.
    """
    found = list(entrants)
    ids = {each.player_id for each in found} | {each.partner_id for each in found} - {None}
    known = ratings.ratings_in(pool_of(tournament), [pk for pk in ids if pk is not None])
    made: dict[int, int] = {}
    for each in found:
        both = [known[pk].rating for pk in (each.player_id, each.partner_id) if pk in known]
        if both:
            made[each.pk] = round(sum(both) / len(both))
    return made


def invitations_of(
    tournament: Tournament, player: Player | None
) -> tuple[PairInvitation | None, list[PairInvitation]]:
    """The invitation that the player has sent, and those that wait for the player's answer."""
    if player is None or not player.pk:
        return None, []
    every = PairInvitation.objects.filter(tournament=tournament).select_related("player", "partner")
    return every.filter(player=player).first(), list(every.filter(partner=player).order_by("at"))
