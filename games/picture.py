"""What one viewer is shown of a match, built up from nothing (docs/protocol.md, "The view").

Everything of a round comes from `engine.view`, asked for the viewer's own seat; nothing here
touches another's hand or the boneyard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from engine.actions import Play, to_json
from engine.tiles import text, texts
from engine.view import View, view
from games import clock, standing
from games.models import Match, Seat
from games.store import State


@dataclass(frozen=True, slots=True)
class Sight:
    """A match as read at one number of its log, and who looks at it."""

    card: Match
    seats: Sequence[Seat]
    state: State
    viewer: Any
    now: datetime

    @property
    def seat(self) -> int | None:
        """The viewer's seat; None for a spectator."""
        pk = getattr(self.viewer, "pk", None)
        return next((s.index for s in self.seats if s.player_id == pk), None) if pk else None


def picture(sight: Sight) -> dict[str, Any]:
    """The view JSON."""
    card, game, seat = sight.card, sight.state.game, sight.seat
    seen = view(game, seat)
    rules = game.rules
    pk = getattr(sight.viewer, "pk", None)
    free = any(not s.is_taken for s in sight.seats)
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
        **_link(card),
        "me": seat,
        "host": pk is not None and card.host_id == pk,
        "can_join": card.is_open and free and seat is None,
        "seats": _seats(sight, seen),
        "scores": list(seen.scores),
        "round": _round(sight, seen),
        "turn": card.turn,
        "deadline": None if card.deadline is None else clock.ms(card.deadline),
        "left_ms": left_ms(card.deadline, sight.now),
        "now": clock.ms(sight.now),
        "hand": list(texts(seen.hand)) if seen.hand is not None else None,
        "legal": _legal(sight, seen),
        "claim": seen.claim and card.is_running,
        "last_end": _last_end(sight, seen),
        "rounds": [_round_end(end) for end in sight.state.ends],
        "result": _result(card),
        "rematch": card.rematch_id,
    }


def left_ms(deadline: datetime | None, now: datetime) -> int | None:
    return None if deadline is None else max(0, clock.ms(deadline) - clock.ms(now))


def _link(card: Match) -> dict[str, object]:
    """What the table belongs to, told by whoever opened it."""
    link = _hook("MUGGINS_TABLE_LINK")(card.context) if card.context else None
    return {"title": link["title"], "back_url": link["url"]} if link else _NO_LINK


_NO_LINK: dict[str, object] = {"title": None, "back_url": None}


def _hook(setting: str) -> Any:
    """The function that a setting names; one that answers nothing if it names none."""
    path = getattr(settings, setting, None)
    return import_string(path) if path else lambda _: None


def _seats(sight: Sight, seen: View) -> list[dict[str, Any]]:
    ratings = standing.ratings(sight.card, sight.seats)
    rules = sight.state.game.rules
    out = []
    for seat in sight.seats:
        rating = ratings.get(seat.index) or {}
        out.append(
            {
                "seat": seat.index,
                "side": rules.side_of(seat.index),
                "name": seat.name,
                "kind": _kind(seat),
                "level": seat.bot_level or None,
                "player": seat.player.handle if seat.player else None,
                "rating": rating.get("rating"),
                "provisional": rating.get("provisional", False),
                "tiles": seen.counts[seat.index] if seen.counts else 0,
                "away": seat.away_since is not None,
                "present": seat.is_bot or clock.is_present(seat.seen_at, sight.now),
                "bank_ms": seat.bank_ms,
                "ready": seat.ready,
                "sat": seat.sat_at is not None,
                "resigned": rules.side_of(seat.index) in sight.state.game.resigned,
            }
        )
    return out


def _kind(seat: Seat) -> str:
    if not seat.is_taken:
        return "empty"
    if seat.is_bot:
        return "bot"
    return "guest" if seat.player is not None and seat.player.is_guest else "player"


def _round(sight: Sight, seen: View) -> dict[str, Any] | None:
    if not seen.number:
        return None
    deal = sight.state.deals[seen.number]
    return {
        "number": seen.number,
        "leader": seen.leader,
        "boneyard": seen.boneyard,
        "drawable": seen.drawable,
        "line": [
            {
                "seat": placed.seat,
                "tile": text(placed.tile),
                "at": placed.end,
                "total": placed.total,
                "score": placed.score,
            }
            for placed in seen.line
        ],
        "ends": dict(seen.ends),
        "total": seen.total,
        "deal": {"id": deal.deal_id, "commit": deal.commit, "prev": deal.prev},
    }


def _legal(sight: Sight, seen: View) -> list[dict[str, object]] | None:
    """What the viewer may do; what it would pay, unless players must see that for themselves."""
    if sight.seat is None or seen.turn != sight.seat or not sight.card.is_running:
        return None
    out = []
    for action in seen.legal:
        entry = to_json(action)
        if isinstance(action, Play) and not seen.rules.called:
            entry["total"], entry["pays"] = sight.state.game.preview(action)
        out.append(entry)
    return out


def _last_end(sight: Sight, seen: View) -> dict[str, Any] | None:
    """The last round's end, until the next lead; and after the match."""
    if not sight.state.ends or (seen.line and seen.number > len(sight.state.ends)):
        return None
    return sight.state.ends[-1]


def _round_end(end: dict[str, Any]) -> dict[str, Any]:
    names = ("number", "reason", "out", "winner", "points", "scores")
    return {name: end[name] for name in names}


def _result(card: Match) -> dict[str, Any] | None:
    if card.status not in (Match.Status.FINISHED, Match.Status.CANCELLED):
        return None
    finished = card.status == Match.Status.FINISHED
    return {
        "reason": card.reason,
        "winner": card.winner,
        "places": card.places,
        "ratings": (_hook("MUGGINS_RATING_CHANGES")(card.pk) or []) if finished else [],
    }
