"""The messages of a table's WebSocket: parsed into types, dumped to text (docs/protocol.md).

A frame is checked whole before anything acts on it: `BadFrame` is the only thing that a wrong one
can cause.

>>> parse('{"t": "nudge", "seq": 7}')
Nudge(seq=7)
>>> parse('{"t": "nudge", "seq": true}')
Traceback (most recent call last):
games.protocol.BadFrame: seq must be a whole number from 0 to 2147483647
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

MAX_BYTES: Final = 16 * 1024
MAX_SEQ: Final = 2**31 - 1
MAX_MOMENT: Final = 2**53
_MAX_DIGITS: Final = 20
MOST_WATCHED: Final = 12
MOST_HEARD: Final = 12
_MATCH_ID: Final = re.compile(r"[0-9A-Za-z]{12}")
_TOPIC: Final = re.compile(r"me|lobby|quick|(event|ladder):[0-9]{1,9}|table:[0-9A-Za-z]{12}")
_CLIENT_ID: Final = re.compile(r"[\x21-\x7e]{1,40}")
_WORD: Final = re.compile(r"[a-z_]{1,20}")

# `json.dumps` would make an encoder for each message.
_encode: Final = json.JSONEncoder(allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode


class BadFrame(ValueError):
    """A frame that is no message of the protocol; the text says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The last number seen, or None for the whole picture."""

    seq: int | None


@dataclass(frozen=True, slots=True)
class Act:
    """An action, meant for the table as it was at `seq`; `id` makes sending it again harmless."""

    id: str
    seq: int
    action: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Ready:
    pass


@dataclass(frozen=True, slots=True)
class Resign:
    id: str


@dataclass(frozen=True, slots=True)
class Back:
    pass


@dataclass(frozen=True, slots=True)
class Ping:
    """`sent` is the client's own clock and comes back as it is; `seq` the last number seen."""

    sent: int
    seq: int | None


@dataclass(frozen=True, slots=True)
class Echo:
    """A pong has come: `now` is what it said."""

    now: int


@dataclass(frozen=True, slots=True)
class Nudge:
    """The client's clock says that the turn is over."""

    seq: int


@dataclass(frozen=True, slots=True)
class Rematch:
    id: str


@dataclass(frozen=True, slots=True)
class Bots:
    level: str


@dataclass(frozen=True, slots=True)
class Say:
    """A preset word by its code, or a text; `id` makes sending it again harmless."""

    id: str
    word: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Hear:
    """The topics that a page listens to from now on, by their names (pages/topics.py)."""

    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Watch:
    """The tables to be shown from now on, by their ids; none: a pause."""

    tables: tuple[str, ...]


Message = Hello | Act | Ready | Resign | Back | Ping | Echo | Nudge | Rematch | Bots | Say


def parse(text: str) -> Message:
    """The message that a text frame holds. Raises BadFrame. Keys it does not know it leaves."""
    data = _load(text)
    kind = data.get("t")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise BadFrame(f"t must be one of {', '.join(_READERS)}")
    return reader(data)


def parse_watch(text: str) -> Watch | Ping:
    """The message of one who watches several tables. Raises BadFrame.

    >>> parse_watch('{"t": "watch", "tables": ["4fT0kq9ZcLx2"]}')
    Watch(tables=('4fT0kq9ZcLx2',))
    """
    data = _load(text)
    if data.get("t") == "watch":
        return Watch(_names(data, "tables", MOST_WATCHED, _MATCH_ID))
    if data.get("t") == "ping":
        return Ping(_whole(data, "sent", MAX_MOMENT), None)
    raise BadFrame("t must be one of watch, ping")


def parse_page(text: str) -> Hear | Ping:
    """The message of an open page. Raises BadFrame.

    >>> parse_page('{"t": "hear", "topics": ["me", "event:7"]}')
    Hear(topics=('me', 'event:7'))
    """
    data = _load(text)
    if data.get("t") == "hear":
        return Hear(_names(data, "topics", MOST_HEARD, _TOPIC))
    if data.get("t") == "ping":
        return Ping(_whole(data, "sent", MAX_MOMENT), None)
    raise BadFrame("t must be one of hear, ping")


