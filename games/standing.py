"""What other parts of the site know of a table, by the functions that the settings name."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any, Final

from django.conf import settings
from django.utils.module_loading import import_string

from games.models import Match, Seat

_FOR_SECONDS: Final = 60.0
_KEPT: Final = 5000
_known: OrderedDict[tuple[object, ...], tuple[float, Mapping[int, Any]]] = OrderedDict()
_lock = Lock()


def _hook(setting: str) -> Callable[[Any], Any] | None:
    """The function that a setting names, if it names one."""
    path = getattr(settings, setting, None)
    hook: Callable[[Any], Any] | None = import_string(path) if path else None
    return hook


def ratings(card: Match, seats: Sequence[Seat]) -> Mapping[int, Any]:
    """By seat: {"rating", "provisional"}, or nothing; up to a minute old."""
    hook = _hook("MUGGINS_SEAT_RATING")
    if hook is None:
        return {}
    key = (card.pk, card.status, *(seat.player_id for seat in seats))
    now = time.monotonic()
    with _lock:
        asked, answer = _known.get(key, (-_FOR_SECONDS, {}))
    if now - asked < _FOR_SECONDS:
        return answer
    fresh: Mapping[int, Any] = hook(card.pk)
    with _lock:
        _known[key] = (now, fresh)
        _known.move_to_end(key)
        while len(_known) > _KEPT:
            _known.popitem(last=False)
    return fresh


def changes(card: Match) -> list[Any]:
    """What a finished match did to its players' ratings: {"seat", "before", "after"} each."""
    hook = _hook("MUGGINS_RATING_CHANGES")
    if hook is None or card.status != Match.Status.FINISHED:
        return []
    return list(hook(card.pk) or [])


def link(card: Match) -> Mapping[str, Any] | None:
    """What the table belongs to, told by whoever opened it: {"title", "url"}, each a text or one
    that is made when it is read, in the language of then.
    """
    hook = _hook("MUGGINS_TABLE_LINK")
    if hook is None or not card.context:
        return None
    found: Mapping[str, Any] | None = hook(card.context)
    return found
