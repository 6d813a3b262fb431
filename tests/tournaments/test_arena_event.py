"""An arena played at tables: what the services and the clock make of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from games import services as games
from tournaments import arena, desk, selectors, services, tasks
from tournaments.errors import TournamentError
from tournaments.models import ArenaClock, Pairing, Presence, Round, Stage, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
Play = Any


def live(cup: Tournament) -> list[int]:
    found = Pairing.objects.filter(stage__tournament=cup, status="live")
    return list(found.order_by("number").values_list("number", flat=True))


def stage_of(cup: Tournament) -> Stage:
    return cup.stages.get()


def lose(cup: Tournament, play: Play, number: int, loser: int) -> None:
    play.lose(cup, number, loser=loser)


def higher_seed_wins(cup: Tournament, play: Play) -> None:
    for number in live(cup):
        play.lose(cup, number, loser=max(play.seeds(cup, number)))


def end(cup: Tournament) -> None:
    """The time is over, and the clock sees it."""
    ArenaClock.objects.filter(stage__tournament=cup).update(ends_at=timezone.now())
    services.look_at_arena(tournament_id=cup.pk)
    cup.refresh_from_db()


def table(cup: Tournament) -> list[tuple[int, int | None, int]]:
    """Seed, rank and points of each, the best first."""
    return [(line.seed, line.rank, line.points // 12) for line in arena.standings(stage_of(cup))]


def test_nobody_is_paired_in_the_request_that_starts_and_all_are_by_the_clock(
    started: Event,
) -> None:
    cup = started(5, format="arena")
    assert not Round.objects.exists()
    assert tasks.pair_arenas() == 4
    assert live(cup) == [1, 2]
    assert tasks.pair_arenas() == 0
    assert Round.objects.count() == 1
    assert selectors.verify(cup.pk) == []


def test_who_has_played_waits_again_and_meets_another(started: Event, play: Play) -> None:
    cup = started(4, format="arena")
    tasks.pair_arenas()
    first = {frozenset(play.seeds(cup, number)) for number in live(cup)}
    higher_seed_wins(cup, play)
    assert live(cup) == []
    assert tasks.pair_arenas() == 4
    second = {frozenset(play.seeds(cup, number)) for number in live(cup)}
    assert not first & second
    assert selectors.verify(cup.pk) == []


def test_two_who_have_just_met_wait_for_those_who_play(started: Event, play: Play) -> None:
    cup = started(4, format="arena")
    tasks.pair_arenas()
    lose(cup, play, 1, max(play.seeds(cup, 1)))
    assert tasks.pair_arenas() == 0
    later = timezone.now() + dt.timedelta(seconds=25)
    assert services.look_at_arena(tournament_id=cup.pk, now=later) == 2
    assert set(play.seeds(cup, 3)) == set(play.seeds(cup, 1))


def test_a_streak_pays_double_and_a_correction_recomputes_it(started: Event, play: Play) -> None:
    cup = started(2, format="arena")
    for _match in range(3):
        tasks.pair_arenas()
        higher_seed_wins(cup, play)
    assert table(cup) == [(1, 1, 8), (2, 2, 0)]
    services.report_result(
        pairing_id=play.pairing(cup, 2).pk,
        by=cup.organiser,
        outcome="decision",
        winner=play.entrant(cup, 2).pk,
        reason="It was the other way round.",
    )
    assert table(cup) == [(1, 1, 4), (2, 2, 2)]
    assert selectors.verify(cup.pk) == []


def test_people_come_and_go_while_it_runs(started: Event, play: Play, people: Any) -> None:
    cup = started(2, format="arena")
    (late,) = people(1)
    assert selectors.viewer_state(cup, late).word == "join_late"
    entrant = services.join(tournament_id=cup.pk, player=late)
    assert services.join(tournament_id=cup.pk, player=late) == entrant
    assert (entrant.seed, entrant.status) == (3, "active")
    tasks.pair_arenas()
    assert live(cup) == [1]
    services.withdraw(tournament_id=cup.pk, player=late)
    assert selectors.verify(cup.pk) == []
    higher_seed_wins(cup, play)
    tasks.pair_arenas()
    back = services.join(tournament_id=cup.pk, player=late)
    assert (back.pk, back.status) == (entrant.pk, "active")
    assert arena.own(stage_of(cup), late).word == "waiting"
    assert selectors.verify(cup.pk) == []


def test_the_desk_shows_an_arena_whose_rounds_nobody_counted_beforehand(
    started: Event,
) -> None:
    cup = started(4, format="arena")
    tasks.pair_arenas()
    [hand] = desk.desk(cup).hands
    assert (hand.name, len(hand.rows)) == ("Arena", 2)
    assert selectors.round_name(stage_of(cup), 7) == "Arena"


def test_who_pauses_is_not_paired_until_they_come_back(started: Event, play: Play) -> None:
    cup = started(3, format="arena")
    one, two = (play.entrant(cup, seed).player for seed in (1, 2))
    for _click in range(2):
        services.pause_in_arena(tournament_id=cup.pk, player=one)
    tasks.pair_arenas()
    assert play.seeds(cup, 1) == [2, 3] or play.seeds(cup, 1) == [3, 2]
    services.pause_in_arena(tournament_id=cup.pk, player=two)
    stage = stage_of(cup)
    assert (arena.own(stage, one).word, arena.own(stage, two).word) == ("paused", "pausing")
    higher_seed_wins(cup, play)
    assert arena.own(stage, two).word == "paused"
    assert tasks.pair_arenas() == 0
    services.resume_in_arena(tournament_id=cup.pk, player=one)
    assert tasks.pair_arenas() == 2
    assert set(play.seeds(cup, 2)) == {1, 3}


def test_who_does_not_come_to_the_table_loses_and_is_paused(started: Event, play: Play) -> None:
    cup = started(2, format="arena")
    tasks.pair_arenas()
    came, away = play.seeds(cup, 1)
    match_id = play.game(cup, 1).match_id
    games.sit(match_id=match_id, player=play.entrant(cup, came).player)
    play.wake(cup, 1, after=1000)
    assert table(cup) == [(came, 1, 2), (away, 2, 0)]
    stage = stage_of(cup)
    assert arena.own(stage, play.entrant(cup, away).player).word == "paused"
    assert arena.own(stage, play.entrant(cup, came).player).word == "waiting"


def test_when_the_time_is_over_what_is_in_course_is_played_and_counts(
    started: Event, play: Play
) -> None:
    cup = started(4, format="arena")
    tasks.pair_arenas()
    lose(cup, play, 1, max(play.seeds(cup, 1)))
    end(cup)
    assert cup.status == "running"
    assert arena.clock_of(stage_of(cup)).phase == "closing"
    assert services.look_at_arena(tournament_id=cup.pk) == 0
    with pytest.raises(TournamentError, match="closed"):
        services.join(tournament_id=cup.pk, player=cup.organiser)
    higher_seed_wins(cup, play)
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert sorted(points for _seed, _rank, points in table(cup)) == [0, 0, 2, 2]
    assert all(play.places(cup))
    assert selectors.verify(cup.pk) == []


def test_or_does_not_count_and_is_played_on_for_itself(started: Event, play: Play) -> None:
    cup = started(4, format="arena", options={"in_course": "finished"})
    tasks.pair_arenas()
    lose(cup, play, 1, max(play.seeds(cup, 1)))
    end(cup)
    assert cup.status == "finished"
    assert play.result(cup, 2) == ("not_needed", None)
    game = play.game(cup, 2)
    assert game.over_at is None
    lose(cup, play, 2, max(play.seeds(cup, 2)))
    game.refresh_from_db()
    assert game.over_at is not None
    assert sorted(points for _seed, _rank, points in table(cup)) == [0, 0, 0, 2]
    assert selectors.verify(cup.pk) == []


def test_the_organiser_brings_the_end_forward(started: Event, people: Any) -> None:
    cup = started(2, format="arena")
    with pytest.raises(TournamentError):
        services.end_arena(tournament_id=cup.pk, by=people(1)[0])
    services.end_arena(tournament_id=cup.pk, by=cup.organiser)
    tasks.pair_arenas()
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert selectors.verify(cup.pk) == []


def test_a_result_that_nobody_heard_of_is_taken_over_by_the_tick(
    started: Event, play: Play
) -> None:
    cup = started(2, format="arena")
    tasks.pair_arenas()
    play.lose(cup, 1, loser=2, tell=False)
    assert Presence.objects.filter(pairing__isnull=False).count() == 2
    tasks.tick()
    assert Presence.objects.filter(pairing__isnull=False).count() == 0
    assert selectors.verify(cup.pk) == []


def test_bots_play_to_the_end(bots_event: Event, play: Play) -> None:
    cup = bots_event(5, format="arena", best_of=1)
    services.add_bots(tournament_id=cup.pk, by=cup.organiser, count=1, level="hard")
    for _ in range(3):
        tasks.pair_arenas()
        for _look in range(400):
            if not live(cup):
                break
            from games import sweeper

            sweeper.sweep(now=timezone.now() + dt.timedelta(seconds=1))
            play.deliver()
    assert Pairing.objects.count() == 9
    end(cup)
    assert cup.status == "finished"
    assert selectors.verify(cup.pk) == []


@pytest.mark.django_db(transaction=True)
def test_two_clocks_at_once_seat_nobody_twice(started: Event, at_once: Any) -> None:
    cup = started(8, format="arena")
    answers = at_once(3, lambda _n: services.look_at_arena(tournament_id=cup.pk))
    assert sorted(answers) == [0, 0, 8], answers
    assert Pairing.objects.count() == 4
    assert selectors.verify(cup.pk) == []
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_a_pause_in_the_same_instant_as_the_clock_is_one_of_the_two(
    started: Event, at_once: Any, play: Play
) -> None:
    cup = started(2, format="arena")
    one = play.entrant(cup, 1).player

    def act(index: int) -> object:
        if index:
            return services.pause_in_arena(tournament_id=cup.pk, player=one)
        return services.look_at_arena(tournament_id=cup.pk)

    seated, _paused = at_once(2, act)
    assert arena.own(stage_of(cup), one).word == ("pausing" if seated else "paused")
    assert selectors.verify(cup.pk) == []
    connection.close()
