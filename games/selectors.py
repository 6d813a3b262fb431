"""All that is read of matches. Whatever leaves for a viewer is made here, for that viewer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db.models import Prefetch, Q, QuerySet

from engine import record
from engine.view import View, view
from games import clock, protocol, scenes, store
from games.errors import GameError
from games.models import Match, MatchEvent, Seat
from games.picture import Scene, glance, own_part, picture, shared_part
from players import languages


@dataclass(frozen=True, slots=True)
class Update:
    """What a viewer gets: the log's number, the events since the last, and the whole view."""

    seq: int
    events: list[dict[str, Any]] = field(repr=False)
    view: dict[str, Any] = field(repr=False)
    # When the server should have looked at the match, for readers who find it overdue.
    wake_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match went, for ratings and tournaments. `sides` holds player ids, by side.

    `left` are the seats that resigned, forfeited, or were away at the end; `forfeits` those that
    were taken out: they did not appear, stayed away too long, or an event took them out.
    """

    match_id: str
    game: str
    seats: int
    partners: bool
    target: int
    rules: dict[str, Any]
    sides: list[list[int | None]]
    scores: list[int]
    places: list[int]
    winner: int | None
    reason: str
    started_at: datetime | None
    finished_at: datetime | None
    rated: bool
    reached_half: bool
    bots: list[str]
    left: list[int]
    forfeits: list[int]
    context: dict[str, Any]


def update_of(scene: Scene, viewer: Any, since: int | None, now: datetime | None = None) -> Update:
    """What `viewer` gets of a scene: the view, and the events after `since` (None: no events)."""
    scene = scenes.seen_by(scene, viewer)
    events = _events(scene, viewer, since) if since is not None else []
    view = picture(scene, viewer, now or clock.now())
    return Update(scene.card.seq, events, view, scene.card.wake_at)


def update_text(scene: Scene, viewer: Any, since: int | None, now: datetime | None = None) -> str:
    """`update_of` as the text of a state message; what all viewers share is dumped once."""
    now = now or clock.now()
    scene = scenes.seen_by(scene, viewer)
    language = languages.active()
    if language not in scene.shared:
        scene.shared[language] = protocol.dump(shared_part(scene, now))
    events = _events(scene, viewer, since) if since is not None else []
    head = protocol.dump({"t": "state", "seq": scene.card.seq, "events": events})
    own = protocol.dump(own_part(scene, viewer, now))
    return f'{head[:-1]},"view":{scene.shared[language][:-1]},{own[1:]}}}'


def update_for(
    match_id: str, viewer: Any, since: int | None = None, now: datetime | None = None
) -> Update:
    """`update_of` the match as it is. Raises GameError("not_found")."""
    return update_of(scenes.read(match_id), viewer, since, now)


def snapshot_for(match_id: str, viewer: Any, now: datetime | None = None) -> dict[str, Any]:
    """The view of a match for a player, or for a spectator (None)."""
    return update_for(match_id, viewer, now=now).view


def events_since(match_id: str, viewer: Any, seq: int) -> list[dict[str, Any]]:
    """The events after `seq` as the viewer may know them; every one has its number."""
    return _events(scenes.seen_by(scenes.read(match_id), viewer), viewer, seq)


def reaches_back(scene: Scene, since: int) -> bool:
    """Whether a scene itself holds all events after `since`, so that no query is needed."""
    recent = scene.state.recent
    return since >= scene.card.seq or (bool(recent) and recent[0]["seq"] <= since + 1)


def _events(scene: Scene, viewer: Any, since: int) -> list[dict[str, Any]]:
    card = scene.card
    if reaches_back(scene, since):
        events = [event for event in scene.state.recent if event["seq"] > since]
    else:
        rows = MatchEvent.objects.filter(match=card, seq__gt=since, seq__lte=card.seq)
        events = [store.public(row) for row in rows.order_by("seq")]
    seat = scene.seat_of(viewer)
    return [scene.state.told(event, seat) for event in events]


def engine_view(match_id: str, seat: int | None) -> View:
    """What the engine shows one seat, or a spectator: what bots and simulations choose by."""
    card = Match.objects.filter(pk=match_id).first()
    if card is None:
        raise GameError("not_found")
    return view(store.load(card).game, seat)


def overdue(match_id: str, now: datetime | None = None) -> bool:
    """Whether the server should have looked at a match by now."""
    due = Match.objects.filter(pk=match_id, wake_at__lte=now or clock.now())
    return due.exists()


def seq_of(match_id: str) -> int | None:
    """The last number of a match's log; None when there is no such match."""
    return Match.objects.filter(pk=match_id).values_list("seq", flat=True).first()


