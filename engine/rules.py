"""Rule sets: a preset plus overrides, checked and resolved for a number of seats (rules.md 2).

>>> rules = RuleSet.parse({"preset": "classic", "gate": 10}, seats=3)
>>> rules.hand_size, rules.target, rules.gate, rules.settle
(7, 200, 10, 'each_deducts')
>>> RuleSet.parse({"preset": "allfives", "tempo": 3}, seats=2)
Traceback (most recent call last):
engine.errors.BadRules: tempo: no such rule
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Final

from engine.errors import BadRules
from engine.tiles import COUNT

RULES_VERSION: Final = 1
SEATS: Final = (2, 3, 4)

_DEFAULTS: Final[Mapping[str, object]] = MappingProxyType(
    {
        "multiple": 5,
        "spinner": True,
        "arms": "after_sides",
        "draw": True,
        "keep": 0,
        "gate": 0,
        "partners": False,
        "hand_sizes": {2: 7, 3: 6, 4: 5},
        "first_lead": "highest_double",
        "next_lead": "highest_double",
        "block_lead": "highest_double",
        "settle": "winner_collects",
        "rounding": 5,
        "target": 150,
        "match_end": "immediate",
        "count": "automatic",
        "redeal_doubles": 0,
    }
)

_DRAW: Final[Mapping[str, object]] = {
    "multiple": 0,
    "spinner": False,
    "rounding": 1,
    "target": 100,
}
_WINNER_LEADS: Final = {"first_lead": "random", "next_lead": "winner", "block_lead": "random"}

PRESETS: Final[Mapping[str, Mapping[str, object]]] = MappingProxyType(
    {
        "allfives": MappingProxyType({}),
        "classic": MappingProxyType(
            {
                "hand_sizes": {2: 9, 3: 7, 4: 5},
                **_WINNER_LEADS,
                "settle": "each_deducts",
                "target": {2: 250, 3: 200, 4: 200},
            }
        ),
        "fivecount": MappingProxyType({"hand_sizes": 7, "next_lead": "winner", "target": 250}),
        "muggins": MappingProxyType(
            {
                "spinner": False,
                "hand_sizes": {2: 7, 3: 5, 4: 5},
                **_WINNER_LEADS,
                "settle": "winner_collects_total",
                "target": 200,
                "count": "called",
            }
        ),
        "draw": MappingProxyType(dict(_DRAW)),
        "block": MappingProxyType({**_DRAW, "draw": False}),
    }
)


def game_of(preset: str) -> str:
    """Which of the three games a preset plays: "allfives", "draw" or "block"."""
    if preset not in PRESETS:
        raise BadRules("preset", f"no such preset; there are {', '.join(PRESETS)}")
    return preset if preset in ("draw", "block") else "allfives"


def _flag(key: str, value: object) -> bool:
    if type(value) is not bool:
        raise BadRules(key, "must be true or false")
    return value


def _number(low: int, high: int, *others: int) -> Callable[[str, object], int]:
    def check(key: str, value: object) -> int:
        if type(value) is not int or not (low <= value <= high or value in others):
            allowed = [str(other) for other in others] + [f"{low} to {high}"]
            raise BadRules(key, f"must be a whole number, {' or '.join(allowed)}")
        return value

    return check


def _one_of(*choices: object) -> Callable[[str, object], object]:
    def check(key: str, value: object) -> object:
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            raise BadRules(key, f"must be one of {', '.join(map(str, choices))}")
        return value

    return check


# The most doubles a hand can hold is 7; below 3 every deal to four could be void.
_CHECKS: Final[Mapping[str, Callable[[str, object], object]]] = {
    "multiple": _one_of(5, 0),
    "spinner": _flag,
    "arms": _one_of("after_sides", "any"),
    "draw": _flag,
    "keep": _number(0, COUNT),
    "gate": _number(0, 35),
    "partners": _flag,
    "hand_sizes": _number(1, COUNT // 2),
    "first_lead": _one_of("highest_double", "random"),
    "next_lead": _one_of("highest_double", "winner"),
    "block_lead": _one_of("highest_double", "random"),
    "settle": _one_of("winner_collects", "winner_collects_total", "each_deducts"),
    "rounding": _one_of(5, 1),
    "target": _number(1, 100_000),
    "match_end": _one_of("immediate", "round_end"),
    "count": _one_of("automatic", "called"),
    "redeal_doubles": _number(3, 7, 0),
}
_BY_SEATS: Final = ("hand_sizes", "target")


def _at_seats(key: str, value: object, seats: int) -> object:
    """The entry for `seats` where a rule is given as a table by number of seats."""
    if not isinstance(value, Mapping):
        return value
    table: dict[int, object] = {}
    for name, entry in value.items():
        known = {str(n): n for n in SEATS}.get(str(name))
        if known is None or isinstance(name, bool):
            raise BadRules(key, "a table by seats has the keys 2, 3 and 4")
        table[known] = _CHECKS[key](key, entry)
    if seats not in table:
        raise BadRules(key, f"the table has no entry for {seats} seats")
    return table[seats]


@dataclass(frozen=True)
class RuleSet:
    """The rules of one match, resolved for its number of seats. Made by `RuleSet.parse`.

    `hand_size` is in tiles, `target` and `gate` in points, `keep` in tiles; `source` is the rule
    set as it was given. Sides are numbered from 0 (rules.md 1).
    """

    preset: str
    seats: int
    multiple: int
    spinner: bool
    arms: str
    draw: bool
    keep: int
    gate: int
    partners: bool
    hand_size: int
    first_lead: str
    next_lead: str
    block_lead: str
    settle: str
    rounding: int
    target: int
    match_end: str
    count: str
    redeal_doubles: int
    source: Mapping[str, object] = field(compare=False, repr=False)

    @classmethod
    def parse(cls, data: Mapping[str, object], seats: int) -> RuleSet:
        """Check `data` and resolve it for `seats`. Raises BadRules naming the key at fault."""
        if type(seats) is not int or seats not in SEATS:
            raise BadRules("seats", "must be 2, 3 or 4")
        if not isinstance(data, Mapping):
            raise BadRules("rules", "must be an object")
        preset = data.get("preset", "allfives")
        if not isinstance(preset, str) or preset not in PRESETS:
            raise BadRules("preset", f"must be one of {', '.join(PRESETS)}")
        overrides = {key: value for key, value in data.items() if key != "preset"}
        for key in overrides:
            if key not in _CHECKS:
                raise BadRules(str(key)[:40], "no such rule")
        given: dict[str, object] = {**_DEFAULTS, **PRESETS[preset], **overrides}
        for key in _BY_SEATS:
            given[key] = _at_seats(key, given[key], seats)
        checked = {key: check(key, given[key]) for key, check in _CHECKS.items()}
        hand_size = checked.pop("hand_sizes")
        rules = cls(preset, seats, hand_size=hand_size, source=dict(data), **checked)  # type: ignore[arg-type]
        rules._check_together()
        return rules

    def _check_together(self) -> None:
        if self.partners and self.seats != 4:
            raise BadRules("partners", "partnership is for four seats")
        if self.seats * self.hand_size > COUNT:
            dealt = self.seats * self.hand_size
            raise BadRules("hand_sizes", f"{dealt} tiles to deal, the set has {COUNT}")
        if self.settle == "each_deducts" and self.multiple == 0:
            raise BadRules("settle", "each_deducts pays nobody where ends pay nothing: no end")

    @property
    def sides(self) -> int:
        return 2 if self.partners else self.seats

    def side_of(self, seat: int) -> int:
        return seat % 2 if self.partners else seat

    @property
    def called(self) -> bool:
        """Whether players call their points and others may claim them (rules.md 5)."""
        return self.count == "called"

    def as_dict(self) -> dict[str, object]:
        """The resolved rules as JSON values; `RuleSet.parse` reads them back."""
        names = [f.name for f in fields(self) if f.name not in ("seats", "source", "hand_size")]
        return {name: getattr(self, name) for name in names} | {"hand_sizes": self.hand_size}
