"""A key is made once, whole, and readable by its owner alone."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from config.secrets_on_disk import read_or_create


def test_the_second_reading_is_the_first(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "master.key"
    first = read_or_create(path)
    assert len(first) == 32
    assert read_or_create(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o400


def test_many_at_once_agree_and_leave_no_drafts(tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: read_or_create(path), range(8)))
    assert len(keys) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["master.key"]
