from __future__ import annotations

import pytest

from players import clubs
from players.clubs import ClubRefused
from players.models import Club, Membership, Player
from players.services import create_guest

pytestmark = pytest.mark.django_db


def person(handle: str) -> Player:
    return Player.objects.create_user(handle, name=handle.title())


def ranks(club: Club) -> dict[str, str]:
    return {row.player.handle: row.rank for row in clubs.members_of(club)}


def test_whoever_founds_a_club_owns_it() -> None:
    club = clubs.found(founder=person("ann"), name=" Double  Six\u202e ")
    assert (club.name, club.slug, ranks(club)) == ("Double Six", "double-six", {"ann": "owner"})
    assert clubs.found(founder=person("ben"), name="Double Six").slug != club.slug
    assert clubs.found(founder=person("cid"), name="New").slug == "new-club"


def test_guests_have_no_clubs() -> None:
    club = clubs.found(founder=person("ann"), name="Double Six")
    for deed in (
        lambda: clubs.found(founder=create_guest(), name="Other"),
        lambda: clubs.join(club_id=club.pk, player=create_guest()),
    ):
        with pytest.raises(ClubRefused, match="no_account"):
            deed()


def test_an_open_club_takes_anyone_once() -> None:
    club, ben = clubs.found(founder=person("ann"), name="Double Six"), person("ben")
    for _twice in range(2):
        clubs.join(club_id=club.pk, player=ben)
    assert ranks(club) == {"ann": "owner", "ben": "member"}
    clubs.leave(club_id=club.pk, player=ben)
    assert not clubs.is_member(club, ben)


def test_who_asks_is_in_when_an_owner_lets_them_in() -> None:
    ann, ben = person("ann"), person("ben")
    club = clubs.found(founder=ann, name="Double Six", joining="ask")
    clubs.join(club_id=club.pk, player=ben)
    assert not clubs.is_member(club, ben)
    with pytest.raises(ClubRefused, match="not_owner"):
        clubs.set_rank(club_id=club.pk, by=ben, player=ben, rank="member")
    clubs.set_rank(club_id=club.pk, by=ann, player=ben, rank="member")
    assert clubs.is_member(club, ben)
    assert list(clubs.of_player(ben)) == [club]


def test_the_last_owner_stays_while_there_are_members() -> None:
    ann, ben = person("ann"), person("ben")
    club = clubs.found(founder=ann, name="Double Six")
    clubs.join(club_id=club.pk, player=ben)
    with pytest.raises(ClubRefused, match="last_owner"):
        clubs.leave(club_id=club.pk, player=ann)
    with pytest.raises(ClubRefused, match="last_owner"):
        clubs.set_rank(club_id=club.pk, by=ann, player=ann, rank="member")
    clubs.set_rank(club_id=club.pk, by=ann, player=ben, rank="owner")
    clubs.leave(club_id=club.pk, player=ann)
    assert ranks(club) == {"ben": "owner"}


def test_the_list_counts_members_and_not_those_who_ask() -> None:
    club = clubs.found(founder=person("ann"), name="Double Six", joining="ask")
    clubs.join(club_id=club.pk, player=person("ben"))
    [listed] = clubs.listed()
    assert listed.members == 1
    assert Membership.objects.count() == 2
