"""Seeks at once, from threads with connections of their own, on either database."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.errors import GameError
from games.models import Match, Seat
from players.models import Player
from quickplay import services
from quickplay.models import Seek
from tests.together import Call, answers_or_codes

pytestmark = pytest.mark.django_db(transaction=True)

Make = Callable[..., Player]
QUEUE, PARTNERS = "allfives-100-normal", "partners-150-normal"


def together(*calls: Call) -> list[Any]:
    return answers_or_codes(calls, GameError)


def exact() -> None:
    """Nobody sits twice, and each match is that of the seeks that it closed."""
    seated = list(Seat.objects.filter(player__bot_level="").values_list("player", flat=True))
    assert len(seated) == len(set(seated))
    for match in Match.objects.all():
        seeks = Seek.objects.filter(match=match)
        people = match.seat_set.filter(player__bot_level="")
        assert set(seeks.values_list("player", flat=True)) == set(
            people.values_list("player", flat=True)
        )
    for seek in Seek.objects.filter(closed_at=None):
        assert seek.player_id not in seated


def waiting(people: list[Player], seconds: int = 40, queue: str = QUEUE) -> None:
    """They all wait, unmatched so far, long enough to sit down with anybody."""
    now = timezone.now()
    Seek.objects.bulk_create(
        Seek(
            player=player, queue=queue, rated=True, unrated=False, rating=1500, deviation=60,
            created_at=now - timedelta(seconds=seconds),
        )
        for player in people
    )  # fmt: skip


def test_several_processes_match_at_once(make_player: Make) -> None:
    waiting([make_player() for _ in range(21)])
    opened = together(*[lambda: services.match_waiting(queue=QUEUE)] * 3, *[services.sweep] * 2)
    services.match_waiting(queue=QUEUE)
    assert sum(opened) <= Match.objects.count() == 10
    exact()


def test_everybody_presses_at_once(make_player: Make) -> None:
    people = [make_player() for _ in range(8)]
    together(*[lambda p=p: services.seek(player=p, queue=QUEUE).pk for p in people])
    services.match_waiting(queue=QUEUE)
    assert Match.objects.count() == 4
    exact()


def test_cancelling_while_a_match_is_made(make_player: Make) -> None:
    for _attempt in range(5):
        one, other = make_player(), make_player()
        waiting([one, other])
        cancelled, *_opened = together(
            lambda p=one: services.cancel(player=p),
            lambda: services.match_waiting(queue=QUEUE),
            services.sweep,
        )
        services.match_waiting(queue=QUEUE)
        assert Seek.objects.get(player=one).closed_as == ("cancelled" if cancelled else "matched")
        services.cancel(player=other)
        exact()


def test_a_double_click_and_two_tabs(make_player: Make) -> None:
    one, other = make_player(), make_player()
    queues = [QUEUE, QUEUE, "draw-100-blitz", QUEUE, "draw-100-blitz"]
    together(*[lambda p=p: services.seek(player=one, queue=p).pk for p in queues])
    assert Seek.objects.filter(player=one, closed_at=None).count() == 1
    services.seek(player=one, queue=QUEUE)
    answers = together(*[lambda: services.seek(player=other, queue=QUEUE).match_id] * 4)
    services.match_waiting(queue=QUEUE)  # each may have held the seek that the next one needed
    assert Match.objects.count() == 1
    assert set(answers) <= {Match.objects.get().pk, "seated", None}
    exact()


def test_pressing_another_button_while_a_match_is_made(make_player: Make) -> None:
    people = [make_player() for _ in range(6)]
    waiting(people)
    together(
        *[lambda: services.match_waiting(queue=QUEUE)] * 2,
        *[lambda p=p: services.seek(player=p, queue="draw-100-blitz").pk for p in people[:3]],
        *[lambda p=p: services.play_bot(player=p).pk for p in people[3:]],
    )
    exact()


def test_many_accept_one_invitation(make_player: Make) -> None:
    host, *others = [make_player() for _ in range(5)]
    party = services.invite(player=host, queue=PARTNERS).party
    answers = together(
        *[lambda p=p: services.seek(player=p, queue=PARTNERS, party=party).place for p in others]
    )
    assert sorted(answers, key=str) == [1, "party_full", "party_full", "party_full"]
    assert Seek.objects.filter(party=party).count() == 2
    partner = Seek.objects.get(party=party, place=1).player
    together(*[lambda p=p: services.play_bot(player=p).pk for p in (host, partner)])
    assert Match.objects.count() == 1
    exact()
