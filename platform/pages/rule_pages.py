"""The rules pages: their numbers, from the rule sets, and their examples, counted by the engine.

The sentences are templates; whatever is a number, or a judgement of a play, comes from here, so
that what people read is what is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.rules import PRESETS, SEATS, RuleSet
from engine.scoring import rounded
from engine.tiles import COUNT
from pages import lesson, words
from pages.lesson import Choice, Move, Scene

PAGES: Final = {"all-fives": "allfives", "draw": "draw", "block": "block"}
"""A page's address and the preset it is about."""

PIPS_LEFT: Final = (13, 12, 7, 6, 4, 2)


@dataclass(frozen=True, slots=True)
class Example:
    """A position to try: what lies there, and what the reader holds."""

    key: str
    moves: tuple[Move, ...]
    hand: tuple[str, ...]


EXAMPLES: Final[Mapping[str, tuple[Example, ...]]] = {
    "allfives": (
        Example("ends", (("5-5", None), ("6-5", "left")), ("6-0", "6-6", "5-4", "5-2")),
        Example(
            "arms",
            (("5-5", None), ("6-5", "left"), ("5-0", "right")),
            ("5-4", "6-4", "5-1", "0-0"),
        ),
        Example("doubles", (("6-4", None), ("4-4", "right")), ("6-2", "6-6", "4-2")),
    ),
    "draw": (
        Example("fits", (("6-4", None), ("4-4", "right"), ("6-2", "left")), ("4-1", "3-2", "5-0")),
    ),
    "block": (
        Example("fits", (("6-4", None), ("4-4", "right"), ("6-2", "left")), ("4-1", "3-2", "5-0")),
    ),
}

LEADS: Final = {
    "highest_double": gettext_lazy("highest double"),
    "random": gettext_lazy("drawn by lot"),
    "winner": gettext_lazy("who went out"),
}
SETTLES: Final = {
    "winner_collects": gettext_lazy("The winner gets each opponent’s pips, each rounded."),
    "winner_collects_total": gettext_lazy("The winner gets all opponents’ pips, rounded once."),
    "each_deducts": gettext_lazy("Everyone’s own pips, rounded, are taken off."),
}
COUNTS: Final = {
    "automatic": gettext_lazy("counted for you"),
    "called": gettext_lazy("called; what is missed can be claimed"),
}
SIDES: Final = {
    "left": gettext_lazy("on the left"),
    "right": gettext_lazy("on the right"),
    "up": gettext_lazy("on top"),
    "down": gettext_lazy("at the bottom"),
}


@dataclass(frozen=True, slots=True)
class Try:
    """A play of an example: its address, its words, and what comes of it once it is chosen."""

    query: str
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """An example as it stands: before a play, or after the one that the reader chose."""

    key: str
    scene: Scene
    hand: tuple[str, ...]
    tries: tuple[Try, ...]
    verdict: str
    pays: bool
    useless: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """A rule set in a row of the table of variants; numbers by seats joined with slashes."""

    name: str
    hands: str
    target: str
    first: str
    then: str
    spinner: str
    settle: str
    count: str


def context(slug: str, query: QueryDict) -> dict[str, Any]:
    """What a page shows. `query` holds the reader's plays: ``?ends=6-0@left``."""
    preset = PAGES[slug]
    by_seats = {seats: RuleSet.parse({"preset": preset}, seats) for seats in SEATS}
    two = by_seats[2]
    return {
        "slug": slug,
        "preset": preset,
        "tabs": [(key, words.PRESETS[of]) for key, of in PAGES.items()],
        "rules": two,
        "deals": [
            {
                "seats": seats,
                "hand": rules.hand_size,
                "left": COUNT - seats * rules.hand_size,
                "target": rules.target,
            }
            for seats, rules in by_seats.items()
        ],
        "tiles": COUNT,
        "roundings": [(pips, rounded(pips, two.rounding)) for pips in PIPS_LEFT],
        "examples": {
            each.key: shown(each, two, query.get(each.key, "")) for each in EXAMPLES[preset]
        },
        "variants": [variant(key) for key in PRESETS],
        "questions": questions(two),
    }


