"""Languages: the address of a page in each of them, and which one a reader would rather have.

A page in English has its bare address (``/rules``), in any other language the same one behind the
language's code (``/tr/rules``): so whoever follows a link, searches or shares sees one language at
one address.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import (
    get_language,
    get_language_from_request,
    get_supported_language_variant,
)

from players.models import Player

NEUTRAL = ("/api/", "/admin/", "/static/")
"""Addresses without a language of their own: they speak the reader's."""


def names() -> dict[str, str]:
    """The site's languages by code, each with the name that it has in itself."""
    return dict(settings.LANGUAGES)


def parted(path: str) -> tuple[str, str]:
    """The language of an address, and the address without it.

    ``/tr/rules`` → ``("tr", "/rules")``; ``/rules`` → ``("en", "/rules")``
    """
    code, _slash, rest = path[1:].partition("/")
    if code in names() and code != settings.LANGUAGE_CODE:
        return code, f"/{rest}"
    return settings.LANGUAGE_CODE, path


def in_language(path: str, code: str) -> str:
    """The same address in a language; it may have a query."""
    bare = parted(path)[1]
    return bare if code == settings.LANGUAGE_CODE else f"/{code}{bare}"


def is_neutral(path: str) -> bool:
    return path.startswith(NEUTRAL)


def spoken(code: str) -> str:
    """One of the site's languages for any code; English for what it doesn't speak."""
    try:
        return get_supported_language_variant(code)
    except LookupError:
        return str(settings.LANGUAGE_CODE)


def preferred(request: HttpRequest, player: Player | None) -> str:
    """What the reader would rather have: as they chose, else as their browser is set."""
    if player is not None and player.language in names():
        return player.language
    return of_browser(request)


def of_browser(request: HttpRequest) -> str:
    """What the browser asks for: by what was chosen in it, else by how it is set."""
    return get_language_from_request(request)


def active() -> str:
    """The language of what is being made now."""
    return get_language() or settings.LANGUAGE_CODE
