"""Only the site's own pages may open a socket with a player's cookie."""

from __future__ import annotations

import pytest
from pytest_django.fixtures import Settings

from config.origin import is_ours


@pytest.mark.parametrize(
    ("origin", "ours"),
    [
        ("https://fives.example.org", True),
        ("http://fives.example.org", False),
        ("https://fives.example.org:8443", False),
        ("https://fives.example.org.evil.example", False),
        ("https://evil.example", False),
        ("null", False),
        ("", False),
    ],
)
def test_a_site_with_an_address_accepts_exactly_that(
    settings: Settings, origin: str, ours: bool
) -> None:
    settings.SITE_URL = "https://fives.example.org"
    assert is_ours(origin, "fives.example.org") is ours


@pytest.mark.parametrize(
    ("origin", "host", "ours"),
    [
        ("http://127.0.0.1:8000", "127.0.0.1:8000", True),
        ("http://localhost:8000", "localhost:8000", True),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("http://localhost:9000", "localhost:8000", False),
        ("https://localhost:8000", "localhost:8000", False),
        ("http://evil.example", "evil.example", False),
        ("", "localhost:8000", False),
    ],
)
def test_an_embedded_site_accepts_the_host_that_was_asked(
    settings: Settings, origin: str, host: str, ours: bool
) -> None:
    settings.SITE_URL = ""
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    assert is_ours(origin, host) is ours