def shown(example: Example, rules: RuleSet, wanted: str) -> Shown:
    """The example after the play that is wanted, if it is one of those that are allowed."""
    allowed = lesson.choices(example.moves, example.hand, rules)
    play = next((each for each in allowed if each.key == wanted), None)
    moves = [*example.moves, (play.tile, play.end)] if play else list(example.moves)
    scene = lesson.scene(moves, rules)
    return Shown(
        key=example.key,
        scene=scene,
        hand=tuple(tile for tile in example.hand if play is None or tile != play.tile),
        tries=tuple(
            Try(f"?{example.key}={each.key}#{example.key}", _text(each), each == play)
            for each in allowed
        ),
        verdict=_verdict(scene, rules) if play else "",
        pays=bool(play) and scene.pays > 0,
        useless=tuple(t for t in example.hand if all(each.tile != t for each in allowed)),
    )


def variant(preset: str) -> Variant:
    """A preset in a row."""
    by_seats = [RuleSet.parse({"preset": preset}, seats) for seats in SEATS]
    two = by_seats[0]
    return Variant(
        name=str(words.PRESETS[preset]),
        hands=_by_seats([rules.hand_size for rules in by_seats]),
        target=_by_seats([rules.target for rules in by_seats]),
        first=str(LEADS[two.first_lead]),
        then=str(LEADS[two.next_lead]),
        spinner=_("yes") if two.spinner else _("no"),
        settle=str(SETTLES[two.settle]),
        count=str(COUNTS[two.count]) if two.multiple else _("nothing in play"),
    )


def questions(rules: RuleSet) -> list[tuple[str, str]]:
    """Questions that people ask, with the answer by this rule set."""
    facts = {"target": rules.target, "multiple": rules.multiple, "rounding": rules.rounding}
    found = [
        (
            _("Must I play if I can?"),
            _("Yes. Who holds a tile that fits has to play one; nobody draws or passes to wait."),
        ),
        (
            _("Who sees what I draw?"),
            _("Everybody sees how many tiles you draw, only you see which."),
        ),
        (
            _("What if two have the same number of pips when the game is blocked?"),
            _("Then fewer tiles win; still equal, nobody wins the round and nobody is paid."),
        ),
    ]
    if rules.multiple:
        found += [
            (
                _("Does a total of nothing pay?"),
                _("No: 0 is no score. Totals of %(multiple)s, 10, 15 and so on pay.") % facts,
            ),
            (
                _("Does the spinner count when both its sides are covered?"),
                _("No. Then it is inside the line; its arms count from their first tile on."),
            ),
            (
                _("Two reach %(target)s in the same round: who wins?") % facts,
                _(
                    "Who reaches it first in play wins there and then. After settlement the "
                    "higher score wins."
                ),
            ),
        ]
    if not rules.draw:
        found.append(
            (
                _("What is the boneyard for?"),
                _("For nothing but luck: those tiles stay hidden until the round is over."),
            )
        )
    return found


def _text(choice: Choice) -> str:
    return _("%(tile)s %(side)s") % {"tile": choice.tile, "side": SIDES[choice.end]}


def _verdict(scene: Scene, rules: RuleSet) -> str:
    if not rules.multiple:
        return _("It fits. In this game a play pays nothing; going out does.")
    if scene.pays:
        return _("%(sum)s: that pays %(points)s points.") % {
            "sum": scene.sum,
            "points": scene.pays,
        }
    return _("%(sum)s: no multiple of %(multiple)s, so it pays nothing.") % {
        "sum": scene.sum,
        "multiple": rules.multiple,
    }


def _by_seats(numbers: list[int]) -> str:
    return str(numbers[0]) if len(set(numbers)) == 1 else " / ".join(map(str, numbers))
