"""What every test shares: nothing runs by itself, and no data folder of a real site is touched."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.test import TransactionTestCase
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, sync_playwright

from config.languages import catalogues
from tests.emptying import can_empty, empty
from tests.together import together

# Before Django reads its settings: keys and databases of a test run stay out of var/.
if "VAR_DIR" not in os.environ:
    os.environ["VAR_DIR"] = tempfile.mkdtemp(prefix="muggins-test-")
    Path(os.environ["VAR_DIR"], "master.key").write_bytes(bytes(range(32)))

# A test run that `make` did not begin has the languages too.
catalogues.compile_stale()

# Nothing fails for being slow, and examples are the same everywhere; MUGGINS_MORE looks for more.
settings.register_profile(
    "muggins",
    deadline=None,
    derandomize="MUGGINS_MORE" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("muggins")

# What asks no database, or brings its own, is the same on every one: it is run on the embedded
# one alone.
PURE = ("tests/engine/", "tests/table/", "tests/tournaments/", "tests/proof/test_embedded.py")
DATABASE = {"db", "transactional_db", "django_db_reset_sequences"}

CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


class Chance:
    """Stands in for `secrets`: the same test always gets the same deals, on every machine."""

    def __init__(self, name: str) -> None:
        self.random = random.Random(name)

    def token_hex(self, size: int) -> str:
        return self.random.randbytes(size).hex()

    def choice(self, among: Sequence[str]) -> str:
        return self.random.choice(among)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return
    pure = [item for item in items if item.nodeid.startswith(PURE) and not _asks(item)]
    config.hook.pytest_deselected(items=pure)
    left_out = set(pure)
    items[:] = [item for item in items if item not in left_out]


def _asks(item: pytest.Item) -> bool:
    """Whether a test asks the database."""
    fixtures = getattr(item, "fixturenames", ())
    return item.get_closest_marker("django_db") is not None or not DATABASE.isdisjoint(fixtures)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        with django_db_blocker.unblock():
            if can_empty():
                patched.setattr(TransactionTestCase, "_fixture_teardown", lambda _self: empty())
        yield


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    """A database that is new has new events under old numbers."""
    from tournaments import kept  # Django's models are ready only now

    kept.forget()


@pytest.fixture(autouse=True)
def _same_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Chance(request.node.nodeid)
    for module in ("games.dealer", "games.models.match", "tournaments.services.setup"):
        monkeypatch.setattr(f"{module}.secrets", chance)


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


@pytest.fixture
def at_once() -> Callable[[int, Callable[[int], Any]], list[Any]]:
    """Runs the same in many threads, each told its number; their answers, or what they raised."""
    return lambda count, work: together([partial(work, index) for index in range(count)])
