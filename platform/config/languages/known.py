"""The languages that the site speaks, each by the name it has in itself."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from django.conf.locale import LANG_INFO

NAMES: Final = {
    "en": "English",
    "hr": "Hrvatski",
    "ms": "Bahasa Melayu",
    "pl": "Polski",
    "tr": "Türkçe",
    "vi": "Tiếng Việt",
}
PSEUDO: Final = [("en-xa", "Pseudo"), ("ar-xb", "Pseudo, right to left")]
"""Made of the English by ``pseudo.py``: what isn't translated shows, and what isn't wide enough."""


def languages(locale: Path) -> list[tuple[str, str]]:
    """English, and those with a catalogue in `locale`."""
    return [
        (code, name)
        for code, name in NAMES.items()
        if code == "en" or (locale / code / "LC_MESSAGES/django.po").is_file()
    ]


def introduce_pseudo_languages() -> None:
    """Tells Django of the pseudo-languages, which aren't in its own list."""
    for code, name in PSEUDO:
        LANG_INFO[code] = {
            "bidi": code.startswith("ar"),
            "code": code,
            "name": name,
            "name_local": name,
        }
