"""Challenge ladders: climbing, challenges and their deadlines, and the log of it all."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from games import services as games
from players import clubs
from players.models import Player
from tournaments import handlers
from tournaments.ladders import climb, selectors, services
from tournaments.ladders.errors import LadderError
from tournaments.models import Challenge, Ladder, LadderGame, LadderLine

pytestmark = pytest.mark.django_db

DAY = dt.timedelta(days=1)


@pytest.fixture
def persons(db: Any) -> Callable[[int], list[Player]]:
    def make(count: int) -> list[Player]:
        return [Player.objects.create_user(f"p{n}", name=f"P{n}") for n in range(1, count + 1)]

    return make


@pytest.fixture
def ladder(persons: Callable[[int], list[Player]]) -> Callable[..., tuple[Ladder, list[Player]]]:
    """A ladder with that many on it, in their order."""

    def make(count: int, **settings: Any) -> tuple[Ladder, list[Player]]:
        people = persons(count)
        rules = {"preset": "allfives", "target": 20}
        made = services.create(owner=people[0], name="Thursdays", rules=rules, **settings)
        for player in people:
            services.join(ladder_id=made.pk, player=player)
        return made, people

    return make


@contextmanager
def refused(code: str) -> Iterator[None]:
    """What is done inside is refused, with that code."""
    with pytest.raises(LadderError) as refusal:
        yield
    assert refusal.value.code == code


def order(ladder: Ladder) -> list[str]:
    assert selectors.verify(ladder) == []
    return [row.player.name for row in selectors.places(ladder)]


def played(ladder: Ladder, challenger: Player, defender: Player, winner: Player) -> Challenge:
    """A challenge played over the board, reported by both."""
    made = services.challenge(ladder_id=ladder.pk, player=challenger, defender=defender)
    services.accept(challenge_id=made.pk, player=defender)
    for player in (challenger, defender):
        made = services.report(challenge_id=made.pk, player=player, winner=winner)
    return made


@pytest.mark.parametrize(
    ("winner", "loser", "after"),
    [
        (2, 1, [2, 1, 3, 4, 5, 6]),
        (3, 1, [1, 3, 2, 4, 5, 6]),
        (4, 1, [1, 4, 2, 3, 5, 6]),
        (6, 1, [1, 2, 6, 3, 4, 5]),
        (6, 5, [1, 2, 3, 4, 6, 5]),
        (1, 4, [1, 2, 3, 4, 5, 6]),
        (9, 1, [1, 2, 3, 4, 5, 6]),
    ],
)
def test_who_beats_somebody_higher_moves_half_way_up(
    winner: int, loser: int, after: list[int]
) -> None:
    assert climb.climbed([1, 2, 3, 4, 5, 6], winner, loser) == after


def test_a_challenge_over_the_board_is_reported_by_one_and_confirmed_by_the_other(
    ladder: Any,
) -> None:
    made, (one, two, three) = ladder(3, play="board")
    assert order(made) == ["P1", "P2", "P3"]
    found = services.challenge(ladder_id=made.pk, player=three, defender=one)
    services.accept(challenge_id=found.pk, player=one)
    services.report(challenge_id=found.pk, player=three, winner=three)
    services.report(challenge_id=found.pk, player=one, winner=one)
    assert order(made) == ["P1", "P2", "P3"]
    services.report(challenge_id=found.pk, player=three, winner=one)
    assert order(made) == ["P1", "P2", "P3"]
    found.refresh_from_db()
    assert (found.state, found.winner) == ("played", one)
    played(made, three, two, three)
    assert order(made) == ["P1", "P3", "P2"]


def test_one_challenges_those_above_within_reach_and_once(ladder: Any) -> None:
    made, people = ladder(5, reach=2)
    rows = selectors.places(made)
    assert selectors.viewer_of(made, people[4], rows).targets == {people[2].pk, people[3].pk}
    for defender, code in ((people[1], "too_high"), (people[4], "not_higher")):
        with refused(code):
            services.challenge(ladder_id=made.pk, player=people[4], defender=defender)
    services.challenge(ladder_id=made.pk, player=people[4], defender=people[3])
    with refused("open_already"):
        services.challenge(ladder_id=made.pk, player=people[4], defender=people[3])
    first = Challenge.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Challenge.objects.create(
            ladder=made,
            challenger=first.defender,
            defender=first.challenger,
            low=first.low,
            high=first.high,
            deadline=timezone.now(),
        )


@pytest.mark.parametrize(
    ("refusal", "after"),
    [
        ("nothing", ["P1", "P2", "P3", "P4"]),
        ("place", ["P2", "P1", "P3", "P4"]),
        ("loss", ["P1", "P4", "P2", "P3"]),
    ],
)
def test_a_second_refusal_costs_what_was_set(ladder: Any, refusal: str, after: list[str]) -> None:
    made, people = ladder(4, refusal=refusal, free_refusals=1)
    for _time in range(2):
        assert order(made) == ["P1", "P2", "P3", "P4"]
        found = services.challenge(ladder_id=made.pk, player=people[3], defender=people[0])
        services.refuse(challenge_id=found.pk, player=people[0])
        services.refuse(challenge_id=found.pk, player=people[0])
    assert order(made) == after


def test_an_answer_that_does_not_come_costs_as_a_refusal_once(ladder: Any) -> None:
    made, (one, two) = ladder(2, free_refusals=0, answer_days=3)
    found = services.challenge(ladder_id=made.pk, player=two, defender=one)
    assert services.sweep(now=timezone.now() + 2 * DAY) == 0
    late = timezone.now() + 4 * DAY
    assert (services.sweep(now=late), services.sweep(now=late)) == (1, 0)
    assert order(made) == ["P2", "P1"]
    with refused("not_open"):
        services.accept(challenge_id=found.pk, player=one)


def test_what_is_not_played_in_time_is_lost_by_who_never_was_ready(ladder: Any) -> None:
    made, (one, two, three) = ladder(3)
    neither = services.challenge(ladder_id=made.pk, player=two, defender=one)
    came = services.challenge(ladder_id=made.pk, player=three, defender=two)
    for found, defender in ((neither, one), (came, two)):
        services.accept(challenge_id=found.pk, player=defender)
    services.ready(challenge_id=came.pk, player=three)
    services.sweep(now=timezone.now() + 8 * DAY)
    neither.refresh_from_db()
    assert neither.state == "unplayed"
    assert order(made) == ["P1", "P3", "P2"]


def test_the_table_opens_when_both_are_ready_at_the_same_time_and_its_match_counts(
    ladder: Any,
) -> None:
    made, (one, two) = ladder(2)
    found = services.challenge(ladder_id=made.pk, player=two, defender=one)
    services.accept(challenge_id=found.pk, player=one)
    now = timezone.now()
    services.ready(challenge_id=found.pk, player=one, now=now - dt.timedelta(minutes=6))
    services.ready(challenge_id=found.pk, player=two, now=now)
    assert not LadderGame.objects.exists()
    services.ready(challenge_id=found.pk, player=one, now=now)
    services.ready(challenge_id=found.pk, player=one, now=now)
    game = LadderGame.objects.get()
    with refused("being_played"):
        services.refuse(challenge_id=found.pk, player=one)
    assert services.sweep(now=now + 30 * DAY) >= 0  # a match in course is waited for
    for player in (one, two):
        games.sit(match_id=game.match_id, player=player)
    games.resign(match_id=game.match_id, player=one)
    for _time in range(2):
        handlers.handle_ladder_match({"match": game.match_id})
    assert order(made) == ["P2", "P1"]
    assert LadderLine.objects.filter(kind="won").count() == 1


def test_best_of_three_opens_the_next_table_until_two_are_won(ladder: Any) -> None:
    made, (one, two) = ladder(2, best_of=3)
    found = services.challenge(ladder_id=made.pk, player=two, defender=one)
    services.accept(challenge_id=found.pk, player=one)
    for player in (one, two):
        services.ready(challenge_id=found.pk, player=player)
    for loser in (one, two, one):
        game = LadderGame.objects.get(over_at__isnull=True)
        for player in (one, two):
            games.sit(match_id=game.match_id, player=player)
        games.resign(match_id=game.match_id, player=loser)
        services.sweep()
    assert LadderGame.objects.count() == 3
    assert order(made) == ["P2", "P1"]


def test_who_does_not_play_falls_a_place_each_time_the_days_pass(ladder: Any) -> None:
    made, _people = ladder(3, idle_days=10)
    later = timezone.now() + 11 * DAY
    services.sweep(now=later)
    first = order(made)
    assert services.sweep(now=later) == 0
    assert order(made) == first
    assert LadderLine.objects.filter(kind="idle").count() == 2


def test_a_corrected_result_is_as_if_it_had_been_so_from_the_start(ladder: Any) -> None:
    made, (one, two, three) = ladder(3, play="board")
    first = played(made, two, one, two)
    played(made, three, one, three)
    assert order(made) == ["P2", "P3", "P1"]
    with refused("not_allowed"):
        services.correct(challenge_id=first.pk, by=two, winner=one, reason="No")
    for _time in range(2):
        services.correct(challenge_id=first.pk, by=one, winner=one, reason="Typed wrong")
    assert order(made) == ["P1", "P3", "P2"]
    assert LadderLine.objects.filter(kind="corrected").count() == 1


def test_a_clubs_ladder_is_for_its_members(persons: Any) -> None:
    owner, member, stranger = persons(3)
    club = clubs.found(founder=owner, name="Five Club")
    clubs.join(club_id=club.pk, player=member)
    with refused("not_allowed"):
        services.create(owner=member, name="Mine", club=club)
    made = services.create(owner=owner, name="Club", club=club)
    services.join(ladder_id=made.pk, player=member)
    with refused("members_only"):
        services.join(ladder_id=made.pk, player=stranger)


def test_who_leaves_gives_up_place_and_challenges(ladder: Any) -> None:
    made, (_one, two, three) = ladder(3)
    found = services.challenge(ladder_id=made.pk, player=three, defender=two)
    services.leave(ladder_id=made.pk, player=two)
    found.refresh_from_db()
    assert found.state == "withdrawn"
    assert order(made) == ["P1", "P3"]
    services.join(ladder_id=made.pk, player=two)
    assert order(made) == ["P1", "P3", "P2"]


def test_replaying_the_log_is_what_was_kept_running_whatever_happens(ladder: Any) -> None:
    chance = random.Random(3)
    made, people = ladder(7, play="board", reach=0, free_refusals=0)
    for _step in range(60):
        low, high = sorted(chance.sample(range(len(selectors.places(made))), 2))
        rows = selectors.places(made)
        defender, challenger = rows[low].player, rows[high].player
        deed = chance.choice(["play", "play", "refuse", "late", "correct", "leave", "join"])
        if deed == "play":
            played(made, challenger, defender, chance.choice([challenger, defender]))
        elif deed == "correct":
            done = Challenge.objects.filter(ladder=made, state="played").order_by("?").first()
            if done is not None:
                winner = chance.choice([done.challenger, done.defender])
                services.correct(challenge_id=done.pk, by=people[0], winner=winner, reason="x")
        elif deed == "leave" and len(rows) > 4:
            services.leave(ladder_id=made.pk, player=challenger)
        elif deed == "join":
            services.join(ladder_id=made.pk, player=chance.choice(people))
        elif deed in ("refuse", "late"):
            found = services.challenge(ladder_id=made.pk, player=challenger, defender=defender)
            if deed == "refuse":
                services.refuse(challenge_id=found.pk, player=defender)
            else:
                Challenge.objects.filter(pk=found.pk).update(deadline=timezone.now())
                services.sweep()
        assert selectors.verify(made) == []


@pytest.mark.django_db(transaction=True)
def test_two_who_challenge_each_other_at_once_have_one_challenge(ladder: Any, at_once: Any) -> None:
    made, (one, two) = ladder(2)

    def act(_index: int) -> object:
        return services.challenge(ladder_id=made.pk, player=two, defender=one).pk

    answers = at_once(3, act)
    assert Challenge.objects.count() == 1
    assert sum(isinstance(answer, LadderError) for answer in answers) == 2, answers
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_an_answer_in_the_same_instant_as_the_sweep_is_one_of_the_two(
    ladder: Any, at_once: Any
) -> None:
    made, (one, two) = ladder(2, free_refusals=0)
    found = services.challenge(ladder_id=made.pk, player=two, defender=one)
    now = timezone.now()
    Challenge.objects.filter(pk=found.pk).update(deadline=now)

    def act(index: int) -> object:
        if index:
            return services.sweep(now=now)
        return services.accept(challenge_id=found.pk, player=one, now=now - dt.timedelta(seconds=1))

    at_once(2, act)
    found.refresh_from_db()
    swept = found.state == "expired"
    assert swept or found.state == "accepted"
    assert order(made) == (["P2", "P1"] if swept else ["P1", "P2"])
    connection.close()
