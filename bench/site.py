"""A site of its own for a measurement, and how long something takes there."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from deploy.stack import scratch_database


def set_up(folder: str, database: str = "", redis: str = "") -> None:
    """A site of its own, with its data in that folder, and in that database or one there."""
    os.environ.update(
        DJANGO_SETTINGS_MODULE="config.settings",
        VAR_DIR=folder,
        DATABASE_URL=database,
        REDIS_URL=redis,
    )
    import django
    from django.conf import settings
    from django.core.management import call_command

    django.setup()
    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)


def scratch(url: str) -> AbstractContextManager[str]:
    """The URL of an empty database beside the one named; with no name, SQLite's."""
    return scratch_database(url) if url else nullcontext("")


def timed(act: Callable[[], Any]) -> float:
    """Seconds by the clock on the wall: what a database does counts too."""
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def seconds(act: Callable[[], Any], times: int) -> float:
    """The processor's seconds, the median of so many runs: others on the machine don't count."""
    spent = []
    for _ in range(times):
        began = time.process_time()
        act()
        spent.append(time.process_time() - began)
    return statistics.median(spent)