def seqs_of(match_ids: Collection[str]) -> dict[str, int]:
    """The last numbers of matches' logs, by match."""
    return dict(Match.objects.filter(pk__in=match_ids).values_list("pk", "seq"))


def glance_of(scene: Scene) -> dict[str, Any]:
    """The little that a small picture of a table shows, as spectators see it."""
    return glance(scenes.seen_by(scene, None))


def live_matches() -> QuerySet[Match]:
    """Public matches that are being played, the newest first, their seats fetched."""
    return _with_seats(
        Match.objects.filter(status=Match.Status.RUNNING, listed=True).order_by("-started_at")
    )


def open_matches() -> QuerySet[Match]:
    """Public tables that wait for players, the newest first, their seats fetched."""
    return _with_seats(
        Match.objects.filter(status=Match.Status.OPEN, listed=True).order_by("-created_at")
    )


def _with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    return matches.prefetch_related(
        Prefetch("seat_set", Seat.objects.select_related("player").order_by("index"))
    )


def result_of(match_id: str) -> MatchResult | None:
    """How a match stands or ended; None when there is no such match."""
    card = Match.objects.filter(pk=match_id).first()
    if card is None:
        return None
    rules = store.rules_of(card)
    seats = list(Seat.objects.filter(match=card).order_by("index"))
    sides: list[list[int | None]] = [[] for _ in range(rules.sides)]
    for seat in seats:
        sides[rules.side_of(seat.index)].append(seat.player_id)
    return MatchResult(
        match_id=card.pk,
        game=card.game,
        seats=card.seats,
        partners=rules.partners,
        target=rules.target,
        rules=rules.as_dict(),
        sides=sides,
        scores=list(card.scores),
        places=list(card.places or []),
        winner=card.winner,
        reason=card.reason,
        started_at=card.started_at,
        finished_at=card.finished_at,
        rated=card.rated,
        reached_half=2 * max(card.scores, default=0) >= rules.target,
        bots=[seat.bot_level for seat in seats],
        left=_left(card, seats),
        forfeits=forfeits_of([card.pk]).get(card.pk, []),
        context=dict(card.context),
    )


def _left(card: Match, seats: list[Seat]) -> list[int]:
    left = {seat.index for seat in seats if seat.away_since is not None}
    ends = MatchEvent.objects.filter(match=card, kind__in=("resigned", "match_ended"))
    for kind, data in ends.values_list("kind", "data"):
        left |= {data["seat"]} if kind == "resigned" else set(data.get("seats", ()))
    return sorted(left)


def forfeits_of(match_ids: Collection[str]) -> dict[str, list[int]]:
    """The seats that were taken out of each match, not of their own will; without those of which
    nobody was.
    """
    found: dict[str, set[int]] = {}
    if not match_ids:
        return {}
    ends = MatchEvent.objects.filter(match__in=match_ids, kind__in=("resigned", "match_ended"))
    for match_id, kind, actor, data in ends.values_list("match", "kind", "actor", "data"):
        if kind == "resigned":
            out = {data["seat"]} if actor is None else set()
        else:
            out = set(data.get("seats", ()))
        if out:
            found.setdefault(match_id, set()).update(out)
    return {match_id: sorted(seats) for match_id, seats in found.items()}


SEATED: Final = Q(match__status=Match.Status.RUNNING) | Q(
    match__status=Match.Status.OPEN, match__sit_by__isnull=False
)
"""Seats at a match that runs, or that is reserved for whoever is to sit there."""


def tables_of(players: Collection[int]) -> dict[int, str]:
    """The match at which each of the players sits or is waited for, of those who are so: one that
    runs, and not without them, or one where a seat is reserved.
    """
    seats = Seat.objects.filter(SEATED, player__in=players)
    found = list(seats.values_list("player_id", "match_id", "index", "match__seats"))
    out = forfeits_of({match_id for _player, match_id, _index, size in found if size > 2})
    return {
        player: match_id
        for player, match_id, index, _size in found
        if player is not None and index not in out.get(match_id, ())
    }


def open_tables_of(players: Collection[int]) -> set[tuple[int, str]]:
    """Players, and the open tables at which they wait for whoever comes."""
    seats = Seat.objects.filter(
        player__in=players, match__status=Match.Status.OPEN, match__sit_by__isnull=True
    )
    found = seats.values_list("player_id", "match_id")
    return {(player, match_id) for player, match_id in found if player is not None}


def record_of(match_id: str) -> dict[str, object]:
    """The finished rounds as domino-record/1. Raises GameError("not_found")."""
    card = Match.objects.filter(pk=match_id).first()
    if card is None:
        raise GameError("not_found")
    names = Seat.objects.filter(match=card).order_by("index").values_list("name", flat=True)
    return record.dump(card.rules, list(names), store.rounds_of(card))
