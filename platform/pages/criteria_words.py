"""The criteria as pages name them, and their values as people write them."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from pages.figures import MINUS, hundredths, signed
from tournaments.standings.cards import POINT

NAMES: Final = {
    "points": (gettext_lazy("Points"), gettext_lazy("Points of all rounds.")),
    "wins": (gettext_lazy("wins"), gettext_lazy("Rounds won against an opponent.")),
    "direct": (
        gettext_lazy("direct encounter"),
        gettext_lazy("What those level on points made against each other, if all of them met."),
    ),
    "buchholz": (gettext_lazy("Buchholz"), gettext_lazy("The points of all opponents.")),
    "buchholz_cut": (
        gettext_lazy("Buchholz without the lowest"),
        gettext_lazy("The points of all opponents but the one with the fewest."),
    ),
    "buchholz_median": (
        gettext_lazy("median Buchholz"),
        gettext_lazy("The points of all opponents without the fewest and the most."),
    ),
    "sonneborn": (
        gettext_lazy("Sonneborn-Berger"),
        gettext_lazy("The points of those beaten, and half of those drawn with."),
    ),
    "strength": (
        gettext_lazy("the opponents’ points"),
        gettext_lazy("The points of the opponents, averaged over each table."),
    ),
    "scored": (
        gettext_lazy("points scored at the table"),
        gettext_lazy("Points scored in the matches."),
    ),
    "difference": (
        gettext_lazy("points difference"),
        gettext_lazy("Points scored in the matches less those conceded."),
    ),
    "games": (
        gettext_lazy("games won"),
        gettext_lazy("Of pairings that are the best of several."),
    ),
    "lot": (pgettext_lazy("criterion", "lot"), gettext_lazy("Drawn by the event’s seed.")),
}
"""Name and explanation by key."""
SHORT: Final = {
    "wins": gettext_lazy("Wins"),
    "sonneborn": gettext_lazy("SB"),
    "difference": "±",
    "scored": gettext_lazy("Scored"),
    "strength": gettext_lazy("Opp"),
    "buchholz": gettext_lazy("Bh"),
    "buchholz_cut": gettext_lazy("Bh−1"),
    "buchholz_median": gettext_lazy("BhM"),
    "games": pgettext_lazy("criterion", "Games"),
    "lot": gettext_lazy("Lot"),
}
"""The heads of the columns."""
IN_POINTS: Final = frozenset(
    {"points", "direct", "strength", "sonneborn", "buchholz", "buchholz_cut", "buchholz_median"}
)


def value_text(key: str, value: int) -> str:
    """A criterion's value as people write it."""
    if key == "strength":  # an average: of halves and thirds, so all of them as decimals
        return hundredths(value / POINT)
    if key in IN_POINTS:
        return points_text(value)
    return signed(value) if key == "difference" else str(value)


def points_text(twelfths: int) -> str:
    """Points as people write them.

    >>> [points_text(value) for value in (0, 6, 12, 30, -6)]
    ['0', '½', '1', '2½', '−½']
    """
    whole, rest = divmod(abs(twelfths), POINT)
    if rest == POINT // 2:
        return f"{MINUS if twelfths < 0 else ''}{whole or ''}½"
    return hundredths(twelfths / POINT)
