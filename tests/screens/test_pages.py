"""Every page in every language, on a phone and a desktop, light and dark, to be looked at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.test import Client

from tests.pages.test_axe import SCENES, Makers, Scene, _listen, faults_of
from tests.screens.looks import file_name, take

pytestmark = [
    pytest.mark.screens,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(900),
]
LANGUAGES = [code for code, _name in site.LANGUAGES]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_nothing_overlaps_is_cut_or_sticks_out(
    live_server: Any, chromium: Any, client: Client, makers: Makers, folder: Path,
    scene: Callable[[Makers], Scene], language: str,
) -> None:  # fmt: skip
    viewer, paths = scene(makers)
    context = chromium.new_context(reduced_motion="reduce", locale=language)
    chosen = {site.LANGUAGE_COOKIE_NAME: language}
    if viewer is not None:
        client.force_login(viewer)
        chosen["sessionid"] = client.cookies["sessionid"].value
    context.add_cookies(
        [{"name": key, "value": value, "url": live_server.url} for key, value in chosen.items()]
    )
    page = context.new_page()
    faults: list[str] = []
    _listen(page, faults)
    prefix = "" if language == site.LANGUAGE_CODE else f"/{language}"
    for path in paths:
        page.goto(f"{live_server.url}{prefix}{path}")
        name = f"{scene.__name__}-{file_name(path)}"
        faults += take(page, folder / language, name)
        page.set_viewport_size({"width": 320, "height": 568})
        page.emulate_media(color_scheme="light")
        faults += [f"{name} {each}" for each in faults_of(page, 320)]
    context.close()
    assert faults == []
