"""Knockout at tables of three and four, through the real services."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from games import services as games
from tournaments import selectors, services
from tournaments.errors import TournamentError
from tournaments.models import Result, Slot, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
Play = Any
FORMAT = "pod_elimination"


@pytest.fixture
def room(started: Event) -> Callable[..., Tournament]:
    """A started event over the board."""
    return lambda count, **settings: started(count, format=FORMAT, play="board", **settings)


def report(cup: Tournament, play: Play, number: int, scores: Sequence[int], **more: Any) -> Result:
    return services.report_result(
        pairing_id=play.pairing(cup, number).pk,
        by=cup.organiser,
        outcome="played",
        scores=scores,
        reason="x",
        **more,
    )


def test_thirteen_bots_play_to_the_last_table(bots_event: Event, play: Play) -> None:
    cup = play.to_the_end(bots_event(13, format=FORMAT))
    assert selectors.verify(cup.pk) == []
    names = [each["name"] for each in selectors.bracket(cup)]
    assert names == ["round 1", "semi-final", "final"]
    assert all(place is not None for place in play.places(cup))
    assert play.places(cup).count(1) == 1


def test_the_next_table_is_known_by_where_its_places_come_from(room: Event, play: Play) -> None:
    cup = room(8)
    report(cup, play, 1, [150, 90, 20, 95])
    final = selectors.bracket(cup)[-1]["pairings"][0]
    texts = [slot["text"] for slot in final["slots"]]
    assert texts == [
        play.entrant(cup, 1).label,
        "First of match 2",
        "Second of match 2",
        play.entrant(cup, 8).label,
    ]
    assert [(slot["takes"], slot["rank"]) for slot in final["slots"]] == [
        ("rank", 1), ("rank", 1), ("rank", 2), ("rank", 2),
    ]  # fmt: skip
    first = selectors.bracket(cup)[0]["pairings"][0]
    assert [slot["advances"] for slot in first["slots"]] == [True, False, False, True]
    assert final["why"] == {"rule": "ranks", "of": [1, 2, 2, 1]}
    rows = {row.entrant.seed: (row.best, row.worst) for row in selectors.standings(cup)}
    assert rows[1] == (1, 4)
    assert rows[2] == (1, 7)
    assert rows[4] == (5, 5)


def test_a_table_needs_one_winner_but_others_may_be_level(room: Event, play: Play) -> None:
    cup = room(8)
    with pytest.raises(TournamentError) as refused:
        report(cup, play, 1, [150, 150, 20, 95])
    assert refused.value.code == "no_draws"
    report(cup, play, 1, [150, 90, 90, 35])
    assert len([seed for seed in play.seeds(cup, 3) if seed]) == 2
    assert selectors.verify(cup.pk) == []


def test_who_leaves_between_rounds_forfeits_at_the_next_table(started: Event, play: Play) -> None:
    cup = started(8, format=FORMAT)
    report(cup, play, 1, [150, 90, 20, 35])
    services.withdraw(tournament_id=cup.pk, player=play.entrant(cup, 4).player)
    report(cup, play, 2, [150, 90, 20, 35])
    assert play.seeds(cup, 3) == [1, 2, 3, 4]
    live = play.game(cup, 3)
    assert selectors.verify(cup.pk) == []
    match = play.sit_down(cup, 3)
    for seed in (3, 2):  # who resigns shares the places behind
        games.resign(match_id=match.pk, player=play.entrant(cup, seed).player)
    play.deliver()
    live.refresh_from_db()
    assert live.forfeits == [3]
    cup.refresh_from_db()
    assert (cup.status, play.places(cup)[:4]) == ("finished", [1, 2, 2, 4])
    assert selectors.verify(cup.pk) == []


def test_three_play_where_a_place_stays_empty(room: Event, play: Play) -> None:
    cup = room(8)
    services.report_result(
        pairing_id=play.pairing(cup, 1).pk, by=cup.organiser, outcome="walkover",
        winner=play.entrant(cup, 5).pk, reason="nobody else came",
    )  # fmt: skip
    report(cup, play, 2, [150, 90, 20, 95])
    assert play.seeds(cup, 3) == [5, 2, 7, None]
    sides = Slot.objects.filter(pairing=play.pairing(cup, 3)).order_by("index")
    assert list(sides.values_list("kind", "side")) == [
        ("entrant", 0), ("entrant", 1), ("entrant", 2), ("nobody", 3),
    ]  # fmt: skip
    with pytest.raises(TournamentError):
        report(cup, play, 3, [20, 150, 90, 0])
    report(cup, play, 3, [20, 150, 90])
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert [play.entrant(cup, seed).place for seed in (2, 7, 5)] == [1, 2, 3]
    assert selectors.verify(cup.pk) == []


def test_an_empty_place_in_the_midst_of_a_table_moves_nobody_s_points(
    started: Event, play: Play
) -> None:
    cup = started(8, format=FORMAT)
    report(cup, play, 1, [150, 90, 20, 35])
    services.report_result(
        pairing_id=play.pairing(cup, 2).pk, by=cup.organiser, outcome="forfeit",
        winner=play.entrant(cup, 2).pk, reason="x",
    )  # fmt: skip
    assert play.seeds(cup, 3) == [1, 2, None, 4]
    board = play.board(cup)
    assert [[slot.index for slot in side] for side in board.sides(3)] == [[0], [1], [3]]
    live = play.game(cup, 3).match_id
    for seed in (1, 2, 4):
        games.sit(match_id=live, player=play.entrant(cup, seed).player)
    for seed in (1, 2):
        games.resign(match_id=live, player=play.entrant(cup, seed).player)
    play.deliver()
    assert play.result(cup, 3) == ("played", 4)
    assert [play.entrant(cup, seed).place for seed in (4, 2, 1)] == [1, 2, 2]
    assert selectors.verify(cup.pk) == []


def test_a_correction_that_sends_the_same_on_touches_nothing_later(room: Event, play: Play) -> None:
    cup = room(8)
    report(cup, play, 1, [150, 90, 20, 35])
    report(cup, play, 2, [150, 90, 20, 35])
    report(cup, play, 3, [150, 90, 20, 35])
    report(cup, play, 1, [150, 90, 35, 20])
    assert play.result(cup, 3) == ("played", 1)
    assert [play.entrant(cup, seed).place for seed in (1, 8, 5)] == [1, 7, 5]
    assert selectors.verify(cup.pk) == []


def test_a_correction_puts_somebody_else_at_a_table_that_has_not_begun(
    room: Event, play: Play
) -> None:
    cup = room(8)
    report(cup, play, 1, [150, 90, 20, 35])
    assert play.seeds(cup, 3) == [1, None, None, 4]
    report(cup, play, 1, [150, 20, 90, 35])
    assert play.seeds(cup, 3) == [1, None, None, 5]
    assert selectors.verify(cup.pk) == []


@pytest.mark.parametrize("force", ["void", "keep"])
def test_a_correction_after_the_next_table_has_begun_is_the_arbiter_s_choice(
    room: Event, play: Play, force: str
) -> None:
    cup = room(8)
    for number in (1, 2, 3):
        report(cup, play, number, [150, 90, 20, 35])
    with pytest.raises(TournamentError) as refused:
        report(cup, play, 1, [20, 90, 150, 35])
    assert (refused.value.code, refused.value.facts["matches"]) == ("has_dependents", [3])
    report(cup, play, 1, [20, 90, 150, 35], force=force)
    cup.refresh_from_db()
    kept = force == "keep"
    assert play.seeds(cup, 3) == ([1, 2, 3, 4] if kept else [5, 2, 3, 4])
    assert (cup.status, play.result(cup, 3)) == (
        ("finished", ("played", 1)) if kept else ("running", None)
    )
    assert selectors.verify(cup.pk) == []


def test_it_follows_on_tables_by_points_and_leads_to_a_knockout(room: Event, play: Play) -> None:
    cup = room(
        8,
        later_stages=[{"format": "single_elimination", "take": 4}],
    )
    report(cup, play, 1, [150, 90, 20, 35])
    going = {row.entrant.seed: row.going for row in selectors.standings(cup)}
    assert going == {1: "through", 4: "through", 5: "out", 8: "out",
                     2: "", 3: "", 6: "", 7: ""}  # fmt: skip
    report(cup, play, 2, [150, 90, 20, 35])
    report(cup, play, 3, [20, 150, 90, 35])
    last = cup.stages.order_by("number").last()
    assert last is not None
    assert (last.format, last.size) == ("single_elimination", 4)
    ordered = last.seedings.order_by("number").values_list("entrant__seed", flat=True)
    assert list(ordered) == [2, 3, 4, 1]
    assert selectors.verify(cup.pk) == []


def test_the_best_of_a_swiss_play_on_at_tables(started: Event, play: Play) -> None:
    cup = started(8, play="board", format="swiss", options={"rounds": 1},
                  later_stages=[{"format": FORMAT, "take": 6, "ties": "lot"}])  # fmt: skip
    services.draw_due(tournament_id=cup.pk)
    for number in range(1, 5):
        report(cup, play, number, [150, 90], winner=play.entrant(cup, number).pk)
    stage = cup.stages.order_by("number").last()
    assert stage is not None
    assert (stage.format, stage.size, stage.pairings.count()) == (FORMAT, 6, 3)
    assert selectors.verify(cup.pk) == []


def test_b12_five_do_not_go_on_to_tables_unless_it_is_said_how(event: Event) -> None:
    five: dict[str, Any] = {"format": FORMAT, "take": 5}
    with pytest.raises(TournamentError) as refused:
        event(format="swiss", later_stages=[five])
    assert (refused.value.code, refused.value.facts["setting"]) == ("bad_stages", "take")
    cup = event(format="swiss", later_stages=[{**five, "options": {"five": "two"}}])
    assert cup.later_stages[0]["take"] == 5
