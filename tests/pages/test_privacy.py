"""One's own data, and the end of an account."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from games.models import Match, Seat
from outbox.services import drain
from players import clubs, erasure, tokens
from players.models import Membership, PersonalToken, Player
from ratings.models import Rating
from tournaments import services as tournaments
from tournaments.models import Entrant

PASSWORD = "double-six-leads"
PRIVACY = "/accounts/settings/privacy"
WEEK = dt.timedelta(days=7, minutes=1)
Make = Callable[..., Player]


def test_the_data_one_takes_along_is_ones_own_and_holds_no_secret(
    make_player: Make, as_player: Any, finished_match: Callable[..., Match]
) -> None:
    player, other = make_player("Marta"), make_player("Ivan")
    match = finished_match(player, other)
    _token, text = tokens.issue(player=player, name="script", scopes=["read"])
    response = as_player(player).get(f"{PRIVACY}/data.json")
    found = json.loads(response.content)
    assert found["account"]["name"] == "Marta"
    assert [row["match"] for row in found["matches"]] == [match.pk]
    body = response.content.decode()
    assert "Ivan" not in body
    assert text not in body
    assert player.password not in body
    assert "attachment" in response["Content-Disposition"]


def test_an_account_is_erased_a_week_after_it_was_asked_for(
    make_player: Make, as_player: Any, finished_match: Callable[..., Match], rate: Any
) -> None:
    player, other = make_player("Marta"), make_player("Ivan")
    rate(player, mean=0.2)
    match = finished_match(player, other)
    EmailAddress.objects.create(user=player, email="m@example.org", verified=True)
    tokens.issue(player=player, name="script", scopes=["read"])
    client = as_player(player)
    refused = client.post(PRIVACY, {"password": "wrong"})
    assert 'id="id_password_error"' in refused.content.decode()
    assert client.post(PRIVACY, {"password": PASSWORD}).status_code == 302
    assert erasure.erase_due() == 0
    assert erasure.erase_due(timezone.now() + WEEK) == 1
    row = Player.objects.get(pk=player.pk)
    assert (row.name, row.handle, row.email) == (f"#{row.pk}", f"deleted-{row.pk}", "")
    assert not row.is_active
    assert not row.has_usable_password()
    assert client.get(PRIVACY).status_code == 302
    assert not EmailAddress.objects.exists()
    assert not PersonalToken.objects.exists()
    assert Seat.objects.get(match=match, player=row).player == row
    assert Rating.objects.filter(player=row).exists()
    assert erasure.erase_due(timezone.now() + WEEK) == 0


def test_who_changes_their_mind_within_the_week_keeps_the_account(
    make_player: Make, as_player: Any
) -> None:
    player = make_player("Marta")
    client = as_player(player)
    client.post(PRIVACY, {"password": PASSWORD})
    assert "Keep my account" in client.get(PRIVACY).content.decode()
    client.post(PRIVACY, {"do": "keep"})
    assert erasure.erase_due(timezone.now() + WEEK) == 0
    assert Player.objects.get(pk=player.pk).name == "Marta"


def test_a_clubs_only_owner_and_a_running_events_organiser_hand_over_first(
    make_player: Make, as_player: Any
) -> None:
    owner, member = make_player(), make_player()
    club = clubs.found(founder=owner, name="Fives")
    Membership.objects.create(club=club, player=member, rank=Membership.Rank.MEMBER)
    page = as_player(owner).post(PRIVACY, {"password": PASSWORD}).content.decode()
    assert "You are the only owner of “Fives”" in page
    cup = tournaments.create(organiser=member, name="Cup")
    tournaments.announce(tournament_id=cup.pk, by=member)
    page = as_player(member).post(PRIVACY, {"password": PASSWORD}).content.decode()
    assert "You run “Cup”" in page
    assert not Player.objects.exclude(erase_at=None).exists()


@pytest.mark.django_db(transaction=True)
def test_an_erased_player_is_out_of_events_that_have_not_begun(make_player: Make) -> None:
    owner, player = make_player(), make_player()
    cup = tournaments.create(organiser=owner, name="Cup")
    tournaments.open_registration(tournament_id=cup.pk, by=owner)
    tournaments.join(tournament_id=cup.pk, player=player)
    erasure.ask(player=player, password=PASSWORD)
    erasure.erase_due(timezone.now() + WEEK)
    for _again in range(2):
        drain()
    assert not Entrant.objects.exists()


def test_a_guest_erases_without_a_password(client: Client, db: None) -> None:
    client.post("/play/friend")
    assert client.post(PRIVACY, {"do": "erase"}).status_code == 302
    assert Player.objects.get().erase_at is not None


def test_name_sign_in_name_and_country_are_changed_together_or_not_at_all(
    make_player: Make, as_player: Any
) -> None:
    player, other = make_player("Marta"), make_player("Ivan")
    client = as_player(player)
    bad = {"name": "Marta W.", "handle": other.handle, "country": "PL"}
    assert 'id="id_handle_error"' in client.post("/accounts/settings", bad).content.decode()
    player.refresh_from_db()
    assert (player.name, player.country) == ("Marta", "")
    good = {**bad, "handle": "marta-w"}
    assert client.post("/accounts/settings", good).status_code == 302
    player.refresh_from_db()
    assert (player.name, player.handle, player.country) == ("Marta W.", "marta-w", "PL")
    assert client.post("/accounts/settings", {**good, "country": "XX"}).status_code == 200
