"""Tournaments as pages list them."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from pages.forms import TournamentForm
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
    return _by_status(Status.DRAFT).filter(organiser=player)


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


def create_once(*, organiser: Player, form: TournamentForm) -> Tournament:
    """A tournament open for entry; the same form sent twice within a minute makes one.

    Raises TournamentError.
    """
    data = form.cleaned_data
    with transaction.atomic():
        # The organiser's row is the lock: a double click waits here for the first.
        Player.objects.select_for_update().get(pk=organiser.pk)
        made = Tournament.objects.filter(
            organiser=organiser,
            name=data["name"],
            created_at__gte=timezone.now() - SAME_FORM,
            status__in=[Status.DRAFT, Status.REGISTRATION],
        ).first()
        if made is not None:
            return made
        event = services.create(
            organiser=organiser,
            name=data["name"],
            text=data["text"],
            rules=form.rules(),
            format=data["format"],
            options=form.options(),
            best_of=int(data["best_of"]),
            capacity=data["capacity"],
            seeding=data["seeding"],
            turn_seconds=data["turn_seconds"],
            no_show_seconds=data["no_show_seconds"],
            rated=data["rated"],
        )
        return services.open_registration(tournament_id=event.pk, by=organiser)
