"""What an organiser may set of an event, and within which limits."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from engine.errors import BadRules
from engine.rules import RuleSet, game_of
from ratings.pools import kind_of, pool_key
from tournaments import formats
from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.models.tournament import LIMITS

NAME_LENGTH: Final = 80
TEXT_LENGTH: Final = 10_000
PAIR_SEATS: Final = (4,)

EDITABLE: Final = frozenset(
    {
        "name",
        "text",
        "rules",
        "format",
        "options",
        "best_of",
        "seeding",
        "rated",
        "sides",
        "play",
        "reports",
        "round_start",
        *LIMITS,
    }
)


def checked(changes: Mapping[str, Any], current: Tournament | None = None) -> dict[str, Any]:
    """The fields to write for `changes` of an event; rules also set the preset and the game, and
    a new format comes with its own options. Places and options must suit the format.

    Raises TournamentError bad_name, bad_rules or bad_setting, with the key that is wrong.
    """
    fields: dict[str, Any] = {}
    rules: Any = None
    for key, value in changes.items():
        if key not in EDITABLE:
            raise TournamentError("bad_setting", key=key)
        if key == "rules":
            rules = value
        elif key != "options":
            fields[key] = _setting(key, value)
    fallback = current or Tournament()
    format_id = fields.get("format", fallback.format)
    sides = fields.get("sides", fallback.sides)
    if rules is not None or sides != fallback.sides or format_id != fallback.format:
        fields |= _rules(fallback.rules if rules is None else rules, format_id, sides)
    if "options" in changes or format_id != fallback.format:
        fields["options"] = _options(format_id, changes.get("options", {}))
    _check_size(format_id, fields.get("capacity", fallback.capacity))
    return fields


def seats_of(format_id: str, sides: str) -> tuple[int, ...]:
    """How many may sit at a table of such an event."""
    is_single = sides == Tournament.Sides.SINGLE
    return formats.get(format_id).SEATS if is_single else PAIR_SEATS


def pool_of(tournament: Tournament) -> str:
    """The rating pool that the event is played in, and seeded by."""
    most = max(seats_of(tournament.format, tournament.sides))
    partners = tournament.sides != Tournament.Sides.SINGLE
    return pool_key(tournament.game, kind_of(most, partners))


def clean_line(text: str) -> str:
    """One line of text: composed (NFC), without control, formatting and bidi characters.

    >>> clean_line(" Friday\\u202e  Cup\\n")
    'Friday Cup'
    """
    composed = unicodedata.normalize("NFC", text)
    kept = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in composed)
    return " ".join(kept.split())


def _setting(key: str, value: Any) -> Any:
    if key in LIMITS:
        return _number(key, value)
    if key == "name":
        return _name(value)
    good = {
        "text": lambda: isinstance(value, str) and len(value) <= TEXT_LENGTH,
        "format": lambda: isinstance(value, str) and value in formats.FORMATS,
        "sides": lambda: isinstance(value, str) and value in Tournament.Sides.values,
        "play": lambda: isinstance(value, str) and value in Tournament.Play.values,
        "reports": lambda: isinstance(value, str) and value in Tournament.Reports.values,
        "round_start": lambda: isinstance(value, str) and value in Tournament.RoundStart.values,
        "best_of": lambda: type(value) is int and value in (1, 3),
        "seeding": lambda: isinstance(value, str) and value in Tournament.Seeding.values,
        "rated": lambda: isinstance(value, bool),
    }
    if not good[key]():
        raise TournamentError("bad_setting", key=key)
    return value.replace("\x00", "") if key == "text" else value


def _options(format_id: str, given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise TournamentError("bad_setting", key="options")
    try:
        return formats.settled(format_id, given)
    except ValueError as error:
        raise TournamentError("bad_setting", key="options", option=str(error)) from error


def _check_size(format_id: str, capacity: int) -> None:
    most = formats.get(format_id).MAX_SIZE
    if capacity > most:
        raise TournamentError("too_large", key="capacity", high=most)


def _number(key: str, value: Any) -> int:
    low, high = LIMITS[key]
    if type(value) is not int or not low <= value <= high:
        raise TournamentError("bad_setting", key=key, low=low, high=high)
    return value


def _name(value: Any) -> str:
    name = clean_line(value) if isinstance(value, str) else ""
    if not 1 <= len(name) <= NAME_LENGTH:
        raise TournamentError("bad_name", key="name")
    return name


def _rules(value: Any, format_id: str, sides: str) -> dict[str, Any]:
    """The rule set, its preset and game. Raises TournamentError("bad_rules")."""
    if not isinstance(value, Mapping):
        raise TournamentError("bad_rules", key="rules")
    rules = {**value, "partners": True} if sides != Tournament.Sides.SINGLE else dict(value)
    try:
        for seats in seats_of(format_id, sides):
            RuleSet.parse(rules, seats)
        preset = str(rules.get("preset", "allfives"))
        return {"rules": rules, "preset": preset, "game": game_of(preset)}
    except BadRules as error:
        raise TournamentError("bad_rules", error.detail, key=error.key) from error
