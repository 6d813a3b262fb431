"""Waiting for a match: one seek a player, closed with the table it leads to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from engine import bots
from games import selectors as games
from games import services as tables
from games import store
from games.models import Match
from outbox.services import drain
from players.models import Player
from quickplay import selectors, services
from quickplay.errors import QuickError
from quickplay.models import Seek
from quickplay.queues import QUEUES
from ratings.models import RatingChange

pytestmark = pytest.mark.django_db

Make = Callable[..., Player]
QUEUE, PARTNERS = "allfives-100-normal", "partners-150-normal"


def refused(code: str) -> pytest.RaisesExc[QuickError]:
    return pytest.raises(QuickError, check=lambda error: error.code == code)


def seated_at(match: Match | None) -> list[int | None]:
    assert match is not None
    return list(match.seat_set.order_by("index").values_list("player", flat=True))


def play_on(match: Match) -> None:
    """Plays a match to its end, by bots' moves on behalf of whoever sits there."""
    while match.is_running:
        if match.turn is None:
            tables.wake(match_id=match.pk, now=match.wake_at)
        else:
            tables.act(
                match_id=match.pk,
                player=match.seat_set.get(index=match.turn).player,
                expected_seq=match.seq,
                action=bots.choose("easy", games.engine_view(match.pk, match.turn), match.seq),
            )
        match.refresh_from_db()


@pytest.mark.parametrize("key", QUEUES)
def test_each_queue_opens_its_table_when_as_many_wait(key: str, make_player: Make) -> None:
    queue = QUEUES[key]
    seeks = [services.seek(player=make_player(), queue=key) for _ in range(queue.offer.seats)]
    assert [each.closed_as for each in seeks[:-1]] == [""] * (queue.offer.seats - 1)
    match = seeks[-1].match
    assert match is not None
    assert set(seated_at(match)) == {each.player_id for each in seeks}
    assert (match.turn_seconds, match.bank_seconds) == (queue.turn_seconds, queue.bank_seconds)
    assert (match.rated, match.is_open, match.rules) == (True, True, queue.rules)
    assert {each.closed_as for each in Seek.objects.all()} == {"matched"}


def test_two_who_meet_play_a_rated_match_in_its_pool(make_player: Make) -> None:
    one, other = make_player(), make_player()
    assert services.seek(player=one, queue=QUEUE).is_open
    match = services.seek(player=other, queue=QUEUE).match
    assert match is not None
    for player in (one, other):
        tables.sit(match_id=match.pk, player=player)
    match.refresh_from_db()
    play_on(match)
    drain()
    assert match.reason == "target"
    rated = RatingChange.objects.filter(match_id=match.pk, pool="allfives-1v1")
    assert set(rated.values_list("player", flat=True)) == {one.pk, other.pk}
    assert store.verify(match.pk) == []


def test_the_same_wish_again_is_the_same_seek_and_another_takes_its_place(
    make_player: Make,
) -> None:
    player = make_player()
    first = services.seek(player=player, queue=QUEUE)
    assert services.seek(player=player, queue=QUEUE).pk == first.pk
    second = services.seek(player=player, queue="draw-100-blitz")
    assert second.pk != first.pk
    first.refresh_from_db()
    assert (first.closed_as, second.is_open) == ("cancelled", True)


def test_the_database_keeps_one_open_seek_a_player(make_player: Make) -> None:
    row = services.seek(player=make_player(), queue=QUEUE)
    row.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)


def test_nobody_is_matched_after_cancelling(make_player: Make) -> None:
    one = make_player()
    services.seek(player=one, queue=QUEUE)
    assert services.cancel(player=one)
    assert not services.cancel(player=one)
    assert services.seek(player=make_player(), queue=QUEUE).is_open


def test_who_sits_at_a_table_is_told_which(make_player: Make) -> None:
    one, other, third = make_player(), make_player(), make_player()
    running = tables.open_match(rules={"preset": "draw"}, seats=2, players=[one, other])
    soon = timezone.now() + timedelta(minutes=5)
    tables.open_match(rules={"preset": "draw"}, seats=2, players=[third, None], sit_by=soon)
    with refused("seated") as caught:
        services.seek(player=one, queue=QUEUE)
    assert caught.value.facts == {"match": running.pk}
    with refused("seated"):
        services.seek(player=third, queue=QUEUE)
    tables.resign(match_id=running.pk, player=one)
    assert services.seek(player=one, queue=QUEUE).is_open


