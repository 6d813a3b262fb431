"""Challenges: made, answered, taken back; and what every deed with one asks first."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from outbox.services import publish
from players.models import Player
from tournaments.ladders.errors import LadderError
from tournaments.ladders.log import append
from tournaments.ladders.running import lock
from tournaments.models import Challenge, Ladder, LadderGame, LadderLine, LadderPlace

State, Kind = Challenge.State, LadderLine.Kind
REFUSALS_WITHIN = dt.timedelta(days=30)


@transaction.atomic
def challenge(*, ladder_id: int, player: Player, defender: Player) -> Challenge:
    """The player challenges somebody higher, who has `answer_days` to answer.

    Two have one open challenge at most. Raises LadderError not_on_it, not_higher, too_high,
    open_already.
    """
    ladder = lock(ladder_id)
    own, other = place_of(ladder, player), place_of(ladder, defender)
    if own is None or other is None or own.rank is None or other.rank is None:
        raise LadderError("not_on_it")
    if own.rank <= other.rank:
        raise LadderError("not_higher")
    if ladder.reach and own.rank - other.rank > ladder.reach:
        raise LadderError("too_high", reach=ladder.reach)
    low, high = sorted((player.pk, defender.pk))
    if open_on(ladder).filter(low=low, high=high).exists():
        raise LadderError("open_already")
    made = Challenge.objects.create(
        ladder=ladder,
        challenger=player,
        defender=defender,
        low=low,
        high=high,
        deadline=timezone.now() + dt.timedelta(days=ladder.answer_days),
    )
    _tell(made, State.OFFERED)
    return made


@transaction.atomic
def accept(*, challenge_id: int, player: Player, now: dt.datetime | None = None) -> Challenge:
    """The defender will play, within `play_days`. Again, it changes nothing.

    Raises LadderError not_yours, not_open, too_late.
    """
    found, moment = locked(challenge_id), now or timezone.now()
    if player.pk != found.defender_id:
        raise LadderError("not_yours")
    if found.state == State.ACCEPTED:
        return found
    in_time(found, State.OFFERED, moment)
    found.state = State.ACCEPTED
    found.deadline = moment + dt.timedelta(days=found.ladder.play_days)
    found.save(update_fields=["state", "deadline"])
    _tell(found, State.ACCEPTED)
    return found


@transaction.atomic
def refuse(*, challenge_id: int, player: Player) -> Challenge:
    """The defender will not play; what that costs follows from the ladder's settings.

    Raises LadderError not_yours, not_open, being_played.
    """
    found = locked(challenge_id)
    if player.pk != found.defender_id:
        raise LadderError("not_yours")
    if found.state == State.REFUSED:
        return found
    not_playing(found)
    refused(found, State.REFUSED, Kind.REFUSED)
    _tell(found, State.REFUSED)
    return found


@transaction.atomic
def take_back(*, challenge_id: int, player: Player) -> None:
    """The challenger takes the challenge back before it is accepted."""
    found = locked(challenge_id)
    if player.pk != found.challenger_id:
        raise LadderError("not_yours")
    if found.state == State.WITHDRAWN:
        return
    if found.state != State.OFFERED:
        raise LadderError("not_open")
    end(found, State.WITHDRAWN)


def refused(found: Challenge, state: str, kind: str) -> None:
    """A refusal, with its cost: nothing for the first few in 30 days."""
    since = timezone.now() - REFUSALS_WITHIN
    before = LadderLine.objects.filter(
        ladder=found.ladder,
        other=found.defender,
        kind__in=[Kind.REFUSED, Kind.EXPIRED],
        at__gte=since,
    ).count()
    free = before < found.ladder.free_refusals
    cost = Ladder.Refusal.NOTHING.value if free else found.ladder.refusal
    end(found, state)
    append(found.ladder, kind, found.challenger, found, cost=cost)


def end(found: Challenge, state: str) -> None:
    """The challenge is open no more."""
    found.state, found.ended_at = state, timezone.now()
    found.save(update_fields=["state", "ended_at", "winner"])


def locked(challenge_id: int) -> Challenge:
    """The challenge, its ladder locked."""
    ladder_id = Challenge.objects.filter(pk=challenge_id).values_list("ladder", flat=True).first()
    if ladder_id is None:
        raise LadderError("no_challenge")
    lock(ladder_id)
    wanted = ("ladder__club", "challenger", "defender", "reported")
    return Challenge.objects.select_related(*wanted).get(pk=challenge_id)


def place_of(ladder: Ladder, player: Player) -> LadderPlace | None:
    """The player's place, None for who is not on the ladder."""
    return ladder.places.filter(player=player, rank__isnull=False).first()


def open_on(ladder: Ladder) -> QuerySet[Challenge]:
    """The challenges that are open."""
    return ladder.challenges.filter(state__in=[State.OFFERED, State.ACCEPTED])


def side_of(found: Challenge, player: Player) -> int:
    """0 for the challenger, 1 for the defender. Raises LadderError("not_yours")."""
    if player.pk not in (found.challenger_id, found.defender_id):
        raise LadderError("not_yours")
    return int(player.pk == found.defender_id)


def table_of(found: Challenge) -> LadderGame | None:
    """The game whose table is open."""
    return found.games.filter(over_at__isnull=True).first()


def not_playing(found: Challenge) -> None:
    """Raises LadderError not_open, being_played."""
    if not found.is_open:
        raise LadderError("not_open")
    if table_of(found) is not None:
        raise LadderError("being_played")


def in_time(found: Challenge, state: str, now: dt.datetime) -> None:
    """Raises LadderError not_open, too_late."""
    if found.state != state:
        raise LadderError("not_open")
    if found.deadline <= now:
        raise LadderError("too_late")


def _tell(found: Challenge, became: str) -> None:
    key = f"{found.pk}-{became}"
    publish("challenge", key=key, payload={"challenge": found.pk, "became": str(became)})
