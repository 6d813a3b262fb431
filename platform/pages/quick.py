"""Quick play as pages show it: what can be played, and how one's own seek stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from pages import words
from players.models import Player
from quickplay import selectors
from quickplay.models import Seek
from quickplay.queues import DEFAULT_PACE, OFFERS, PACES, QUEUES, Offer, Queue

PACE_WORDS = {
    "blitz": pgettext_lazy("pace", "Blitz"),
    "normal": pgettext_lazy("pace", "Normal"),
    "relaxed": pgettext_lazy("pace", "Relaxed"),
}
STAKES = {
    "rated": _("Rated"),
    "unrated": _("Unrated"),
    "either": pgettext_lazy("stakes", "Either"),
}
STEP = 100
"""How finely the page tells how far one's reach goes, so that it doesn't change all the time."""
MENTIONED_FOR = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Tile:
    """A button of the grid. `counts` are pace and how many wait, where somebody does."""

    key: str
    game: str
    target: int
    size: str
    counts: Sequence[tuple[str, int]]


def grid(viewer: Player | None, last: Seek | None) -> dict[str, Any]:
    """What the form of quick play shows: the tiles, and what is chosen as in the `last` seek."""
    pace = QUEUES[last.queue].pace if last and last.queue in QUEUES else DEFAULT_PACE
    return {
        "tiles": tiles(),
        "paces": [(key, name, PACES[key][0], key == pace) for key, name in PACE_WORDS.items()],
        "stakes": [(key, name, key == _stakes(last)) for key, name in STAKES.items()]
        if viewer is not None and not viewer.is_guest
        else [],
        "friends": [offer.key for offer in OFFERS if offer.partners],
        "seeking": last if last and last.is_open else None,
    }


def tiles() -> list[Tile]:
    counts = selectors.waiting()
    return [_tile(offer, counts) for offer in OFFERS]


def _tile(offer: Offer, counts: Mapping[str, int]) -> Tile:
    found = ((pace, counts.get(Queue(offer, pace).key, 0)) for pace in PACES)
    return Tile(
        key=offer.key,
        game=words.preset(offer.preset),
        target=offer.target,
        size=words.table_size(offer.seats, offer.partners),
        counts=[each for each in found if each[1]],
    )


def _stakes(seek: Seek | None) -> str:
    if seek is None or (seek.rated and not seek.unrated):
        return "rated"
    return "either" if seek.rated else "unrated"


def title_of(queue: Queue) -> str:
    """ "All Fives, target: 150"."""
    facts = {"game": words.preset(queue.offer.preset), "points": queue.offer.target}
    return gettext("%(game)s, target: %(points)s") % facts


def size_of(queue: Queue) -> str:
    return words.table_size(queue.offer.seats, queue.offer.partners)


def range_of(own: selectors.Own) -> str:
    """How far the search reaches, in words."""
    if own.reach is None:
        return gettext("Anybody will do now.")
    points = -(-own.reach // STEP) * STEP
    return gettext("Within %(points)s rating points of yours; the range grows.") % {
        "points": points
    }


def has_lapsed(last: Seek | None) -> bool:
    """Whether somebody's last seek was closed a moment ago, as they gave no sign of life."""
    return (
        last is not None
        and last.closed_as == Seek.End.LAPSED
        and last.closed_at is not None
        and timezone.now() - last.closed_at < MENTIONED_FOR
    )
