"""Subscribers to try the outbox with: they note what they hear, or fail when told to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from outbox.models import Message

heard: list[tuple[str, dict[str, Any]]] = []


@pytest.fixture(autouse=True)
def ears(settings: Any) -> Any:
    """The list of what was heard; kinds `plain`, `both` and `bad` have subscribers."""
    heard.clear()
    settings.OUTBOX_SUBSCRIPTIONS = {
        "plain": ["outbox_ears.first"],
        "both": ["outbox_ears.first", "outbox_ears.second"],
        "bad": ["outbox_ears.failing"],
    }
    import sys
    import types

    module = types.ModuleType("outbox_ears")
    module.first = _note("first")  # type: ignore[attr-defined]
    module.second = _note("second")  # type: ignore[attr-defined]
    module.failing = _fail  # type: ignore[attr-defined]
    sys.modules["outbox_ears"] = module
    yield heard
    del sys.modules["outbox_ears"]


def _note(name: str) -> Callable[[dict[str, Any]], None]:
    def handler(payload: dict[str, Any]) -> None:
        heard.append((name, payload))

    return handler


def _fail(payload: dict[str, Any]) -> None:
    # A row written before the failure must not stay.
    Message.objects.create(kind="trace", key=str(payload["n"]))
    raise ValueError(f"cannot take {payload['n']}")
