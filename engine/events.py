"""What has happened, as everyone may know it, and its JSON: never a hidden tile.

>>> to_json(Claimed(seat=1, points=10, score=10))
{'kind': 'claimed', 'seat': 1, 'points': 10, 'score': 10}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from engine.actions import ENDS, End
from engine.errors import EngineError
from engine.tiles import Tile, parse, text, texts


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round is dealt; `number` counts from 1. `leader` None: the highest double leads."""

    number: int
    leader: int | None


@dataclass(frozen=True, slots=True)
class Played:
    """A tile was played: the layout's `total` afterwards, and the points paid for it."""

    seat: int
    tile: Tile
    end: End | None
    call: int | None
    total: int
    score: int


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat drew `count` tiles in a row; which ones only that seat knows (rules.md 4)."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class Passed:
    seat: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat said "muggins" for `points` and was paid `score` (rules.md 5)."""

    seat: int
    points: int
    score: int


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round is over: `reason` is "domino", "blocked" or "target" (rules.md 6, 7).

    `out` is the seat that went out, `winner` a side. `pips` and `hands` are what was left, by
    seat; `points` what settlement paid, and `scores` the scores then, by side.
    """

    reason: str
    out: int | None
    winner: int | None
    pips: tuple[int, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]
    hands: tuple[tuple[Tile, ...], ...]


@dataclass(frozen=True, slots=True)
class Resigned:
    seat: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over. `places` are by side, from 1; equals share a place."""

    reason: str
    winner: int | None
    scores: tuple[int, ...]
    places: tuple[int, ...]


Event = RoundStarted | Played | Drew | Passed | Claimed | RoundEnded | Resigned | MatchEnded

KINDS: Final[Mapping[str, type[Event]]] = {
    "round_started": RoundStarted,
    "played": Played,
    "drew": Drew,
    "passed": Passed,
    "claimed": Claimed,
    "round_ended": RoundEnded,
    "resigned": Resigned,
    "match_ended": MatchEnded,
}
_KIND_OF: Final = {cls: kind for kind, cls in KINDS.items()}


def to_json(event: Event) -> dict[str, object]:
    """An event as the log and the wire write it: its kind, and its fields; tiles as text."""
    out: dict[str, object] = {"kind": _KIND_OF[type(event)]}
    for f in fields(event):
        value = getattr(event, f.name)
        if f.name == "tile":
            value = text(value)
        elif f.name == "hands":
            value = [list(texts(hand)) for hand in value]
        elif isinstance(value, tuple):
            value = list(value)
        out[f.name] = value
    return out


def from_json(data: object) -> Event:
    """The event that `data` stands for; keys beyond the event's own are ignored.

    Raises EngineError("bad_event").
    """
    cls = KINDS.get(str(data.get("kind"))) if isinstance(data, Mapping) else None
    if cls is None or not isinstance(data, Mapping):
        raise EngineError("bad_event", "an event names a known kind")
    try:
        values: dict[str, Any] = {f.name: _READ[f.name](data[f.name]) for f in fields(cls)}
    except (KeyError, TypeError, ValueError, EngineError):
        kind = _KIND_OF[cls]
        raise EngineError("bad_event", f"a {kind} event lacks a value or has a wrong one") from None
    return cls(**values)


def _int(value: object) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _int_or_none(value: object) -> int | None:
    return None if value is None else _int(value)


def _ints(value: object) -> tuple[int, ...]:
    if not isinstance(value, (list, tuple)):
        raise TypeError
    return tuple(_int(item) for item in value)


def _hands(value: object) -> tuple[tuple[Tile, ...], ...]:
    if not isinstance(value, (list, tuple)):
        raise TypeError
    return tuple(tuple(parse(tile) for tile in hand) for hand in value)


def _end(value: object) -> End | None:
    return None if value is None else ENDS[ENDS.index(value)]


def _str(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


_READ: Final[Mapping[str, Callable[[object], object]]] = {
    "number": _int,
    "seat": _int,
    "count": _int,
    "points": lambda value: _int(value) if isinstance(value, int) else _ints(value),
    "score": _int,
    "total": _int,
    "leader": _int_or_none,
    "call": _int_or_none,
    "out": _int_or_none,
    "winner": _int_or_none,
    "tile": parse,
    "end": _end,
    "reason": _str,
    "pips": _ints,
    "scores": _ints,
    "places": _ints,
    "hands": _hands,
}