def test_who_was_seated_elsewhere_since_is_not_seated_again(make_player: Make) -> None:
    one, other = make_player(), make_player()
    seek = services.seek(player=one, queue=QUEUE)
    tables.open_match(rules={"preset": "draw"}, seats=2, players=[one, make_player()])
    assert services.seek(player=other, queue=QUEUE).is_open
    seek.refresh_from_db()
    assert seek.closed_as == "cancelled"


def test_a_seat_at_an_open_table_and_a_seek_exclude_each_other(make_player: Make) -> None:
    one, other = make_player(), make_player()
    opened = tables.open_match(rules={"preset": "draw"}, seats=2, host=one)
    seek = services.seek(player=one, queue=QUEUE)
    opened.refresh_from_db()
    assert (opened.status, seek.is_open) == ("cancelled", True)
    tables.open_match(rules={"preset": "draw"}, seats=2, host=one)
    assert services.seek(player=other, queue=QUEUE).is_open
    seek.refresh_from_db()
    assert seek.closed_as == "cancelled"


def test_who_gives_no_sign_of_life_is_not_seated_and_lapses(make_player: Make) -> None:
    one, other = make_player(), make_player()
    now = timezone.now()
    services.seek(player=one, queue=QUEUE, now=now)
    gone = now + selectors.PRESENT + timedelta(seconds=1)
    assert services.seek(player=other, queue=QUEUE, now=gone).is_open
    assert selectors.waiting(gone) == {QUEUE: 1}
    services.heartbeat(player=one, now=gone)
    services.go_away(player=one, now=gone)
    assert services.sweep(gone) == 0
    services.heartbeat(player=one, now=gone)
    assert services.sweep(gone + services.WAVE) == 1

    third = make_player()
    seek = services.seek(player=third, queue=QUEUE, now=now)
    services.sweep(now + services.LAPSE + timedelta(seconds=1))
    seek.refresh_from_db()
    assert seek.closed_as == "lapsed"
    services.heartbeat(player=third)
    assert services.forget_old(now + timedelta(days=2)) == 3


def test_the_clock_pairs_those_who_were_too_far_apart(make_player: Make) -> None:
    now = timezone.now()
    strong, weak = make_player(1900), make_player(1500)
    services.seek(player=strong, queue=QUEUE, now=now)
    assert services.seek(player=weak, queue=QUEUE, now=now).is_open
    later = [now + timedelta(seconds=each) for each in (1, 14, 16)]
    for moment in later:
        for player in (strong, weak):
            services.heartbeat(player=player, now=moment)
        matched = services.sweep(moment)
        assert matched == (moment == later[-1])


def test_the_last_opponent_comes_last(make_player: Make) -> None:
    now = timezone.now()
    one, other, third = make_player(), make_player(), make_player()
    match = tables.open_match(rules={"preset": "draw"}, seats=2, players=[one, other])
    tables.resign(match_id=match.pk, player=one)
    for player in (one, other):
        assert services.seek(player=player, queue=QUEUE, now=now).is_open
    found = services.seek(player=third, queue=QUEUE, now=now)
    assert set(seated_at(found.match)) == {third.pk, one.pk}


def test_guests_play_unrated_with_who_takes_that(make_player: Make, make_guest: Make) -> None:
    guest, strict, open_minded = make_guest(), make_player(), make_player()
    seek = services.seek(player=guest, queue=QUEUE)
    assert (seek.rated, seek.unrated) == (False, True)
    assert services.seek(player=strict, queue=QUEUE).is_open
    services.cancel(player=strict)
    found = services.seek(player=open_minded, queue=QUEUE, unrated=True)
    assert found.match is not None
    assert (seated_at(found.match), found.match.rated) == ([guest.pk, open_minded.pk], False)
    with refused("no_stakes"):
        services.seek(player=strict, queue=QUEUE, rated=False)
    with refused("no_such_queue"):
        services.seek(player=strict, queue="whist")


