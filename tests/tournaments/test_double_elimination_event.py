"""Double elimination played at tables: what the services make of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tournaments import selectors, services
from tournaments.errors import TournamentError
from tournaments.models import Slot, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
Play = Any


def test_four_play_to_a_second_final_that_is_not_needed(started: Event, play: Play) -> None:
    cup = started(4, format="double_elimination")
    for number in range(1, 7):
        play.lose(cup, number, loser=max(play.seeds(cup, number)))
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert play.places(cup) == [1, 2, 3, 4]
    assert play.result(cup, 7) == ("not_needed", None)
    assert selectors.verify(cup.pk) == []
    assert [each["part"] for each in selectors.bracket(cup)] == [
        "winners", "losers", "winners", "losers", "final", "final"]  # fmt: skip


def test_a_final_corrected_to_the_losers_champion_is_played_again(
    started: Event, play: Play
) -> None:
    cup = started(2, format="double_elimination")
    play.lose(cup, 1, loser=2)
    play.lose(cup, 2, loser=2)
    cup.refresh_from_db()
    assert cup.status == "finished"
    services.report_result(
        pairing_id=play.pairing(cup, 2).pk,
        by=cup.organiser,
        outcome="decision",
        winner=play.entrant(cup, 2).pk,
        reason="misread",
    )
    cup.refresh_from_db()
    assert cup.is_running
    assert play.seeds(cup, 3) == [1, 2]
    play.lose(cup, 3, loser=1)
    assert play.places(cup) == [2, 1]
    assert selectors.verify(cup.pk) == []


def test_a_correction_moves_winner_and_loser(started: Event, play: Play) -> None:  # D10, D11
    cup = started(4, format="double_elimination")
    for number in (1, 2):
        play.lose(cup, number, loser=max(play.seeds(cup, number)))
    assert (play.seeds(cup, 3), play.seeds(cup, 4)) == ([4, 3], [1, 2])
    play.lose(cup, 3, loser=4)
    correction = {
        "pairing_id": play.pairing(cup, 1).pk, "by": cup.organiser, "outcome": "decision",
        "winner": play.entrant(cup, 4).pk, "reason": "wrong table",
    }  # fmt: skip
    with pytest.raises(TournamentError) as refused:
        services.report_result(**correction)
    assert refused.value.facts["matches"] == [3]
    services.report_result(**correction, force="void")
    assert (play.seeds(cup, 3), play.seeds(cup, 4)) == ([1, 3], [4, 2])
    assert play.result(cup, 3) is None
    assert selectors.verify(cup.pk) == []


def test_who_withdraws_loses_in_both_brackets(started: Event, play: Play) -> None:
    cup = started(4, format="double_elimination")
    services.withdraw(tournament_id=cup.pk, player=play.entrant(cup, 1).player)
    assert play.result(cup, 1) == ("walkover", 4)
    play.lose(cup, 2, loser=3)
    assert play.result(cup, 3) == ("walkover", 3)
    assert play.places(cup)[0] == 4
    assert selectors.verify(cup.pk) == []


def test_a_place_stores_whether_it_takes_the_winner_or_the_loser(
    started: Event, play: Play
) -> None:
    cup = started(4, format="double_elimination")
    first = Slot.objects.filter(source=play.pairing(cup, 1)).order_by("takes")
    assert list(first.values_list("takes", "pairing__number")) == [("loser", 3), ("winner", 4)]


def test_settings_must_suit_the_format(event: Event) -> None:
    with pytest.raises(TournamentError, match="not possible"):
        event(format="double_elimination", options={"third_place": True})
    with pytest.raises(TournamentError, match="not possible"):
        event(format="double_elimination", options={"reset_final": 1})
    cup = event(format="double_elimination", options={"reset_final": False})
    assert cup.options == {"reset_final": False}
    edited = services.edit(tournament_id=cup.pk, by=cup.organiser, format="single_elimination")
    assert edited.options == {"third_place": False}


def test_a_match_for_third_place_is_played_by_the_losers_of_the_semi_finals(
    started: Event, play: Play
) -> None:
    cup = started(4, options={"third_place": True})
    for number in (1, 2, 3):
        play.lose(cup, number, loser=max(play.seeds(cup, number)))
    cup.refresh_from_db()
    assert cup.is_running
    assert play.seeds(cup, 4) == [4, 3]
    play.lose(cup, 4, loser=4)
    cup.refresh_from_db()
    assert (cup.status, play.places(cup)) == ("finished", [1, 2, 3, 4])
