"""A finished match judged: an entry of a pool's log, or the reason why it is none."""

from __future__ import annotations

from datetime import UTC, datetime

from games import selectors as games
from games.models import Match
from games.selectors import MatchResult
from players.models import Player
from players.services import is_verified
from ratings.fold import Entry
from ratings.models import RatedMatch, UnratedMatch
from ratings.pools import UNVERIFIED_WEIGHT, Seat, kind_of, places_of, pool_key, why_unrated


def judge(match_id: str) -> tuple[str, Entry] | str | None:
    """The pool and the entry, or a code of pools.UNRATED; None while the match isn't finished."""
    result = games.result_of(match_id)
    if result is None or result.finished_at is None:
        return None
    ids = [player for side in result.sides for player in side if player is not None]
    players = Player.objects.in_bulk(ids)
    seats = [
        _seat(None if player is None else players.get(player))
        for side in result.sides
        for player in side
    ]
    if any(result.bots):
        return "bot"
    reason = why_unrated(
        rated=result.rated,
        reason=result.reason,
        reached_half=result.reached_half,
        seats=seats,
    )
    if reason:
        return reason
    entry = Entry(
        match_id=match_id,
        finished_at=result.finished_at.astimezone(UTC),
        target=result.target,
        sides=tuple(tuple(sorted(filter(None, side))) for side in result.sides),
        places=places_of(result.places, _sides_that_left(result)),
        trust=min(_trust(player) for player in players.values()),
    )
    return pool_key(result.game, kind_of(result.seats, result.partners)), entry


def undecided(since: datetime | None = None, limit: int | None = None) -> list[str]:
    """Finished matches that have neither been rated nor found unrated, oldest first."""
    finished = Match.objects.filter(status=Match.Status.FINISHED)
    if since is not None:
        finished = finished.filter(finished_at__gte=since)
    open_ones = (
        finished.exclude(pk__in=RatedMatch.objects.values("match_id"))
        .exclude(pk__in=UnratedMatch.objects.values("match_id"))
        .order_by("finished_at", "pk")
    )
    return list(open_ones.values_list("pk", flat=True)[:limit])


def _seat(player: Player | None) -> Seat:
    if player is None:
        return Seat(None)
    return Seat(player.pk, guest=player.is_guest, bot=player.is_bot)


def _sides_that_left(result: MatchResult) -> list[int]:
    """Sides none of whose players stayed; one who leaves doesn't take a partner along.

    Partners sit across: seats 0 and 2 are side 0 (rules.md 1). A side that resigned is last by
    the engine's own places.
    """
    count = len(result.sides)
    stayed = {seat % count for seat in range(result.seats) if seat not in result.left}
    return [side for side in range(count) if side not in stayed]


def _trust(player: Player) -> float:
    """Half a weight for an account without a proven address, where the site can send mail."""
    return 1.0 if is_verified(player) else UNVERIFIED_WEIGHT
