from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.pages.conftest import (  # noqa: F401
    as_player,
    finished_match,
    make_bot,
    make_event,
    make_player,
    rate,
    settings_of_tests,
)
from tests.pages.test_axe import makers  # noqa: F401


@pytest.fixture(scope="session")
def folder() -> Path:
    """Where the screenshots are left."""
    return Path(os.environ.get("SCREENS", "var/screens")).resolve()
