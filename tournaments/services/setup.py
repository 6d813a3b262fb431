"""Making an event and preparing it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from players import clubs
from players.models import Player
from tournaments import audit
from tournaments.errors import TournamentError
from tournaments.models import Entrant, Tournament
from tournaments.options import EDITABLE_LATER, checked, clean_line
from tournaments.services import tables
from tournaments.services.entry import promote
from tournaments.services.work import before_start, lock_for, running_or_before

Status = Tournament.Status
_SLUG_LENGTH = 60
_TRIES = 5


def create(*, organiser: Player, name: str, **settings: Any) -> Tournament:
    """A draft. `settings` are those of tournaments.options.EDITABLE; rules are All Fives if not
    given. Raises TournamentError bad_name, bad_setting, bad_rules.
    """
    fields = checked({"rules": {"preset": "allfives"}, **settings, "name": name})
    check_club(organiser, fields)
    return make(organiser, fields)


def make(organiser: Player, fields: Mapping[str, Any]) -> Tournament:
    """The row of a new draft, under an address that no other has."""
    stem = slugify(fields["name"])[:_SLUG_LENGTH].strip("-") or "tournament"
    for attempt in range(_TRIES):
        slug = stem if attempt == 0 else f"{stem}-{secrets.token_hex(1 + attempt)}"
        try:
            with transaction.atomic():
                made = Tournament.objects.create(
                    organiser=organiser,
                    slug=slug,
                    seed=secrets.token_hex(16),
                    link_key=new_key(),
                    **fields,
                )
                audit.note(made, organiser, "created")
                return made
        except IntegrityError:
            if not Tournament.objects.filter(slug=slug).exists():
                raise
    raise TournamentError("bad_name", key="name")


@transaction.atomic
def edit(*, tournament_id: int, by: Player, **changes: Any) -> Tournament:
    """Changes settings; once the event has begun only those of options.EDITABLE_LATER. More places
    let people in from the waiting list, another time to start lets the clock try again.
    """
    tournament = lock_for(tournament_id, by)
    running_or_before(tournament)
    fields = {
        key: value
        for key, value in checked(changes, tournament).items()
        if getattr(tournament, key) != value
    }
    if not fields:
        return tournament
    if tournament.is_running and (fixed := fields.keys() - EDITABLE_LATER):
        raise TournamentError("has_begun", key=min(fixed))
    if fields.get("capacity", tournament.capacity) < tournament.taken:
        raise TournamentError("bad_setting", key="capacity", taken=tournament.taken)
    check_club(by, fields)
    keys = sorted(fields)
    if "starts_at" in fields:
        fields["held"] = ""
    for key, value in fields.items():
        setattr(tournament, key, value)
    tournament.save(update_fields=list(fields))
    audit.note(tournament, by, "edited", keys=keys)
    promote(tournament)
    return tournament


@transaction.atomic
def announce(*, tournament_id: int, by: Player) -> Tournament:
    """Shows a draft to everyone, before anyone can join; nothing when that was done."""
    tournament = lock_for(tournament_id, by)
    before_start(tournament)
    if tournament.status == Status.DRAFT:
        tournament.status = Status.ANNOUNCED
        tournament.save(update_fields=["status"])
        audit.note(tournament, by, "announced")
    return tournament


@transaction.atomic
def open_registration(*, tournament_id: int, by: Player) -> Tournament:
    """Lets people join, again after registration was closed; nothing when they can already."""
    tournament = lock_for(tournament_id, by)
    before_start(tournament)
    if tournament.is_open:
        return tournament
    tournament.status = Status.REGISTRATION
    if tournament.closes_at is not None and tournament.closes_at <= timezone.now():
        tournament.closes_at = None
    tournament.save(update_fields=["status", "closes_at"])
    audit.note(tournament, by, "registration_opened")
    return tournament


@transaction.atomic
def close_registration(*, tournament_id: int, by: Player) -> Tournament:
    """Ends registration now; nothing when it has ended. Raises TournamentError not_open."""
    tournament = lock_for(tournament_id, by)
    before_start(tournament)
    if tournament.status != Status.REGISTRATION:
        raise TournamentError("not_open")
    if tournament.is_open:
        tournament.closes_at = timezone.now()
        tournament.save(update_fields=["closes_at"])
        audit.note(tournament, by, "registration_closed")
    return tournament


@transaction.atomic
def renew_link(*, tournament_id: int, by: Player) -> Tournament:
    """Another secret link: the old one lets nobody in any more."""
    tournament = lock_for(tournament_id, by)
    running_or_before(tournament)
    tournament.link_key = new_key()
    tournament.save(update_fields=["link_key"])
    audit.note(tournament, by, "link_renewed")
    return tournament


def new_key() -> str:
    """The secret part of an event's link: 96 bits."""
    return secrets.token_hex(12)


def check_club(by: Player, fields: Mapping[str, Any]) -> None:
    """An event is a club's only by one of its members. Raises TournamentError("no_club")."""
    club = fields.get("club")
    if club is not None and not by.is_staff and not clubs.is_member(club, by):
        raise TournamentError("no_club", key="club")


@transaction.atomic
def set_seeds(*, tournament_id: int, by: Player, order: Sequence[int]) -> Tournament:
    """The organiser's own order: entrant ids, the first seed first; turns seeding to manual.

    Raises TournamentError("bad_order") unless every entrant is named once.
    """
    tournament = lock_for(tournament_id, by, "rounds")
    before_start(tournament)
    entrants = {row.pk: row for row in tournament.entrants.filter(status=Entrant.Status.ACTIVE)}
    if len(order) != len(entrants) or set(order) != entrants.keys():
        raise TournamentError("bad_order", missing=sorted(entrants.keys() - set(order)))
    write_seeds(tournament, [entrants[pk] for pk in order])
    tournament.seeding = Tournament.Seeding.MANUAL
    tournament.save(update_fields=["seeding"])
    audit.note(tournament, by, "seeds_set")
    return tournament


def write_seeds(tournament: Tournament, ordered: Sequence[Entrant]) -> None:
    """Seeds 1 to n, in that order."""
    tournament.entrants.filter(seed__isnull=False).update(seed=None)  # a seed is unique at once
    for number, entrant in enumerate(ordered, start=1):
        entrant.seed = number
    Entrant.objects.bulk_update(ordered, ["seed"], batch_size=200)


def cancel(*, tournament_id: int, by: Player, reason: str) -> Tournament:
    """Calls the event off, and its tables; nothing when it had been. Raises TournamentError over,
    no_reason.
    """
    why = clean_line(reason)[:200]
    if not why:
        raise TournamentError("no_reason")
    with transaction.atomic():
        tournament = lock_for(tournament_id, by)
        if tournament.status == Status.CANCELLED:
            return tournament
        if tournament.status == Status.FINISHED:
            raise TournamentError("over", status=tournament.status)
        tournament.status, tournament.reason = Status.CANCELLED, why
        tournament.finished_at = timezone.now()
        tournament.save(update_fields=["status", "reason", "finished_at"])
        audit.note(tournament, by, "cancelled", why)
    tables.close_all(tournament_id)
    return tournament
