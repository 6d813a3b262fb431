"""Pages of tables of three and four: the bracket, what becomes of so many, and possible ranks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tournaments import services
from tournaments.models import Pairing, Tournament

pytestmark = pytest.mark.django_db

Make = Callable[..., Player]
Enter = Callable[[Player], Client]
Event = Callable[..., Tournament]


@pytest.fixture
def event(make_player: Make) -> Event:
    """An event over the board, running, its first round drawn."""

    def make(size: int, format_id: str, **settings: Any) -> Tournament:
        given = {"format": format_id, "play": "board", **settings}
        made = services.create(organiser=make_player("Olga"), name="Friday Cup", **given)
        services.open_registration(tournament_id=made.pk, by=made.organiser)
        for _ in range(size):
            services.join(tournament_id=made.pk, player=make_player())
        services.start(tournament_id=made.pk, by=made.organiser)
        services.draw_due(tournament_id=made.pk)
        made.refresh_from_db()
        return made

    return make


def enter(event: Tournament, number: int, scores: Sequence[int]) -> None:
    """The result of a table, by points in the order of the sides."""
    pairing = Pairing.objects.get(stage=event.stages.last(), number=number)
    best = scores.index(max(scores))
    first = pairing.slots.filter(side=best).order_by("index").first()
    assert first is not None
    services.report_result(
        pairing_id=pairing.pk,
        by=event.organiser,
        outcome="played",
        winner=first.entrant_id,
        scores=list(scores),
    )


def page(event: Tournament, section: str) -> str:
    text = Client().get(f"/tournaments/{event.slug}/{section}").content.decode()
    return " ".join(text.split())


def test_the_bracket_marks_who_goes_on_and_says_where_the_others_come_from(event: Event) -> None:
    cup = event(8, "pod_elimination")
    enter(cup, 1, [150, 90, 90, 35])
    html = page(cup, "bracket")
    assert html.count("(goes on)") == 2
    assert "level at the cut: decided by lot" in html
    assert "First of match 2" in html
    assert "Second of match 2" in html
    assert page(cup, "pairings?round=1").count("(goes on)") == 2
    enter(cup, 2, [150, 90, 60, 35])
    enter(cup, 3, [150, 90, 60, 35])
    assert "(won)" in page(cup, "bracket")


def test_a_table_says_why_and_can_be_corrected(event: Event, as_player: Enter) -> None:
    cup = event(8, "pod_elimination")
    for number in (1, 2):
        enter(cup, number, [150, 90, 60, 35])
    assert "The best of matches 1, 2." in page(cup, "pairings")
    desk = as_player(cup.organiser)
    assert "Points of" in desk.get(f"/tournaments/{cup.slug}/pairings/1/correct").content.decode()
    assert desk.get(f"/tournaments/{cup.slug}/desk").status_code == 200


def test_before_the_start_it_is_said_what_becomes_of_so_many(make_player: Make) -> None:
    cup = services.create(organiser=make_player("Olga"), name="Cup", format="pod_elimination")
    services.open_registration(tournament_id=cup.pk, by=cup.organiser)
    assert "at the last table" not in page(cup, "info")
    for _ in range(13):
        services.join(tournament_id=cup.pk, player=make_player())
    assert "13 (4+3+3+3) → 8 (4+4) → 4 at the last table" in page(cup, "info")


def test_how_many_go_on_is_chosen_where_the_event_is_named(
    make_player: Make, as_player: Enter
) -> None:
    olga = make_player("Olga")
    made = services.create(organiser=olga, name="Cup", format="pod_elimination")
    client = as_player(olga)
    html = client.get(f"/tournaments/{made.slug}/edit").content.decode()
    assert 'name="advance" value="2"' in html


END: dict[str, tuple[int, dict[str, Any], list[int]]] = {
    "round_robin": (3, {}, [150, 90]),
    "groups": (6, {"groups": 2}, [150, 90]),
    "swiss": (4, {"rounds": 1}, [150, 90]),
    "pods": (8, {"rounds": 1}, [150, 90, 60, 35]),
    "rotating": (8, {"rounds": 1}, [150, 90]),
}


@pytest.mark.parametrize("format_id", END)
def test_after_the_end_nobody_is_said_to_be_sure_of_a_rank(event: Event, format_id: str) -> None:
    size, options, scores = END[format_id]
    cup = event(size, format_id, options=options)
    numbers = Pairing.objects.filter(stage__tournament=cup).order_by("round__number", "number")
    for number in list(numbers.values_list("number", flat=True)):
        enter(cup, number, scores)
    cup.refresh_from_db()
    assert cup.status == "finished"
    html = page(cup, "standings")
    assert "sure of rank" not in html
    assert "can still come" not in html


@pytest.mark.parametrize("format_id", ["pods", "rotating"])
def test_while_it_runs_it_is_said_which_ranks_are_possible(event: Event, format_id: str) -> None:
    size, _options, scores = END[format_id]
    cup = event(size, format_id, options={"rounds": 1})
    enter(cup, 1, scores)
    assert "can still finish from 1 to" in page(cup, "standings")


def test_the_arbiter_s_places_go_before_those_by_points(event: Event, as_player: Enter) -> None:
    cup = event(8, "pod_elimination")
    enter(cup, 1, [150, 90, 90, 35])
    desk, url = as_player(cup.organiser), f"/tournaments/{cup.slug}/pairings/1/correct"
    given = {f"score_{side}": points for side, points in enumerate((150, 90, 90, 35))}
    given |= {f"place_{side}": place for side, place in enumerate((1, 3, 2, 4))}
    given |= {"outcome": "played", "reason": "One more round decided"}
    page = desk.post(url, given).content.decode()
    fields = dict(re.findall(r'name="(seen|version)" value="([^"]*)"', page))
    assert desk.post(url, {**given, **fields, "way": "plain"}).status_code == 302
    last = Pairing.objects.get(stage=cup.stages.get(), number=1).results.order_by("version").last()
    assert last is not None
    assert (last.scores, last.places) == ([150, 90, 90, 35], [1, 3, 2, 4])
    bracket = " ".join(desk.get(f"/tournaments/{cup.slug}/bracket").content.decode().split())
    assert "decided by lot" not in bracket
    wrong = desk.post(url, {**given, "place_3": ""}).content.decode()
    assert "Places" in wrong[wrong.index('class="note bad"') :]
