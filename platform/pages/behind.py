"""The pages behind an event: who may open them, and what they lead to."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from players import sessions
from players.models import Player
from tournaments import selectors
from tournaments.models import Tournament
from tournaments.permissions import Right, rights_of

# Address, title, and the right that opens it.
PLACES: tuple[tuple[str, str | Promise, Right], ...] = (
    ("pages:desk", _("Desk"), "look"),
    ("pages:entries", _("Entries"), "entrants"),
    ("pages:officials", _("Officials"), "settings"),
    ("pages:log", _("Log"), "look"),
)


@dataclass(frozen=True, slots=True)
class Link:
    title: str | Promise
    url: str
    here: bool


class NotSignedIn(Exception):
    """Nobody is signed in: `response` leads to where one does."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.response = response


def open_for(request: HttpRequest, slug: str, right: Right) -> tuple[Tournament, Player]:
    """The event, and who looks, if that is theirs to do.

    Raises Http404 for an event they may not know of, PermissionDenied for one that they may, and
    NotSignedIn.
    """
    event = selectors.by_slug(slug)
    viewer = sessions.player_of(request)
    if viewer is None:
        raise NotSignedIn(redirect_to_login(request.get_full_path()))
    rights = rights_of(event, viewer) if event is not None else frozenset()
    if event is None or (event.status == Tournament.Status.DRAFT and "see" not in rights):
        raise Http404
    if right not in rights:
        raise PermissionDenied
    return event, viewer


def links(event: Tournament, viewer: Player | None, here: str = "") -> list[Link]:
    """What the viewer may open behind the event; `here` is the page one is on."""
    rights = rights_of(event, viewer)
    found = []
    for name, title, right in PLACES:
        if right in rights:
            try:
                url = reverse(name, args=[event.slug])
            except NoReverseMatch:
                continue
            found.append(Link(title, url, name == here))
    return found
