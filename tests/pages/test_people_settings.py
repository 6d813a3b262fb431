"""One's own clock, and who may ask one something."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone, translation

from players import clubs, muting, zone_names, zones
from players.inviting import may_invite
from players.models import Player
from players.services import set_invites, set_zone
from tournaments import services as tournaments
from tournaments.errors import TournamentError
from tournaments.models import Tournament

Make = Callable[..., Player]
PEOPLE = "/accounts/settings/people"


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())


def test_whom_one_has_muted_is_listed_and_heard_again(make_player: Make, as_player: Any) -> None:
    one, two = make_player(), make_player("Loud")
    client = as_player(one)
    assert "You hear everybody." in text_of(client.get(PEOPLE))
    muting.mute(player=one, other=two)
    assert "Unmute: Loud" in text_of(client.get(PEOPLE))
    sent = client.post(f"/@{two.handle}/mute", {"value": "off", "next": PEOPLE})
    assert (sent.status_code, sent["Location"]) == (302, PEOPLE)
    assert muting.muted_by(one) == []


def test_who_may_ask_is_everybody_or_club_mates_or_nobody_and_never_the_muted(
    make_player: Make,
) -> None:
    one, mate, stranger = make_player(), make_player(), make_player()
    club = clubs.found(founder=one, name="Double Six")
    clubs.join(club_id=club.pk, player=mate)

    def may() -> list[bool]:
        one.refresh_from_db()
        return [may_invite(by=each, asked=one) for each in (mate, stranger)]

    assert may() == [True, True]
    set_invites(player=one, invites="clubs")
    assert may() == [True, False]
    muting.mute(player=one, other=mate)
    assert may() == [False, False]
    set_invites(player=one, invites="nobody")
    assert may() == [False, False]


def test_who_does_not_want_to_be_asked_is_not_asked_to_be_a_partner(
    make_player: Make, as_player: Any, make_event: Callable[..., Tournament]
) -> None:
    one, shy = make_player(), make_player()
    event = make_event(make_player(), sides="pairs")
    assert as_player(shy).post(PEOPLE, {"invites": "nobody"}).status_code == 302
    shy.refresh_from_db()
    with pytest.raises(TournamentError) as refused:
        tournaments.invite_partner(tournament_id=event.pk, player=one, partner=shy)
    assert refused.value.code == "not_to_be_asked"
    link = tournaments.invite_partner(tournament_id=event.pk, player=one)
    tournaments.accept_partner(tournament_id=event.pk, player=shy, invitation_key=link.key)
    assert event.entrants.get().partner == shy


def test_pages_show_times_by_ones_own_clock_and_programs_get_utc(
    make_player: Make, as_player: Any
) -> None:
    player = make_player()
    client: Client = as_player(player)
    client.post("/accounts/zone", {"zone": "Asia/Kathmandu"})
    player.refresh_from_db()
    assert player.zone == "Asia/Kathmandu"
    Player.objects.filter(pk=player.pk).update(erase_at=datetime(2026, 12, 1, 20, 0, tzinfo=UTC))
    page = text_of(client.get("/accounts/settings/privacy"))
    assert "2 Dec 2026, 01:45 +0545" in page
    assert 'data-zone="Asia/Kathmandu"' in page
    assert timezone.get_current_timezone_name() == "UTC"
    made = client.get(f"/api/v1/players/{player.handle}/").json()["created_at"]
    assert made.endswith("Z")
    assert client.post("/accounts/zone", {"zone": "Nowhere/Else"}).status_code == 302
    player.refresh_from_db()
    assert player.zone == "Asia/Kathmandu"
    client.post("/accounts/zone", {"zone": ""})
    assert "data-zone" not in text_of(client.get("/accounts/settings"))


def test_a_time_zone_is_called_as_its_place_is_in_the_readers_language() -> None:
    with translation.override("pl"):
        europe = dict(dict(zone_names.by_region())["Europa"])
    assert (europe["Europe/Warsaw"], europe["Europe/Istanbul"]) == ("Warszawa", "Stambuł")
    with translation.override("vi"):
        asia = dict(dict(zone_names.by_region())["Châu Á"])
    assert asia["Asia/Ho_Chi_Minh"] == "TP Hồ Chí Minh (Ho Chi Minh)"
    assert asia["Asia/Bangkok"] == "Bangkok"


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_no_two_time_zones_of_a_region_are_called_the_same(language: str) -> None:
    with translation.override(language):
        regions = zone_names.by_region()
    assert len(regions) == 10
    for _region, places in regions:
        assert len({label for _name, label in places}) == len(places)
    assert sum(len(places) for _region, places in regions) == len(zones.names())


def test_only_places_are_time_zones(make_player: Make) -> None:
    assert "Europe/Istanbul" in zones.names()
    assert not {"UTC", "EST", "Etc/GMT+3"} & set(zones.names())
    assert dict(zone_names.by_region())["Americas"][0] == ("America/Adak", "Adak")
    for zone in ("UTC", "../etc/passwd"):
        with pytest.raises(ValueError, match="No time zone"):
            set_zone(player=make_player(), zone=zone)
