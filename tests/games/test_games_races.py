"""What happens at once, happens once: threads with connections of their own, on either database."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine.errors import EngineError
from games import clock, selectors, services, store, sweeper
from games.errors import GameError
from games.models import Match, MatchEvent
from outbox.models import Message
from players.models import Player
from tests.together import Call, answers_or_codes

pytestmark = pytest.mark.django_db(transaction=True)

Make = Callable[..., Match]


def together(*calls: Call) -> list[Any]:
    return answers_or_codes(calls, GameError, EngineError)


def acting(match: Match, player: Player, action: Any, **given: Any) -> Call:
    return lambda: services.act(
        match_id=match.pk,
        player=player,
        action=action,
        **{"expected_seq": match.seq, **given},
    )


def overdue(match: Match) -> None:
    past = timezone.now() - timedelta(seconds=1)
    Match.objects.filter(pk=match.pk).update(deadline=past - clock.LAG, wake_at=past)


def acks(answers: Sequence[Any]) -> list[services.Ack]:
    return [answer for answer in answers if isinstance(answer, services.Ack)]


@pytest.mark.parametrize("turn", range(4))
def test_two_different_moves_at_once(
    make_match: Make, move: Callable[..., Any], choose_move: Callable[..., Any], turn: int
) -> None:
    """S10, G14: one is accepted, the other stale."""
    match = make_match({"preset": "block", "target": 500})
    for _ in range(turn):
        move(match)
    player, action = choose_move(match)
    answers = together(
        acting(match, player, action, client_id="one"),
        acting(match, player, action, client_id="two"),
    )
    assert len(acks(answers)) == 1
    assert answers.count("stale_seq") == 1
    assert store.verify(match.pk) == []


def test_one_move_sent_many_times_at_once(
    make_match: Make, choose_move: Callable[..., Any]
) -> None:
    """S13, R20: one event, and everyone gets its number."""
    match = make_match()
    player, action = choose_move(match)
    answers = together(*[acting(match, player, action, client_id="same") for _ in range(6)])
    assert {ack.seq for ack in acks(answers)} == {match.seq + 1}
    assert len(acks(answers)) == 6
    assert match.events.filter(client_id="same").count() == 1


def test_the_same_client_id_from_two_seats(make_match: Make, player_at: Callable[..., Any]) -> None:
    """S14: independent."""
    match = make_match()
    answers = together(
        *[
            lambda p=p: services.resign(match_id=match.pk, player=p, client_id="same")
            for p in (player_at(match, 0), player_at(match, 1))
        ]
    )
    assert len(acks(answers)) == 1
    assert answers.count("match_over") == 1


def test_a_run_out_turn_reported_by_everyone(make_match: Make) -> None:
    """cases.md G13."""
    match = make_match()
    overdue(match)
    answers = together(
        *[lambda: services.wake(match_id=match.pk) for _ in range(4)],
        *[lambda: sweeper.sweep() > 0 for _ in range(2)],
    )
    assert answers.count(True) == 1
    assert match.events.filter(kind="played").count() == 1
    match.refresh_from_db()
    assert match.deadline is not None
    assert match.deadline - timezone.now() > timedelta(seconds=10)
    assert store.verify(match.pk) == []


@pytest.mark.parametrize("attempt", range(6))
def test_a_move_in_the_same_instant_as_the_timeout(
    make_match: Make, choose_move: Callable[..., Any], attempt: int
) -> None:
    """cases.md G16, S11, R41: exactly one of the two."""
    match = make_match()
    player, action = choose_move(match)
    received = timezone.now()
    overdue(match)
    answers = together(
        acting(match, player, action, client_id="c", received=received - timedelta(seconds=5)),
        lambda: services.wake(match_id=match.pk),
        lambda: services.wake(match_id=match.pk),
    )
    moved = len(acks(answers))
    assert moved + answers.count(True) == 1
    assert answers[0] in ("stale_seq", *acks(answers))
    assert match.events.filter(kind="played").count() == 1
    assert match.events.filter(client_id="c").count() == moved
    assert store.verify(match.pk) == []


def test_a_move_and_a_resignation_at_once(
    make_match: Make, choose_move: Callable[..., Any], player_at: Callable[..., Any]
) -> None:
    """S11: one end, told once."""
    match = make_match()
    player, action = choose_move(match)
    together(
        acting(match, player, action, client_id="m"),
        lambda: services.resign(match_id=match.pk, player=player, client_id="r"),
        lambda: services.forfeit(match_id=match.pk, seats=[1], reason="forfeit"),
        lambda: services.forfeit(match_id=match.pk, seats=[0], reason="forfeit"),
    )
    assert match.events.filter(kind="match_ended").count() == 1
    assert Message.objects.filter(key=match.pk).count() == 1
    assert store.verify(match.pk) == []


def test_two_deals_at_once(make_match: Make, move: Callable[..., Any]) -> None:
    """cases.md G15: one round."""
    match = make_match({"preset": "block", "target": 500})
    while match.phase == "play":
        move(match)
        match.refresh_from_db()
    people = [seat.player for seat in match.seat_set.order_by("index")]
    for player in people:
        services.arrive(match_id=match.pk, player=player)
    due = match.wake_at
    together(
        *[lambda p=p: services.ready(match_id=match.pk, player=p) for p in people],
        *[lambda: services.wake(match_id=match.pk, now=due) for _ in range(3)],
    )
    assert match.events.filter(kind="round_started").count() == 2
    assert store.Deal.objects.filter(match=match).count() == 2
    assert store.verify(match.pk) == []


def test_many_want_the_last_seat(make_player: Callable[..., Player]) -> None:
    host, *others = [make_player() for _ in range(7)]
    match = services.open_match(rules={"preset": "allfives"}, seats=2, host=host)
    answers = together(
        *[lambda p=p: services.join(match_id=match.pk, player=p).index for p in others]
    )
    assert answers.count(1) == 1
    assert answers.count("has_begun") == 5
    assert match.events.filter(kind="started").count() == 1
    assert store.verify(match.pk) == []


def test_one_player_joins_in_many_clicks(make_player: Callable[..., Player]) -> None:
    host, guest = make_player(), make_player()
    match = services.open_match(rules={"preset": "allfives"}, seats=3, host=host)
    answers = together(
        *[lambda: services.join(match_id=match.pk, player=guest).index for _ in range(5)]
    )
    assert answers == [1] * 5
    assert match.events.filter(kind="joined").count() == 2


def test_a_rematch_asked_for_by_both_at_once(
    make_match: Make, player_at: Callable[..., Player]
) -> None:
    match = make_match()
    services.resign(match_id=match.pk, player=player_at(match, 0))
    people = [player_at(match, 0), player_at(match, 1)]
    answers = together(
        *[lambda p=p: services.rematch(match_id=match.pk, player=p).pk for p in people * 2]
    )
    assert len(set(answers)) == 1
    assert Match.objects.count() == 2
    assert Match.objects.get(pk=answers[0]).status == "running"


def test_sweeps_race_over_many_matches(make_match: Make) -> None:
    """Racing windows: every overdue turn is played exactly once."""
    matches = [make_match() for _ in range(12)]
    for match in matches:
        overdue(match)
    answers = together(*[lambda: sweeper.run_window(1.5) for _ in range(3)])
    assert sum(answers) == 12
    for match in matches:
        assert match.events.filter(kind="played").count() == 1
        assert store.verify(match.pk) == []


def test_moves_and_sweeps_on_many_tables(make_match: Make) -> None:
    """Bots and people on the same tables from several threads: no gap, nothing twice."""
    matches = [
        make_match({"preset": "allfives", "target": 60}, bots={1: "easy"}, bot_delay_ms=0)
        for _ in range(4)
    ]
    people = {match.pk: match.seat_set.get(index=0).player for match in matches}

    def play(mine: Sequence[Match]) -> None:
        for _ in range(60):
            for match in mine:
                card = Match.objects.get(pk=match.pk)
                if card.status == "finished" or card.turn != 0:
                    continue
                legal = selectors.engine_view(card.pk, 0).legal
                if legal:
                    with_refusals(acting(card, people[card.pk], legal[0], client_id=f"{card.seq}"))

    def with_refusals(call: Call) -> None:
        with contextlib.suppress(GameError, EngineError):
            call()

    together(
        lambda: play(matches),
        lambda: play(matches[::-1]),
        lambda: sweeper.run_window(4),
        lambda: sweeper.run_window(4),
    )
    for match in matches:
        assert store.verify(match.pk) == []
        seqs = list(match.events.order_by("seq").values_list("seq", flat=True))
        assert seqs == list(range(1, len(seqs) + 1))
    assert MatchEvent.objects.filter(client_id__gt="").count() > 8
