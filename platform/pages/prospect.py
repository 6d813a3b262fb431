"""How an event will go, in words: its stages, their rounds, and about how long it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages import words
from pages.forms import EventForm
from tournaments import foresight
from tournaments.errors import TournamentError
from tournaments.foresight import Part
from tournaments.models import Tournament
from tournaments.options import checked

NEEDED: Final = (
    "format",
    "options",
    "best_of",
    "rules",
    "play",
    "turn_seconds",
    "break_seconds",
    "round_minutes",
    "later_stages",
)
STEP: Final = 5
LONG: Final = 120


@dataclass(frozen=True, slots=True)
class Prospect:
    """A line for each stage, and one for all of it."""

    lines: tuple[str, ...]
    total: str


def of_event(event: Tournament) -> Prospect:
    """The prospect of an event with those who are in, or before that with all places taken."""
    settings = {key: getattr(event, key) for key in NEEDED}
    is_known = not event.is_before_start or event.taken > 2
    return _said(settings, event.taken if is_known else event.capacity)


def of_form(form: EventForm) -> Prospect | None:
    """The same of a form that is filled in; None while something in it is wrong."""
    if not form.is_valid():
        return None
    settings = form.settings()
    settings = {"rules": {"preset": "allfives"}, **settings}
    fallback = form.event or Tournament()
    try:
        settled = checked(settings, form.event)
    except TournamentError as refused:
        form.refuse(refused)
        return None
    known = {key: settled.get(key, getattr(fallback, key)) for key in NEEDED}
    return _said(known, settled.get("capacity", fallback.capacity))


def _said(settings: Mapping[str, Any], entrants: int) -> Prospect:
    parts = foresight.parts(settings, entrants)
    lines = tuple(_line(part) for part in parts)
    return Prospect(lines, _total(parts, entrants))


def _line(part: Part) -> str:
    """A stage in a line: "Groups, 16 entrants: 3 rounds, 24 matches, 40 to 70 minutes"."""
    facts: dict[str, Any] = {
        "format": words.FORMATS.get(part.format, part.format),
        "n": part.entrants,
        "time": span(part.least, part.most),
    }
    if not part.rounds:
        return _("%(format)s, %(n)s entrants: %(time)s") % facts
    facts["rounds"] = ngettext("%(n)s round", "%(n)s rounds", part.rounds) % {"n": part.rounds}
    facts["matches"] = ngettext("%(n)s match", "%(n)s matches", part.matches) % {"n": part.matches}
    return _("%(format)s, %(n)s entrants: %(rounds)s, %(matches)s, %(time)s") % facts


def _total(parts: Sequence[Part], entrants: int) -> str:
    facts = {
        "n": entrants,
        "time": span(sum(part.least for part in parts), sum(part.most for part in parts)),
    }
    return _("With %(n)s entrants all of it takes about %(time)s.") % facts


def span(least: int, most: int) -> str:
    """A span of minutes as people say it.

    >>> span(38, 71), span(130, 250), span(30, 30)
    ('40 to 70 minutes', '2 to 4 hours', '30 minutes')
    """
    if most <= LONG:
        low, high = _near(least, STEP), _near(most, STEP)
        if low == high:
            return ngettext("%(n)s minute", "%(n)s minutes", high) % {"n": high}
        return _("%(low)s to %(high)s minutes") % {"low": low, "high": high}
    return _("%(low)s to %(high)s hours") % {"low": _halves(least), "high": _halves(most)}


def _near(minutes: int, step: int) -> int:
    return max(step, round(minutes / step) * step)


def _halves(minutes: int) -> str:
    """Hours to the half.

    >>> _halves(20), _halves(95), _halves(250)
    ('½', '1½', '4')
    """
    hours, half = divmod(max(1, round(minutes / 30)), 2)
    return f"{hours or ''}{'½' if half else ''}"