def dump(message: Mapping[str, object]) -> str:
    """A message as text; what no browser could read (NaN) is an error here, not there."""
    return _encode(message)


def _load(text: str) -> dict[str, Any]:
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise BadFrame("the text holds half a character") from None
    if size > MAX_BYTES:
        raise BadFrame(f"a frame has at most {MAX_BYTES} bytes")
    try:
        data = json.loads(text, parse_constant=_no_constant, parse_int=_int, parse_float=_float)
    except RecursionError:
        raise BadFrame("nested too deeply") from None
    except BadFrame:
        raise
    except ValueError:
        raise BadFrame("not JSON") from None
    if not isinstance(data, dict):
        raise BadFrame("a message is an object")
    _check_text(data)
    return data


def _no_constant(name: str) -> NoReturn:
    raise BadFrame(f"{name} is no number")


def _int(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise BadFrame("a number has too many digits")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise BadFrame("a number is too large")
    return value


def _check_text(data: object) -> None:
    """Refuse text that can't be stored or sent on: halves of characters, and U+0000."""
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, str) and any(
            char == "\0" or "\ud800" <= char <= "\udfff" for char in value
        ):
            raise BadFrame("text holds what is no character")


def _whole(data: Mapping[str, object], name: str, most: int) -> int:
    value = data.get(name)
    if type(value) is not int or not 0 <= value <= most:
        raise BadFrame(f"{name} must be a whole number from 0 to {most}")
    return value


def _seq(data: Mapping[str, object]) -> int:
    return _whole(data, "seq", MAX_SEQ)


def _seq_or_none(data: Mapping[str, object]) -> int | None:
    return None if data.get("seq") is None else _seq(data)


def _id(data: Mapping[str, object]) -> str:
    value = data.get("id")
    if not isinstance(value, str) or not _CLIENT_ID.fullmatch(value):
        raise BadFrame("id must be 1 to 40 printable ASCII characters without spaces")
    return value


def _act(data: Mapping[str, object]) -> Act:
    action = data.get("action")
    if not isinstance(action, dict):
        raise BadFrame("action must be an object")
    return Act(_id(data), _seq(data), action)


def _bots(data: Mapping[str, object]) -> Bots:
    level = data.get("level", "medium")
    if not isinstance(level, str) or not _WORD.fullmatch(level):
        raise BadFrame("level must be a word")
    return Bots(level)


def _say(data: Mapping[str, object]) -> Say:
    text = data.get("text")
    if text is not None:
        if not isinstance(text, str) or not text:
            raise BadFrame("text must be text")
        return Say(_id(data), text=text)
    word = data.get("word")
    if not isinstance(word, str) or not _WORD.fullmatch(word):
        raise BadFrame("word must be a word")
    return Say(_id(data), word=word)


def _names(
    data: Mapping[str, object], key: str, most: int, shape: re.Pattern[str]
) -> tuple[str, ...]:
    """A list of names of one shape, each once."""
    value = data.get(key)
    if not isinstance(value, list) or len(value) > most:
        raise BadFrame(f"{key} must be a list of at most {most}")
    if not all(isinstance(each, str) and shape.fullmatch(each) for each in value):
        raise BadFrame(f"{key} holds what is no name of one")
    return tuple(dict.fromkeys(value))


_READERS: Final[Mapping[str, Callable[[Mapping[str, object]], Message]]] = {
    "hello": lambda data: Hello(_seq_or_none(data)),
    "act": _act,
    "ready": lambda data: Ready(),
    "resign": lambda data: Resign(_id(data)),
    "back": lambda data: Back(),
    "ping": lambda data: Ping(_whole(data, "sent", MAX_MOMENT), _seq_or_none(data)),
    "echo": lambda data: Echo(_whole(data, "now", MAX_MOMENT)),
    "nudge": lambda data: Nudge(_seq(data)),
    "rematch": lambda data: Rematch(_id(data)),
    "bots": _bots,
    "say": _say,
}
