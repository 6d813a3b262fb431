"""What one viewer is shown of a match, built up from nothing (docs/protocol.md, "The view").

Everything of a round comes from `engine.view`, asked for the viewer's own seat; nothing here
touches another's hand or the boneyard.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from engine.actions import Play, to_json
from engine.tiles import text, texts
from engine.view import View, view
from games import clock
from games.models import Match, Seat
from games.store import State

# What the view's `round` says itself: `number`, `leader` and `deal`; `line`.
_TOLD_BESIDE: Final = frozenset(("round_started", "played"))


@dataclass(frozen=True, slots=True)
class Scene:
    """A match as read at one number of its log: all that any viewer's picture is made of.

    Shared by the viewers of a process, and never changed. Holds hidden tiles (`state`).
    """

    card: Match
    seats: Sequence[Seat]
    state: State
    ratings: Mapping[int, Any]
    changes: Sequence[Any]
    link: Mapping[str, Any] | None
    # The play that was paid most, once the match is over.
    best_play: Mapping[str, Any] | None
    read_at: float
    # Who doesn't hear which seat that has said something: (player id, seat).
    unheard: frozenset[tuple[int, int]] = frozenset()
    # What spectators were sent of it lately: by their language and the last number they had, when,
    # and the text.
    told: dict[tuple[str, int | None], tuple[float, str]] = field(default_factory=dict, repr=False)
    # The part of the view that all viewers of a language share, as text, once one was shown it.
    shared: dict[str, str] = field(default_factory=dict, repr=False)
    # What spectators of a delayed table are shown instead, once somebody was.
    earlier: list[Scene] = field(default_factory=list, repr=False)

    def seat_of(self, viewer: Any) -> int | None:
        """The viewer's seat; None for a spectator."""
        pk = getattr(viewer, "pk", None)
        return next((s.index for s in self.seats if s.player_id == pk), None) if pk else None

    def has_muted(self, viewer: Any) -> bool:
        """Whether there is somebody whom the viewer doesn't hear."""
        pk = getattr(viewer, "pk", None)
        return any(player == pk for player, _seat in self.unheard)

    def is_host(self, viewer: Any) -> bool:
        pk = getattr(viewer, "pk", None)
        return pk is not None and self.card.host_id == pk


def picture(scene: Scene, viewer: Any, now: datetime) -> dict[str, Any]:
    """The view JSON for a player, or a spectator (None)."""
    return shared_part(scene, now) | own_part(scene, viewer, now)


def shared_part(scene: Scene, now: datetime) -> dict[str, Any]:
    """What everyone is shown: made from the spectators' view alone."""
    card, game = scene.card, scene.state.game
    seen = view(game, None)
    rules = game.rules
    return {
        "match": card.pk,
        "seq": card.seq,
        "status": card.status,
        "phase": card.phase,
        "game": card.game,
        "preset": card.preset,
        "rules": rules.as_dict(),
        "target": rules.target,
        "turn_seconds": card.turn_seconds,
        "bank_seconds": card.bank_seconds,
        "break_seconds": card.break_seconds,
        "seats_total": card.seats,
        "partners": rules.partners,
        "rated": card.rated,
        "title": str(scene.link["title"]) if scene.link else None,
        "back_url": str(scene.link["url"]) if scene.link else None,
        "seats": [_seat(scene, row, seen, now) for row in scene.seats],
        "scores": list(seen.scores),
        "round": _round(scene, seen),
        "turn": card.turn,
        "deadline": None if card.deadline is None else clock.ms(card.deadline),
        "last_end": _last_end(scene, seen),
        "rounds": [_round_end(end) for end in scene.state.ends],
        "result": _result(scene),
        "rematch": card.rematch_id,
        "talk": card.talk,
    }


def own_part(scene: Scene, viewer: Any, now: datetime) -> dict[str, Any]:
    """What differs by viewer, or from moment to moment."""
    card, seat = scene.card, scene.seat_of(viewer)
    seen = view(scene.state.game, seat)
    free = any(not s.is_taken for s in scene.seats)
    return {
        "me": seat,
        "host": scene.is_host(viewer),
        "can_join": card.is_open and free and seat is None,
        "left_ms": left_ms(card.deadline, now),
        "now": clock.ms(now),
        "hand": list(texts(seen.hand)) if seen.hand is not None else None,
        "legal": _legal(scene, seen),
        "claim": seen.claim and card.is_running,
        "history": [
            scene.state.told(event, seat)
            for event in scene.state.round
            if event["kind"] not in _TOLD_BESIDE
        ],
        "words": _words(scene, viewer),
    }


