"""Fixed pairs: asked and accepted, entered and replaced; two who are one entrant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from players.models import Player
from tournaments import audit, selectors, services
from tournaments.errors import TournamentError
from tournaments.models import AuditLine, Entrant, PairInvitation, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
People = Callable[[int], list[Player]]
Play = Any


@pytest.fixture
def paired(event: Event) -> Callable[..., Tournament]:
    return lambda **settings: event(sides="pairs", **settings)


def _refused(code: str, work: Callable[..., object], **facts: object) -> None:
    with pytest.raises(TournamentError) as refused:
        work(**facts)
    assert refused.value.code == code


def _enter(cup: Tournament, one: Player, other: Player) -> Entrant:
    return services.enter_pair(tournament_id=cup.pk, by=cup.organiser, player=one, partner=other)


def test_a_pair_is_in_when_the_partner_accepts(paired: Event, people: People) -> None:
    cup, (one, other) = paired(), people(2)
    asked = services.invite_partner(
        tournament_id=cup.pk, player=one, partner=other, name="The Sixes"
    )
    cup.refresh_from_db()
    assert cup.taken == 0
    entrant = services.accept_partner(tournament_id=cup.pk, player=other, invitation_key=asked.key)
    cup.refresh_from_db()
    assert (entrant.player, entrant.partner, entrant.label) == (one, other, "The Sixes")
    assert cup.taken == 1
    assert not PairInvitation.objects.exists()
    again = services.accept_partner(tournament_id=cup.pk, player=other, invitation_key=asked.key)
    assert again == entrant


def test_whoever_has_the_link_can_accept_but_not_the_one_who_asked(
    paired: Event, people: People
) -> None:
    cup, (one, other) = paired(), people(2)
    asked = services.invite_partner(tournament_id=cup.pk, player=one)
    accept = services.accept_partner
    _refused("own_partner", accept, tournament_id=cup.pk, player=one, invitation_key=asked.key)
    assert accept(tournament_id=cup.pk, player=other, invitation_key=asked.key).partner == other


def test_an_invitation_is_for_the_one_who_was_named_and_can_be_taken_back(
    paired: Event, people: People
) -> None:
    cup, (one, other, third) = paired(), people(3)
    asked = services.invite_partner(tournament_id=cup.pk, player=one, partner=other)
    key = {"tournament_id": cup.pk, "invitation_key": asked.key}
    _refused("no_pair_invitation", services.accept_partner, player=third, **key)
    services.drop_invitation(player=other, **key)
    _refused("no_pair_invitation", services.accept_partner, player=other, **key)


def test_nobody_is_in_two_entries(paired: Event, people: People) -> None:
    cup, (one, other, third) = paired(), people(3)
    _enter(cup, one, other)
    invite = services.invite_partner
    _refused("in_already", invite, tournament_id=cup.pk, player=other, partner=third)
    _refused("partner_in_already", invite, tournament_id=cup.pk, player=third, partner=one)
    _refused("partner_in_already", invite, tournament_id=cup.pk, player=third, partner=other)
    _refused("own_partner", invite, tournament_id=cup.pk, player=third, partner=third)
    with pytest.raises(TournamentError):
        _enter(cup, third, other)
    assert Entrant.objects.filter(tournament=cup).count() == 1


def test_alone_nobody_enters_a_tournament_of_pairs(
    paired: Event, event: Event, people: People
) -> None:
    (one,) = people(1)
    _refused("needs_partner", services.join, tournament_id=paired().pk, player=one)
    _refused("no_pairs", services.invite_partner, tournament_id=event().pk, player=one)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer at a time")
@pytest.mark.django_db(transaction=True)
def test_two_pairs_at_once_do_not_share_a_player(
    paired: Event, people: People, at_once: Callable[..., list[Any]]
) -> None:
    cup, (one, other, third) = paired(), people(3)
    answers = at_once(2, lambda n: _enter(cup, *((one, other), (third, one))[n]))
    assert sum(isinstance(answer, TournamentError) for answer in answers) == 1


def test_either_partner_takes_the_pair_out(paired: Event, people: People) -> None:
    cup, (one, other) = paired(), people(2)
    _enter(cup, one, other)
    services.withdraw(tournament_id=cup.pk, player=other)
    cup.refresh_from_db()
    assert (cup.taken, cup.entrants.count()) == (0, 0)


def test_somebody_stands_in_for_one_of_a_pair(paired: Event, people: People, play: Play) -> None:
    cup, players = paired(), people(5)
    first = _enter(cup, players[0], players[1])
    _enter(cup, players[2], players[3])
    services.start(tournament_id=cup.pk, by=cup.organiser)
    stand_in = {"tournament_id": cup.pk, "entrant_id": first.pk, "out": players[1]}
    organiser = cup.organiser
    _refused("no_reason", services.substitute, by=organiser, into=players[4], **stand_in)
    _refused("in_already", services.substitute, by=organiser, into=players[3], reason="ill",
             **stand_in)  # fmt: skip
    _refused("not_allowed", services.substitute, by=players[0], into=players[4], reason="ill",
             **stand_in)  # fmt: skip
    services.substitute(by=organiser, into=players[4], reason="ill", **stand_in)
    first.refresh_from_db()
    assert (first.player, first.partner) == (players[0], players[4])
    line = AuditLine.objects.get(tournament=cup, action="substituted_meanwhile")
    assert players[4].name in audit.sentence(line)
    assert line.reason == "ill"
    assert selectors.verify(cup.pk) == []


@pytest.mark.parametrize("format_id", ["single_elimination", "round_robin", "swiss"])
def test_pairs_of_bots_play_across_the_table_to_the_end(
    bots_event: Event, play: Play, format_id: str
) -> None:
    options = {"rounds": 2} if format_id == "swiss" else {}
    cup = bots_event(3, format=format_id, sides="pairs", options=options)
    pairs = list(Entrant.objects.filter(tournament=cup))
    assert len({pk for each in pairs for pk in (each.player_id, each.partner_id)}) == 6
    play.to_the_end(cup)
    assert selectors.verify(cup.pk) == []
    assert selectors.standings(cup)[0].place == 1
