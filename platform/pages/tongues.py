"""A page in other languages: what search engines are told of it, and what readers are offered.

The first page leads a visitor on to the language of their browser; any other one keeps the language
of its address, since whoever sent the link meant that page, and offers the reader's own in a bar.
A search engine names no language and is led nowhere: it finds all of them by `alternates`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext as _

from players import languages
from players.models import Player

KEPT: Final = ("pool", "stage", "round", "page")
"""What of a query makes another page, and not only another look at it."""


@dataclass(frozen=True, slots=True)
class Alternate:
    """``<link rel="alternate">``: `hreflang` is a language, or x-default."""

    hreflang: str
    url: str


@dataclass(frozen=True, slots=True)
class Offer:
    """The same page in the language `code`, offered in that language."""

    code: str
    rtl: bool
    url: str
    label: str
    text: str
    decline: str


def canonical(request: HttpRequest) -> str:
    """The page's own address, in its own language."""
    return request.build_absolute_uri(_path(request))


def alternates(request: HttpRequest) -> list[Alternate]:
    """The page in each language, and what to show to everybody else: English."""
    path = _path(request)
    every = [*languages.names(), settings.LANGUAGE_CODE]
    urls = [request.build_absolute_uri(languages.in_language(path, code)) for code in every]
    return [
        *(Alternate(code, url) for code, url in zip(languages.names(), urls, strict=False)),
        Alternate("x-default", urls[-1]),
    ]


def _path(request: HttpRequest) -> str:
    query = request.GET.copy()
    for key in list(query):
        if key not in KEPT:
            del query[key]
    return f"{request.path}?{query.urlencode()}" if query else request.path


def elsewhere(request: HttpRequest, player: Player | None) -> str | None:
    """The page's address in the reader's language, when somebody came to it from outside the site;
    None when they are right here.
    """
    wanted = languages.preferred(request, player)
    came = request.headers.get("Sec-Fetch-Site")
    if wanted == languages.active() or came not in ("none", "cross-site"):
        return None
    return languages.in_language(request.get_full_path(), wanted)


def offer(request: HttpRequest, player: Player | None) -> Offer | None:
    """The page in the language that its reader would rather have; None when it is this one."""
    wanted = languages.preferred(request, player)
    if request.method != "GET" or wanted == languages.active():
        return None
    with translation.override(wanted):
        return Offer(
            code=wanted,
            rtl=translation.get_language_bidi(),
            url=languages.in_language(request.get_full_path(), wanted),
            label=_("Language"),
            # Translators: instead of English, name the language that you translate into.
            text=_("This page is also in English."),
            decline=_("No, thanks"),
        )
