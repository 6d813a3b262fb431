"""Status, moderation and the pages that say who runs what."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games import services as games
from games.models import Match
from pages import status
from players.models import Player

Make = Callable[..., Player]


@pytest.fixture(autouse=True)
def _nothing_remembered(db: None) -> None:
    cache.clear()


def test_a_site_whose_worker_beats_is_well(client: Client) -> None:
    status.beat()
    found = client.get("/status.json")
    assert (found.status_code, found.json()["well"]) == (200, True)
    assert set(found.json()["parts"]) == set(status.TITLES)
    assert "Everything works." in client.get("/status").content.decode()


def test_a_worker_that_stopped_and_a_late_sweep_are_seen(client: Client, make_player: Make) -> None:
    status.beat(timezone.now() - dt.timedelta(minutes=5))
    match = games.open_match(rules={"preset": "allfives"}, seats=2, host=make_player())
    Match.objects.filter(pk=match.pk).update(wake_at=timezone.now() - dt.timedelta(minutes=1))
    found = client.get("/status.json")
    bad = [key for key, part in found.json()["parts"].items() if not part["well"]]
    assert (found.status_code, bad) == (503, ["worker", "sweep"])
    assert "Something does not work" in client.get("/status").content.decode()
    assert client.get("/readyz").status_code == 200
    assert client.get("/healthz").content == b"ok\n"


def test_staff_suspend_rename_and_let_in_again(make_player: Make, as_player: Any) -> None:
    player, stranger = make_player("Rude Name"), make_player()
    staff = Player.objects.create_superuser("boss", "double-six-leads")
    page = f"/@{player.handle}/moderate"
    for somebody in (Client(), as_player(stranger)):
        assert somebody.get(page).status_code == 403
        assert somebody.post(page, {"action": "suspend", "reason": "x"}).status_code == 403
    client = as_player(staff)
    assert 'id="id_reason_error"' in client.post(page, {"action": "suspend"}).content.decode()
    client.post(page, {"action": "suspend", "reason": "Abuse", "days": "7"})
    player.refresh_from_db()
    assert not player.is_active
    assert player.suspensions.get().by == staff
    client.post(page, {"action": "rename", "reason": "Offensive", "name": ""})
    client.post(page, {"action": "lift", "reason": "Over"})
    player.refresh_from_db()
    assert (player.is_active, player.name) == (True, f"#{player.pk}")
    assert [each.action for each in player.decisions.all()] == ["suspend", "rename", "lift"]
