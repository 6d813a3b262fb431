"""What becomes of so many players in a knockout at tables, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.formats import pod_elimination
from tournaments.formats.pod_bracket import course
from tournaments.models import Tournament

LISTED = 4


def course_line(event: Tournament) -> str:
    """How many sit at which tables, round by round: "13 (4+3+3+3) → 8 (4+4) → 4 at the last
    table"; "" in other formats, and as long as too few have entered.
    """
    if event.format != pod_elimination.ID or event.taken < pod_elimination.MIN_SIZE:
        return ""
    rounds = course(event.taken, event.options["advance"], event.options["five"])
    facts = {"n": event.taken, "course": " → ".join(map(_round, rounds))}
    return (
        ngettext(
            "With %(n)s player, round by round at tables: %(course)s.",
            "With %(n)s players, round by round at tables: %(course)s.",
            event.taken,
        )
        % facts
    )


def _round(seats: Sequence[int]) -> str:
    """The players of a round with their tables: "8 (4+4)"; of many tables "100 (25×4)"."""
    if len(seats) == 1:
        return _("%(n)s at the last table") % {"n": seats[0]}
    counted = Counter(seats).items()
    told = (
        "+".join(map(str, seats))
        if len(seats) <= LISTED
        else " + ".join(f"{count}×{each}" for each, count in counted)
    )
    return f"{sum(seats)} ({told})"
