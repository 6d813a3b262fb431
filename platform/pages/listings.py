"""Tables as pages list them, in a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db.models import Prefetch, QuerySet
from django.urls import reverse

from engine.errors import BadRules
from engine.rules import RuleSet
from games.models import Match, Seat
from pages import words
from players.models import Player
from ratings import selectors as ratings


@dataclass(frozen=True, slots=True)
class Side:
    """Who plays for one score; it is None where it is not told (yet)."""

    names: tuple[str, ...]
    score: int | None
    won: bool
    mine: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A match in a list; `unrated` is why a finished one was not rated.

    `url` leads to the table, or to its replay when it is over. `free` seats;
    `mine` when the viewer sits there."""

    id: str
    url: str
    game: str
    size: str
    target: int
    turn_seconds: int
    rated: bool
    status: str
    host: str
    free: int
    mine: bool
    sides: tuple[Side, ...]
    finished_at: datetime | None
    title: str = ""
    seated: tuple[str, ...] = field(default=())
    unrated: str = ""


def open_tables(viewer: Player | None, limit: int = 20) -> list[Table]:
    """Public tables with a free seat, the newest first."""
    found = _with_seats(
        Match.objects.filter(status=Match.Status.OPEN, listed=True, sit_by__isnull=True)
    ).order_by("-created_at")
    tables = [table_of(match, viewer) for match in found[: 2 * limit]]
    return [table for table in tables if table.free][:limit]


def live_tables(viewer: Player | None, limit: int = 12) -> list[Table]:
    """Public matches that are being played, the newest first."""
    found = _with_seats(Match.objects.filter(status=Match.Status.RUNNING, listed=True))
    return [table_of(match, viewer) for match in found.order_by("-started_at")[:limit]]


def finished_tables(viewer: Player | None, limit: int = 12) -> list[Table]:
    """Public matches that were played and ended lately: where nobody came, nothing is to see."""
    played = Match.objects.filter(
        status=Match.Status.FINISHED, listed=True, started_at__isnull=False
    )
    found = _with_seats(played)
    return _judged([table_of(match, viewer) for match in found.order_by("-finished_at")[:limit]])


def matches_of(player: Player, limit: int = 20) -> list[Table]:
    """A player's finished matches, the newest first; `mine` marks the player's side."""
    found = _with_seats(
        Match.objects.filter(status=Match.Status.FINISHED, seat__player=player)
    ).order_by("-finished_at")
    return _judged([table_of(match, player) for match in found[:limit]])


def _judged(tables: list[Table]) -> list[Table]:
    reasons = ratings.unrated_reasons(table.id for table in tables)
    return [replace(table, unrated=reasons.get(table.id, "")) for table in tables]


def table_of(match: Match, viewer: Player | None) -> Table:
    """One match, whose seats have been fetched."""
    seats: list[Seat] = list(match.seat_set.all())
    partners = bool(match.rules.get("partners", False))
    return Table(
        id=match.pk,
        url=reverse("pages:replay" if match.is_over else "pages:table", args=[match.pk]),
        game=words.preset(match.preset),
        size=words.table_size(match.seats, partners),
        target=target_of(match),
        turn_seconds=match.turn_seconds,
        rated=match.rated,
        status=match.status,
        host=next((seat.name for seat in seats if seat.player_id == match.host_id), ""),
        free=sum(seat.name == "" for seat in seats),
        mine=viewer is not None and any(seat.player_id == viewer.pk for seat in seats),
        sides=tuple(_sides(match, seats, viewer, 2 if partners else match.seats)),
        finished_at=match.finished_at,
        seated=tuple(seat.name for seat in seats if seat.name),
    )


def target_of(match: Match) -> int:
    """What wins the match, in points."""
    try:
        return RuleSet.parse(match.rules, match.seats).target
    except BadRules:
        return 0


def _sides(
    match: Match, seats: Sequence[Seat], viewer: Player | None, count: int
) -> Iterable[Side]:
    scores = match.told_scores
    for side in range(count):
        members = [seat for seat in seats if seat.index % count == side]
        yield Side(
            names=tuple(seat.name for seat in members if seat.name),
            score=scores[side] if side < len(scores) else None,
            won=match.status == Match.Status.FINISHED and match.winner == side,
            mine=viewer is not None and any(seat.player_id == viewer.pk for seat in members),
        )


def _with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    return matches.prefetch_related(Prefetch("seat_set", Seat.objects.order_by("index")))
