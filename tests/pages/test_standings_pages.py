"""Standings, why a rank, why a pairing, and what an organiser lets decide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tournaments import selectors, services
from tournaments.errors import TournamentError
from tournaments.models import Pairing, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]


@pytest.fixture
def swiss(make_player: Callable[..., Player]) -> Event:
    """A Swiss over the board, running, its first round drawn."""

    def make(size: int = 7, **settings: Any) -> Tournament:
        given = {"format": "swiss", "options": {"rounds": 3}, "play": "board", **settings}
        event = services.create(organiser=make_player("Olga"), name="Friday Cup", **given)
        services.open_registration(tournament_id=event.pk, by=event.organiser)
        for _ in range(size):
            services.join(tournament_id=event.pk, player=make_player())
        services.start(tournament_id=event.pk, by=event.organiser)
        services.draw_due(tournament_id=event.pk)
        event.refresh_from_db()
        return event

    return make


def win(event: Tournament, number: int, scores: tuple[int, int] = (150, 90)) -> None:
    """The first of a pairing wins."""
    pairing = Pairing.objects.get(stage__tournament=event, number=number)
    slot = pairing.slots.get(index=0)
    services.report_result(
        pairing_id=pairing.pk,
        by=event.organiser,
        outcome="played",
        winner=slot.entrant_id,
        scores=list(scores),
    )


def page(event: Tournament, rest: str) -> str:
    answer = Client().get(f"{event.get_absolute_url()}/{rest}")
    assert answer.status_code == 200, rest
    return answer.content.decode()


def test_the_row_says_what_parts_neighbours_with_both_values(swiss: Event) -> None:
    event = swiss(4, criteria=["difference", "lot"])
    win(event, 1, (150, 90))
    win(event, 2, (150, 20))
    shown = page(event, "standings")
    assert "ahead on points difference, +130 v +60" in shown
    assert "behind on points difference, +60 v +130" in shown
    assert "ahead on points difference, −60 v −130" in shown
    row = selectors.standings(event)[0]
    assert (row.decided, list(row.values)) == ("difference", ["difference", "lot"])


def test_short_heads_are_explained_below_the_table(swiss: Event, client: Client) -> None:
    page = client.get(f"/tournaments/{swiss().slug}/standings").content.decode()
    assert "<b>Bh</b>: The points of all opponents." in page


def test_a_round_in_course_makes_criteria_provisional(swiss: Event) -> None:  # S3
    event = swiss(4)
    assert "round 1 is being played, and criteria change" in page(event, "standings")
    win(event, 1)
    win(event, 2)
    assert "round 1 is being played" not in page(event, "standings")


def test_why_a_rank_shows_every_sum_opponent_by_opponent(swiss: Event) -> None:
    event = swiss(4, criteria=["buchholz", "direct", "sonneborn"])
    win(event, 1)
    win(event, 2)
    best = selectors.standings(event)[0]
    shown = page(event, f"rank/{best.seed}")
    for title in ("Points", "Buchholz", "Direct encounter", "Sonneborn-Berger"):
        assert title in shown
    loser = next(
        s.entrant
        for s in Pairing.objects.get(
            stage__tournament=event, slots__entrant=best.entrant
        ).slots.all()
        if s.entrant != best.entrant
    )
    assert loser is not None
    assert loser.label in shown
    assert Client().get(f"{event.get_absolute_url()}/rank/99").status_code == 404


def test_while_a_worker_pairs_the_next_round_the_page_says_so(swiss: Event) -> None:
    event = swiss(4)
    win(event, 1)
    win(event, 2)
    shown = Client().get(event.get_absolute_url()).content.decode()
    assert "Round 2 is being paired…" in shown
    services.draw_due(tournament_id=event.pk)
    shown = Client().get(event.get_absolute_url()).content.decode()
    assert "being paired" not in shown


def test_what_is_still_possible_is_said_and_who_is_certain(swiss: Event) -> None:
    event = swiss(4, late_rounds=0)
    assert "can still finish from 1 to 4" in page(event, "standings")


@pytest.mark.parametrize(("late", "said"), [(0, True), (3, False)])
def test_nothing_is_certain_while_people_can_still_come_in(
    swiss: Event, late: int, said: bool
) -> None:
    later = [{"format": "single_elimination", "take": 2}]
    event = swiss(8, late_rounds=late, options={"rounds": 2 if said else 3}, later_stages=later)
    for number in (1, 2, 3, 4):
        win(event, number)
    services.draw_due(tournament_id=event.pk)
    ahead = Pairing.objects.filter(stage__tournament=event, number__gt=4).order_by("number")[:2]
    for pairing in ahead:
        win(event, pairing.number)
    assert any(row.going for row in selectors.standings(event)) is said
    event = Tournament.objects.get(pk=event.pk)
    assert ("can still finish from" in page(event, "standings")) is said


def test_the_organiser_puts_criteria_in_order(
    make_player: Callable[..., Player], as_player: Callable[[Player], Client]
) -> None:
    olga = make_player("Olga")
    event = services.create(organiser=olga, name="Cup", format="swiss")
    browser = as_player(olga)
    form = browser.get(f"{event.get_absolute_url()}/edit").content.decode()
    assert "Tie-breaks" in form
    fields = {"name": "Cup", "format": "swiss", "rounds": 4, "preset": "allfives",
              "turn_seconds": 15, "best_of": 1, "seeding": "rating", "capacity": 16,
              "no_show_seconds": 60, "first_round": "random", "difference_cap": 60,
              "zone": "UTC", "access": "open"}  # fmt: skip
    answer = browser.post(
        f"{event.get_absolute_url()}/edit", {**fields, "first": "games", "third": "lot"}
    )
    assert answer.status_code == 302, answer.content.decode()[:4000]
    event.refresh_from_db()
    assert event.criteria == ["games", "lot"]
    assert (event.options["first_round"], event.options["difference_cap"]) == ("random", 60)
    twice = browser.post(
        f"{event.get_absolute_url()}/edit", {**fields, "first": "lot", "second": "lot"}
    )
    assert "That is in the list already." in twice.content.decode()


@pytest.mark.parametrize("wrong", [["no"], ["lot", "lot"], "lot", [1]])
def test_criteria_must_be_known_and_named_once(
    make_player: Callable[..., Player], wrong: Any
) -> None:
    with pytest.raises(TournamentError, match="each once"):
        services.create(organiser=make_player(), name="Cup", criteria=wrong)


def test_a_phone_has_the_criteria_below_the_name(swiss: Event) -> None:
    event = swiss(4, criteria=["difference", "lot"])
    win(event, 1, (150, 90))
    row = page(event, "standings").split('<th scope="row">')[1].split("</th>")[0]
    assert "slim" in row
    assert "<b>+60</b>" in row


def test_an_event_over_the_board_says_that_it_is_not_rated(swiss: Event) -> None:
    event = swiss(4)
    assert event.rated
    assert "Matches over the board are not rated." in page(event, "pairings")
    assert "<dt>Rated</dt><dd>no</dd>" in page(event, "info")
