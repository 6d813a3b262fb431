"""Who sees what of a round that has not been published.

A draft is for the event's officials. Everything that shows pairings, results or standings reads a
stage through here.
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from players.models import Player
from tournaments import kept
from tournaments.board import Board
from tournaments.models import Pairing, Round, Stage, Tournament
from tournaments.permissions import may

Viewer = Player | AnonymousUser | None


def sees_drafts(tournament: Tournament, viewer: Viewer) -> bool:
    """Whether the viewer is one of those who check a draft before it is published."""
    return may(tournament, viewer, "look")


def board_for(stage: Stage, viewer: Viewer = None) -> Board:
    """The stage as the viewer sees it, to be read only; for nobody in particular as everyone
    does."""
    return kept.whole(stage) if sees_drafts(stage.tournament, viewer) else kept.public(stage)


def pairings_for(tournament: Tournament, viewer: Viewer = None) -> QuerySet[Pairing]:
    """The pairings of an event that the viewer may know of."""
    found = Pairing.objects.filter(stage__tournament=tournament)
    if sees_drafts(tournament, viewer):
        return found
    return found.exclude(round__status=Round.Status.DRAFT)
