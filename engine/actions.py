"""What a player can do, and its JSON.

>>> to_json(from_json({"play": "4-6", "at": "left"}))
{'play': '6-4', 'at': 'left'}
>>> from_json({"play": "4-7"})
Traceback (most recent call last):
engine.errors.Refusal: no tile of the double-six set: '4-7'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from engine.errors import BadTile, Refusal
from engine.tiles import Tile, parse, text

End = Literal["left", "right", "up", "down"]
ENDS: Final[tuple[End, ...]] = ("left", "right", "up", "down")
_MOST_POINTS: Final = 999


@dataclass(frozen=True, slots=True)
class Play:
    """Play `tile` at `end` (None for the lead), calling `call` points (rules.md 4, 5)."""

    tile: Tile
    end: End | None = None
    call: int | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw one tile from the boneyard."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass the turn."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Say "muggins": claim `points` that the last play left uncalled (rules.md 5)."""

    points: int


Action = Play | Draw | Pass | Claim


def to_json(action: Action) -> dict[str, object]:
    """An action as the wire and the records write it."""
    if isinstance(action, Play):
        out: dict[str, object] = {"play": text(action.tile)}
        if action.end is not None:
            out["at"] = action.end
        if action.call is not None:
            out["call"] = action.call
        return out
    if isinstance(action, Claim):
        return {"muggins": action.points}
    return {"draw": True} if isinstance(action, Draw) else {"pass": True}


def from_json(data: object) -> Action:
    """The action that `data` stands for. Raises Refusal("bad_action")."""
    if not isinstance(data, Mapping):
        raise Refusal("bad_action", "an action is an object")
    if "play" in data:
        _only(data, "play", "at", "call")
        return _play(data)
    if "muggins" in data:
        _only(data, "muggins")
        return Claim(_points(data["muggins"]))
    for name, action in (("draw", Draw()), ("pass", Pass())):
        if name in data:
            _only(data, name)
            if data[name] is not True:
                raise Refusal("bad_action", f"{name} must be true")
            return action
    raise Refusal("bad_action", "an action has one of play, draw, pass and muggins")


def _play(data: Mapping[str, object]) -> Play:
    try:
        tile = parse(data["play"])
    except BadTile as error:
        raise Refusal("bad_action", error.detail) from None
    end, call = data.get("at"), data.get("call")
    for known in ENDS:
        if end == known:
            return Play(tile, known, None if call is None else _points(call))
    if end is not None:
        raise Refusal("bad_action", f"at must be one of {', '.join(ENDS)}")
    return Play(tile, None, None if call is None else _points(call))


def _points(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _MOST_POINTS:
        raise Refusal("bad_action", f"points are a whole number from 0 to {_MOST_POINTS}")
    return value


def _only(data: Mapping[str, object], *known: str) -> None:
    for key in data:
        if key not in known:
            raise Refusal("bad_action", f"{known[0]} takes no {str(key)[:40]!r}")
