"""A form sent twice is done once, whatever it does; one with errors may be sent again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Club, Player, SentForm
from tournaments import services as tournaments
from tournaments.models import Tournament

Enter = Callable[[Player], Client]
TOKEN = "a" * 64


def send(client: Client, name: str, token: str = TOKEN) -> Any:
    fields = {"name": name, "joining": "open", "csrfmiddlewaretoken": token}
    return client.post(reverse("pages:new_club"), fields)


@pytest.mark.django_db
def test_the_same_form_again_is_led_where_the_first_was(
    make_player: Callable[..., Player], as_player: Enter
) -> None:
    client = as_player(make_player())
    first = send(client, "Harbour Dominoes")
    again = send(client, "Harbour Dominoes")
    assert (first.status_code, again.status_code) == (302, 302)
    assert again["Location"] == first["Location"]
    assert Club.objects.count() == 1
    assert "is done once" in client.get(again["Location"]).content.decode()


@pytest.mark.django_db
def test_another_page_s_form_with_the_same_fields_is_another(
    make_player: Callable[..., Player], as_player: Enter
) -> None:
    client = as_player(make_player())
    assert (
        send(client, "Harbour Dominoes")["Location"]
        != (send(client, "Harbour Dominoes", "b" * 64)["Location"])
    )
    assert Club.objects.count() == 2


@pytest.mark.django_db
def test_what_came_back_with_errors_may_be_sent_again_as_it_is(
    make_player: Callable[..., Player], as_player: Enter
) -> None:
    client = as_player(make_player())
    assert [send(client, "").status_code for _ in range(2)] == [send(client, "").status_code] * 2
    assert not SentForm.objects.exists()


@pytest.mark.django_db
def test_two_people_s_forms_are_two(make_player: Callable[..., Player], as_player: Enter) -> None:
    for _ in range(2):
        send(as_player(make_player()), "Harbour Dominoes")
    assert Club.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_sendings_at_the_same_time_are_done_once(
    make_player: Callable[..., Player], as_player: Enter, at_once: Any
) -> None:
    player = make_player()
    clients = [as_player(player) for _ in range(4)]
    answers = at_once(4, lambda n: send(clients[n], "Harbour Dominoes"))
    assert len({answer["Location"] for answer in answers}) == 1
    assert Club.objects.count() == 1


@pytest.mark.django_db
def test_what_was_refused_may_be_sent_again_as_it_is(
    make_player: Callable[..., Player], as_player: Enter, make_event: Callable[..., Tournament]
) -> None:
    """The page that a refusal leads to says why; nothing was done that could be done twice."""
    owner = make_player()
    event = make_event(owner)
    client, fields = as_player(owner), {"csrfmiddlewaretoken": TOKEN}
    path = f"/tournaments/{event.slug}/start"
    refused = client.post(path, fields)
    assert "is done once" not in client.get(refused["Location"]).content.decode()
    for player in (make_player(), make_player()):
        tournaments.join(tournament_id=event.pk, player=player)
    client.post(path, fields)
    event.refresh_from_db()
    assert event.status == "running"
