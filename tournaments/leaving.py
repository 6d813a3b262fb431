"""Taking somebody out of all that has not begun, as when their account is erased."""

from __future__ import annotations

from django.db.models import Q

from players.models import Player
from tournaments.errors import TournamentError
from tournaments.ladders import services as ladders
from tournaments.ladders.errors import LadderError
from tournaments.models import LadderPlace, LeaguePlayer, PairInvitation, PlayWish, Tournament
from tournaments.services import withdraw

BEFORE = [Tournament.Status.DRAFT, Tournament.Status.ANNOUNCED, Tournament.Status.REGISTRATION]


def take_out_everywhere(*, player: Player) -> None:
    """Out of events before their start, off ladders and leagues; what runs goes on without them.

    A second call finds nothing left. What refuses (a challenge that is being played) stays.
    """
    PairInvitation.objects.filter(Q(player=player) | Q(partner=player)).delete()
    PlayWish.objects.filter(player=player).delete()
    LeaguePlayer.objects.filter(player=player).delete()
    entered = Tournament.objects.filter(status__in=BEFORE).filter(
        Q(entrants__player=player) | Q(entrants__partner=player)
    )
    for event_id in set(entered.values_list("pk", flat=True)):
        try:
            withdraw(tournament_id=event_id, player=player)
        except TournamentError:
            continue
    for ladder_id in LadderPlace.objects.filter(player=player).values_list("ladder_id", flat=True):
        try:
            ladders.leave(ladder_id=ladder_id, player=player)
        except LadderError:
            continue
