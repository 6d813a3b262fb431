"""Which pool a match is rated in, who may be ranked, and why a match is not rated. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ratings.glicko import variance_of

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

GAMES: dict[str, _StrPromise] = {
    "allfives": _("All Fives"),
    "draw": pgettext_lazy("game", "Draw"),
    "block": pgettext_lazy("game", "Block"),
}
KINDS: dict[str, _StrPromise] = {
    "1v1": _("one against one"),
    "table": _("tables of three and four"),
    "partners": _("partners"),
}
POOLS = tuple(f"{game}-{kind}" for game in GAMES for kind in KINDS)

PRIOR_DEVIATION = {"allfives": 130.0, "draw": 90.0, "block": 130.0}
"""RD of an unknown player, by game: as wide as the pool's skill, or predictions are worse than a
coin's."""

MAX_DEVIATION = 75.0
MIN_MATCHES = 20
MIN_OPPONENTS = 8
ACTIVE_DAYS = 60
"""Who is ranked: known well enough, against enough different people, and lately."""

DAMPING_WINDOW = timedelta(days=7)
UNVERIFIED_WEIGHT = 0.5


def pool_key(game: str, kind: str) -> str:
    """The pool's key: ``pool_key("allfives", "1v1")`` is "allfives-1v1". ValueError if unknown."""
    key = f"{game}-{kind}"
    if key not in POOLS:
        raise ValueError(f"There is no pool {key!r}.")
    return key


def kind_of(seats: int, partners: bool) -> str:
    """The kind of table: "1v1", "table" or "partners"."""
    if partners:
        return "partners"
    return "1v1" if seats == 2 else "table"


def prior_of(pool: str) -> float:
    """The variance of an unknown player of this pool (RD0 squared, logit scale).

    The site may have fitted it (`rating_fit`, RATING_WIDTHS).
    """
    fitted: float | None = settings.RATING_WIDTHS.get(pool)
    return variance_of(fitted or deviation_as_new(pool))


def deviation_as_new(pool: str) -> float:
    """RD of an unknown player of this pool where the site has fitted none, in points."""
    return PRIOR_DEVIATION[pool.partition("-")[0]]


def title_of(pool: str) -> str:
    """The pool's name for people: "All Fives, one against one"."""
    game, _dash, kind = pool.partition("-")
    return pgettext_lazy("rating pool", "%(game)s, %(kind)s") % {
        "game": GAMES[game],
        "kind": KINDS[kind],
    }


UNRATED: dict[str, _StrPromise] = {
    "not_rated": _("The table was opened as unrated."),
    "bot": _("A computer player took part."),
    "guest": _("A guest without an account took part."),
    "empty_seat": _("Not every seat was taken."),
    "bye": _("It was a bye: nobody played."),
    "walk_over": _("It was a walk-over: nobody played."),
    "no_show": _("Somebody did not appear."),
    "forfeit": _("The match was forfeited."),
    "stopped": _("The match was stopped before half the target was reached."),
    "cancelled": _("The match was cancelled."),
    "annulled": _("The result was annulled."),
}
"""Why a match is not rated: code to sentence."""

_STOPPED_BY = {
    "forfeit": "forfeit",
    "forfeited": "forfeit",
    "no_show": "no_show",
    "walk_over": "walk_over",
    "bye": "bye",
    "cancelled": "cancelled",
}


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sat on a seat, as far as rating is concerned. `player` is None on an empty seat."""

    player: int | None
    guest: bool = False
    bot: bool = False


def why_unrated(
    *, rated: bool, reason: str, reached_half: bool, seats: Sequence[Seat]
) -> str | None:
    """The code (see UNRATED) of the first reason not to rate a finished match; None if it counts.

    `reason` is how the match ended (engine: target, resigned, forfeit, no_show, …).
    """
    if any(seat.bot for seat in seats):
        return "bot"
    if any(seat.player is None for seat in seats):
        return "empty_seat"
    if any(seat.guest for seat in seats):
        return "guest"
    if not rated:
        return "not_rated"
    if reason in _STOPPED_BY:
        return _STOPPED_BY[reason]
    return None if reason == "target" or reached_half else "stopped"


def places_of(places: Sequence[int], left: Sequence[int]) -> tuple[int, ...]:
    """The places to rate by: whoever left the match (sides, from 0) shares the last place.

    >>> places_of([1, 2, 3], [0])
    (3, 1, 2)
    >>> places_of([1, 1, 3, 4], [1, 2])
    (1, 3, 3, 2)
    """
    keys = [(side in left, 0 if side in left else place) for side, place in enumerate(places)]
    return tuple(1 + sum(other < key for other in keys) for key in keys)