def _words(scene: Scene, viewer: Any) -> list[dict[str, Any]]:
    """What was said last, without what the viewer doesn't want to hear."""
    pk = getattr(viewer, "pk", None)
    return [
        {key: said[key] for key in ("n", "seat", "word", "text") if key in said}
        for said in scene.card.words
        if (pk, said["seat"]) not in scene.unheard
    ]


def glance(scene: Scene) -> dict[str, Any]:
    """As much of what everyone is shown as a small picture of the table needs."""
    card, seen = scene.card, view(scene.state.game, None)
    rules = seen.rules
    return {
        "match": card.pk,
        "seq": card.seq,
        "status": card.status,
        "winner": card.winner if card.is_over else None,
        "seats": [
            {"seat": row.index, "side": rules.side_of(row.index), "name": row.name}
            for row in scene.seats
        ],
        "scores": list(seen.scores),
        "turn": seen.turn,
        "round": seen.number,
        "line": [
            {"tile": text(placed.tile), "at": placed.end, "score": placed.score}
            for placed in seen.line
        ],
        "ends": dict(seen.ends),
        "spinner": rules.spinner,
        "counts": rules.multiple > 0 and not rules.called,
    }


def left_ms(deadline: datetime | None, now: datetime) -> int | None:
    return None if deadline is None else max(0, clock.ms(deadline) - clock.ms(now))


def _seat(scene: Scene, row: Seat, seen: View, now: datetime) -> dict[str, Any]:
    rating = scene.ratings.get(row.index) or {}
    rules = scene.state.game.rules
    return {
        "seat": row.index,
        "side": rules.side_of(row.index),
        "name": row.name,
        "kind": _kind(row),
        "time_percent": row.time_percent,
        "level": row.bot_level or None,
        "player": row.player.handle if row.player else None,
        "rating": rating.get("rating"),
        "provisional": rating.get("provisional", False),
        "tiles": seen.counts[row.index] if seen.counts else 0,
        "away": row.away_since is not None,
        "present": row.is_bot or clock.is_present(row.seen_at, now),
        "bank_ms": row.bank_ms,
        "ready": row.ready,
        "sat": row.sat_at is not None,
        "resigned": rules.side_of(row.index) in scene.state.game.resigned,
    }


def _kind(seat: Seat) -> str:
    if not seat.is_taken:
        return "empty"
    if seat.is_bot:
        return "bot"
    return "guest" if seat.player is not None and seat.player.is_guest else "player"


def _round(scene: Scene, seen: View) -> dict[str, Any] | None:
    if not seen.number:
        return None
    deal = scene.state.deals[seen.number]
    plays = [event for event in scene.state.round if event["kind"] == "played"]
    return {
        "number": seen.number,
        "leader": seen.leader,
        "boneyard": seen.boneyard,
        "drawable": seen.drawable,
        "line": [
            {
                "seq": event["seq"],
                "seat": placed.seat,
                "tile": text(placed.tile),
                "at": placed.end,
                "total": placed.total,
                "score": placed.score,
            }
            for placed, event in zip(seen.line, plays, strict=True)
        ],
        "ends": dict(seen.ends),
        "total": seen.total,
        "deal": {"id": deal.deal_id, "commit": deal.commit, "prev": deal.prev},
    }


def _legal(scene: Scene, seen: View) -> list[dict[str, object]] | None:
    """What the viewer may do; what it would pay, unless players must see that for themselves."""
    if seen.seat is None or seen.turn != seen.seat or not scene.card.is_running:
        return None
    out = []
    for action in seen.legal:
        entry = to_json(action)
        if isinstance(action, Play) and not seen.rules.called:
            entry["total"], entry["pays"] = scene.state.game.preview(action)
        out.append(entry)
    return out


def _last_end(scene: Scene, seen: View) -> dict[str, Any] | None:
    """The last round's end, until the next lead; and after the match."""
    if not scene.state.ends or (seen.line and seen.number > len(scene.state.ends)):
        return None
    return scene.state.ends[-1]


def _round_end(end: dict[str, Any]) -> dict[str, Any]:
    names = ("number", "reason", "out", "winner", "points", "scores")
    return {name: end[name] for name in names}


def _result(scene: Scene) -> dict[str, Any] | None:
    card = scene.card
    if card.status not in (Match.Status.FINISHED, Match.Status.CANCELLED):
        return None
    return {
        "reason": card.reason,
        "winner": card.winner,
        "places": card.places,
        "ratings": list(scene.changes),
        "best_play": scene.best_play,
    }
