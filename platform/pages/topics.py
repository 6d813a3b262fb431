"""What an open page can listen to, and who may.

A topic's name says what a page shows: ``me`` (its reader's notices, tables and seek), ``lobby``,
``quick`` (who waits for a match), ``event:7``, ``ladder:3``, ``table:4fT0kq9ZcLx2``. To hear one is
to know that something has changed, never what: the page asks for that over HTTP, by the rights of
any page. ``me`` is whoever the session says, so nobody can even name somebody else's.
"""

from __future__ import annotations

from typing import Final

from games import events
from players.models import Player
from quickplay.services import QUICK
from tournaments import selectors, topics
from tournaments.ladders import selectors as ladders
from tournaments.permissions import may_see

OPEN_TO_ALL: Final = frozenset((events.LOBBY, QUICK))


def key_of(name: str, viewer: Player | None) -> str | None:
    """What pokes call the topic of that name; None where this viewer may not hear it, or there is
    none, which look the same.
    """
    if name in OPEN_TO_ALL:
        return name
    if name == "me":
        return None if viewer is None else events.of_player(viewer.pk)
    kind, _, which = name.partition(":")
    match kind:
        case "table":
            return which
        case "event":
            event = selectors.by_pk(int(which))
            return topics.of_event(int(which)) if event and may_see(event, viewer) else None
        case "ladder":
            return topics.of_ladder(int(which)) if ladders.by_pk(int(which)) else None
    return None


def keys_of(names: tuple[str, ...], viewer: Player | None) -> dict[str, str]:
    """By name, those that the viewer may hear."""
    found = ((name, key_of(name, viewer)) for name in names)
    return {name: key for name, key in found if key is not None}
