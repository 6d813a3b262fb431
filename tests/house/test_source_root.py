"""`platform/` holds packages and is none: as one it would hide Python's own module."""

from __future__ import annotations

import platform
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_platform_is_pythons_own() -> None:
    assert Path(platform.__file__).is_relative_to(sysconfig.get_path("stdlib"))
    assert not (ROOT / "platform" / "__init__.py").exists()


def test_no_test_folder_hides_a_package() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_no_lock_names_a_host() -> None:
    for lock in (ROOT / "requirements").glob("*.txt"):
        assert "://" not in lock.read_text(), lock.name
