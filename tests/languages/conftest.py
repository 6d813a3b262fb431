from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from config.languages import known, pseudo
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
def _pseudo_catalogues(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pseudo")
    pseudo.make(folder)
    return folder


@pytest.fixture
def pseudo_site(settings: Any, _pseudo_catalogues: Path) -> None:
    """A site that speaks English and the pseudo-languages, and nothing else."""
    known.introduce_pseudo_languages()
    settings.LANGUAGES = [("en", "English"), *known.PSEUDO]
    settings.LOCALE_PATHS = [_pseudo_catalogues]


@pytest.fixture
def two_languages(settings: Any) -> None:
    """A site that speaks English and Turkish, whatever catalogues there are."""
    settings.LANGUAGES = [("en", "English"), ("tr", "Türkçe")]
