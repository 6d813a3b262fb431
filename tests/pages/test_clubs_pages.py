from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from players import clubs
from players.models import Club, Player
from tournaments import services
from tournaments.models import Tournament

Make = Callable[..., Player]
Enter = Callable[[Player], Client]


def page(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def test_a_club_is_founded_joined_and_left_in_the_browser(
    make_player: Make, as_player: Enter
) -> None:
    founder, other = make_player(), make_player()
    owner, member = as_player(founder), as_player(other)
    owner.post("/clubs/new", {"name": "Double Six", "place": "Lima", "joining": "ask"})
    club = Club.objects.get()
    assert "Double Six" in page(member, "/clubs")
    member.post(f"/clubs/{club.slug}/join")
    assert "You have asked to join" in page(member, f"/clubs/{club.slug}")
    assert "Asking to join" in page(owner, f"/clubs/{club.slug}")
    assert "Asking to join" not in page(member, f"/clubs/{club.slug}")
    owner.post(f"/clubs/{club.slug}/rank", {"player": other.handle, "rank": "member"})
    assert "Leave the club" in page(member, f"/clubs/{club.slug}")
    assert member.get(f"/clubs/{club.slug}/edit").status_code == 404
    member.post(f"/clubs/{club.slug}/rank", {"player": founder.handle, "rank": ""})
    assert clubs.is_member(club, founder)
    member.post(f"/clubs/{club.slug}/leave")
    assert not clubs.is_member(club, other)


def test_a_clubs_events_are_on_its_page_and_others_are_told(
    make_player: Make, as_player: Enter
) -> None:
    founder = make_player()
    club = clubs.found(founder=founder, name="Double Six")
    event = services.create(organiser=founder, name="Club Cup", access="club", club=club.slug)
    services.open_registration(tournament_id=event.pk, by=founder)
    hidden = services.create(organiser=founder, name="Secret Cup", access="link", club=club.slug)
    services.open_registration(tournament_id=hidden.pk, by=founder)
    stranger = as_player(make_player())
    assert "Club Cup" in page(stranger, f"/clubs/{club.slug}")
    assert "Secret Cup" not in page(stranger, f"/clubs/{club.slug}")
    assert "Secret Cup" in page(as_player(founder), f"/clubs/{club.slug}")
    assert "for the members of a club" in page(stranger, f"/tournaments/{event.slug}")
    assert 'href="/clubs/double-six"' in page(stranger, f"/tournaments/{event.slug}/info")


@pytest.mark.django_db
def test_hostile_club_names_are_text(make_player: Make, client: Client) -> None:
    club = clubs.found(founder=make_player(), name="<svg/onload=alert(1)>")
    for path in ("/clubs", f"/clubs/{club.slug}"):
        assert "<svg/onload" not in page(client, path)


def test_a_clubs_event_is_made_from_its_page(make_player: Make, as_player: Enter) -> None:
    founder = make_player()
    club = clubs.found(founder=founder, name="Double Six")
    form = as_player(founder).get(f"/tournaments/new?club={club.slug}").context["form"]
    shown = {field.name: field.value() for section in form for field in section}
    assert (shown["access"], shown["club"]) == ("club", club.slug)
    assert not Tournament.objects.exists()
