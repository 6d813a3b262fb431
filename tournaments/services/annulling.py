"""Ratings of matches that are taken back."""

from __future__ import annotations

from games.models import Match
from players.models import Player
from ratings import services as ratings
from tournaments.models import Game


def annul_rating(game: Game, note: str, by: Player | None) -> None:
    """Ratings follow (cases.md D11): an annulled match is as if it had never been played."""
    match = Match.objects.get(pk=game.match_id)
    if match.status != Match.Status.FINISHED:
        return
    ratings.rate(match.pk)  # the outbox may not have come round to it yet
    try:
        ratings.annul(match_id=match.pk, note=f"pairing {game.pairing_id}, {note}", by=by)
    except ratings.NotRatedYet:
        return  # it was not for the ratings in the first place
