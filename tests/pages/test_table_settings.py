"""The switches of the live table, kept at the player."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.test import Client

from games import services as games
from players import table_settings
from players.models import Player

pytestmark = pytest.mark.django_db
SCRIPT = Path(__file__).parents[2] / "platform/pages/static/pages/table/preferences.js"


@pytest.fixture
def marta() -> Player:
    return Player.objects.create_user("marta", "many fives a day", name="Marta")


def settings_on(client: Client, match_id: str) -> object:
    html = client.get(f"/t/{match_id}").content.decode()
    found = re.search(r'id="table-settings"[^>]*>(.*?)</script>', html)
    return json.loads(found[1]) if found else None


def test_a_switch_is_there_on_every_device_of_its_player(marta: Player) -> None:
    match = games.open_match(rules={"preset": "allfives"}, seats=2, host=marta)
    for name, value in (("large", "on"), ("soundTile", "off"), ("large", "off")):
        client = Client()
        client.force_login(marta)
        answer = client.post("/accounts/settings/table", {"name": name, "value": value})
        assert answer.status_code == 204
    another = Client()
    another.force_login(marta)
    assert settings_on(another, match.pk) == {"large": False, "soundTile": False}


@pytest.mark.parametrize(
    "given", [{}, {"name": "no", "value": "on"}, {"name": "large", "value": "perhaps"}]
)
def test_what_is_no_switch_is_refused_and_changes_nothing(client: Client, marta, given) -> None:
    client.force_login(marta)
    assert client.post("/accounts/settings/table", given).status_code == 400
    marta.refresh_from_db()
    assert marta.table_settings == {}


def test_a_visitor_keeps_switches_in_the_browser_alone(client: Client, marta: Player) -> None:
    match = games.open_match(rules={"preset": "allfives"}, seats=2, host=marta)
    given = {"name": "large", "value": "on"}
    assert client.post("/accounts/settings/table", given).status_code == 400
    assert settings_on(client, match.pk) is None


def test_page_and_server_know_the_same_switches() -> None:
    defaults = re.search(r"DEFAULTS = \{(.*?)\};", SCRIPT.read_text(encoding="utf-8"), re.DOTALL)
    assert defaults
    assert set(re.findall(r"(\w+):", defaults[1])) == table_settings.NAMES
