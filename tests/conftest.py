"""What every test shares: nothing runs by itself, and no data folder of a real site is touched."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

# Before Django reads its settings: keys and databases of a test run stay out of var/.
os.environ.setdefault("VAR_DIR", tempfile.mkdtemp(prefix="muggins-test-"))

CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The one browser of a run: Playwright can be started once in a process.

    It runs an event loop while tests use the database, which is theirs alone.
    """
    path = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    if path is None:
        pytest.fail("Install Chromium: apt-get install chromium")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
