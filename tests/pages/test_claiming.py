"""An entry made by name becomes somebody's own, by a link, once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tournaments import services
from tournaments.errors import TournamentError
from tournaments.models import Claim, Tournament

Make = Callable[..., Player]
Enter = Callable[[Player], Client]


@pytest.fixture
def cup(make_player: Make, make_event: Callable[..., Tournament]) -> Tournament:
    event = make_event(make_player(), play="board", format="round_robin")
    rows = [services.Newcomer(n, name=name) for n, name in enumerate(("Nell Day", "Ann Moss"), 1)]
    services.enter(tournament_id=event.pk, by=event.organiser, rows=rows)
    return event


@pytest.fixture
def link(cup: Tournament, as_player: Enter) -> str:
    """The address of the first one's claim."""
    as_player(cup.organiser).post(f"/tournaments/{cup.slug}/entries", {"claims": "1"})
    return f"/claim/{Claim.objects.order_by('pk')[0].key}"


def test_a_visitor_becomes_the_guest_and_the_link_is_used_up(cup: Tournament, link: str) -> None:
    visitor, late = Client(), Client()
    assert "Nell Day" in visitor.get(link).content.decode()
    assert "_auth_user_id" not in visitor.session
    response = visitor.post(link)
    assert response["Location"] == cup.get_absolute_url()
    guest = cup.entrants.order_by("pk")[0].player
    assert visitor.session["_auth_user_id"] == str(guest.pk)
    assert late.post(link).status_code == 410
    assert "_auth_user_id" not in late.session


def test_who_is_signed_in_plays_on_under_their_own_name(
    cup: Tournament, link: str, make_player: Make, as_player: Enter
) -> None:
    services.start(tournament_id=cup.pk, by=cup.organiser)
    own = make_player("Nelly")
    as_player(own).post(link)
    entrant = cup.entrants.order_by("pk")[0]
    assert (entrant.player, entrant.label) == (own, "Nelly")
    line = cup.audit.get(action="claimed")
    assert (line.by, line.facts["name"]) == (own, "Nell Day")
    again = f"/claim/{Claim.objects.order_by('pk')[1].key}"
    assert as_player(own).post(again).status_code == 409


def test_a_link_is_taken_back_by_the_desk(cup: Tournament, link: str, as_player: Enter) -> None:
    desk = as_player(cup.organiser)
    page = desk.get(f"/tournaments/{cup.slug}/entries").content.decode()
    assert link in page
    first = Claim.objects.order_by("pk")[0]
    desk.post(f"/tournaments/{cup.slug}/entries", {"revoke": first.pk})
    assert Client().post(link).status_code == 410
    assert not Claim.objects.filter(pk=first.pk).exists()


def test_the_codes_are_on_the_cards_that_officials_print_and_on_no_others(
    cup: Tournament, link: str, as_player: Enter, make_player: Make
) -> None:
    url = f"/tournaments/{cup.slug}/print/cards"
    assert as_player(cup.organiser).get(url).content.decode().count("<svg") == 2
    for client in (Client(), as_player(make_player())):
        assert "<svg" not in client.get(url).content.decode()


def test_links_are_for_those_entered_by_name_alone(
    cup: Tournament, as_player: Enter, make_player: Make
) -> None:
    services.join(tournament_id=cup.pk, player=make_player())
    joined: Any = Client()
    joined.post(f"/tournaments/{cup.slug}/join")
    made = services.offer_claims(tournament_id=cup.pk, by=cup.organiser)
    assert [claim.player.name for claim in made] == ["Nell Day", "Ann Moss"]
    assert services.offer_claims(tournament_id=cup.pk, by=cup.organiser) == made


@pytest.mark.django_db(transaction=True)
def test_of_several_who_open_a_link_at_once_one_takes_the_entry(
    cup: Tournament, link: str, make_player: Make, at_once: Callable[..., list[Any]]
) -> None:
    services.start(tournament_id=cup.pk, by=cup.organiser)
    takers = [make_player(), make_player(), make_player()]
    key = link.rpartition("/")[2]
    answers = at_once(3, lambda n: services.claim(key=key, player=takers[n]))
    codes = [answer.code for answer in answers if isinstance(answer, TournamentError)]
    assert codes == ["no_claim", "no_claim"]
    claim = Claim.objects.get(key=key)
    assert claim.taken_by == cup.entrants.order_by("pk")[0].player
    assert cup.audit.filter(action="claimed").count() == 1
