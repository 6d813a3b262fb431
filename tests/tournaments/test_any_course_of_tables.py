"""Whatever happens at tables of three and four, and to partners: the rows follow from the results,
and the event ends."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from games import services as games
from games.errors import GameError
from players.services import create_guest
from tournaments import selectors, services, tasks
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
        acts = [self.play_one] * 5 + [self.nobody_comes, self.one_resigns, self.leave,
                self.come_back, self.correct, self.come_late, self.draw, self.draw,
                self.play.deliver, tasks.tick]  # fmt: skip
        with contextlib.suppress(TournamentError, GameError):
            self.chance.choice(acts)()

    def draw(self) -> None:
        services.draw_due(tournament_id=self.cup.pk)

    def table(self) -> Game | None:
        return Game.objects.filter(over_at=None, pairing__stage__tournament=self.cup).first()

    def play_one(self) -> None:
        """The table's players resign one after another, until it is over."""
        game = self.table()
        if game is None:
            return
        players = self.players(game)
        self.chance.shuffle(players)
        for player in players:
            with contextlib.suppress(GameError):
                games.sit(match_id=game.match_id, player=player)
        for player in players[:-1]:
            with contextlib.suppress(GameError):
                games.resign(match_id=game.match_id, player=player)
        if self.chance.random() < 0.7:
            self.play.deliver()

    def one_resigns(self) -> None:
        game = self.table()
        if game is not None:
            players = self.players(game)
            for player in players:
                games.sit(match_id=game.match_id, player=player)
            games.resign(match_id=game.match_id, player=self.chance.choice(players))

    def players(self, game: Game) -> list[Any]:
        slots = game.pairing.slots.select_related("entrant__player", "entrant__partner")
        found = [slot.entrant for slot in slots if slot.entrant is not None]
        return [each.player for each in found] + [each.partner for each in found if each.partner]

    def nobody_comes(self) -> None:
        game = self.table()
        if game is not None:
            self.play.wake(self.cup, game.pairing.number, after=600)

    def leave(self) -> None:
        entrant = self.chance.choice(list(Entrant.objects.filter(tournament=self.cup)))
        player = self.chance.choice([each for each in (entrant.player, entrant.partner) if each])
        if self.chance.random() < 0.6:
            services.withdraw(tournament_id=self.cup.pk, player=player)
        else:
            services.disqualify(
                tournament_id=self.cup.pk, player=player, by=self.cup.organiser, reason="x"
            )

    def come_back(self) -> None:
        gone = self.cup.entrants.filter(status=Entrant.Status.WITHDRAWN).first()
        if gone is not None:
            services.come_back(tournament_id=self.cup.pk, player=gone.player, by=self.cup.organiser)

    def come_late(self) -> None:
        services.join(tournament_id=self.cup.pk, player=create_guest())

    def correct(self) -> None:
        pairings = list(Pairing.objects.filter(stage__tournament=self.cup))
        if not pairings:
            return
        pairing = self.chance.choice(pairings)
        inside = list(pairing.slots.order_by("index"))
        outcome = self.chance.choice(["played", "played", "decision", "double_forfeit", "forfeit"])
        sides = len({slot.side for slot in inside})
        scores = [self.chance.choice([150, 90, 90, 35]) for _ in range(sides)]
        winner = self.chance.choice(inside).entrant_id
        services.report_result(
            pairing_id=pairing.pk,
            by=self.cup.organiser,
            outcome=outcome,
            winner=None if outcome == "double_forfeit" else winner,
            scores=scores if outcome == "played" else None,
            reason="x",
            force=self.chance.choice([None, "void", "keep"]),
        )


KINDS: dict[str, dict[str, Any]] = {
    "pods": {"format": "pods", "options": {"rounds": 3, "five": "bye"}},
    "mixed": {"format": "pods", "options": {"rounds": 3, "meeting": "mixed", "five": "two"}},
    "pod elimination": {"format": "pod_elimination", "options": {"five": "two"}},
    "of the first": {"format": "pod_elimination", "options": {"five": "bye", "advance": 1}},
    "rotating": {"format": "rotating", "options": {"rounds": 3}},
    "pairs": {"format": "swiss", "sides": "pairs", "options": {"rounds": 3}},
    "knockout of pairs": {"format": "single_elimination", "sides": "pairs"},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", range(2))
def test_any_course_at_tables_stays_provable_and_ends(
    event: Event, play: Play, number: int, kind: str
) -> None:
    chance = Random(f"{kind}{number}")
    cup = event(**KINDS[kind], best_of=chance.choice([1, 1, 3]))
    for _ in range(chance.randint(4, 9)):
        if cup.sides == "pairs":
            services.enter_pair(tournament_id=cup.pk, by=cup.organiser, player=create_guest(),
                                partner=create_guest())  # fmt: skip
        else:
            services.join(tournament_id=cup.pk, player=create_guest())
    services.start(tournament_id=cup.pk, by=cup.organiser)
    course = Course(cup, play, chance)
    for _ in range(18):
        course.step()
        assert selectors.verify(cup.pk) == []
    for _ in range(60):
        cup.refresh_from_db()
        if not cup.is_running:
            break
        course.draw()
        course.play_one()
        play.deliver()
        tasks.tick()
    assert cup.status == "finished"
    assert selectors.verify(cup.pk) == []
    placed = cup.entrants.filter(place__isnull=False).count()
    disqualified = cup.entrants.filter(status=Entrant.Status.DISQUALIFIED).count()
    assert placed == cup.taken - disqualified
