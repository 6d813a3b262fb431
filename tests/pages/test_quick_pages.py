"""Quick play in pages: the grid, waiting, the table, an invitation."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Match
from players.models import Player
from quickplay import services
from quickplay.models import Seek

pytestmark = pytest.mark.django_db

Sign = Callable[[Player], Client]
GAME = {"offer": "allfives-100", "pace": "blitz"}


@pytest.fixture
def two(make_player: Callable[..., Player], as_player: Sign) -> tuple[Client, Client]:
    return as_player(make_player("Ana")), as_player(make_player("Ben"))


def test_two_press_the_same_button_and_are_led_to_one_table(two: tuple[Client, Client]) -> None:
    one, other = two
    assert one.post("/quick/seek", GAME)["Location"] == "/quick"
    page = one.get("/quick").content.decode()
    assert "Looking for somebody" in page
    assert 'http-equiv="refresh"' in page
    assert 'value="allfives-100"' in other.get("/").content.decode()
    assert "1 waits" in other.get("/parts/quick").content.decode()
    other.post("/quick/seek", GAME)
    match = Match.objects.get()
    for client in two:
        assert client.get("/quick")["Location"] == f"/t/{match.pk}"
        assert f'href="/t/{match.pk}"' in client.get("/quick/state").content.decode()
        assert client.get(f"/t/{match.pk}").status_code == 200
    match.refresh_from_db()
    assert (match.is_running, match.rated, match.turn_seconds) == (True, True, 10)
    assert one.post("/quick/seek", GAME)["Location"] == f"/t/{match.pk}"


def test_looking_is_a_sign_of_life_and_asking_for_the_head_is_none(
    two: tuple[Client, Client],
) -> None:
    client = two[0]
    client.post("/quick/seek", GAME)
    long_ago = timezone.now() - services.LAPSE / 2
    for path in ("/quick", "/quick/state"):
        Seek.objects.update(seen_at=long_ago)
        client.head(path)
        assert Seek.objects.get().seen_at == long_ago
        client.get(path)
        assert Seek.objects.get().seen_at > long_ago


def test_what_has_not_changed_is_not_sent_again(two: tuple[Client, Client]) -> None:
    client = two[0]
    client.post("/quick/seek", GAME)
    tag = client.get("/quick/state")["ETag"]
    assert client.get("/quick/state", HTTP_IF_NONE_MATCH=tag).status_code == 304


def test_a_visitor_plays_as_a_guest_and_is_asked_for_no_stakes(client: Client) -> None:
    assert 'name="stakes"' not in client.get("/quick").content.decode()
    client.post("/quick/seek", GAME)
    seek = Seek.objects.get()
    assert (seek.player.is_guest, seek.rated, seek.unrated) == (True, False, True)
    assert "unrated" in client.get("/quick").content.decode()


def test_stakes_and_pace_are_kept_for_the_next_time(two: tuple[Client, Client]) -> None:
    client = two[0]
    client.post("/quick/seek", {**GAME, "stakes": "either"})
    assert client.get("/").content.decode().count("You are waiting for a match.") == 1
    client.post("/quick/cancel")
    page = client.get("/quick").content.decode()
    assert 'value="either" checked' in page
    assert 'value="blitz" checked' in page
    assert 'href="/quick"' in client.get("/quick/state").content.decode()


def test_a_bot_that_offered_itself_is_played(two: tuple[Client, Client]) -> None:
    client = two[0]
    client.post("/quick/seek", GAME)
    assert "instead" not in client.get("/quick/state").content.decode()
    Seek.objects.update(created_at=timezone.now() - services.WAVE * 11)
    assert "Play Bot Karim instead" in client.get("/quick/state").content.decode()
    assert client.post("/quick/bot")["Location"] == f"/t/{Match.objects.get().pk}"
    client.post("/quick/cancel")
    assert client.post("/quick/bot")["Location"] == f"/t/{Match.objects.get().pk}"


def test_a_refusal_is_a_sentence(two: tuple[Client, Client]) -> None:
    client = two[0]
    for data in ({}, {"offer": "whist"}, {**GAME, "pace": "x" * 99}, {"friend": "draw-100"}):
        page = client.post("/quick/seek", data, follow=True).content.decode()
        assert "Quick play has no such game." in page
    assert not Seek.objects.exists()


def test_who_was_away_is_told_that_they_wait_no_more(two: tuple[Client, Client]) -> None:
    client = two[0]
    client.post("/quick/seek", GAME)
    services.sweep(timezone.now() + 2 * services.LAPSE)
    assert "you stopped waiting" in client.get("/quick").content.decode()


def test_a_friend_joins_by_the_link(two: tuple[Client, Client], client: Client) -> None:
    host, friend = two
    host.post("/quick/seek", {"friend": "partners-150"})
    link = f"/quick/with/{Seek.objects.get().party}"
    assert link in host.get("/quick").content.decode()
    assert host.get(link)["Location"] == "/quick"
    assert "Ana would like to be your partner" in client.get(link).content.decode()
    assert friend.post(link)["Location"] == "/quick"
    assert "Ana is your partner" in friend.get("/quick/state").content.decode()
    assert "Ben is your partner" in host.get("/quick/state").content.decode()
    for response in (client.get(link), client.post(link)):
        assert "That invitation is gone" in response.content.decode()
    assert Player.objects.filter(is_guest=True).count() == 0
