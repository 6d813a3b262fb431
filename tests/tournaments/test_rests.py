"""Coming late, resting, leaving and coming back, where rounds are drawn one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from players.models import Player
from tournaments import board as boards
from tournaments import proof, selectors, services
from tournaments.errors import TournamentError
from tournaments.models import Entrant, Rest, Tournament

Event = Callable[..., Tournament]
People = Callable[[int], list[Player]]


@contextmanager
def refused(code: str) -> Iterator[None]:
    with pytest.raises(TournamentError) as caught:
        yield
    assert caught.value.code == code


def swiss(event: Event, people: People, count: int, **settings: object) -> Tournament:
    made = event(format="swiss", options={"rounds": 4}, play="board", **settings)
    for player in people(count):
        services.join(tournament_id=made.pk, player=player)
    return made


def begin(made: Tournament) -> None:
    services.start(tournament_id=made.pk, by=made.organiser)
    services.draw_due(tournament_id=made.pk)


def play_round(made: Tournament) -> None:
    """The better seed wins everywhere; then the next round is drawn."""
    for pairing in made.stages.get().pairings.exclude(status="decided"):
        winner = pairing.slots.order_by("entrant__seed").first()
        assert winner is not None
        services.report_result(
            pairing_id=pairing.pk,
            by=made.organiser,
            outcome="played",
            winner=winner.entrant_id,
            scores=[100, 50] if winner.index == 0 else [50, 100],
        )
    services.draw_due(tournament_id=made.pk)


@pytest.mark.parametrize(("missed", "points"), [("half", 6), ("nothing", 0)])
def test_a_late_entrant_has_what_missed_rounds_are_worth(
    event: Event, people: People, missed: str, points: int
) -> None:
    made = swiss(event, people, 4, missed=missed)
    begin(made)
    play_round(made)
    [late] = people(1)
    entrant = services.join(tournament_id=made.pk, player=late)
    rests = Rest.objects.filter(entrant=entrant).order_by("round")
    assert [(rest.round, rest.points, rest.asked_by) for rest in rests] == [
        (1, points, None),
        (2, points, None),
    ]
    play_round(made)
    assert boards.load(made.stages.get()).pairings
    third = made.stages.get().rounds.get(number=3)
    assert entrant.slots.filter(round=third).count() == 1


def test_late_entry_ends_with_its_round(event: Event, people: People) -> None:
    made = swiss(event, people, 4, late_rounds=2)
    begin(made)
    services.join(tournament_id=made.pk, player=people(1)[0])  # for round 2
    play_round(made)
    with refused("closed"):
        services.join(tournament_id=made.pk, player=people(1)[0])


def test_a_rest_is_asked_for_once_within_the_limit_and_before_the_round_is_drawn(
    event: Event, people: People
) -> None:
    made = swiss(event, people, 5, rests_allowed=1)
    entrant = made.entrants.order_by("pk").first()
    assert entrant is not None
    for _twice in range(2):
        rest = services.ask_rest(tournament_id=made.pk, player=entrant.player, number=2)
    assert (rest.points, Rest.objects.count()) == (6, 1)
    with refused("rests_used"):
        services.ask_rest(tournament_id=made.pk, player=entrant.player, number=3)
    begin(made)
    with refused("round_drawn"):
        services.ask_rest(tournament_id=made.pk, player=entrant.player, number=1, by=made.organiser)
    with refused("no_round"):
        services.ask_rest(tournament_id=made.pk, player=entrant.player, number=5, by=made.organiser)
    services.give_up_rest(tournament_id=made.pk, player=entrant.player, number=2)
    assert not Rest.objects.exists()


def test_who_rests_is_not_paired_in_that_round_and_has_its_worth(
    event: Event, people: People
) -> None:
    made = swiss(event, people, 6, rests_allowed=1, rest_worth="half")
    begin(made)
    entrant = made.entrants.get(seed=1)
    services.ask_rest(tournament_id=made.pk, player=entrant.player, number=2)
    play_round(made)
    play_round(made)
    rounds = entrant.slots.order_by("round__number").values_list("round__number", flat=True)
    assert list(rounds) == [1, 3]
    rows = {row.entrant.pk: row.points for row in selectors.standings(made)}
    assert rows[entrant.pk] == 12 + 6
    assert proof.verify(made.pk) == []


def test_rests_are_the_organisers_to_allow(event: Event, people: People) -> None:
    made = swiss(event, people, 4)
    entrant = made.entrants.first()
    assert entrant is not None
    with refused("no_rests"):
        services.ask_rest(tournament_id=made.pk, player=entrant.player, number=1)
    services.ask_rest(tournament_id=made.pk, player=entrant.player, number=1, by=made.organiser)
    assert Rest.objects.count() == 1


def test_who_withdrew_comes_back_for_the_next_round(event: Event, people: People) -> None:
    made = swiss(event, people, 5)
    begin(made)
    entrant = made.entrants.order_by("seed")[1]
    services.withdraw(tournament_id=made.pk, player=entrant.player)
    play_round(made)
    for _twice in range(2):
        services.come_back(tournament_id=made.pk, player=entrant.player, by=entrant.player)
    entrant.refresh_from_db()
    assert entrant.status == Entrant.Status.ACTIVE
    assert list(entrant.rests.values_list("round", "points")) == [(2, 0)]
    play_round(made)
    third = made.stages.get().rounds.get(number=3)
    assert entrant.slots.filter(round=third).count() == 1
    assert proof.verify(made.pk) == []


def test_nobody_comes_back_into_a_knockout_or_after_a_disqualification(
    started: Callable[..., Tournament], event: Event, people: People
) -> None:
    made = started(3)
    entrant = made.entrants.first()
    assert entrant is not None
    services.withdraw(tournament_id=made.pk, player=entrant.player)
    with refused("no_return"):
        services.come_back(tournament_id=made.pk, player=entrant.player, by=made.organiser)
    made = swiss(event, people, 4)
    begin(made)
    out = made.entrants.first()
    assert out is not None
    services.disqualify(
        tournament_id=made.pk, player=out.player, by=made.organiser, reason="Marked tiles"
    )
    with refused("no_return"):
        services.come_back(tournament_id=made.pk, player=out.player, by=made.organiser)


def test_a_rest_names_its_stage_and_counts_there_alone(event: Event, people: People) -> None:
    made = swiss(
        event, people, 4, rests_allowed=2, rest_worth="half",
        later_stages=[{"format": "swiss", "options": {"rounds": 2}, "take": 4}],
    )  # fmt: skip
    entrant = made.entrants.order_by("pk").first()
    assert entrant is not None
    asked = {"tournament_id": made.pk, "player": entrant.player}
    later = services.ask_rest(**asked, stage=2, number=1)
    assert (later.stage, later.round) == (2, 1)
    assert services.ask_rest(**asked, number=3).stage == 1
    with refused("no_round"):
        services.ask_rest(**asked, stage=2, number=3)
    assert selectors.coming_rounds(made) == [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2)]
    begin(made)
    first = boards.load(made.stages.get(number=1))
    assert first.rests == {(3, first.find_seed(entrant.pk)): 6}
    services.give_up_rest(**asked, number=3)
    for _round in range(4):
        play_stage_round(made, 1)
    second = boards.load(made.stages.get(number=2))
    assert second.rests == {(1, second.find_seed(entrant.pk)): 6}
    assert proof.verify(made.pk) == []


def play_stage_round(made: Tournament, stage: int) -> None:
    for pairing in made.stages.get(number=stage).pairings.exclude(status="decided"):
        services.enter_sheet(
            pairing_id=pairing.pk, by=made.organiser, sheet=services.Sheet(scores=[100, 50])
        )
    services.draw_due(tournament_id=made.pk)
