"""A Swiss played at tables: what the services make of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tournaments import board as boards
from tournaments import drawn, selectors, services, tasks
from tournaments.errors import TournamentError
from tournaments.models import Pairing, Round, Slot, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
Play = Any


def live(cup: Tournament) -> list[int]:
    found = Pairing.objects.filter(stage__tournament=cup, status="live")
    return list(found.order_by("number").values_list("number", flat=True))


def play_round(cup: Tournament, play: Play) -> None:
    assert tasks.draw_round(cup.pk)
    for number in live(cup):
        play.lose(cup, number, loser=max(play.seeds(cup, number)))


def test_no_round_is_drawn_in_the_request_that_starts(started: Event) -> None:
    cup = started(4, format="swiss", options={"rounds": 2})
    assert not Round.objects.exists()
    assert tasks.draw_round(cup.pk)
    assert live(cup) == [1, 2]
    assert not tasks.draw_round(cup.pk)
    assert Round.objects.count() == 1


def test_five_play_three_rounds_to_the_final_ranks(started: Event, play: Play) -> None:
    cup = started(5, format="swiss", options={"rounds": 3})
    for number in (1, 2, 3):
        play_round(cup, play)
        assert selectors.verify(cup.pk) == []
        row = Round.objects.get(stage__tournament=cup, number=number)
        assert row.draw["rules"] == "swiss/1"
        assert len(row.draw["input"]) == 64
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert play.places(cup)[0] == 1
    byes = Slot.objects.filter(kind="bye", pairing__stage__tournament=cup)
    assert len({slot.pairing.slots.get(index=0).entrant_id for slot in byes}) == 3
    why = Pairing.objects.filter(stage__tournament=cup).values_list("why", flat=True)
    assert {each["rule"] for each in why} == {"swiss", "swiss_bye"}


def test_the_tick_draws_a_round_whose_message_was_lost(started: Event, play: Play) -> None:
    cup = started(4, format="swiss", options={"rounds": 2})
    tasks.tick()
    assert live(cup) == [1, 2]
    for number in live(cup):
        play.lose(cup, number, loser=max(play.seeds(cup, number)))
    assert live(cup) == []
    tasks.tick()
    assert len(live(cup)) == 2


def test_when_all_but_one_leave_no_round_is_drawn_and_it_is_over(  # B7
    started: Event, play: Play
) -> None:
    cup = started(4, format="swiss", options={"rounds": 3})
    play_round(cup, play)
    for seed in (2, 3, 4):
        services.withdraw(tournament_id=cup.pk, player=play.entrant(cup, seed).player)
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert not tasks.draw_round(cup.pk)
    assert selectors.verify(cup.pk) == []


def test_who_leaves_in_a_round_loses_it_and_is_not_drawn_again(  # B8
    started: Event, play: Play
) -> None:
    cup = started(6, format="swiss", options={"rounds": 3})
    assert tasks.draw_round(cup.pk)
    services.withdraw(tournament_id=cup.pk, player=play.entrant(cup, 1).player)
    for number in live(cup):
        play.lose(cup, number, loser=max(play.seeds(cup, number)))
    play_round(cup, play)
    second = Slot.objects.filter(round__stage__tournament=cup, round__number=2)
    assert play.entrant(cup, 1).pk not in set(second.values_list("entrant", flat=True))
    assert selectors.verify(cup.pk) == []


@pytest.mark.django_db(transaction=True)
def test_two_workers_draw_one_round(started: Event, at_once: Any) -> None:  # B6
    cup = started(8, format="swiss", options={"rounds": 3})
    answers = at_once(2, lambda _n: services.draw_due(tournament_id=cup.pk))
    assert sorted(answers) == [False, True], answers
    assert Round.objects.count() == 1
    assert Pairing.objects.count() == 4
    connection.close()


def test_a_result_that_comes_while_a_round_is_being_drawn_is_not_overlooked(
    started: Event, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = started(4, format="swiss", options={"rounds": 3})
    play_round(cup, play)
    from tournaments.formats import swiss

    real = swiss.draw

    def draw_slowly(*given: Any) -> Any:
        drawn = real(*given)
        services.report_result(
            pairing_id=play.pairing(cup, 1).pk,
            by=cup.organiser,
            outcome="decision",
            winner=play.entrant(cup, max(play.seeds(cup, 1))).pk,
            reason="x",
        )
        return drawn

    monkeypatch.setattr(swiss, "draw", draw_slowly)
    assert not services.draw_due(tournament_id=cup.pk)
    assert Round.objects.count() == 1


def test_a_board_read_while_a_round_is_being_made_is_the_one_before(
    started: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = started(5, format="swiss", options={"rounds": 2})
    stage = cup.stages.get()
    services.draw_due(tournament_id=cup.pk)
    monkeypatch.setattr(type(stage.rounds), "in_bulk", lambda *_given: {})
    board = boards.load(stage)
    assert (board.pairings, board.results, dict(board.slots)) == ({}, {}, {})
    assert board.plan().due == 1


def test_who_comes_late_is_drawn_from_the_next_round_on(  # B9
    started: Event, play: Play, people: Any
) -> None:
    cup = started(4, format="swiss", options={"rounds": 3})
    play_round(cup, play)
    (late,) = people(1)
    assert selectors.viewer_state(cup, late).word == "join_late"
    entrant = services.join(tournament_id=cup.pk, player=late)
    assert services.join(tournament_id=cup.pk, player=late) == entrant
    assert (entrant.seed, entrant.status) == (5, "active")
    assert selectors.verify(cup.pk) == []
    play_round(cup, play)
    second = Slot.objects.filter(round__stage__tournament=cup, round__number=2)
    assert entrant.pk in set(second.values_list("entrant", flat=True))
    play_round(cup, play)
    cup.refresh_from_db()
    assert (cup.status, cup.taken) == ("finished", 5)
    assert sorted(play.places(cup)) == [1, 2, 3, 4, 5]
    assert selectors.verify(cup.pk) == []


def test_nobody_comes_in_once_the_last_round_is_drawn(
    started: Event, play: Play, people: Any
) -> None:
    cup = started(4, format="swiss", options={"rounds": 1})
    assert tasks.draw_round(cup.pk)
    (late,) = people(1)
    with pytest.raises(TournamentError, match="Registration is closed"):
        services.join(tournament_id=cup.pk, player=late)
    gone = play.entrant(cup, 1).player
    services.withdraw(tournament_id=cup.pk, player=gone)
    with pytest.raises(TournamentError, match="Registration is closed"):
        services.join(tournament_id=cup.pk, player=gone)


def test_the_proof_draws_rounds_again_and_notices_one_that_was_tampered_with(
    started: Event, play: Play
) -> None:
    cup = started(7, format="swiss", options={"rounds": 3})
    play_round(cup, play)
    assert tasks.draw_round(cup.pk)
    first, second = Round.objects.filter(stage__tournament=cup).order_by("number")
    assert first.draw["engine"] == "swiss/2"
    services.report_result(  # a correction after the draw: what it was drawn from is still known
        pairing_id=play.pairing(cup, 1).pk,
        by=cup.organiser,
        outcome="decision",
        winner=play.entrant(cup, max(play.seeds(cup, 1))).pk,
        reason="x",
    )
    services.withdraw(tournament_id=cup.pk, player=play.entrant(cup, 4).player)
    assert drawn.again(play.board(cup), second) is not None
    assert selectors.verify(cup.pk) == []
    one, other = Slot.objects.filter(pairing__round=second, index=0, pairing__status="live")[:2]
    swapped = one.entrant, other.entrant
    Slot.objects.filter(pk__in=(one.pk, other.pk)).update(kind="bye", entrant=None)
    for slot, entrant in zip((other, one), swapped, strict=True):
        Slot.objects.filter(pk=slot.pk).update(kind="entrant", entrant=entrant)
    assert any("round 2 is not as its input draws it" in each for each in selectors.verify(cup.pk))


def report(cup: Tournament, play: Play, number: int) -> Pairing:
    """The pairing, won by its first entrant as the arbiter enters it."""
    pairing: Pairing = play.pairing(cup, number)
    winner = play.entrant(cup, play.seeds(cup, number)[0])
    services.report_result(
        pairing_id=pairing.pk, by=cup.organiser, outcome="played", winner=winner.pk, scores=[150, 5]
    )
    pairing.refresh_from_db()
    return pairing


def test_a_result_that_leaves_others_playing_concerns_its_own_pairing_alone(
    started: Event, play: Play
) -> None:
    cup = started(6, format="swiss", options={"rounds": 2}, play="board")
    services.draw_due(tournament_id=cup.pk)
    first = play.pairing(cup, 1)
    board = boards.load_for(first.stage, first)
    assert (list(board.pairings), len(board.entrants), board.whole) == ([1], 2, False)
    assert report(cup, play, 1).status == "decided"
    assert [play.pairing(cup, number).status for number in (2, 3)] == ["ready", "ready"]
    assert selectors.verify(cup.pk) == []


def test_the_last_result_of_a_round_brings_the_next_one(started: Event, play: Play) -> None:
    cup = started(4, format="swiss", options={"rounds": 2}, play="board")
    services.draw_due(tournament_id=cup.pk)
    report(cup, play, 1)
    last = play.pairing(cup, 2)
    assert boards.load_for(last.stage, last).whole
    report(cup, play, 2)
    assert services.draw_due(tournament_id=cup.pk)
    assert selectors.verify(cup.pk) == []
