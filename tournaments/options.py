"""What an organiser may set of an event, and within which limits."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

from engine.errors import BadRules
from engine.rules import RuleSet, game_of
from players.models import Club
from players.names import clean_line as clean_line
from ratings.pools import kind_of, pool_key
from tournaments import formats, moments
from tournaments.errors import TournamentError
from tournaments.formats import groups
from tournaments.formats.onward import SEEDINGS
from tournaments.models import Tournament
from tournaments.models.tournament import BEST_OF, LIMITS
from tournaments.standings.criteria import KEYS

NAME_LENGTH: Final = 80
TEXT_LENGTH: Final = 10_000
PAIR_SEATS: Final = (4,)
MOST_STAGES: Final = 4
TIES: Final = ("wait", "lot")
PACE: Final = ("turn_seconds", "round_minutes")
"""The times that a later stage may have of its own."""
LATER_STAGE: Final[Mapping[str, Any]] = {
    "format": "single_elimination",
    "options": {},
    "best_of": 1,
    "rules": {},
    "turn_seconds": None,
    "round_minutes": None,
    "take": 8,
    "per_group": False,
    "seeding": "crossed",
    "ties": "wait",
}
"""A stage after another, as far as it isn't said: its format with options, best of, rules of its
games (empty for the event's), its times (None for the event's), how many go on to it (of each
group, if `per_group`), how they are seeded (formats.onward.Way), and whether a tie across the cut
waits for a person or is drawn by lot.
"""

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
        "access",
        "club",
        "min_rating",
        "max_rating",
        "by_peak",
        "fee",
        "prizes",
        "zone",
        "starts_at",
        "closes_at",
        "missed",
        "rest_worth",
        "weekly",
        "later_stages",
        "criteria",
        *LIMITS,
    }
)
EDITABLE_LATER: Final = frozenset(
    {
        "name",
        "text",
        "prizes",
        "fee",
        "closes_at",
        "capacity",
        "reports",
        "round_start",
        "round_minutes",
        "no_show_seconds",
        "late_rounds",
        "missed",
        "rests_allowed",
        "rest_worth",
        "weekly",
        "spectator_delay",
        "slow_minutes",
        "confirm_minutes",
    }
)
"""What may still be changed once the event has begun: nothing that a result follows from."""

RATINGS: Final = (1, 4000)
MOMENTS: Final = ("starts_at", "closes_at")
TEXTS: Final = {"text": TEXT_LENGTH, "prizes": TEXT_LENGTH, "fee": 120}
CHOICES: Final = {
    "sides": Tournament.Sides,
    "play": Tournament.Play,
    "reports": Tournament.Reports,
    "round_start": Tournament.RoundStart,
    "seeding": Tournament.Seeding,
    "access": Tournament.Access,
    "missed": Tournament.Missed,
    "rest_worth": Tournament.Missed,
}


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
        elif key not in ("options", "later_stages", *MOMENTS):
            fields[key] = _setting(key, value)
    fallback = current or Tournament()
    zone = fields.get("zone", fallback.zone)
    fields |= {key: _moment(key, changes[key], zone) for key in MOMENTS if key in changes}
    format_id = fields.get("format", fallback.format)
    sides = fields["sides"] = _sides(format_id, fields.get("sides"), fallback.sides)
    if rules is not None or sides != fallback.sides or format_id != fallback.format:
        fields |= _rules(fallback.rules if rules is None else rules, format_id, sides)
    if "options" in changes or format_id != fallback.format:
        fields["options"] = _options(format_id, changes.get("options", {}))
    _check_size(format_id, fields.get("capacity", fallback.capacity))
    _check_together({key: fields.get(key, getattr(fallback, key)) for key in _TOGETHER})
    if "later_stages" in changes or (fallback.later_stages and "format" in fields):
        wanted = changes.get("later_stages", fallback.later_stages)
        fields["later_stages"] = _later_stages(wanted, format_id, sides)
    return fields


def _sides(format_id: str, wanted: str | None, before: str) -> str:
    """Who plays: what is wanted, else as before, else what is usual in the format."""
    possible = formats.sides_of(format_id)
    if wanted is not None and wanted not in possible:
        raise TournamentError("bad_sides", key="sides")
    return wanted or (before if before in possible else possible[0])


def seats_of(format_id: str, sides: str) -> tuple[int, ...]:
    """How many may sit at a table of such an event."""
    is_single = sides == Tournament.Sides.SINGLE
    return formats.get(format_id).SEATS if is_single else PAIR_SEATS


def pool_of(tournament: Tournament) -> str:
    """The rating pool that the event is played in, and seeded by."""
    most = max(seats_of(tournament.format, tournament.sides))
    partners = tournament.sides != Tournament.Sides.SINGLE
    return pool_key(tournament.game, kind_of(most, partners))


def _setting(key: str, value: Any) -> Any:
    if key in LIMITS:
        return _number(key, value)
    if key == "name":
        return _name(value)
    if key in ("min_rating", "max_rating"):
        return None if value is None else _between(key, value, *RATINGS)
    if key == "club":
        return _club(value)
    if key == "zone":
        return _zone(value)
    if key == "criteria":
        return _criteria(value)
    if key in CHOICES:
        if not isinstance(value, str) or value not in CHOICES[key].values:
            raise TournamentError("bad_setting", key=key)
        return value
    good = {
        "text": lambda: isinstance(value, str) and len(value) <= TEXTS["text"],
        "prizes": lambda: isinstance(value, str) and len(value) <= TEXTS["prizes"],
        "fee": lambda: isinstance(value, str) and len(value) <= TEXTS["fee"],
        "format": lambda: isinstance(value, str) and value in formats.FORMATS,
        "best_of": lambda: type(value) is int and value in BEST_OF,
        "rated": lambda: isinstance(value, bool),
        "by_peak": lambda: isinstance(value, bool),
        "weekly": lambda: isinstance(value, bool),
    }
    if not good[key]():
        raise TournamentError("bad_setting", key=key)
    return value.replace("\x00", "") if key in TEXTS else value


def _options(format_id: str, given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise TournamentError("bad_setting", key="options")
    try:
        return formats.settled(format_id, given)
    except ValueError as error:
        raise TournamentError("bad_setting", key="options", option=str(error)) from error


def _later_stages(given: Any, format_id: str, sides: str) -> list[dict[str, Any]]:
    """The stages after the first, each with all that can be said of it. Raises TournamentError
    bad_stages, with the number of the stage and the key that is wrong; bad_rules.
    """
    if not isinstance(given, list) or len(given) > MOST_STAGES:
        raise TournamentError("bad_stages", key="later_stages")
    found = [_later_stage(number, each, sides) for number, each in enumerate(given, start=2)]
    before = [format_id, *(stage["format"] for stage in found)]
    for number, (stage, earlier) in enumerate(zip(found, before, strict=False), start=2):
        if stage["per_group"] and earlier != groups.ID:
            raise TournamentError(
                "bad_stages", key="later_stages", stage=number, setting="per_group"
            )
    return found


def _later_stage(number: int, given: Any, sides: str) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise TournamentError("bad_stages", key="later_stages", stage=number)
    stage = {**LATER_STAGE, **given}
    good = {
        "format": isinstance(stage["format"], str) and stage["format"] in formats.FORMATS,
        "options": isinstance(stage["options"], Mapping),
        "best_of": type(stage["best_of"]) is int and stage["best_of"] in BEST_OF,
        "rules": isinstance(stage["rules"], Mapping),
        **{key: _is_pace(key, stage[key]) for key in PACE},
        "take": type(stage["take"]) is int and stage["take"] >= 1,
        "per_group": isinstance(stage["per_group"], bool),
        "seeding": stage["seeding"] in SEEDINGS,
        "ties": stage["ties"] in TIES,
    }
    wrong = [*(key for key in stage if key not in good), *(k for k, ok in good.items() if not ok)]
    if wrong:
        raise TournamentError("bad_stages", key="later_stages", stage=number, setting=wrong[0])
    least = 1 if stage["per_group"] else formats.get(stage["format"]).MIN_SIZE
    if not least <= stage["take"] <= formats.get(stage["format"]).MAX_SIZE:
        raise TournamentError("bad_stages", key="later_stages", stage=number, setting="take")
    try:
        stage["options"] = formats.settled(stage["format"], stage["options"])
    except ValueError as error:
        raise TournamentError(
            "bad_stages", key="later_stages", stage=number, setting=str(error)
        ) from error
    misfits = formats.misfit(stage["format"], stage["take"], stage["options"])
    if misfits and not stage["per_group"]:
        raise TournamentError("bad_stages", key="later_stages", stage=number, setting="take")
    if stage["rules"]:
        try:
            stage["rules"] = _rules(stage["rules"], stage["format"], sides)["rules"]
        except TournamentError as refused:
            at = {"stage": number, "setting": refused.facts["key"]}
            raise TournamentError("bad_rules", str(refused), key="later_stages", **at) from refused
    return stage


def _is_pace(key: str, value: Any) -> bool:
    low, high = LIMITS[key]
    return value is None or (type(value) is int and low <= value <= high)


def _check_size(format_id: str, capacity: int) -> None:
    most = formats.get(format_id).MAX_SIZE
    if capacity > most:
        raise TournamentError("too_large", key="capacity", high=most)


_TOGETHER: Final = (*MOMENTS, "access", "club", "min_rating", "max_rating", "weekly")


def _check_together(now: Mapping[str, Any]) -> None:
    """What is wrong with settings that are each possible."""
    if now["access"] == Tournament.Access.CLUB and now["club"] is None:
        raise TournamentError("no_club", key="club")
    if now["min_rating"] and now["max_rating"] and now["min_rating"] > now["max_rating"]:
        raise TournamentError("bad_setting", key="max_rating")
    if now["starts_at"] and now["closes_at"] and now["closes_at"] > now["starts_at"]:
        raise TournamentError("closes_late", key="closes_at")
    if now["weekly"] and not now["starts_at"]:
        raise TournamentError("no_start", key="weekly")


def _moment(key: str, value: Any, zone: str) -> dt.datetime | None:
    """A moment; a local time is taken as one of the event's zone."""
    if value is None:
        return None
    if not isinstance(value, dt.datetime):
        raise TournamentError("bad_moment", key=key)
    try:
        return moments.resolve(value, zone)
    except moments.BadMoment as wrong:
        raise TournamentError(wrong.code, key=key, offsets=list(wrong.offsets)) from wrong


def _zone(value: Any) -> str:
    try:
        return moments.zone_of(value if isinstance(value, str) else "").key
    except moments.BadMoment as wrong:
        raise TournamentError("bad_zone", key="zone") from wrong


def _criteria(value: Any) -> list[str]:
    """What decides between those level on points, each once; none for the format's own."""
    good = isinstance(value, list | tuple) and all(each in KEYS for each in value)
    if not good or len(set(value)) < len(value):
        raise TournamentError("bad_criteria", key="criteria")
    return list(value)


def _club(value: Any) -> Club | None:
    """The club of that slug, or none."""
    if value is None or value == "":
        return None
    found = Club.objects.filter(slug=value).first() if isinstance(value, str) else None
    if found is None:
        raise TournamentError("no_club", key="club")
    return found


def _number(key: str, value: Any) -> int:
    return _between(key, value, *LIMITS[key])


def _between(key: str, value: Any, low: int, high: int) -> int:
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
