"""What the rules pages say of a play and of a settlement: numbers of the engine, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.rules import RuleSet
from engine.scoring import rounded
from pages.figures import signed


def verdict(rules: RuleSet, counted: str, total: int, pays: int) -> str:
    """What a play is paid, and why; `counted` is its sum, "6 + 0 + 4 = 10"."""
    if not rules.multiple:
        return _("It fits. In this game a play pays nothing; going out does.")
    facts = {"sum": counted, "points": pays, "multiple": rules.multiple, "gate": rules.gate}
    if pays:
        paid = ngettext(
            "%(sum)s: that pays %(points)s point.", "%(sum)s: that pays %(points)s points.", pays
        )
        return paid % facts
    if not total:
        return _("%(sum)s: nothing is no score.") % facts
    if total % rules.multiple:
        return _("%(sum)s: no multiple of %(multiple)s, so it pays nothing.") % facts
    if total < rules.gate:
        return _("%(sum)s: with a score of nothing you need %(gate)s or more at once.") % facts
    return _("%(sum)s: a multiple of %(multiple)s, but nobody called it.") % facts


def settled(
    rules: RuleSet, pips: Sequence[int], points: Sequence[int], names: Sequence[str]
) -> str:
    """How pips left became points, seat by seat without partners: "Béla 13 → 15. Ana: +15." """
    if rules.settle == "each_deducts":
        parts = [f"{name} {left} → {signed(-rounded(left, rules.rounding))}"
                 for name, left in zip(names, pips, strict=False) if left]  # fmt: skip
        return f"{', '.join(parts)}."
    winner = max(range(len(points)), key=points.__getitem__)
    losers = [(names[seat], left) for seat, left in enumerate(pips) if seat != winner]
    paid = f"{names[winner]}: {signed(points[winner])}."
    if rules.settle == "winner_collects_total" and len(losers) > 1:
        left = " + ".join(f"{name} {left}" for name, left in losers)
        total = sum(left for _name, left in losers)
        return f"{left} = {total} → {rounded(total, rules.rounding)}. {paid}"
    parts = [
        f"{name} {left} → {rounded(left, rules.rounding)}"
        if rules.rounding > 1
        else f"{name} {left}"
        for name, left in losers
    ]
    return f"{', '.join(parts)}. {paid}"
