"""Entering as a pair, in the browser."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tournaments import services
from tournaments.models import Entrant, PairInvitation, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup() -> Tournament:
    organiser = Player.objects.create_user("olga", name="Olga")
    made = services.create(organiser=organiser, name="Pairs Cup", sides="pairs")
    return services.open_registration(tournament_id=made.pk, by=organiser)


def _as(handle: str) -> Client:
    client = Client()
    player = Player.objects.filter(handle=handle).first()
    client.force_login(player or Player.objects.create_user(handle, name=handle.title()))
    return client


def _page(client: Client, cup: Tournament) -> str:
    return client.get(reverse("pages:pair", args=[cup.slug])).content.decode()


def _post(client: Client, cup: Tournament, **data: Any) -> str:
    url = reverse("pages:pair", args=[cup.slug])
    return client.post(url, data, follow=True).content.decode()


def test_one_asks_by_name_and_the_other_accepts(cup: Tournament) -> None:
    marta, jo = _as("marta"), _as("jo")
    overview = marta.get(cup.get_absolute_url()).content.decode()
    assert reverse("pages:pair", args=[cup.slug]) in overview
    assert "Jo has been asked" in _post(marta, cup, deed="invite", partner="@Jo", name="Aces")
    assert "Marta asks you to play as a pair." in jo.get(cup.get_absolute_url()).content.decode()
    key = PairInvitation.objects.get().key
    assert "Your pair is in." in _post(jo, cup, deed="accept", key=key)
    assert [entry.label for entry in Entrant.objects.all()] == ["Aces"]
    assert "Aces" in jo.get(cup.get_absolute_url()).content.decode()


def test_a_guest_accepts_by_the_link(cup: Tournament) -> None:
    marta = _as("marta")
    _post(marta, cup, deed="invite", partner="", name="")
    asked = PairInvitation.objects.get()
    link = reverse("pages:pair_link", args=[cup.slug, asked.key])
    assert link in _page(marta, cup)
    guest = Client()
    assert "Marta asks you to play as a pair." in guest.get(link).content.decode()
    assert "Your pair is in." in _post(guest, cup, deed="accept", key=asked.key)
    assert "That invitation is gone" in Client().get(link).content.decode()


def test_an_unknown_name_is_said_beside_its_field(cup: Tournament) -> None:
    said = _post(_as("marta"), cup, deed="invite", partner="nobody-here", name="")
    assert "There is no player of that name." in said
    assert not PairInvitation.objects.exists()


def test_the_organiser_enters_both_and_a_stand_in(cup: Tournament) -> None:
    for handle in ("marta", "jo", "kim"):
        _as(handle)
    olga = _as("olga")
    assert "Marta &amp; Jo are in." in _post(
        olga, cup, deed="enter", one="marta", other="jo", name=""
    )
    entry = Entrant.objects.get()
    who = f"{entry.pk}:{entry.partner_id}"
    said = _post(olga, cup, deed="substitute", who=who, into="kim", reason="")
    assert "They play as Marta &amp; Kim from now on." in said


def test_who_does_not_run_it_enters_nobody_else(cup: Tournament) -> None:
    marta = _as("marta")
    _as("jo"), _as("kim")
    assert "Enter a pair" not in _page(marta, cup)
    _post(marta, cup, deed="enter", one="kim", other="jo", name="")
    assert not Entrant.objects.exists()
