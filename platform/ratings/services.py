"""All that changes a rating: harmless when repeated, and with one writer a pool at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone

from games import events
from outbox.services import publish
from ratings.fold import Entry
from ratings.judging import judge
from ratings.models import RatedMatch, RatingCorrection, RatingPool, UnratedMatch
from ratings.replay import Difference, replay

Cause = RatingCorrection.Cause


class NotRatedYet(Exception):
    """The match is not finished, or it is no match that was ever rated."""


def handle_match_finished(payload: dict[str, Any]) -> None:
    """The outbox's "match.finished": rates the match, once however often it is delivered."""
    rate(str(payload["match"]))


def rate(match_id: str) -> bool:
    """Rates a finished match, or records why it isn't. False when that had been done before.

    Raises NotRatedYet for a match that is not finished.
    """
    if is_decided(match_id):
        return False
    verdict = judge(match_id)
    if verdict is None:
        raise NotRatedYet(match_id)
    if isinstance(verdict, str):
        _row, new = UnratedMatch.objects.get_or_create(
            match_id=match_id, defaults={"reason": verdict}
        )
        return new
    return enter(*verdict)


def is_decided(match_id: str) -> bool:
    """Whether the match has been rated, or found not to be rated."""
    return (
        RatedMatch.objects.filter(match_id=match_id).exists()
        or UnratedMatch.objects.filter(match_id=match_id).exists()
    )


@transaction.atomic
def annul(*, match_id: str, note: str = "") -> bool:
    """Takes a rated match out of its pool, and rates again all that came after it.

    False when it had been annulled before. Raises NotRatedYet for a match that was never rated.
    """
    row = _locked_match(match_id)
    if row.annulled:
        return False
    row.annulled = True
    row.weights = []
    row.save(update_fields=["annulled", "weights"])
    UnratedMatch.objects.create(match_id=match_id, reason="annulled", note=note)
    differences = replay(row.pool, row.entry, row.entry.players)
    _record(row.pool, differences, Cause.ANNULLED, match_id)
    _show_at_table(match_id)
    return True


@transaction.atomic
def reinstate(*, match_id: str) -> bool:
    """Undoes `annul`. False when the match counts already."""
    row = _locked_match(match_id)
    if not row.annulled:
        return False
    row.annulled = False
    row.save(update_fields=["annulled"])
    UnratedMatch.objects.filter(match_id=match_id, reason="annulled").delete()
    differences = replay(row.pool, row.entry, row.entry.players)
    _record(row.pool, differences, Cause.REINSTATED, match_id)
    _show_at_table(match_id)
    return True


@transaction.atomic
def recompute(pool: str) -> list[Difference]:
    """Rates the whole log of a pool anew; the differences, which players see in their history."""
    _lock(pool)
    differences = replay(pool, None)
    _record(pool, differences, Cause.RECOMPUTED)
    return differences


@transaction.atomic
def enter(pool: str, entry: Entry) -> bool:
    """Puts the match where it belongs in the pool's log, and rates from there on.

    A match that comes after all others is rated alone; one that comes late has the later ones
    rated again, so that the order of arrival never matters.
    """
    _lock(pool)
    _row, new = RatedMatch.objects.get_or_create(
        match_id=entry.match_id,
        defaults={
            "pool": pool,
            "finished_at": entry.finished_at,
            "target": entry.target,
            "sides": [list(side) for side in entry.sides],
            "places": list(entry.places),
            "trust": entry.trust,
        },
    )
    if new:
        own = set(entry.players)
        moved = [each for each in replay(pool, entry, entry.players) if each.player not in own]
        _record(pool, moved, Cause.LATE, entry.match_id)
        _show_at_table(entry.match_id)
    return new


def _show_at_table(match_id: str) -> None:
    """Lets those who still sit at the table see what the match did to their ratings."""
    transaction.on_commit(lambda: events.refresh_table(match_id))


def _lock(pool: str) -> None:
    """Makes this transaction the pool's only writer until it ends."""
    RatingPool.objects.get_or_create(key=pool)
    RatingPool.objects.select_for_update().get(key=pool)


def _locked_match(match_id: str) -> RatedMatch:
    pool = RatedMatch.objects.filter(match_id=match_id).values_list("pool", flat=True).first()
    if pool is None:
        raise NotRatedYet(match_id)
    _lock(pool)
    return RatedMatch.objects.get(match_id=match_id)


def _record(
    pool: str, differences: Iterable[Difference], cause: RatingCorrection.Cause, match_id: str = ""
) -> None:
    now = timezone.now()
    rows = RatingCorrection.objects.bulk_create(
        RatingCorrection(
            player_id=each.player,
            pool=pool,
            at=now,
            cause=cause,
            match_id=match_id,
            before_mean=each.before,
            after_mean=each.after,
        )
        for each in differences
    )
    if rows:
        ids = [row.pk for row in rows]
        publish("rating.corrected", key=str(ids[0]), payload={"corrections": ids})
