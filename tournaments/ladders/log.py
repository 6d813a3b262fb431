"""The log of a ladder, its only truth: lines are appended, and places written as they follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Max
from django.utils import timezone

from players.models import Player
from tournaments.ladders import climb
from tournaments.models import Challenge, Ladder, LadderLine, LadderPlace

Kind = LadderLine.Kind


def append(
    ladder: Ladder,
    kind: str,
    player: Player,
    about: Challenge | None = None,
    *,
    cost: str = "",
    of: int | None = None,
    becomes: str = "",
    by: Player | None = None,
    reason: str = "",
) -> None:
    """The next line of the log, and the places that follow from it."""
    last = ladder.log.aggregate(last=Max("number"))["last"] or 0
    line = LadderLine.objects.create(
        ladder=ladder,
        number=last + 1,
        kind=kind,
        player=player,
        other=None if about is None else about.defender,
        challenge=about,
        cost=cost,
        of=of,
        becomes=becomes,
        by=by,
        reason=reason,
    )
    rows = {row.player_id: row for row in ladder.places.all()}
    before = sorted((r.player_id for r in rows.values() if r.rank), key=lambda p: rows[p].rank or 0)
    if kind == Kind.CORRECTED:
        order = climb.fold(events_of(ladder))
    else:
        order = climb.after(before, event_of(line))
    _write(ladder, rows, order)


def event_of(line: LadderLine) -> climb.Event:
    """A line of the log as the fold takes it."""
    facts: dict[str, Any] = {"kind": line.kind, "becomes": line.becomes or None}
    return climb.Event(
        number=line.number,
        player=line.player_id,
        other=line.other_id,
        cost=line.cost,
        of=line.of,
        **facts,
    )


def events_of(ladder: Ladder) -> list[climb.Event]:
    """The whole log, as the fold takes it."""
    return [event_of(line) for line in ladder.log.order_by("number")]


def _write(ladder: Ladder, rows: Mapping[int, LadderPlace], order: list[int]) -> None:
    """The places that differ. A rank is unique at any moment, so those that move give it up."""
    changed = []
    ranks = {player: rank for rank, player in enumerate(order, start=1)}
    for player, row in rows.items():
        rank = ranks.get(player)
        if row.rank != rank:
            row.moved = row.rank - rank if row.rank is not None and rank is not None else 0
            if row.rank is None:
                row.active_at = timezone.now()
            row.rank = rank
            changed.append(row)
    LadderPlace.objects.filter(pk__in=[row.pk for row in changed]).update(rank=None)
    LadderPlace.objects.bulk_update(changed, ["rank", "moved", "active_at"], batch_size=200)
    LadderPlace.objects.bulk_create(
        LadderPlace(ladder=ladder, player_id=player, rank=rank)
        for player, rank in ranks.items()
        if player not in rows
    )
