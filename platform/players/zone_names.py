"""What time zones' places are called in the reader's language, by Unicode's data."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache

from babel import Locale, UnknownLocaleError
from babel.dates import get_timezone_location
from django.utils.translation import gettext_lazy as _

from players import languages
from players.zones import REGIONS, names

# The parts of the world, by the codes that Unicode's data have their names under …
TERRITORIES = {
    "Africa": "002", "America": "019", "Antarctica": "AQ", "Asia": "142", "Australia": "AU",
    "Europe": "150",
}  # fmt: skip
# … and those that no code is for.
SEAS = {
    "Arctic": _("Arctic"),
    "Atlantic": _("Atlantic Ocean"),
    "Indian": _("Indian Ocean"),
    "Pacific": _("Pacific Ocean"),
}


def by_region() -> list[tuple[str, list[tuple[str, str]]]]:
    """For each part of the world its places, each with its name in the reader's language."""
    language = languages.active()
    return [
        (str(SEAS[region]) if region in SEAS else _territory(region, language), list(places))
        for region, places in _places(language).items()
    ]


@cache
def _places(language: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """By region, in the order of the alphabet. A place that is called as another one there, or has
    two names, is told apart by its zone's.
    """
    found: dict[str, list[tuple[str, str, str]]] = {region: [] for region in REGIONS}
    for name in names():
        region, _slash, place = name.partition("/")
        city = get_timezone_location(name, locale=_locale(language), return_city=True)
        found[region].append((name, city, place.replace("_", " ")))
    shown = {}
    for region, places in found.items():
        times = Counter(city for _name, city, _place in places)
        called = [
            (name, city if times[city] == 1 or city == place else f"{city} ({place})")
            for name, city, place in places
        ]
        shown[region] = tuple(sorted(called, key=lambda each: _plain(each[1])))
    return shown


def _territory(region: str, language: str) -> str:
    return str(_locale(language).territories[TERRITORIES[region]])


@cache
def _locale(language: str) -> Locale:
    """English for a language that Unicode's data don't have."""
    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale("en")


def _plain(text: str) -> str:
    """For the alphabet's order: small letters without marks."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
