"""Real processes: the embedded site as `make run` starts it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.embedded_site import Site, Visitor


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    if site.process is not None and site.process.poll() is None:
        site.kill()


@pytest.fixture
def visitor() -> Callable[[str], Visitor]:
    return Visitor
