"""A case's evidence in sentences, from the plain facts that a detector found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from fairplay.models import Case, Decision
from pages import figures
from ratings.pools import POOLS, title_of

LONGEST_ODDS: Final = 1_000_000
SIGNS: Final = {
    "fresh": gettext_lazy("The loser’s account was new."),
    "given_up": gettext_lazy("The loser gave up many of these matches."),
    "weaker": gettext_lazy("Against everybody else the winner does worse than the rating says."),
    "place": gettext_lazy("Both sign in from one place: the same address and browser."),
    "made_together": gettext_lazy(
        "Both accounts were made within a week, and hardly meet anybody else."
    ),
}

FOUND: Final = {
    Case.Kind.FARMING: gettext_lazy(
        "%(winner)s won %(wins)d of %(count)d matches against %(loser)s, where %(expected)s "
        "were to be expected (%(odds)s). They are %(percent)s of all that %(winner)s "
        "played, and brought %(gain)d points."
    ),
    Case.Kind.CIRCLE: gettext_lazy(
        "%(winner)s won %(wins)d of %(count)d matches against %(feeders)d accounts that hardly "
        "meet anybody else, where %(expected)s were to be expected (%(odds)s). They brought "
        "%(gain)d points, %(percent)s of all that %(winner)s gained."
    ),
    Case.Kind.THROWING: gettext_lazy(
        "%(winner)s lost %(lost)d of %(count)d matches in the four weeks before entering "
        "“%(name)s”, an event for ratings up to %(limit)d (%(odds)s): from %(before)d down to "
        "%(after)d."
    ),
    Case.Kind.ACCOUNTS: gettext_lazy(
        "%(winner)s won %(wins)d of %(count)d matches against %(loser)s, who met somebody else "
        "in %(others)d (%(odds)s)."
    ),
    Case.Kind.HELPING: gettext_lazy(
        "%(winner)s and %(loser)s sat together at %(count)d of %(of)d tables of three and "
        "four, and beat %(surplus)s more of the others there than was to be expected "
        "(%(odds)s)."
    ),
}
"""What a detector found, by its kind of case; reports speak for themselves."""


def sentences(case: Case, names: Sequence[str]) -> list[str]:
    """What was found; `names` are those of its players, in their order there."""
    if case.kind not in FOUND:
        return []
    facts = case.facts
    one, two = [*names, "…", "…"][:2]
    known = _written(facts) | {"odds": odds(facts["p"]), "winner": one, "loser": two}
    said = [FOUND[Case.Kind(case.kind)] % known]
    said += [str(SIGNS[sign]) for sign in facts.get("signs", ())]
    if case.kind == Case.Kind.THROWING and facts["given_up"]:
        said.append(_given_up(facts["given_up"]))
    if facts.get("pool") in POOLS:
        said.append(str(title_of(facts["pool"])))
    return said


def _written(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts, with shares and fractions as the language writes them."""
    shares = {key: figures.percent(facts[key]) for key in ("percent", "surplus") if key in facts}
    means = {key: figures.tenths(facts[key]) for key in ("expected",) if key in facts}
    return {**facts, **shares, **means}


def _given_up(count: int) -> str:
    said = ngettext(
        "%(given_up)d of them was given up.", "%(given_up)d of them were given up.", count
    )
    return said % {"given_up": count}


def odds(p: float) -> str:
    """A chance in words: "1 in 12,000", of two figures."""
    one_in = min(LONGEST_ODDS, 1 / p if p > 0 else LONGEST_ODDS)
    figures = max(0, len(str(int(one_in))) - 2)
    n = number_format(round(one_in, -figures), 0, force_grouping=True)
    if one_in == LONGEST_ODDS:
        return _("less than 1 in %(n)s") % {"n": n}
    return _("1 in %(n)s") % {"n": n}


def decision(row: Decision) -> list[str]:
    """What was decided, then for how long, what name, how many matches."""
    said = [str(row.get_action_display())]
    if days := row.facts.get("days"):
        said.append(ngettext("%(n)d day", "%(n)d days", days) % {"n": days})
    if "before" in row.facts:
        said.append(f"{row.facts['before']} → {row.facts['after']}")
    if matches := row.facts.get("matches"):
        said.append(ngettext("%(n)d match", "%(n)d matches", len(matches)) % {"n": len(matches)})
    return said