def test_a_bot_offers_itself_after_a_while_and_plays_at_once(make_player: Make) -> None:
    now = timezone.now()
    player = make_player(1640)
    seek = services.seek(player=player, queue="allfives-100-normal", now=now)
    assert selectors.own(seek, now + timedelta(seconds=19)).bot == ""
    assert selectors.own(seek, now + timedelta(seconds=20)).bot == "Bot Selma"
    match = services.play_bot(player=player)
    assert services.play_bot(player=player).pk == match.pk
    assert [seat.name for seat in match.seat_set.order_by("index")] == [player.name, "Bot Selma"]
    tables.sit(match_id=match.pk, player=player)
    match.refresh_from_db()
    assert (match.rated, match.listed, match.is_running) == (False, False, True)
    seek.refresh_from_db()
    assert (seek.closed_as, seek.match) == ("bot", match)
    with refused("not_waiting"):
        services.play_bot(player=make_player())


def test_a_bot_is_not_played_beside_another_table_nor_for_a_partner_who_is_gone(
    make_player: Make,
) -> None:
    host, friend = make_player(), make_player()
    party = services.invite(player=host, queue=PARTNERS).party
    left = services.seek(player=friend, queue=PARTNERS, party=party)
    services.go_away(player=friend)
    match = services.play_bot(player=host)
    assert [seat.is_bot for seat in match.seat_set.order_by("index")] == [False, True, True, True]
    left.refresh_from_db()
    assert left.is_open
    tables.open_match(rules={"preset": "draw"}, seats=2, players=[friend, make_player()])
    with refused("seated"):
        services.play_bot(player=friend)


def test_a_party_of_two_sits_down_as_partners(make_player: Make) -> None:
    host, friend, late, *others = [make_player() for _ in range(5)]
    invitation = services.invite(player=host, queue=PARTNERS)
    assert services.invite(player=host, queue=PARTNERS).pk == invitation.pk
    for player in others:
        services.seek(player=player, queue=PARTNERS)
    assert selectors.own(invitation).waits_for_partner
    assert selectors.waiting() == {PARTNERS: 2}
    assert selectors.inviting(invitation.party) == invitation
    found = services.seek(player=friend, queue=PARTNERS, party=invitation.party).match
    seats = seated_at(found)
    assert abs(seats.index(host.pk) - seats.index(friend.pk)) == 2
    with refused("no_party"):
        services.seek(player=late, queue=PARTNERS, party=invitation.party)
    with refused("no_such_queue"):
        services.invite(player=late, queue=QUEUE)


def test_a_guest_as_partner_makes_a_party_unrated(make_player: Make, make_guest: Make) -> None:
    seek = services.invite(player=make_player(), queue=PARTNERS)
    services.seek(player=make_guest(), queue=PARTNERS, party=seek.party)
    own = selectors.own(seek)
    assert (own.rated, own.unrated) == (False, True)
    for _ in range(2):
        seek = services.seek(player=make_guest(), queue=PARTNERS)
    assert seek.match is not None
    assert not seek.match.rated


def test_a_party_is_of_two_and_waits_on_when_one_leaves(make_player: Make) -> None:
    host, friend, third = make_player(), make_player(), make_player()
    party = services.invite(player=host, queue=PARTNERS).party
    assert services.seek(player=friend, queue=PARTNERS, party=party).is_open
    assert selectors.inviting(party) is None
    with refused("party_full"):
        services.seek(player=third, queue=PARTNERS, party=party)
    services.cancel(player=host)
    own = selectors.own_seek(friend)
    assert own is not None
    assert selectors.own(own).waits_for_partner
    assert services.seek(player=third, queue=PARTNERS, party=party).place == 0
    match = services.play_bot(player=third)
    names = [seat.name[:3] for seat in match.seat_set.order_by("index")]
    assert (names, set(seated_at(match)[::2])) == (["Per", "Bot"] * 2, {third.pk, friend.pk})
