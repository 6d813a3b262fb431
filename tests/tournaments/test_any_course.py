"""Whatever people, arbiters, the clock and the post do, in whatever order: an event's rows always
follow from its results, and it always ends."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from games.errors import GameError
from tournaments import handlers, selectors, services, tasks
from tournaments.errors import TournamentError
from tournaments.models import Entrant, Game, Pairing, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
Play = Any


class Course:
    """One random course of an event, drawn from a number."""

    def __init__(self, cup: Tournament, play: Play, chance: Random) -> None:
        self.cup, self.play, self.chance = cup, play, chance

    def step(self) -> None:
        acts = [self.play_one] * 6 + [self.nobody_comes, self.leave, self.come_back, self.correct,
                self.correct, self.repeat_news, self.tick, self.deliver]  # fmt: skip
        # What is refused must have changed nothing: the proof says so.
        with contextlib.suppress(TournamentError, GameError):
            self.chance.choice(acts)()

    def live(self) -> list[Pairing]:
        pairings = Pairing.objects.filter(stage__tournament=self.cup)
        return list(pairings.filter(games__over_at__isnull=True, games__isnull=False))

    def play_one(self) -> None:
        for pairing in self.live()[:1]:
            loser = self.chance.choice(self.play.seeds(self.cup, pairing.number))
            self.play.lose(self.cup, pairing.number, loser=loser, tell=self.chance.random() < 0.7)

    def nobody_comes(self) -> None:
        for pairing in self.live()[:1]:
            self.play.wake(self.cup, pairing.number, after=600)

    def leave(self) -> None:
        seed = self.chance.randint(1, self.cup.taken)
        player = self.play.entrant(self.cup, seed).player
        if self.chance.random() < 0.5:
            services.withdraw(tournament_id=self.cup.pk, player=player)
        else:
            services.disqualify(
                tournament_id=self.cup.pk, player=player, by=self.cup.organiser, reason="x"
            )

    def come_back(self) -> None:
        gone = self.cup.entrants.filter(status=Entrant.Status.WITHDRAWN).first()
        if gone is not None:
            services.come_back(tournament_id=self.cup.pk, player=gone.player, by=self.cup.organiser)

    def correct(self) -> None:
        pairings = list(Pairing.objects.filter(stage__tournament=self.cup))
        if not pairings:
            return
        pairing = self.chance.choice(pairings)
        inside = [slot.entrant_id for slot in pairing.slots.all()]
        winner = self.chance.choice([*inside, *inside, None])
        services.report_result(
            pairing_id=pairing.pk,
            by=self.cup.organiser,
            outcome="double_forfeit" if winner is None else "decision",
            winner=winner,
            reason="x",
            force=self.chance.choice([None, "void", "keep"]),
        )

    def repeat_news(self) -> None:
        for game in Game.objects.all():
            handlers.handle_match_finished({"match": game.match_id})

    def tick(self) -> None:
        tasks.tick()

    def deliver(self) -> None:
        self.play.deliver()


FORMATS: dict[str, list[dict[str, Any]]] = {
    "single_elimination": [{"third_place": False}, {"third_place": True}],
    "double_elimination": [{"reset_final": True}, {"reset_final": False}],
    "round_robin": [{"legs": 1}, {"legs": 2}],
    "swiss": [{"rounds": 1}, {"rounds": 3}, {"rounds": 5}],
}


@pytest.mark.parametrize("format_id", FORMATS)
@pytest.mark.parametrize("number", range(6))
def test_any_course_of_an_event_stays_provable_and_ends(
    started: Event, play: Play, number: int, format_id: str
) -> None:
    chance = Random(number)
    cup = started(
        chance.randint(2, 5 if format_id == "round_robin" else 9),
        best_of=chance.choice([1, 1, 3]),
        format=format_id,
        options=chance.choice(FORMATS[format_id]),
    )
    course = Course(cup, play, chance)
    for _ in range(25):
        course.step()
        cup.refresh_from_db()
        assert selectors.verify(cup.pk) == []
    course.deliver()
    cup.refresh_from_db()
    matches_left = 150
    while cup.is_running and matches_left:
        course.play_one()
        course.deliver()
        course.tick()
        cup.refresh_from_db()
        matches_left -= 1
    assert cup.status == "finished"
    assert selectors.verify(cup.pk) == []
    places = [place for place in play.places(cup) if place is not None]
    if "elimination" in format_id:
        assert places.count(1) <= 1
    disqualified = cup.entrants.filter(status=Entrant.Status.DISQUALIFIED).count()
    assert len(places) == cup.taken - disqualified
