"""The live table in its states, in every language: screenshots to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from playwright.sync_api import Browser

from tests.screens.looks import take
from tests.table.pretend import Pretend, picture, seat
from tests.table.test_in_browser import BETWEEN, OPEN, OVER, WATCHING

pytestmark = [pytest.mark.screens, pytest.mark.timeout(240)]
FOUR = [seat(n, name) for n, name in enumerate(("Marta", "Zeynep", "Maximiliana-Theodora", "Đức"))]
VIEWS: dict[str, dict[str, Any]] = {
    "turn": {},
    "waiting": {"turn": 1, "legal": None},
    "watching": WATCHING,
    "between": BETWEEN,
    "over": OVER,
    "open": OPEN,
    "four": {"seats": FOUR, "scores": [85, 110, 40, 0]},
    "partners": {
        "seats": [each | {"side": each["seat"] % 2} for each in FOUR],
        "scores": [85, 110],
        "partners": True,
    },
    "text": {"talk": "text"},
}


@pytest.mark.parametrize("language", [code for code, _name in site.LANGUAGES])
@pytest.mark.parametrize("view", VIEWS)
def test_the_table_in_every_language(
    chromium: Browser, settings: Any, folder: Path, view: str, language: str
) -> None:
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    context = chromium.new_context(reduced_motion="reduce", locale=language)
    table = Pretend(context.new_page(), picture(**VIEWS[view]), language=language)
    table.open()
    if view == "turn":
        table.page.keyboard.press("1")
    if view == "text":
        table.part("say-opener").click()
    table.page.wait_for_timeout(300)
    faults = take(table.page, folder / language, f"table-{view}", whole=False)
    context.close()
    assert faults + table.messages == []
