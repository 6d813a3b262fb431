"""Events played from the start to the last place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from games import services as games
from games.models import Match
from outbox.models import Message
from players.models import Player
from ratings.models import Rating, RatingChange
from tournaments import handlers, selectors, services, tasks
from tournaments.errors import TournamentError
from tournaments.models import Game, Pairing, Result, Round, Slot, Tournament
from tournaments.services import tables

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
People = Callable[[int], list[Player]]
AtOnce = Callable[[int, Callable[[int], Any]], list[Any]]
Play = Any


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13])
def test_bots_play_an_event_to_the_end(bots_event: Event, play: Play, count: int) -> None:
    cup = play.to_the_end(bots_event(count))
    assert cup.status == "finished"
    full = [1, 2, 3, 3, 5, 5, 5, 5, 9, 9, 9, 9, 9]
    assert sorted(place for place in play.places(cup) if place) == full[:count]
    played = Result.objects.filter(outcome="played")
    assert played.count() == count - 1
    assert Match.objects.count() == Game.objects.count() == count - 1
    assert selectors.verify(cup.pk) == []


@pytest.mark.parametrize("best_of", [3, 5])
def test_bots_play_the_best_of_several(bots_event: Event, play: Play, best_of: int) -> None:
    cup = play.to_the_end(bots_event(4, best_of=best_of))
    needed = best_of // 2 + 1
    for result in Result.objects.all():
        assert max(result.games) == needed
        assert sum(result.games) in range(needed, best_of + 1)
        assert result.pairing.games.count() == sum(result.games)
    assert sorted(play.places(cup)) == [1, 2, 3, 3]
    assert selectors.verify(cup.pk) == []


def test_starting_twice_draws_one_bracket(event: Event, people: People) -> None:
    cup = event()
    for player in people(4):
        services.join(tournament_id=cup.pk, player=player)
    for _ in range(2):
        services.start(tournament_id=cup.pk, by=cup.organiser)
    assert (cup.stages.count(), Pairing.objects.count(), Game.objects.count()) == (1, 3, 2)


@pytest.mark.django_db(transaction=True)
def test_starting_in_many_threads_draws_one_bracket(
    event: Event, people: People, at_once: AtOnce
) -> None:
    cup = event()
    for player in people(5):
        services.join(tournament_id=cup.pk, player=player)
    answers = at_once(6, lambda _: services.start(tournament_id=cup.pk, by=cup.organiser))
    assert {answer.status for answer in answers} == {"running"}
    assert (cup.stages.count(), Pairing.objects.count()) == (1, 7)
    assert Match.objects.count() == Game.objects.count() == 2
    assert selectors.verify(cup.pk) == []


def test_one_entrant_is_no_tournament(event: Event, people: People) -> None:
    cup = event()
    services.join(tournament_id=cup.pk, player=people(1)[0])
    with pytest.raises(TournamentError) as refused:
        services.start(tournament_id=cup.pk, by=cup.organiser)
    assert refused.value.code == "too_few"
    cup.refresh_from_db()
    assert (cup.status, cup.stages.count()) == ("registration", 0)


def test_only_the_organiser_starts(event: Event, people: People) -> None:
    cup, players = event(), people(2)
    for player in players:
        services.join(tournament_id=cup.pk, player=player)
    with pytest.raises(TournamentError) as refused:
        services.start(tournament_id=cup.pk, by=players[0])
    assert refused.value.code == "not_allowed"


def test_ratings_seed_and_the_unknown_come_at_1500(
    event: Event, people: People, play: Play
) -> None:
    cup, [weak, unknown, strong] = event(), people(3)
    for player in (weak, unknown, strong):
        services.join(tournament_id=cup.pk, player=player)
    for player, mean in ((weak, -1.0), (strong, 1.0)):
        Rating.objects.create(
            player=player, pool="allfives-1v1", mean=mean, variance=0.1, matches=30, opponents=9,
            last_day="2026-01-01", last_at="2026-01-01T00:00Z",
        )  # fmt: skip
    services.start(tournament_id=cup.pk, by=cup.organiser)
    assert [play.entrant(cup, seed).player for seed in (1, 2, 3)] == [strong, unknown, weak]
    assert [s.rating is None for s in cup.stages.get().seedings.all()] == [False, True, False]


def test_a_draw_by_lot_can_be_redone_from_its_seed(
    event: Event, people: People, play: Play
) -> None:
    orders = []
    for _ in range(2):
        cup = event(seeding="random")
        Tournament.objects.filter(pk=cup.pk).update(seed="c0ffee")
        for player in people(9):
            services.join(tournament_id=cup.pk, player=player)
        services.start(tournament_id=cup.pk, by=cup.organiser)
        joined = list(cup.entrants.order_by("pk").values_list("pk", flat=True))
        orders.append([joined.index(play.entrant(cup, n).pk) for n in range(1, 10)])
        assert cup.stages.get().seed == "c0ffee"
    assert orders[0] == orders[1] != sorted(orders[0])


def test_a_bye_has_its_result_at_once_and_rates_nobody(started: Event, play: Play) -> None:  # B3
    cup = started(3)
    assert play.result(cup, 3) == ("bye", 1)
    assert play.seeds(cup, 2) == [1, None]
    assert Match.objects.count() == 1
    play.deliver()
    assert not RatingChange.objects.exists()


def test_tables_wait_for_their_players_and_say_what_they_belong_to(
    started: Event, play: Play
) -> None:
    cup = started(4, turn_seconds=20, no_show_seconds=90)
    game = play.game(cup, 1)
    match = Match.objects.get(pk=game.match_id)
    assert (match.status, match.turn_seconds, match.forfeit_away_seconds) == ("open", 20, 120)
    told = {"pairing": game.pairing_id, "game": 1, "topic": f"event:{cup.pk}"}
    assert match.context == told
    assert match.sit_by == game.sit_by
    assert game.sit_by is not None
    assert 85 < (game.sit_by - match.created_at).total_seconds() <= 90
    assert play.sit_down(cup, 1).status == "running"


def test_a_match_that_ends_decides_its_pairing_and_opens_the_next(
    started: Event, play: Play
) -> None:
    cup = started(4)
    play.lose(cup, 1, loser=4)
    assert play.result(cup, 1) == ("played", 1)
    assert play.seeds(cup, 3) == [1, None]
    assert play.pairing(cup, 3).status == "waiting"
    play.lose(cup, 2, loser=2)
    assert play.seeds(cup, 3) == [1, 3]
    assert play.pairing(cup, 3).status == "live"
    play.lose(cup, 3, loser=1)
    cup.refresh_from_db()
    assert (cup.status, play.places(cup)) == ("finished", [2, 3, 1, 3])
    assert cup.finished_at is not None
    assert selectors.verify(cup.pk) == []


@pytest.mark.django_db(transaction=True)
def test_a_finish_told_many_times_at_once_advances_once(
    started: Event, play: Play, at_once: AtOnce
) -> None:  # G21, R42
    cup = started(4)
    lost = play.lose(cup, 1, loser=4)
    other = play.lose(cup, 2, loser=3, tell=False)

    def tell(n: int) -> None:
        handlers.handle_match_finished({"match": (lost, other)[n % 2]})

    assert at_once(20, tell) == [None] * 20
    play.deliver()
    for number in (1, 2):
        assert Result.objects.filter(pairing=play.pairing(cup, number)).count() == 1
    assert (play.seeds(cup, 3), Game.objects.count(), Match.objects.count()) == ([1, 2], 3, 3)
    assert selectors.verify(cup.pk) == []


@pytest.mark.django_db(transaction=True)
def test_two_results_in_the_same_instant_make_each_next_match_once(
    started: Event, play: Play, at_once: AtOnce
) -> None:  # D9
    cup = started(8)
    ends = [play.lose(cup, n, loser=9 - seed, tell=False) for n, seed in
            ((1, 1), (2, 4), (3, 2), (4, 3))]  # fmt: skip
    at_once(4, lambda n: handlers.handle_match_finished({"match": ends[n]}))
    assert [play.seeds(cup, n) for n in (5, 6)] == [[1, 4], [2, 3]]
    assert Match.objects.count() == Game.objects.count() == 6
    assert selectors.verify(cup.pk) == []


def test_the_finish_of_a_match_of_no_event_is_nothing(people: People, play: Play) -> None:
    ana, bea = people(2)
    match = games.open_match(rules={"preset": "allfives"}, seats=2, players=[ana, bea])
    games.resign(match_id=match.pk, player=ana)
    assert play.deliver() >= 1
    assert not Message.objects.filter(deliveries__done_at__isnull=True).exists()


def test_who_does_not_sit_down_loses(started: Event, play: Play) -> None:
    cup = started(2, no_show_seconds=60)
    games.sit(match_id=play.game(cup, 1).match_id, player=play.entrant(cup, 2).player)
    play.wake(cup, 1, after=59)
    assert play.result(cup, 1) is None
    play.wake(cup, 1, after=61)
    assert play.result(cup, 1) == ("forfeit", 2)
    assert play.game(cup, 1).reason == "no_show"
    assert play.places(cup) == [2, 1]
    assert selectors.verify(cup.pk) == []


def test_when_both_stay_away_the_next_place_is_a_walk_over(started: Event, play: Play) -> None:
    cup = started(4)  # D8
    play.wake(cup, 1, after=200)
    assert play.result(cup, 1) == ("double_forfeit", None)
    play.lose(cup, 2, loser=2)
    cup.refresh_from_db()
    assert play.result(cup, 3) == ("walkover", 3)
    assert (cup.status, play.places(cup)) == ("finished", [3, 3, 1, 3])
    assert selectors.verify(cup.pk) == []


def test_an_event_that_nobody_comes_to_ends(started: Event, play: Play) -> None:  # B7
    cup = started(5)
    for number in (1, 3):
        play.wake(cup, number, after=200)
    cup.refresh_from_db()
    assert play.result(cup, 2) == ("walkover", 1)
    assert play.result(cup, 4) == ("walkover", 1)
    assert (cup.status, play.places(cup)) == ("finished", [1, 3, 3, 5, 5])


def test_two_minutes_away_forfeit_the_game(started: Event, play: Play) -> None:
    cup = started(2)
    match = play.sit_down(cup, 1)
    games.leave(match_id=match.pk, player=play.entrant(cup, 1).player)
    play.wake(cup, 1, after=121)
    assert play.result(cup, 1) == ("forfeit", 2)
    assert selectors.verify(cup.pk) == []


def test_best_of_three_ends_with_the_second_win(started: Event, play: Play) -> None:
    cup = started(2, best_of=3)
    play.lose(cup, 1, loser=1)
    assert play.result(cup, 1) is None
    assert (play.pairing(cup, 1).status, play.game(cup, 1).number) == ("live", 2)
    play.lose(cup, 1, loser=2)
    play.lose(cup, 1, loser=1)
    assert play.result(cup, 1) == ("played", 2)
    assert Result.objects.get().games == [1, 2]
    assert Game.objects.count() == 3
    assert selectors.verify(cup.pk) == []


def test_a_no_show_loses_best_of_three_at_once(started: Event, play: Play) -> None:
    cup = started(2, best_of=3)
    play.lose(cup, 1, loser=2)
    games.sit(match_id=play.game(cup, 1).match_id, player=play.entrant(cup, 2).player)
    play.wake(cup, 1, after=200)
    assert play.result(cup, 1) == ("forfeit", 2)
    assert Game.objects.count() == 2


def test_a_crash_in_the_middle_of_opening_a_round_is_made_good_by_the_tick(
    event: Event, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = event()
    for player in people(8):
        services.join(tournament_id=cup.pk, player=player)
    opened: list[int] = []

    class Crash(BaseException):
        pass

    def open_two(openings: Sequence[games.Opening]) -> Any:
        if len(opened) == 2:
            raise Crash
        opened.extend(range(len(openings)))
        return games.open_matches(openings)

    with monkeypatch.context() as patch:
        patch.setattr(tables, "games", _with(games, open_matches=open_two))
        patch.setattr(tables, "TOGETHER", 2)
        with pytest.raises(Crash):
            services.start(tournament_id=cup.pk, by=cup.organiser)
    assert Match.objects.count() == Game.objects.count() == 2
    assert selectors.verify(cup.pk) == []
    assert tasks.tick() == 1
    assert Match.objects.count() == Game.objects.count() == 4
    assert tasks.tick() == 0


@pytest.mark.parametrize("size", [8, 16])
def test_a_table_of_a_round_costs_no_statement_of_its_own(
    size: int, started: Event, django_assert_num_queries: Callable[..., Any]
) -> None:
    cup = started(size, play="board")
    Tournament.objects.filter(pk=cup.pk).update(play="live")
    Round.objects.filter(stage__tournament=cup, number=1).update(status="started")
    with django_assert_num_queries(19):
        assert tables.open_ready(cup.pk) == size // 2
    assert Pairing.objects.filter(stage__tournament=cup, status="live").count() == size // 2
    assert Match.objects.count() == Game.objects.count() == size // 2
    assert selectors.verify(cup.pk) == []


def _with(module: Any, **changes: Any) -> Any:
    import types

    return types.SimpleNamespace(**{**vars(module), **changes})


@pytest.mark.parametrize("refused", [True, False])
def test_a_table_that_cannot_be_opened_keeps_no_other_and_is_tried_again(
    refused: bool, event: Event, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = event()
    for player in people(4):
        services.join(tournament_id=cup.pk, player=player)

    def refuse_first(openings: Sequence[games.Opening]) -> Any:
        first = Pairing.objects.get(number=1).pk
        bad = [opening for opening in openings if opening["context"]["pairing"] == first]
        if bad and not refused:
            raise RuntimeError("no table")
        for opening in bad:
            opening["turn_seconds"] = 4
        return games.open_matches(openings)

    with monkeypatch.context() as patch:
        patch.setattr(tables, "games", _with(games, open_matches=refuse_first))
        services.start(tournament_id=cup.pk, by=cup.organiser)
    assert list(Game.objects.values_list("pairing__number", flat=True)) == [2]
    tasks.tick()
    assert Game.objects.count() == 2


def test_a_finish_whose_message_was_lost_is_found_by_the_tick(started: Event, play: Play) -> None:
    cup = started(2)
    play.lose(cup, 1, loser=2, tell=False)
    Message.objects.all().delete()
    assert tasks.tick() == 1
    cup.refresh_from_db()
    assert (cup.status, play.places(cup)) == ("finished", [1, 2])
    assert selectors.verify(cup.pk) == []


def test_a_table_called_off_by_somebody_else_is_opened_again(started: Event, play: Play) -> None:
    cup = started(2)
    first = play.game(cup, 1)
    games.cancel(match_id=first.match_id, reason="mistake")
    tasks.tick()
    again = play.game(cup, 1)
    assert (again.number, again.over_at) == (2, None)
    first.refresh_from_db()
    assert first.void
    play.lose(cup, 1, loser=1)
    assert play.result(cup, 1) == ("played", 2)
    assert selectors.verify(cup.pk) == []


def test_finish_names_what_is_left_to_play(started: Event, play: Play) -> None:
    cup = started(4)
    play.lose(cup, 1, loser=1)
    with pytest.raises(TournamentError) as refused:
        services.finish(tournament_id=cup.pk, by=cup.organiser)
    assert (refused.value.code, refused.value.facts["matches"]) == ("not_over", [2, 3])
    play.lose(cup, 2, loser=3)
    play.lose(cup, 3, loser=2, tell=False)
    for _ in range(2):
        done = services.finish(tournament_id=cup.pk, by=cup.organiser)
        assert done.status == "finished"


def test_the_database_itself_fills_each_slot_once(started: Event, play: Play) -> None:  # I10
    cup = started(4)
    entrant = play.entrant(cup, 1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Slot.objects.filter(pairing=play.pairing(cup, 2), index=0).update(entrant=entrant)
    with pytest.raises(IntegrityError), transaction.atomic():
        Slot.objects.filter(pairing=play.pairing(cup, 3), index=0).update(kind="entrant")
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.create(pairing=play.pairing(cup, 1), number=2, match_id="x")
    with pytest.raises(IntegrityError), transaction.atomic():
        Result.objects.create(pairing=play.pairing(cup, 1), version=1, outcome="played")
