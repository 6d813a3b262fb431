"""Tables of three and four, and partners, through the real services."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games import services as games
from players.models import Player
from tournaments import selectors, services
from tournaments.errors import TournamentError
from tournaments.models import Official, Pairing, Result, Slot, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
Play = Any


def test_seven_bots_play_tables_of_four_and_three_to_the_end(bots_event: Event, play: Play) -> None:
    cup = bots_event(7, format="pods", options={"rounds": 2})
    services.draw_due(tournament_id=cup.pk)
    assert sorted(len(play.seeds(cup, number)) for number in (1, 2)) == [3, 4]
    play.to_the_end(cup)
    assert selectors.verify(cup.pk) == []
    rows = selectors.standings(cup)
    assert rows[0].place == 1
    assert sum(row.points or 0 for row in rows) == 2 * 12 * (15 + 11)


def test_five_bots_rotate_partners_to_the_end(bots_event: Event, play: Play) -> None:
    cup = bots_event(5, format="rotating", options={"rounds": 2})
    assert cup.sides == "rotating"
    services.draw_due(tournament_id=cup.pk)
    sides = Slot.objects.filter(pairing__number=1).order_by("index").values_list("side", flat=True)
    assert list(sides) == [0, 1, 0, 1]
    play.to_the_end(cup)
    assert selectors.verify(cup.pk) == []
    assert sum(row.points or 0 for row in selectors.standings(cup)) == 2 * (24 + 6)


def test_b12_an_event_of_five_does_not_start_and_says_why(
    event: Event, people: Callable[[int], list[Player]]
) -> None:
    cup = event(format="pods")
    for player in people(5):
        services.join(tournament_id=cup.pk, player=player)
    with pytest.raises(TournamentError) as refused:
        services.start(tournament_id=cup.pk, by=cup.organiser)
    assert refused.value.code == "five"
    services.edit(tournament_id=cup.pk, by=cup.organiser, format="pods", options={"five": "bye"})
    services.start(tournament_id=cup.pk, by=cup.organiser)
    services.draw_due(tournament_id=cup.pk)
    assert Pairing.objects.filter(stage__tournament=cup).count() == 2


def test_a_format_is_only_played_as_it_can_be(event: Event) -> None:
    assert event(format="rotating").sides == "rotating"
    with pytest.raises(TournamentError) as refused:
        event(format="pods", sides="pairs")
    assert refused.value.code == "bad_sides"


def test_places_are_entered_over_the_board_and_shared_ones_share(started: Event) -> None:
    cup = started(4, format="pods", play="board", options={"rounds": 1})
    services.draw_due(tournament_id=cup.pk)
    pairing = Pairing.objects.get(stage__tournament=cup)
    services.report_result(
        pairing_id=pairing.pk, by=cup.organiser, outcome="played", scores=[150, 90, 90, 35]
    )
    assert [row.points for row in selectors.standings(cup)] == [72, 48, 48, 12]
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert selectors.verify(cup.pk) == []


def test_one_leaves_a_table_of_four_and_the_others_play_on(started: Event, play: Play) -> None:
    cup = started(4, format="pods", options={"rounds": 1})
    services.draw_due(tournament_id=cup.pk)
    play.sit_down(cup, 1)
    services.withdraw(tournament_id=cup.pk, player=play.entrant(cup, 2).player)
    assert play.result(cup, 1) is None
    assert selectors.verify(cup.pk) == []
    for seed in (1, 3):
        services.withdraw(tournament_id=cup.pk, player=play.entrant(cup, seed).player)
    assert play.result(cup, 1) == ("forfeit", 4) or play.result(cup, 1) == ("played", 4)
    assert selectors.verify(cup.pk) == []


def test_who_does_not_appear_at_a_table_of_four_gets_no_points(started: Event, play: Play) -> None:
    cup = started(4, format="pods", options={"rounds": 1}, no_show_seconds=60)
    services.draw_due(tournament_id=cup.pk)
    missing = play.entrant(cup, 2)
    match_id = play.game(cup, 1).match_id
    for seed in (1, 3, 4):
        games.sit(match_id=match_id, player=play.entrant(cup, seed).player)
    play.wake(cup, 1, after=61)
    for seed in (1, 3):
        games.resign(match_id=match_id, player=play.entrant(cup, seed).player)
    play.deliver()
    board = play.board(cup)
    result = board.result(1)
    assert result is not None
    side = board.side_of(1, 2)
    assert (result.outcome, result.forfeits) == ("played", [side])
    points = {row.entrant.pk: row.points for row in selectors.standings(cup)}
    assert points[missing.pk] == 0
    assert points[play.entrant(cup, 4).pk] == 72  # the last who stayed
    assert points[play.entrant(cup, 1).pk] == points[play.entrant(cup, 3).pk] > 0
    assert selectors.verify(cup.pk) == []
    Result.objects.filter(pk=result.pk).update(forfeits=[])
    assert "not what its games say" in " ".join(selectors.verify(cup.pk))


def test_who_withdraws_from_a_table_gets_no_points_of_it(started: Event, play: Play) -> None:
    cup = started(4, format="pods", options={"rounds": 1})
    services.draw_due(tournament_id=cup.pk)
    play.sit_down(cup, 1)
    services.withdraw(tournament_id=cup.pk, player=play.entrant(cup, 2).player)
    for seed in (1, 3):
        games.resign(match_id=play.game(cup, 1).match_id, player=play.entrant(cup, seed).player)
    play.deliver()
    points = {row.entrant.pk: row.points for row in selectors.standings(cup)}
    assert points[play.entrant(cup, 2).pk] == 0
    assert selectors.verify(cup.pk) == []


def absent_at_first(cup: Tournament, play: Play, scores: list[int], *absent: int) -> Result:
    sheet = services.Sheet(scores=scores, absent=absent)
    made = services.enter_sheet(pairing_id=play.pairing(cup, 1).pk, by=cup.organiser, sheet=sheet)
    assert isinstance(made, Result)
    return made


def test_who_never_came_to_a_paper_table_is_last_without_points(started: Event, play: Play) -> None:
    cup = started(4, format="pods", options={"rounds": 1}, play="board")
    services.draw_due(tournament_id=cup.pk)
    seeds = play.seeds(cup, 1)
    made = absent_at_first(cup, play, [0, -20, 30, 10], 0)
    assert (made.places, made.forfeits, made.winner) == (
        [4, 3, 1, 2], [0], play.entrant(cup, seeds[2]))  # fmt: skip
    points = {row.entrant.seed: row.points for row in selectors.standings(cup)}
    assert [points[seed] for seed in seeds] == [0, 3 * 12, 6 * 12, 5 * 12]
    assert selectors.verify(cup.pk) == []


def test_of_those_who_never_came_all_are_last_and_somebody_must_have(
    started: Event, play: Play
) -> None:
    cup = started(4, format="pods", options={"rounds": 1}, play="board")
    services.draw_due(tournament_id=cup.pk)
    for absent in ((0, 1, 2, 3), (4,), (-1,)):
        with pytest.raises(TournamentError) as refused:
            absent_at_first(cup, play, [0, 0, 0, 0], *absent)
        assert refused.value.code == "bad_absent"
    made = absent_at_first(cup, play, [40, 0, 30, 0], 1, 3)
    assert (made.places, made.forfeits) == ([1, 3, 2, 3], [1, 3])
    points = {row.entrant.seed: row.points for row in selectors.standings(cup)}
    assert sorted(points.values()) == [0, 0, 5 * 12, 6 * 12]


def test_two_scorers_say_the_same_of_who_never_came(started: Event, play: Play) -> None:
    cup = started(3, format="pods", options={"rounds": 1}, play="board", reports="double")
    services.draw_due(tournament_id=cup.pk)
    scorers = [Player.objects.create_user(name, name=name.title()) for name in ("sue", "sid")]
    for scorer in scorers:
        Official.objects.create(tournament=cup, player=scorer, role="scorer")
    pairing = play.pairing(cup, 1)
    for scorer, absent in ((scorers[0], (2,)), (scorers[1], ())):
        sheet = services.Sheet(scores=[30, 20, 0], absent=absent)
        services.enter_sheet(pairing_id=pairing.pk, by=scorer, sheet=sheet)
    assert play.result(cup, 1) is None
    sheet = services.Sheet(scores=[30, 20, 0], absent=(2,))
    services.enter_sheet(pairing_id=pairing.pk, by=scorers[1], sheet=sheet)
    assert Result.objects.get(pairing=pairing).forfeits == [2]
