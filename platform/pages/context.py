"""What every page shows besides itself."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject, cached_property

from fairplay.models import Case
from notices.selectors import unread
from pages.tongues import Alternate, Offer, alternates, canonical, offer
from pages.waiting import Waiting, waiting_for
from players import languages, sessions
from players.models import Player

NAME = "Muggins"


class Site:
    """The site's name, who is looking, in which colours and language, and where they are
    waited for.
    """

    name = NAME
    themes = Player.Theme.choices

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        self.player = sessions.player_of(request)

    @cached_property
    def unread(self) -> int:
        return 0 if self.player is None else unread(self.player)

    @cached_property
    def open_cases(self) -> int:
        """How many cases wait for a moderator."""
        return Case.objects.filter(state=Case.State.OPEN).count()

    @property
    def mail_is_set_up(self) -> bool:
        return bool(settings.MAIL_IS_SET_UP)

    @property
    def theme(self) -> str:
        if self.player is not None:
            return self.player.theme
        session = getattr(self._request, "session", None)
        return str(session.get("theme", "")) if session is not None else ""

    @property
    def languages(self) -> list[tuple[str, str]]:
        return list(languages.names().items())

    @property
    def canonical(self) -> str:
        return canonical(self._request)

    @cached_property
    def alternates(self) -> list[Alternate]:
        """None for what isn't a page of ours, and on a site with a single language."""
        found = self._request.resolver_match is not None and len(languages.names()) > 1
        return alternates(self._request) if found else []

    @cached_property
    def offer(self) -> Offer | None:
        return offer(self._request, self.player)

    @property
    def waiting(self) -> Waiting | None:
        """None on the very table's page, where waiting would mean oneself."""
        if self.player is None:
            return None
        found = waiting_for(self.player)
        here = getattr(self._request.resolver_match, "kwargs", {}).get("match_id")
        return None if found is None or found.match_id == here else found


def site(request: HttpRequest) -> dict[str, Any]:
    """The context processor: ``site``, made when a template first asks for it."""
    return {"site": SimpleLazyObject(lambda: Site(request))}
