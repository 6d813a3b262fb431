"""The ratings that seats are shown with: asked for once a while, not for every picture."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, Final

from django.conf import settings
from django.utils.module_loading import import_string

from games.models import Match, Seat

_FOR_SECONDS: Final = 60
_KEPT: Final = 5000
_known: OrderedDict[tuple[object, ...], tuple[float, Mapping[int, Any]]] = OrderedDict()
_lock = Lock()


def ratings(card: Match, seats: Sequence[Seat]) -> Mapping[int, Any]:
    """By seat: {"rating", "provisional"}, or nothing; up to a minute old."""
    path = getattr(settings, "MUGGINS_SEAT_RATING", None)
    if not path:
        return {}
    key = (card.pk, card.status, *(seat.player_id for seat in seats))
    now = time.monotonic()
    with _lock:
        asked, answer = _known.get(key, (-_FOR_SECONDS, {}))
    if now - asked < _FOR_SECONDS:
        return answer
    fresh: Mapping[int, Any] = import_string(path)(card.pk)
    with _lock:
        _known[key] = (now, fresh)
        _known.move_to_end(key)
        while len(_known) > _KEPT:
            _known.popitem(last=False)
    return fresh
