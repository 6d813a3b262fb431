"""Results of physical tables, and the clock of a round."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from engine import bots
from engine.match import Match as Game
from engine.rules import RuleSet
from games import selectors as table_selectors
from games import services as games
from games import store
from games.models import Match, Seat
from players.services import create_guest
from tournaments import desk, selectors, services, tasks
from tournaments.errors import TournamentError
from tournaments.models import Official, Pairing, Report, Result, Round, Tournament
from tournaments.services import tables

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
Play = Any
Sheet = services.Sheet
BOARD: dict[str, Any] = {"format": "swiss", "options": {"rounds": 2}, "play": "board"}


def begun(cup: Tournament) -> Pairing:
    """The first match of an event whose first round has just been drawn."""
    assert tasks.draw_round(cup.pk)
    return Pairing.objects.get(stage__tournament=cup, number=1)


def test_no_live_table_is_opened(started: Event) -> None:
    cup = started(4, **BOARD)
    pairing = begun(cup)
    tasks.tick()
    assert pairing.status == "ready"
    assert not Match.objects.exists()


def test_a_sheet_decides_a_match_and_equal_points_are_a_draw(started: Event, play: Play) -> None:
    cup = started(4, **BOARD)
    begun(cup)
    for number, scores in ((1, [150, 95]), (2, [120, 120])):
        services.enter_sheet(
            pairing_id=play.pairing(cup, number).pk, by=cup.organiser, sheet=Sheet(scores=scores)
        )
    assert play.result(cup, 1) == ("played", play.seeds(cup, 1)[0])
    assert play.result(cup, 2) == ("drawn", None)
    assert [line.points for line in selectors.standings(cup)] == [12, 6, 6, 0]
    assert selectors.verify(cup.pk) == []


def test_a_knockout_takes_no_draw(started: Event) -> None:
    cup = started(4, format="single_elimination", play="board")
    pairing = Pairing.objects.get(stage__tournament=cup, number=1)
    with pytest.raises(TournamentError, match="must have a winner"):
        services.enter_sheet(
            pairing_id=pairing.pk, by=cup.organiser, sheet=Sheet(scores=[100, 100])
        )


def test_games_go_in_one_by_one_or_only_their_number(started: Event, play: Play) -> None:
    cup = started(4, **BOARD, best_of=3)
    begun(cup)
    one, other = play.pairing(cup, 1), play.pairing(cup, 2)
    each = [[100, 85], [90, 100], [60, 100]]
    services.enter_sheet(pairing_id=one.pk, by=cup.organiser, sheet=Sheet(game_scores=each))
    result = Result.objects.get(pairing=one)
    assert (result.games, result.scores, result.game_scores) == ([1, 2], [250, 285], each)
    assert play.result(cup, 1) == ("played", play.seeds(cup, 1)[1])
    services.enter_sheet(pairing_id=other.pk, by=cup.organiser, sheet=Sheet(games=[2, 0]))
    assert play.result(cup, 2) == ("played", play.seeds(cup, 2)[0])
    assert selectors.verify(cup.pk) == []


def test_the_best_of_seven_is_over_with_the_fourth_win(started: Event, play: Play) -> None:
    cup = started(2, **BOARD, best_of=7)
    begun(cup)
    match, won, lost = play.pairing(cup, 1), [100, 60], [40, 100]
    too_many = Sheet(game_scores=[won, won, won, won, lost])
    with pytest.raises(TournamentError) as refused:
        services.enter_sheet(pairing_id=match.pk, by=cup.organiser, sheet=too_many)
    assert refused.value.code == "bad_games"
    all_seven = Sheet(game_scores=[won, lost, won, lost, lost, won, won])
    services.enter_sheet(pairing_id=match.pk, by=cup.organiser, sheet=all_seven)
    assert Result.objects.get(pairing=match).games == [4, 3]
    assert play.result(cup, 1) == ("played", play.seeds(cup, 1)[0])
    assert selectors.verify(cup.pk) == []


@pytest.mark.parametrize(
    "sheet",
    [
        Sheet(),
        Sheet(scores=[1]),
        Sheet(scores=[1, 2, 3]),
        Sheet(scores=[1, 10**9]),
        Sheet(scores=["1", 2]),  # type: ignore[list-item]
        Sheet(games=[2, 2]),
        Sheet(games=[-1, 2]),
        Sheet(game_scores=[[1, 1]]),
        Sheet(game_scores=[[9, 1], [9, 1], [9, 1]]),
        Sheet(game_scores=[[9, 1], [1]]),
    ],
)
def test_what_is_no_sheet_is_refused(started: Event, sheet: Any) -> None:
    cup = started(4, **BOARD, best_of=3)
    pairing = begun(cup)
    with pytest.raises(TournamentError):
        services.enter_sheet(pairing_id=pairing.pk, by=cup.organiser, sheet=sheet)
    assert not Result.objects.exists()


def test_a_scorer_of_some_tables_enters_those_alone(started: Event, play: Play) -> None:
    cup = started(4, **BOARD)
    begun(cup)
    scorer = create_guest()
    Official.objects.create(tournament=cup, player=scorer, role="scorer", tables=[2])
    with pytest.raises(TournamentError, match="does not allow"):
        services.enter_sheet(
            pairing_id=play.pairing(cup, 1).pk, by=scorer, sheet=Sheet(scores=[1, 2])
        )
    services.enter_sheet(pairing_id=play.pairing(cup, 2).pk, by=scorer, sheet=Sheet(scores=[1, 2]))
    assert play.result(cup, 2) == ("played", play.seeds(cup, 2)[1])


# Reports of the players


@pytest.fixture
def reported(started: Event, play: Play) -> tuple[Tournament, Pairing, Any, Any]:
    """An event whose players report; a match with its two players."""
    cup = started(4, **BOARD, reports="players")
    pairing = begun(cup)
    one, other = (play.entrant(cup, seed).player for seed in play.seeds(cup, 1))
    return cup, pairing, one, other


def test_a_report_counts_once_the_other_side_confirms(reported: Any) -> None:
    cup, pairing, one, other = reported
    made = services.report(pairing_id=pairing.pk, by=one, sheet=Sheet(scores=[150, 95]))
    assert services.report(pairing_id=pairing.pk, by=one, sheet=Sheet(scores=[150, 95])) == made
    assert not Result.objects.exists()
    with pytest.raises(TournamentError, match="other side confirms"):
        services.confirm(report_id=made.pk, by=one)
    with pytest.raises(TournamentError, match="does not allow"):
        services.confirm(report_id=made.pk, by=create_guest())
    assert desk.desk(cup).counts["reported"] == 1
    services.confirm(report_id=made.pk, by=other)
    result = Result.objects.get()
    assert (result.outcome, result.scores, result.by) == ("played", [150, 95], one)
    assert set(Report.objects.values_list("state", flat=True)) == {"confirmed"}
    with pytest.raises(TournamentError):
        services.confirm(report_id=made.pk, by=other)
    assert selectors.verify(cup.pk) == []


def test_two_reports_that_differ_are_for_the_arbiter(reported: Any) -> None:
    cup, pairing, one, other = reported
    services.report(pairing_id=pairing.pk, by=one, sheet=Sheet(scores=[150, 95]))
    theirs = services.report(pairing_id=pairing.pk, by=other, sheet=Sheet(scores=[95, 150]))
    assert set(Report.objects.values_list("state", flat=True)) == {"disputed"}
    assert desk.desk(cup).hands[0].rows[0].state == "disputed"  # on top of the desk
    with pytest.raises(TournamentError, match="does not allow"):
        services.settle_by(report_id=theirs.pk, by=other, reason="I won")
    with pytest.raises(TournamentError, match="Say why"):
        services.settle_by(report_id=theirs.pk, by=cup.organiser, reason=" ")
    services.settle_by(report_id=theirs.pk, by=cup.organiser, reason="the sheet says so")
    result = Result.objects.get()
    assert (result.scores, result.reason) == ([95, 150], "the sheet says so")
    assert set(Report.objects.values_list("state", flat=True)) == {"replaced"}


def test_a_report_can_be_called_wrong_without_another(reported: Any) -> None:
    _cup, pairing, one, other = reported
    made = services.report(pairing_id=pairing.pk, by=one, sheet=Sheet(scores=[150, 95]))
    with pytest.raises(TournamentError, match="Say why"):
        services.dispute(report_id=made.pk, by=other, note="")
    services.dispute(report_id=made.pk, by=other, note="we never finished")
    assert Report.objects.filter(state="disputed").count() == 2
    assert not Result.objects.exists()


def test_a_report_that_was_replaced_is_not_confirmed(reported: Any) -> None:
    _cup, pairing, one, other = reported
    first = services.report(pairing_id=pairing.pk, by=one, sheet=Sheet(scores=[150, 95]))
    services.report(pairing_id=pairing.pk, by=one, sheet=Sheet(scores=[150, 59]))
    with pytest.raises(TournamentError, match="has been replaced"):
        services.confirm(report_id=first.pk, by=other)
    assert not Result.objects.exists()


def test_players_do_not_report_where_officials_enter(started: Event, play: Play) -> None:
    cup = started(4, **BOARD)
    pairing = begun(cup)
    player = play.entrant(cup, play.seeds(cup, 1)[0]).player
    with pytest.raises(TournamentError, match="does not allow"):
        services.report(pairing_id=pairing.pk, by=player, sheet=Sheet(scores=[1, 2]))


def test_two_scorers_must_say_the_same(started: Event, play: Play) -> None:
    cup = started(4, **BOARD, reports="double")
    pairing = begun(cup)
    ann, ben, cat = (create_guest() for _ in range(3))
    for scorer in (ann, ben, cat):
        Official.objects.create(tournament=cup, player=scorer, role="scorer")
    for by in (ann, ann):  # the same scorer twice is one scorer
        services.enter_sheet(pairing_id=pairing.pk, by=by, sheet=Sheet(scores=[150, 95]))
    assert not Result.objects.exists()
    services.enter_sheet(pairing_id=pairing.pk, by=ben, sheet=Sheet(scores=[150, 59]))
    assert desk.desk(cup).counts["disputed"] == 1
    services.enter_sheet(pairing_id=pairing.pk, by=cat, sheet=Sheet(scores=[150, 95]))
    assert Result.objects.get().scores == [150, 95]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("agree", [True, False])
def test_two_reports_at_once(started: Event, play: Play, at_once: Any, agree: bool) -> None:
    cup = started(4, **BOARD, reports="players")
    pairing = begun(cup)
    both = [play.entrant(cup, seed).player for seed in play.seeds(cup, 1)]
    sheets = [Sheet(scores=[150, 95]), Sheet(scores=[150, 95] if agree else [95, 150])]
    answers = at_once(
        2, lambda n: services.report(pairing_id=pairing.pk, by=both[n], sheet=sheets[n])
    )
    assert all(isinstance(each, Report) for each in answers), answers
    states = sorted(Report.objects.values_list("state", flat=True))
    assert states == (["confirmed"] * 2 if agree else ["disputed"] * 2)
    assert Result.objects.count() == agree
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_two_scorers_who_press_at_once_make_one_result(started: Event, at_once: Any) -> None:
    cup = started(4, **BOARD)
    pairing = begun(cup)
    answers = at_once(
        3,
        lambda n: services.enter_sheet(
            pairing_id=pairing.pk, by=cup.organiser, sheet=Sheet(scores=[150, 95 + n])
        ),
    )
    assert Result.objects.count() == 1
    assert sum(isinstance(each, Result) for each in answers) == 1, answers
    connection.close()


# Mixed


def test_a_match_is_taken_to_the_board_and_back(started: Event, play: Play) -> None:
    cup = started(4, **{**BOARD, "play": "mixed"})
    pairing = begun(cup)
    live = play.game(cup, 1).match_id
    services.set_play(pairing_id=pairing.pk, by=cup.organiser, play="board")
    assert Match.objects.get(pk=live).status == "cancelled"
    tasks.tick()
    assert play.pairing(cup, 1).status == "ready"
    services.set_play(pairing_id=pairing.pk, by=cup.organiser, play="live")
    tasks.tick()
    assert play.pairing(cup, 1).status == "live"
    play.sit_down(cup, 1)
    with pytest.raises(TournamentError, match="has begun at its live table"):
        services.set_play(pairing_id=pairing.pk, by=cup.organiser, play="board")
    assert selectors.verify(cup.pk) == []


# The clock


def test_no_table_opens_in_a_pause(started: Event) -> None:
    cup = started(4, format="swiss", options={"rounds": 2}, round_start="arbiter")
    row = services.ask(tournament_id=cup.pk, by=cup.organiser)
    tasks.draw_round(cup.pk)
    services.publish(round_id=row.pk, by=cup.organiser)
    Round.objects.filter(pk=row.pk).update(paused_at=timezone.now() - dt.timedelta(minutes=2))
    services.start_round(round_id=row.pk, by=cup.organiser)
    tasks.tick()
    assert not Match.objects.exists()
    Round.objects.filter(pk=row.pk).update(ends_at=timezone.now())
    services.resume(round_id=row.pk, by=cup.organiser)
    row.refresh_from_db()
    assert row.ends_at is not None
    assert row.ends_at > timezone.now() + dt.timedelta(minutes=1)
    assert Match.objects.count() == 2


def finish_deal(match_id: str) -> Match:
    """The two play on until the deal is over."""
    number = store.load(Match.objects.get(pk=match_id)).game.number
    for _step in range(500):
        match = Match.objects.get(pk=match_id)
        game = store.load(match).game
        if not match.is_running or match.turn is None or game.number != number:
            return match
        seat = Seat.objects.select_related("player").get(match=match, index=match.turn)
        action = bots.choose("easy", table_selectors.engine_view(match_id, match.turn), match.seq)
        games.act(match_id=match_id, player=seat.player, expected_seq=match.seq, action=action)
    raise AssertionError("the deal does not end")


def test_when_time_is_called_the_deal_in_hand_is_the_last(started: Event, play: Play) -> None:
    cup = started(4, format="swiss", options={"rounds": 2}, rules={"preset": "allfives"})
    begun(cup)
    match = play.sit_down(cup, 1)
    row = Round.objects.get()
    services.call_time(round_id=row.pk, by=cup.organiser)
    services.call_time(round_id=row.pk, by=cup.organiser)
    assert Match.objects.get(pk=match.pk).is_running
    over = finish_deal(match.pk)
    assert (over.status, over.reason) == ("finished", "time")
    one, other = over.scores
    assert over.winner == (None if one == other else int(other > one))
    play.deliver()
    outcome, winner = play.result(cup, 1)
    seeds = play.seeds(cup, 1)
    assert (outcome, winner) == (
        ("drawn", None) if over.winner is None else ("played", seeds[over.winner])
    )
    assert selectors.verify(cup.pk) == []
    assert store.load(over).game.phase == "over"  # the log replays


def test_level_when_time_is_called_is_a_draw_or_plays_on() -> None:
    rules = RuleSet.parse({"preset": "allfives"}, 2)
    game = Game(rules)
    game.phase, game.round = "deal", object()  # type: ignore[assignment]
    assert game.call_time(needs_winner=True) == ()
    ended = game.call_time()
    assert [(each.winner, each.places) for each in ended] == [(None, (1, 1))]  # type: ignore[union-attr]


def test_no_table_of_the_room_is_tried_by_the_clock(
    started: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many over the board keep none of those at live tables waiting."""
    cup = started(8, **{**BOARD, "play": "mixed"})
    begun(cup)
    for pairing in cup.stages.get().pairings.filter(number__gt=1):
        services.set_play(pairing_id=pairing.pk, by=cup.organiser, play="board", reason="x")
    Match.objects.all().delete()
    Pairing.objects.filter(number=1).update(status="ready")
    tried: list[int] = []
    opener = tables.open_tables

    def watched(tournament_id: int, pairing_ids: list[int]) -> int:
        tried.extend(Pairing.objects.filter(pk__in=pairing_ids).values_list("number", flat=True))
        return opener(tournament_id, pairing_ids)

    monkeypatch.setattr(tables, "open_tables", watched)
    tables.open_ready(cup.pk, limit=1)
    assert tried == [1]
    Tournament.objects.filter(pk=cup.pk).update(play="board")
    tried.clear()
    tables.open_ready(cup.pk)
    tasks.tick()
    assert tried == []
