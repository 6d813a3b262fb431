"""Tournaments as pages list them."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from pages.forms import EventForm
from players.models import Player
from tournaments import services
from tournaments.models import Entrant, Tournament

Status = Tournament.Status
SAME_FORM = timedelta(minutes=1)


def for_first_page(limit: int = 3) -> list[Tournament]:
    """What to look at first: running, then open for entry, then just finished."""
    running = list(_by_status(Status.RUNNING)[:limit])
    soon = list(_by_status(Status.REGISTRATION)[:limit])
    over = list(finished()[:limit]) if len(running) + len(soon) < limit else []
    return (running + soon + over)[: limit + 2]


def running() -> QuerySet[Tournament]:
    return _by_status(Status.RUNNING)


def soon() -> QuerySet[Tournament]:
    return _by_status(Status.REGISTRATION)


def drafts_of(player: Player) -> QuerySet[Tournament]:
    """The drafts that the player owns, or has a role in."""
    own = Q(organiser=player) | Q(officials__player=player)
    return _by_status(Status.DRAFT).filter(own).distinct()


def finished() -> QuerySet[Tournament]:
    return Tournament.objects.filter(status=Status.FINISHED).order_by("-finished_at")


def of_player(player: Player, limit: int = 10) -> list[Entrant]:
    """The player's entries, the newest first, with their tournaments."""
    entries = Entrant.objects.filter(
        player=player, tournament__status__in=[Status.REGISTRATION, Status.RUNNING, Status.FINISHED]
    )
    return list(entries.select_related("tournament").order_by("-joined_at")[:limit])


def _by_status(status: str) -> QuerySet[Tournament]:
    return Tournament.objects.filter(status=status).order_by("-created_at")


def create_once(*, organiser: Player, form: EventForm, then: str = "open") -> Tournament:
    """A new event: open for entry, or as `then` says "announce" or "draft"; the same form sent
    twice within a minute makes one. Raises TournamentError.
    """
    settings = form.settings()
    with transaction.atomic():
        # The organiser's row is the lock: a double click waits here for the first.
        Player.objects.select_for_update().get(pk=organiser.pk)
        made = Tournament.objects.filter(
            organiser=organiser,
            name=settings["name"],
            created_at__gte=timezone.now() - SAME_FORM,
            status__in=[Status.DRAFT, Status.ANNOUNCED, Status.REGISTRATION],
            copied_from=None,
        ).first()
        if made is not None:
            return made
        event = services.create(organiser=organiser, **settings)
        if then == "draft":
            return event
        if then == "announce":
            return services.announce(tournament_id=event.pk, by=organiser)
        return services.open_registration(tournament_id=event.pk, by=organiser)


def usual_zone(organiser: Player) -> str:
    """The zone of the organiser's last event, for the next one; empty if there was none."""
    last = Tournament.objects.filter(organiser=organiser).order_by("-created_at").first()
    return "" if last is None else last.zone
