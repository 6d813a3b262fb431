"""The rules pages: their sections, and every number in them, from the rule set that was chosen.

The sentences are templates; whatever is a number, or a judgement of a play, comes from here and
from the engine, so that what people read is what is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.rules import PRESETS, SEATS, RuleSet
from engine.scoring import rounded
from engine.tiles import COUNT, HIGH
from games import clock
from games.models import Match
from pages import house_rules, rule_examples, rule_questions, sample_round, words

TABS: Final = {"all-fives": "allfives", "draw": "draw", "block": "block"}
"""A page's address and the preset that names it."""

STEP: Final = "step"
PIPS_LEFT: Final = (13, 12, 7, 6, 4, 2)

SECTIONS: Final[Mapping[str, str | Promise]] = {
    "names": gettext_lazy("The game and its names"),
    "short": gettext_lazy("In short"),
    "deal": gettext_lazy("The deal"),
    "lead": gettext_lazy("The lead"),
    "turn": gettext_lazy("A turn"),
    "scoring": gettext_lazy("Scoring in play"),
    "spinner": gettext_lazy("The spinner"),
    "claims": gettext_lazy("Muggins: calling and claiming"),
    "end": gettext_lazy("The end of a round"),
    "winning": gettext_lazy("Winning"),
    "round": gettext_lazy("A round, step by step"),
    "tips": gettext_lazy("Tips"),
    "questions": gettext_lazy("Questions"),
    "variants": gettext_lazy("House rules"),
    "site": gettext_lazy("What this site plays"),
}
"""The sections in their order: the id, which is also the name of the template, and the heading."""

TITLES: Final = {
    "all-fives": (
        gettext_lazy("How All Fives is played"),
        gettext_lazy("How All Fives dominoes is played and scored, with examples to try."),
    ),
    "draw": (
        gettext_lazy("How the Draw game is played"),
        gettext_lazy("How the Draw game of dominoes is played and scored, with examples to try."),
    ),
    "block": (
        gettext_lazy("How the Block game is played"),
        gettext_lazy("How the Block game of dominoes is played and scored, with examples to try."),
    ),
}
"""A page's heading, and what search engines are to say of it."""

LEADS: Final = {
    "highest_double": gettext_lazy("highest double"),
    "random": gettext_lazy("drawn by lot"),
    "winner": gettext_lazy("whoever went out"),
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


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: its id and its template, and its heading."""

    key: str
    title: str

    @property
    def template(self) -> str:
        return f"pages/rules/{self.key}.html"


@dataclass(frozen=True, slots=True)
class Variant:
    """A rule set among the variants; numbers by seats joined with slashes."""

    name: str
    hands: str
    target: str
    first: str
    then: str
    spinner: str
    settle: str
    count: str


@dataclass(frozen=True, slots=True)
class Walk:
    """The sample round at the step that the reader has come to; the addresses of its neighbours."""

    lines: tuple[tuple[str, sample_round.Step, bool], ...]
    now: sample_round.Step
    back: str
    on: str

    @property
    def last(self) -> int:
        return len(self.lines)


def context(slug: str, query: QueryDict) -> dict[str, Any]:
    """What a page shows. `query` holds the chosen rules, the reader's plays and the round's step:
    ``?rules=classic&house=gate&line=6-4@right&step=3``.
    """
    chosen = house_rules.chosen(slug, query)
    two = chosen.rules(2)

    def link(key: str, value: str) -> str:
        changed = query.copy()
        changed[key] = value
        return f"?{changed.urlencode()}#{'round' if key == STEP else key}"

    questions = rule_questions.questions(two)
    return {
        "slug": slug,
        "title": str(TITLES[slug][0]),
        "description": str(TITLES[slug][1]),
        "tabs": [(key, words.PRESETS[of]) for key, of in TABS.items()],
        "sections": sections(two),
        "rules": two,
        "house": {
            "bases": house_rules.bases(slug, chosen),
            "rules": house_rules.houses(chosen),
            "name": house_rules.name(chosen),
            "changed": chosen != house_rules.chosen(slug, QueryDict()),
        },
        "deals": [_deal(chosen.rules(seats)) for seats in SEATS],
        "tiles": COUNT,
        "pips": max(HIGH),
        "leads": rule_examples.leads(two) if two.multiple else [],
        "roundings": [(pips, rounded(pips, two.rounding)) for pips in PIPS_LEFT]
        if two.rounding > 1
        else [],
        "examples": rule_examples.by_section(slug, two, query, link),
        "walk": walk(slug, two, query.get(STEP, ""), link),
        "variants": [variant(key) for key in PRESETS],
        "steps": rule_questions.steps(two),
        "questions": questions,
        "site_plays": site_plays(),
    }


def sections(rules: RuleSet) -> list[Section]:
    """The sections that these rules need."""
    left_out = set()
    if not rules.multiple:
        left_out |= {"scoring", "claims"}
    if not rules.spinner:
        left_out.add("spinner")
    if not rules.called:
        left_out.add("claims")
    return [Section(key, str(title)) for key, title in SECTIONS.items() if key not in left_out]


def walk(slug: str, rules: RuleSet, wanted: str, link: rule_examples.Linker) -> Walk:
    """The sample round, at the step that is wanted or else at the lead."""
    steps = sample_round.steps(rules, sample_round.played(rules, slug))
    n = int(wanted) if wanted.isdecimal() and len(wanted) < 4 else 1
    n = min(max(n, 1), len(steps))
    return Walk(
        lines=tuple((link(STEP, str(step.n)), step, step.n == n) for step in steps),
        now=steps[n - 1],
        back=link(STEP, str(n - 1)) if n > 1 else "",
        on=link(STEP, str(n + 1)) if n < len(steps) else "",
    )


def site_plays() -> dict[str, int]:
    """What a table has unless somebody sets something else, in seconds and turns."""
    fresh = Match()
    return {
        "turn": fresh.turn_seconds,
        "pause": fresh.break_seconds,
        "away": fresh.away_after,
        "claims": int(clock.CLAIM_WINDOW.total_seconds()),
    }


def variant(preset: str) -> Variant:
    """A preset among the variants."""
    by_seats = [RuleSet.parse({"preset": preset}, seats) for seats in SEATS]
    two = by_seats[0]
    return Variant(
        name=str(words.PRESETS[preset]),
        hands=_by_seats([rules.hand_size for rules in by_seats]),
        target=_by_seats([rules.target for rules in by_seats]),
        first=str(LEADS[two.first_lead]),
        then=str(LEADS[two.next_lead]),
        spinner=_("yes") if two.spinner else _("no"),
        settle=str(SETTLES[two.settle])
        if two.rounding > 1
        else _("The winner gets all opponents’ pips."),
        count=str(COUNTS[two.count]) if two.multiple else _("nothing in play"),
    )


def _deal(rules: RuleSet) -> dict[str, int]:
    return {
        "seats": rules.seats,
        "hand": rules.hand_size,
        "left": COUNT - rules.seats * rules.hand_size,
        "target": rules.target,
    }


def _by_seats(numbers: list[int]) -> str:
    return (
        str(numbers[0])
        if len(set(numbers)) == 1
        else "\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}".join(map(str, numbers))
    )
