from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from players.models import Player
from players.services import register

PASSWORD = "double-six-leads"


@pytest.fixture(autouse=True)
def quick_hashing(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def make_player(db: None) -> Callable[..., Player]:
    def make(handle: str = "marta", name: str | None = None) -> Player:
        return register(handle=handle, name=name or handle.title(), password=PASSWORD)

    return make
