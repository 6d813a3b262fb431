"""Why a rank, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pages.criteria_words import NAMES, value_text
from pages.figures import hundredths
from tournaments.board import Board
from tournaments.formats.ranking import reasons_of
from tournaments.standings.cards import POINT
from tournaments.standings.reasons import Part, Reason

_KINDS: Final = {
    "unplayed": gettext_lazy("not played"),
    "dummy": gettext_lazy("not played: a stand-in counts"),
    "absent": gettext_lazy("not in this round"),
    "lot": gettext_lazy("drawn by lot"),
}


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
    plan = board.fold()
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
    return hundredths(part.value / reason.per / POINT)


def outlook_words(best: int | None, worst: int | None) -> str:
    """The ranks that are still possible, in words; "" where that is not known or says nothing."""
    if best is None or worst is None:
        return ""
    if best == worst:
        return _("sure of rank %(rank)s") % {"rank": best}
    return _("can still finish from %(best)s to %(worst)s") % {"best": best, "worst": worst}


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
