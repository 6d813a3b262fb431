"""Matches as read, one reading for all viewers of a process.

A reading is good for whoever wants the log up to its number or less; whoever wants to see what is
not in the log (who is there) reads anew.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock
from typing import Any, Final

from games import delay, standing, store
from games.errors import GameError
from games.models import Match, MatchEvent, Seat
from games.picture import Scene
from games.store import State
from players.models import Mute

_KEPT: Final = 2000
# A poke comes at once; whoever asks later should see who is there by now.
_FOR_SECONDS: Final = 1.0
_scenes: OrderedDict[str, Scene] = OrderedDict()
_lock = Lock()


def read(match_id: str) -> Scene:
    """Read a match. Raises GameError("not_found")."""
    card = Match.objects.filter(pk=match_id).first()
    if card is None:
        raise GameError("not_found")
    seats = list(Seat.objects.filter(match=card).select_related("player").order_by("index"))
    scene = Scene(
        card=card,
        seats=seats,
        state=store.load(card),
        ratings=standing.ratings(card, seats),
        changes=standing.changes(card),
        link=standing.link(card),
        best_play=_best_play(card),
        read_at=time.monotonic(),
        unheard=_unheard(card, seats),
    )
    _keep(scene)
    return scene


def _unheard(card: Match, seats: Sequence[Seat]) -> frozenset[tuple[int, int]]:
    """Who doesn't hear which of the seats that have said something."""
    spoke = {said["seat"] for said in card.words}
    speakers = {
        seat.player_id: seat.index
        for seat in seats
        if seat.index in spoke and seat.player_id is not None
    }
    if not speakers:
        return frozenset()
    mutes = Mute.objects.filter(muted__in=speakers).values_list("player_id", "muted_id")
    return frozenset((player, speakers[muted]) for player, muted in mutes)


def _best_play(card: Match) -> dict[str, Any] | None:
    """The first of the plays that were paid most, of a finished match: its seat, tile, points."""
    if not card.is_over:
        return None
    plays = MatchEvent.objects.filter(match=card, kind="played").order_by("-data__score", "seq")
    best = plays.values_list("data", flat=True).first()
    if best is None or not best["score"]:
        return None
    return {"seat": best["seat"], "tile": best["tile"], "points": best["score"]}


def follow(card: Match, seats: Sequence[Seat], state: State) -> None:
    """What was just written is a reading too, for a match that somebody here looks at."""
    with _lock:
        before = _scenes.get(card.pk)
    if before is None or card.status != before.card.status:
        return
    if card.words != before.card.words:
        return  # who doesn't hear what was said since is not known here
    players = {seat.player_id: seat.player for seat in before.seats}
    if any(seat.player_id not in players for seat in seats):
        return
    for seat in seats:
        seat.player = players[seat.player_id]
    now = time.monotonic()
    _keep(
        replace(
            before, card=card, seats=seats, state=state, read_at=now, told={}, shared={}, earlier=[]
        )
    )


def known(match_id: str, seq: int) -> Scene | None:
    """A reading of moments ago that holds the log up to `seq`; asks no database."""
    with _lock:
        scene = _scenes.get(match_id)
    fresh = scene is not None and time.monotonic() - scene.read_at <= _FOR_SECONDS
    return scene if scene is not None and fresh and scene.card.seq >= seq else None


def at_least(match_id: str, seq: int) -> Scene:
    """A reading that holds the log up to `seq`. Raises GameError("not_found")."""
    return known(match_id, seq) or read(match_id)


def seen_by(scene: Scene, viewer: Any) -> Scene:
    """The scene that `viewer` may see: players the table as it is, everybody else that of some
    turns ago where the table says so. All that shows a match to somebody goes through here.
    """
    if not scene.card.spectator_delay or scene.seat_of(viewer) is not None:
        return scene
    if not scene.earlier:
        scene.earlier.append(delay.delayed(scene))
    return scene.earlier[0]


def _keep(scene: Scene) -> None:
    with _lock:
        before = _scenes.get(scene.card.pk)
        if before is not None and before.card.seq > scene.card.seq:
            return
        _scenes[scene.card.pk] = scene
        _scenes.move_to_end(scene.card.pk)
        while len(_scenes) > _KEPT:
            _scenes.popitem(last=False)
