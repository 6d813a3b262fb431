"""Tournaments as pages list them."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, When
from django.utils import timezone

from pages.forms import EventForm
from players.models import Club, Player
from tournaments import services
from tournaments.models import Entrant, Tournament
from tournaments.selectors import OF_LEAGUE

Status = Tournament.Status
SAME_FORM = timedelta(minutes=1)
LISTED = (Tournament.Access.OPEN, Tournament.Access.CLUB)


def for_first_page(limit: int = 3) -> list[Tournament]:
    """What to look at first: running, then open for entry, then just finished."""
    running = list(_by_status(Status.RUNNING)[:limit])
    coming = list(soon()[:limit])
    over = list(finished()[:limit]) if len(running) + len(coming) < limit else []
    return (running + coming + over)[: limit + 2]


def running() -> QuerySet[Tournament]:
    return _by_status(Status.RUNNING)


def soon() -> QuerySet[Tournament]:
    """Announced and open for entry, the next to start first."""
    found = _all().filter(status__in=[Status.ANNOUNCED, Status.REGISTRATION], access__in=LISTED)
    return found.order_by(F("starts_at").asc(nulls_last=True), "-created_at")


def own(player: Player) -> QuerySet[Tournament]:
    """The events that no list shows and that the player owns, or has a role in: drafts, and those
    for whoever has the link.
    """
    hidden = Q(status=Status.DRAFT) | Q(access=Tournament.Access.LINK)
    mine = _all().filter(hidden, Q(organiser=player) | Q(officials__player=player)).distinct()
    return mine.exclude(status=Status.CANCELLED).order_by("-created_at")


def finished() -> QuerySet[Tournament]:
    found = _all().filter(status=Status.FINISHED, access__in=LISTED)
    return found.order_by("-finished_at")


def of_club(club: Club, *, is_member: bool) -> QuerySet[Tournament]:
    """A club's events, those to come first; the ones by link only for its members."""
    found = _all().filter(club=club).exclude(status=Status.DRAFT)
    if not is_member:
        found = found.filter(access__in=LISTED)
    coming = Case(When(status__in=[Status.FINISHED, Status.CANCELLED], then=1), default=0)
    return found.annotate(over=coming).order_by("over", "-starts_at", "-created_at")


def of_player(player: Player, limit: int = 10) -> list[Entrant]:
    """The player's entries, the newest first, with their tournaments."""
    entries = Entrant.objects.filter(
        player=player, tournament__status__in=[Status.REGISTRATION, Status.RUNNING, Status.FINISHED]
    )
    return list(entries.select_related(f"tournament__{OF_LEAGUE}").order_by("-joined_at")[:limit])


def _all() -> QuerySet[Tournament]:
    return Tournament.objects.select_related(OF_LEAGUE)


def _by_status(status: str) -> QuerySet[Tournament]:
    found = _all().filter(status=status, access__in=LISTED)
    return found.order_by("-created_at")


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
    return "" if last is None or last.zone == "UTC" else last.zone
