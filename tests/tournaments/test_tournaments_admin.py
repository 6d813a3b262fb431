"""The admin shows events and the post, and changes nothing of an event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
Play = Any


@pytest.fixture(autouse=True)
def _plain_static_files(settings: Any) -> None:
    """Static files under their own names: no collectstatic in tests."""
    backend = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": backend}}


def test_the_admin_shows_events_and_lets_nobody_edit_them(started: Event, play: Play) -> None:
    cup = started(2)
    staff = Player.objects.create_superuser("root", "dominoes-are-fun", name="Root")
    client = Client()
    client.force_login(staff)
    for url in (
        "/admin/tournaments/tournament/",
        f"/admin/tournaments/tournament/{cup.pk}/change/",
        "/admin/tournaments/pairing/",
        f"/admin/tournaments/pairing/{play.pairing(cup, 1).pk}/change/",
        "/admin/outbox/delivery/",
    ):
        assert client.get(url).status_code == 200, url
    assert client.post(f"/admin/tournaments/tournament/{cup.pk}/change/", {}).status_code == 403
    assert client.get("/admin/tournaments/tournament/add/").status_code == 403
