"""Every page in the pseudo-language: what isn't in brackets isn't translated."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db.models import CharField, TextField
from django.test import Client

from config.languages.pseudo import CLOSE, OPEN
from pages import sample_round
from players import countries, zone_names, zones
from tests.pages.test_axe import SCENES, Makers, Scene

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("pseudo_site"),
    pytest.mark.skipif(
        os.environ.get("DATABASE_URL", "").startswith("postgres"),
        reason="The words are the same on every database, and the pages are many.",
    ),
]

SHOWN = {"aria-label", "aria-description", "alt", "title", "placeholder", "label", "data-done"}
"""Attributes that people see or hear."""
SILENT = {"script", "style", "kbd"}
NAMED = {
    "pages": "Muggins", "formats": "CSV|JSON|API|QR|csv|ics|UTF-8", "zones": "UTC|CET|CEST",
    "dates": "Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec",
    "words of Django": r"(?:an? |\d+.)(?:second|minute|hour|day|week)s?(?:, \d+.\w+)?"
    r" (?:ago|from now)|now",
    "tongues": "English|Pseudo(?:, right to left)?",
    "handles": r"@[\w-]+", "addresses": r"https?://\S+",
    "paths": "healthz|readyz|status.json",
    "seeds and digests": "[0-9a-f]{16,}",
}  # fmt: skip
"""What is the same in every language, or put into it by Django."""


class Shown(HTMLParser):
    """What a page shows and says, in its order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._silent = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in SILENT
        given = dict(attrs)
        seen = [value for name, value in attrs if name in SHOWN]
        if tag == "meta" and given.get("name") == "description":
            seen.append(given.get("content"))
        self.texts = [*(each for each in seen if each), *self.texts]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.texts.append(data)


def untranslated(html: str, data: list[str]) -> list[str]:
    """What of a page is in no brackets, and neither data nor the same in every language."""
    rest = _outside_brackets("\n".join(Shown(html).texts))
    for each in data:
        rest = rest.replace(each, " ")
    for pattern in NAMED.values():
        rest = re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", " ", rest)
    return re.findall(r"[^\W\d_]{2,}.*", rest)


def _outside_brackets(text: str) -> str:
    kept, depth = [], 0
    for char in text:
        depth += char == OPEN
        kept.append(char if not depth else " " * (char == "\n"))
        depth -= char == CLOSE
    return "".join(kept) if depth == 0 else "a message is cut"


def _data() -> list[str]:
    """What is nobody's to translate, the longest first: what people have written, countries (by
    their library), time zones, the licence, and who plays the rules pages' round.
    """
    licence = (settings.BASE_DIR / "LICENSE").read_text().splitlines()
    places = {part.replace("_", " ") for name in zones.names() for part in name.split("/", 1)}
    for region, called in zone_names.by_region():
        places |= {region, *dict(called).values()}
    written = {*_texts(), *countries.names().values(), *filter(None, licence), *sample_round.NAMES}
    return sorted(written | places, key=len, reverse=True)


def _texts() -> Iterator[str]:
    for model in apps.get_models():
        if model._meta.app_label not in ("players", "tournaments", "fairplay"):
            continue
        for field in model._meta.get_fields():
            if isinstance(field, (CharField, TextField)) and not field.choices:
                yield from (
                    text for text in model._default_manager.values_list(field.name, flat=True)
                    if isinstance(text, str) and len(text) > 1
                )  # fmt: skip


def test_what_is_not_translated_is_found() -> None:
    html = '<p title="Hello">⟦Šávé⟧ it, Marta</p><input aria-label="⟦Ñámé⟧"><b>⟦Á <i>b⟧</i></b>'
    assert untranslated(html, ["Marta"]) == ["Hello", "it,  "]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_every_page_is_translated_whole(
    client: Client,
    makers: Makers,
    scene: Callable[..., Scene],
) -> None:
    viewer, paths = scene(makers)
    if viewer is not None:
        client.force_login(viewer)
    client.cookies["language"] = "en-xa"
    found: dict[str, Any] = {}
    data = _data()
    for path in paths:
        page = client.get(f"/en-xa{path}").content.decode()
        if faults := untranslated(page, data):
            found[path] = faults
    assert found == {}
