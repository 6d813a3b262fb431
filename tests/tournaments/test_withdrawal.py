"""Leaving a running event, at each moment there is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games import services as games
from games.models import Match
from players.models import Player
from ratings.models import RatingChange
from tournaments import selectors, services, tasks
from tournaments.errors import TournamentError
from tournaments.models import Game, Result, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
People = Callable[[int], list[Player]]
Play = Any


@pytest.fixture
def leave(play: Play) -> Callable[[Tournament, int], None]:
    """The entrant with that seed withdraws."""

    def leave(cup: Tournament, seed: int) -> None:
        services.withdraw(tournament_id=cup.pk, player=play.entrant(cup, seed).player)
        play.deliver()
        assert selectors.verify(cup.pk) == []

    return leave


Leave = Callable[[Tournament, int], None]


def test_before_anybody_sat_down_the_table_is_called_off(
    started: Event, play: Play, leave: Leave
) -> None:
    cup = started(4)
    table = play.game(cup, 1).match_id
    leave(cup, 1)
    assert play.result(cup, 1) == ("walkover", 4)
    assert Match.objects.get(pk=table).status == "cancelled"
    assert Result.objects.get(pairing=play.pairing(cup, 1)).why == "withdrawn"
    assert play.seeds(cup, 3) == [4, None]


def test_in_the_middle_of_a_match_it_is_forfeited_and_not_rated(
    started: Event, play: Play, leave: Leave
) -> None:
    cup = started(4)
    table = play.sit_down(cup, 1)
    leave(cup, 4)
    assert play.result(cup, 1) == ("forfeit", 1)
    match = Match.objects.get(pk=table.pk)
    assert (match.status, match.winner, match.reason) == ("finished", 0, "forfeit")
    assert not RatingChange.objects.exists()


def test_between_two_matches_the_next_opponent_walks_over(
    started: Event, play: Play, leave: Leave
) -> None:
    cup = started(4)
    play.lose(cup, 1, loser=4)
    leave(cup, 1)
    assert play.result(cup, 3) is None  # nobody to walk over yet
    assert play.pairing(cup, 3).status == "waiting"
    play.lose(cup, 2, loser=3)
    assert play.result(cup, 3) == ("walkover", 2)
    assert Match.objects.count() == 2
    cup.refresh_from_db()
    assert (cup.status, play.places(cup)) == ("finished", [2, 1, 3, 3])


def test_with_a_bye_in_the_first_round_the_opponent_walks_over(
    started: Event, play: Play, leave: Leave
) -> None:
    cup = started(3)
    leave(cup, 1)
    play.lose(cup, 1, loser=2)
    assert play.result(cup, 2) == ("walkover", 3)
    assert play.places(cup) == [2, 3, 1]


def test_after_the_last_match_of_a_loser_nothing_changes(
    started: Event, play: Play, leave: Leave
) -> None:
    cup = started(4)
    play.lose(cup, 1, loser=4)
    before = Result.objects.count()
    leave(cup, 4)
    assert play.result(cup, 1) == ("played", 1)
    assert Result.objects.count() == before


def test_in_the_instant_after_a_win_that_was_not_told_yet(
    started: Event, play: Play, leave: Leave
) -> None:
    cup = started(4)
    play.lose(cup, 1, loser=4, tell=False)
    leave(cup, 1)
    assert play.result(cup, 1) == ("played", 1)  # the win stands
    play.lose(cup, 2, loser=2)
    assert play.result(cup, 3) == ("walkover", 3)


def test_in_the_second_game_of_three(started: Event, play: Play, leave: Leave) -> None:
    cup = started(2, best_of=3)
    play.lose(cup, 1, loser=1)
    play.sit_down(cup, 1)
    leave(cup, 2)
    assert play.result(cup, 1) == ("forfeit", 1)
    assert Game.objects.count() == 2


def test_both_of_a_pairing_leave(started: Event, play: Play, leave: Leave) -> None:
    cup = started(4)
    leave(cup, 1)
    leave(cup, 4)
    assert play.result(cup, 1) == ("walkover", 4)
    play.lose(cup, 2, loser=2)
    assert play.result(cup, 3) == ("walkover", 3)
    assert play.places(cup) == [3, 3, 1, 2]


def test_all_leave_and_the_event_ends(started: Event, play: Play, leave: Leave) -> None:  # B7
    cup = started(5)
    for seed in (1, 2, 3, 4):
        leave(cup, seed)
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert play.result(cup, 4) == ("walkover", 5)


def test_leaving_twice_is_leaving_once(started: Event, play: Play, leave: Leave) -> None:
    cup = started(4)
    leave(cup, 1)
    leave(cup, 1)
    assert Result.objects.count() == 1


def test_who_left_does_not_come_back(started: Event, play: Play, leave: Leave) -> None:
    cup = started(4)
    leave(cup, 1)
    with pytest.raises(TournamentError) as refused:
        services.join(tournament_id=cup.pk, player=play.entrant(cup, 1).player)
    assert refused.value.code == "closed"
    assert tasks.tick() == 0


def test_a_stranger_cannot_be_taken_out_and_nobody_leaves_a_finished_event(
    started: Event, people: People, play: Play
) -> None:
    cup = started(2)
    with pytest.raises(TournamentError) as refused:
        services.withdraw(tournament_id=cup.pk, player=people(1)[0])
    assert refused.value.code == "no_entrant"
    play.lose(cup, 1, loser=2)
    with pytest.raises(TournamentError) as refused:
        services.withdraw(tournament_id=cup.pk, player=play.entrant(cup, 1).player)
    assert refused.value.code == "over"
    assert play.places(cup) == [1, 2]


def test_the_disqualified_have_no_place_and_the_reason_stands_with_the_result(
    started: Event, play: Play
) -> None:
    cup = started(4)
    play.sit_down(cup, 1)
    cheat = play.entrant(cup, 1).player
    with pytest.raises(TournamentError) as refused:
        services.disqualify(tournament_id=cup.pk, player=cheat, by=cup.organiser, reason=" ")
    assert refused.value.code == "no_reason"
    with pytest.raises(TournamentError) as refused:
        services.disqualify(tournament_id=cup.pk, player=cheat, by=cheat, reason="Me?")
    assert refused.value.code == "not_allowed"
    services.disqualify(tournament_id=cup.pk, player=cheat, by=cup.organiser, reason="Two hands")
    result = Result.objects.get(pairing=play.pairing(cup, 1))
    assert (result.outcome, result.why, result.reason) == ("forfeit", "disqualified", "Two hands")
    assert result.by == cup.organiser
    play.lose(cup, 2, loser=3)
    play.lose(cup, 3, loser=4)
    assert play.places(cup) == [None, 1, 3, 2]
    assert [row.entrant.seed for row in selectors.standings(cup)] == [2, 4, 3, 1]
    assert selectors.verify(cup.pk) == []


def test_a_disqualified_player_may_have_left_before(started: Event, play: Play) -> None:
    cup = started(4)
    cheat = play.entrant(cup, 1).player
    services.withdraw(tournament_id=cup.pk, player=cheat)
    services.disqualify(tournament_id=cup.pk, player=cheat, by=cup.organiser, reason="Two hands")
    assert play.entrant(cup, 1).status == "disqualified"
    services.withdraw(tournament_id=cup.pk, player=cheat)
    assert play.entrant(cup, 1).status == "disqualified"
    assert play.places(cup)[0] is None
    assert selectors.verify(cup.pk) == []


def test_one_who_is_at_another_table_by_chance_stays_there(
    started: Event, play: Play, leave: Leave
) -> None:
    cup = started(2)
    player = play.entrant(cup, 1).player
    private = games.open_match(rules={"preset": "allfives"}, seats=2, host=player)
    leave(cup, 1)
    private.refresh_from_db()
    assert private.status == "open"
