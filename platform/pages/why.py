"""Why a pairing, and why a rank, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pages.criteria_words import NAMES, points_text, value_text
from tournaments.board import Board
from tournaments.formats.ranking import reasons_of
from tournaments.standings.cards import POINT
from tournaments.standings.reasons import Part, Reason

_RULED_OUT: Final = {
    "met": gettext_lazy("They have met, in round %(round)s."),
    "apart": gettext_lazy("They are to be kept apart."),
    "seat": gettext_lazy("Both were due the same seat, the first or the second."),
    "whole": gettext_lazy("The round as a whole comes out better like this."),
}
_KINDS: Final = {
    "unplayed": gettext_lazy("not played"),
    "dummy": gettext_lazy("not played: a stand-in counts"),
    "absent": gettext_lazy("not in this round"),
    "lot": gettext_lazy("drawn by lot"),
}


def pairing_words(why: Mapping[str, Any], first: str, names: Mapping[int, str]) -> list[str]:
    """By which rule a pairing of a Swiss was made, a sentence each; none for other rules. `first`
    is the name in the first place.
    """
    if why.get("rule") == "swiss_bye":
        return _bye_words(why)
    if why.get("rule") != "swiss":
        return []
    one, other = why["points"]
    said = []
    if one == other:
        facts = {"points": points_text(one), "group": why["group"]}
        said.append(_("Both had %(points)s points, like %(group)s in all.") % facts)
        if why["group_met_before"]:
            text = _("%(name)s has met %(n)s of them already.")
            said.append(text % {"name": first, "n": why["group_met_before"]})
    else:
        high, low = max(one, other), min(one, other)
        facts = {"high": points_text(high), "low": points_text(low)}
        said.append(_("One had %(high)s points, the other %(low)s.") % facts)
        if why.get("odd"):
            said.append(_("The upper group was odd, so one of it meets the next group."))
    if why.get("met_before"):
        said.append(_("A rematch: no round without one was left."))
    return said + _instead_words(why, names)


def _bye_words(why: Mapping[str, Any]) -> list[str]:
    said = [_("An odd number was in, so one has a bye, which is worth a point.")]
    facts = {"n": why["byes_before"], "points": points_text(int(why["points"]))}
    said.append(
        _(
            "It goes to the lowest group in which somebody has had the fewest: "
            "%(points)s points, %(n)s byes or forfeit wins before."
        )
        % facts
    )
    return said


def _instead_words(why: Mapping[str, Any], names: Mapping[int, str]) -> list[str]:
    wanted, own = names.get(why.get("wanted", 0)), names.get(why.get("of", 0))
    if wanted is None or own is None:
        return []
    order = _("by lot") if why.get("order") == "random" else _("by seed")
    said = _("In the order of the group (%(order)s) %(own)s was to meet %(name)s.") % {
        "order": order,
        "own": own,
        "name": wanted,
    }
    reason = str(_RULED_OUT[why.get("ruled_out", "whole")])
    return [said, reason % {"round": why.get("met_in", "")} if "%(" in reason else reason]


@dataclass(frozen=True, slots=True)
class Summand:
    """A part of a criterion's sum, as text; `out` is what doesn't count."""

    round: int
    who: str
    value: str
    note: str
    out: bool


@dataclass(frozen=True, slots=True)
class Sum:
    """A criterion with its value and its parts."""

    title: str
    about: str
    value: str
    parts: tuple[Summand, ...]


def rank_sums(board: Board, seed: int) -> list[Sum]:
    """Every criterion's sum of an entrant, part by part. KeyError if it has none."""
    plan = board.plan()
    own = getattr(board.format, "CRITERIA", ())
    found = reasons_of(board.field, plan.cards, plan.table, own, seed)
    return [_sum(board, reason) for reason in found]


def _sum(board: Board, reason: Reason) -> Sum:
    title, about = NAMES[reason.key]
    value = "–" if reason.value is None else value_text(reason.key, reason.value)
    parts = [part for part in reason.parts if part.round or part.opponents]
    return Sum(str(title), str(about), value, tuple(_summand(board, reason, p) for p in parts))


def _summand(board: Board, reason: Reason, part: Part) -> Summand:
    who = ", ".join(board.entrants[seed].label for seed in part.opponents)
    kind = str(_KINDS.get(part.kind, ""))
    note = kind if part.counts else "; ".join(filter(None, [kind, _("left out")]))
    return Summand(part.round, who, _part_value(reason, part), note, not part.counts)


def _part_value(reason: Reason, part: Part) -> str:
    if reason.per == 1:
        return value_text(reason.key, part.value)
    exact = part.value / reason.per
    return points_text(int(exact)) if exact == int(exact) else f"{exact / POINT:.2f}"


def outlook_words(best: int | None, worst: int | None) -> str:
    """The ranks that are still possible, in words; "" where that is not known or says nothing."""
    if best is None or worst is None:
        return ""
    if best == worst:
        return _("sure of rank %(rank)s") % {"rank": best}
    return _("can still come in from %(best)s to %(worst)s") % {"best": best, "worst": worst}


def decided_words(key: str, own: int, other: int) -> str:
    """What parted two who are level on points: "ahead on Buchholz, 14 to 12½"."""
    facts = {
        "criterion": NAMES[key][0],
        "own": value_text(key, own),
        "other": value_text(key, other),
    }
    if own > other:
        return _("ahead on %(criterion)s, %(own)s v %(other)s") % facts
    return _("behind on %(criterion)s, %(own)s v %(other)s") % facts


def names_of(board: Board, wanted: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """The names by seed that the reasons of those pairings speak of."""
    seeds = {why.get(key) for why in wanted if "wanted" in why for key in ("wanted", "of")}
    return {seed: board.entrants[seed].label for seed in seeds if seed in board.entrants}
