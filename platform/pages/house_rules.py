"""The rules that a reader of a rules page chose: one of the presets, and house rules on top of it.

``?rules=classic&house=gate&house=keep``; whatever the query names that is not offered is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from engine.errors import BadRules
from engine.rules import SEATS, RuleSet
from pages import words

BASES: Final[Mapping[str, tuple[str, ...]]] = {
    "all-fives": ("allfives", "classic", "fivecount", "muggins"),
    "draw": ("draw",),
    "block": ("block",),
}
"""By a page's address, the presets that it is about; the first is the one it opens with."""

HOUSE: Final[Mapping[str, tuple[Mapping[str, Any], str | Promise]]] = {
    "hands": ({"hand_sizes": {2: 9, 3: 7, 4: 5}}, _("Hands of %(hands)s tiles")),
    "winner": ({"next_lead": "winner"}, _("Whoever went out leads the next round, with any tile")),
    "lot": ({"first_lead": "random"}, _("The first leader is drawn by lot")),
    "own": ({"settle": "each_deducts"}, _("Everybody’s own pips are taken off at the end")),
    "once": ({"settle": "winner_collects_total"}, _("All the losers’ pips are rounded once")),
    "called": ({"count": "called"}, _("Points are called; what is missed can be claimed")),
    "plain": ({"spinner": False}, _("No spinner: the line has two ends")),
    "arms": ({"arms": "any"}, _("The spinner’s arms open at once")),
    "gate": ({"gate": 10}, _("The first points in play must be %(gate)s or more")),
    "keep": (
        {"keep": 2},
        ngettext_lazy(
            "%(keep)s tile of the boneyard is never drawn",
            "%(keep)s tiles of the boneyard are never drawn",
            "keep",
        ),
    ),
    "late": ({"match_end": "round_end"}, _("A match ends only after a round is settled")),
}
"""What tables are used to change, and in what words."""

_OF_THE_COUNT: Final = ("multiple", "count", "gate", "match_end", "arms")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A rule set for a page; `house` are the house rules in it, in the order of HOUSE."""

    base: str
    house: tuple[str, ...]

    @property
    def source(self) -> dict[str, Any]:
        made: dict[str, Any] = {"preset": self.base}
        for key in self.house:
            made |= HOUSE[key][0]
        return made

    def rules(self, seats: int) -> RuleSet:
        return RuleSet.parse(self.source, seats)


@dataclass(frozen=True, slots=True)
class Offered:
    """A box of the form: its value, its words, and whether it is ticked."""

    value: str
    text: str
    chosen: bool


def chosen(slug: str, query: QueryDict) -> Chosen:
    """The rule set that a query asks for on this page."""
    base = query.get("rules", "")
    if base not in BASES[slug]:
        base = BASES[slug][0]
    wanted = query.getlist("house")
    made = Chosen(base, ())
    for key in _offered(base):
        if key in wanted and _goes_with(made, key):
            made = Chosen(base, (*made.house, key))
    return made


def _goes_with(made: Chosen, key: str) -> bool:
    """Whether a house rule adds to those before it, and doesn't undo one of them."""
    changed = HOUSE[key][0]
    if any(set(changed) & set(HOUSE[other][0]) for other in made.house):
        return False
    return _plays(Chosen(made.base, (*made.house, key))) and (
        "arms" not in changed or made.rules(2).spinner
    )


def bases(slug: str, now: Chosen) -> list[Offered]:
    """The presets to choose among; none where there is but one."""
    keys = BASES[slug] if len(BASES[slug]) > 1 else ()
    return [Offered(key, words.preset(key), key == now.base) for key in keys]


def houses(now: Chosen) -> list[Offered]:
    """The house rules that would change the preset."""
    return [Offered(key, text(key), key in now.house) for key in _offered(now.base)]


def name(now: Chosen) -> str:
    """ "All Fives, classic; No spinner: the line has two ends"."""
    return "; ".join([words.preset(now.base), *map(text, now.house)])


def text(key: str) -> str:
    """A house rule in words, its numbers filled in."""
    changed, said = HOUSE[key]
    facts = {**changed, "hands": " / ".join(map(str, changed.get("hand_sizes", {}).values()))}
    return str(said % facts)


@cache
def _offered(base: str) -> list[str]:
    plain = Chosen(base, ())
    return [
        key
        for key, (changed, _text) in HOUSE.items()
        if _plays(one := Chosen(base, (key,)))
        and any(one.rules(seats) != plain.rules(seats) for seats in SEATS)
        and (plain.rules(2).multiple or not set(changed) & set(_OF_THE_COUNT))
        and (plain.rules(2).spinner or "arms" not in changed)
        and (plain.rules(2).draw or "keep" not in changed)
        and (plain.rules(2).rounding > 1 or "settle" not in changed)
    ]


def _plays(made: Chosen) -> bool:
    try:
        return all(made.rules(seats) for seats in SEATS)
    except BadRules:
        return False
