"""Groups and the knockout after them, as people see and set them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.models import Match
from pages import qr, reporting
from players.models import Player
from tournaments import selectors, services, stages
from tournaments.models import Game, Official, Pairing, Tournament

MakeEvent = Callable[..., Tournament]
Enter = Callable[[Player], Client]
Make = Callable[..., Player]

KNOCKOUT = {"format": "single_elimination", "take": 2, "per_group": True}
NEW = {
    "name": "Groups Cup",
    "format": "groups",
    "groups": "3",
    "legs": "1",
    "then1_format": "single_elimination",
    "then1_take": "2",
    "then1_of": "group",
    "then1_best_of": "3",
    "then1_seeding": "crossed",
    "then1_ties": "lot",
    "preset": "allfives",
    "best_of": "1",
    "capacity": "16",
    "seeding": "random",
    "turn_seconds": "20",
    "no_show_seconds": "120",
}


def report_all(event: Tournament, stage: int, *, level: bool = False) -> None:
    """The better seed wins; `level`: the first three of a group beat one another in a circle."""
    while found := (
        Pairing.objects.filter(
            stage__tournament=event, stage__number=stage, status__in=["ready", "live"]
        )
        .order_by("number")
        .first()
    ):
        slots = list(found.slots.select_related("entrant").order_by("index"))
        seeds = {slot.entrant.seed: slot for slot in slots if slot.entrant}
        wins = min(seeds)
        if level and seeds.keys() == {1, 5}:
            wins = 5
        scores = [150 if slot is seeds[wins] else 100 for slot in slots]
        services.report_result(
            pairing_id=found.pk,
            by=event.organiser,
            outcome="played",
            winner=seeds[wins].entrant_id,
            scores=scores,
            reason="x",
        )


@pytest.fixture
def cup(make_player: Callable[..., Player], make_event: MakeEvent) -> Callable[..., Tournament]:
    def make(bots: int, groups: int) -> Tournament:
        organiser = make_player()
        event = make_event(
            organiser, bots=bots, format="groups", options={"groups": groups},
            later_stages=[KNOCKOUT], play="board",
        )  # fmt: skip
        return services.start(tournament_id=event.pk, by=organiser)

    return make


def test_stages_are_chosen_in_the_form_and_kept_when_it_is_edited(
    make_player: Callable[..., Player], as_player: Enter
) -> None:
    client = as_player(make_player())
    assert client.post("/tournaments/new", NEW).status_code == 302
    event = Tournament.objects.get()
    assert event.format == "groups"
    assert (event.options["groups"], event.options["legs"]) == (3, 1)
    assert event.later_stages == [
        {"format": "single_elimination", "options": {"third_place": False}, "best_of": 3,
         "rules": {}, "turn_seconds": None, "round_minutes": None, "take": 2, "per_group": True,
         "seeding": "crossed", "ties": "lot"},
    ]  # fmt: skip
    page = client.get(f"/tournaments/{event.slug}").content.decode()
    assert "3 groups; then Knockout of the best 2 of each group, best of three" in page
    assert client.post(f"/tournaments/{event.slug}/edit", {**NEW, "then1_take": "1"}).status_code
    event.refresh_from_db()
    assert event.later_stages[0]["take"] == 1
    assert client.post(f"/tournaments/{event.slug}/edit", {**NEW, "then1_format": ""}).status_code
    event.refresh_from_db()
    assert event.later_stages == []


def test_each_group_has_a_table_and_each_stage_its_place(cup: MakeEvent, client: Client) -> None:
    event = cup(8, 2)
    page = client.get(f"/tournaments/{event.slug}/standings").content.decode()
    assert page.count('id="group-') == 2
    assert "Group A" in page
    assert page.count("<summary>Cross table") == 2
    report_all(event, 1)
    report_all(event, 2)
    event.refresh_from_db()
    assert event.status == "finished"
    first = client.get(f"/tournaments/{event.slug}/standings?stage=1").content.decode()
    assert "Group B" in first
    final = client.get(f"/tournaments/{event.slug}/standings").content.decode()
    assert "Final standings" in final
    bracket = client.get(f"/tournaments/{event.slug}/bracket")
    assert bracket.status_code == 200
    assert "Semi-final" in bracket.content.decode()
    for key in ("pairings", "standings", "bracket"):
        assert client.get(f"/tournaments/{event.slug}/{key}?stage=1").status_code == 200


def test_the_arbiter_breaks_a_tie_on_the_page(cup: MakeEvent, as_player: Enter) -> None:
    event = cup(6, 2)
    report_all(event, 1, level=True)
    tie = stages.tie_of(Tournament.objects.get(pk=event.pk))
    assert tie is not None
    page = Client().get(f"/tournaments/{event.slug}").content.decode()
    assert "Level where the line is drawn" in page
    assert "Let them play it off" not in page
    client = as_player(event.organiser)
    page = client.get(f"/tournaments/{event.slug}").content.decode()
    assert "Let them play it off" in page
    desk = client.get(f"/tournaments/{event.slug}/desk").content.decode()
    assert "Level where the line is drawn" in desk
    assert f"/tournaments/{event.slug}/desk/tie" in desk
    data: dict[str, Any] = {"tied": [entrant.pk for entrant in tie.entrants], "how": "play_off"}
    assert client.post(f"/tournaments/{event.slug}/tie", data).status_code == 302
    page = client.get(f"/tournaments/{event.slug}/pairings").content.decode()
    assert "Play-off" in page


def test_the_api_shows_each_stage(cup: MakeEvent, client: Client) -> None:
    event = cup(8, 2)
    report_all(event, 1)
    base = f"/api/v1/tournaments/{event.slug}"
    found = client.get(f"{base}/stages/").json()
    assert [(each["number"], each["format"]) for each in found["stages"]] == [
        (1, "groups"), (2, "single_elimination")]  # fmt: skip
    assert found["tie"] is None
    groups = client.get(f"{base}/bracket/?stage=1").json()["rounds"][0]["pairings"]
    assert [each["group"] for each in groups] == [1, 1, 2, 2]
    knockout = client.get(f"{base}/bracket/").json()["rounds"]
    assert len(knockout[0]["pairings"]) == 2
    rows = client.get(f"{base}/standings/?stage=1").json()
    assert [(row["group"], row["place"]) for row in rows[:4]] == [(1, 1), (1, 2), (1, 3), (1, 4)]
    assert client.get(f"{base}/bracket/?stage=9").status_code == 404


def test_a_slip_leads_to_its_own_match_also_once_the_next_stage_has_begun(
    make_player: Make, as_player: Enter, make_event: Any
) -> None:
    organiser = make_player("Olga")
    event = make_event(
        organiser,
        format="round_robin",
        play="board",
        reports="players",
        later_stages=[{"format": "single_elimination", "take": 2, "ties": "lot"}],
    )
    for name in ("Ana", "Bo", "Cy"):
        services.join(tournament_id=event.pk, player=make_player(name))
    services.start(tournament_id=event.pk, by=organiser)
    client = as_player(organiser)
    first = event.stages.get(number=1)
    at = f"/tournaments/{event.slug}/pairings/1/report"
    assert reporting.report_url(event, 1, 1) == f"{at}?stage=1"
    slips = client.get(f"/tournaments/{event.slug}/print/slips").content.decode()
    shown = first.pairings.exclude(slots__kind="bye").filter(status="ready").first()
    assert shown is not None
    own = reporting.report_url(event, 1, shown.number)
    assert qr.svg(f"http://testserver{own}") in slips
    report_all(event, 1)
    assert event.stages.count() == 2
    old = client.get(f"{at}?stage=1").content.decode()
    new = client.get(f"{at}?stage=2").content.decode()
    assert "The result is official" in old
    assert "How did it end?" in new
    assert client.get(at).content.decode().count("How did it end?") == 1  # the stage in hand
    for wrong in ("3", "x", "", "0", "-1"):
        assert client.get(f"{at}?stage={wrong}").status_code == 404
    answer = client.post(f"{at}?stage=2", {"score-0": "150", "score-1": "35"})
    assert (answer.status_code, answer["Location"]) == (302, f"{at}?stage=2")
    event.stages.filter(number=1).update(annulled=True)
    said = client.get(f"{at}?stage=1", follow=True).content.decode()
    assert "was annulled, and played anew" in said


def test_an_arbiter_who_is_not_the_organiser_breaks_a_tie_from_the_desk(
    cup: MakeEvent, as_player: Enter, make_player: Callable[..., Player]
) -> None:
    event = cup(6, 2)
    report_all(event, 1, level=True)
    arbiter = make_player()
    Official.objects.create(tournament=event, player=arbiter, role="arbiter")
    client = as_player(arbiter)
    assert "Let them play it off" in client.get(f"/tournaments/{event.slug}").content.decode()
    tie = stages.tie_of(Tournament.objects.get(pk=event.pk))
    assert tie is not None
    tied = [entrant.pk for entrant in tie.entrants]
    order = {f"order-{pk}": at for at, pk in enumerate(reversed(tied), start=1)}
    sent = {"tied": tied, "how": "decision", "reason": "by pips", **order}
    answer = client.post(f"/tournaments/{event.slug}/desk/tie", sent)
    assert answer["Location"] == f"/tournaments/{event.slug}/desk"
    event.refresh_from_db()
    assert stages.tie_of(event) is None
    begun = stages.current(event)
    assert begun is not None
    inside = set(begun.seedings.values_list("entrant_id", flat=True))
    assert inside.intersection(tied) == {tied[2], tied[1]}


def test_who_is_through_or_out_is_said_when_it_is_certain(cup: MakeEvent, client: Client) -> None:
    event = cup(8, 2)

    def marks() -> dict[int, str]:
        rows = selectors.standings(event, 1)
        return {row.entrant.seed or 0: row.going for row in rows if row.going}

    assert marks() == {}
    order = Pairing.objects.filter(stage__tournament=event, status="ready").order_by("number")
    for _match in range(10):  # two rounds, and half of the last
        pairing = order[0]
        best = min((slot.entrant for slot in pairing.slots.all() if slot.entrant),
                   key=lambda entrant: entrant.seed or 0)  # fmt: skip
        services.report_result(
            pairing_id=pairing.pk, by=event.organiser, outcome="decision", winner=best.pk,
            reason="x",
        )  # fmt: skip
    sure = marks()
    assert {"through", "out"} == set(sure.values())
    assert len(sure) < 8
    page = client.get(f"/tournaments/{event.slug}/standings").content.decode()
    assert "</span> through</span>" in page
    assert "</span> out</span>" in page
    report_all(event, 1)
    assert sorted(marks().values()) == ["out"] * 4 + ["through"] * 4
    assert sure.items() <= marks().items()


def test_those_level_across_the_cut_are_not_marked(cup: MakeEvent) -> None:
    event = cup(6, 2)
    report_all(event, 1, level=True)
    tie = stages.tie_of(Tournament.objects.get(pk=event.pk))
    assert tie is not None
    tied = {entrant.pk for entrant in tie.entrants}
    going = {row.entrant.pk: row.going for row in selectors.standings(event, 1)}
    assert {going[pk] for pk in tied} == {""}
    assert sorted(going[pk] for pk in going if pk not in tied) == ["out", "through", "through"]


def test_results_of_every_stage_can_be_corrected_from_the_page(
    cup: MakeEvent, as_player: Enter, client: Client
) -> None:
    event = cup(8, 2)
    report_all(event, 1)
    browser = as_player(event.organiser)
    page = browser.get(f"/tournaments/{event.slug}").content.decode()
    assert page.count("?stage=1") >= 12
    rows = browser.get(f"/tournaments/{event.slug}/pairings?stage=1&round=1").content.decode()
    assert f"/tournaments/{event.slug}/pairings/1/correct?stage=1" in rows
    rows = client.get(f"/tournaments/{event.slug}/pairings?stage=1").content.decode()
    assert "/correct?" not in rows


FOUR = {
    **NEW,
    "then1_best_of": "1",
    "then2_format": "swiss",
    "then2_take": "6",
    "then2_rounds": "2",
    "then2_preset": "draw",
    "then2_target": "50",
    "then2_turn_seconds": "30",
    "then2_round_minutes": "20",
    "then3_format": "arena",
    "then3_take": "4",
    "then3_minutes": "15",
    "then4_format": "single_elimination",
    "then4_take": "2",
    "then4_best_of": "3",
}


def test_four_stages_with_rules_of_their_own_are_set_and_shown_again(
    make_player: Make, as_player: Enter
) -> None:
    client = as_player(make_player())
    assert client.post("/tournaments/new", FOUR).status_code == 302
    event = Tournament.objects.get()
    assert [each["format"] for each in event.later_stages] == [
        "single_elimination", "swiss", "arena", "single_elimination"]  # fmt: skip
    swiss = event.later_stages[1]
    assert swiss["rules"] == {"preset": "draw", "target": 50}
    assert (swiss["turn_seconds"], swiss["round_minutes"], swiss["take"]) == (30, 20, 6)
    assert swiss["options"]["rounds"] == 2
    assert event.later_stages[2]["options"]["minutes"] == 15
    page = client.get(f"/tournaments/{event.slug}/edit").content.decode()
    for shown in ('name="then2_target" value="50"', 'name="then3_minutes" value="15"'):
        assert shown in page
    kept = {**FOUR, "then2_target": "", **{f"then{n}_was": str(n) for n in (1, 2, 3, 4)}}
    assert client.post(f"/tournaments/{event.slug}/edit", kept).status_code == 302
    event.refresh_from_db()
    assert event.later_stages[1]["rules"] == {"preset": "draw"}


def test_a_stage_is_taken_away_and_those_after_it_move_up(
    make_player: Make, as_player: Enter
) -> None:
    client = as_player(make_player())
    page = client.post("/tournaments/new", {**FOUR, "name": "", "drop": "2"}).content.decode()
    assert Tournament.objects.count() == 0
    assert "This field is required" not in page
    assert 'name="then2_minutes" value="15"' in page
    assert 'name="then4_format"' in page
    gap = {key: value for key, value in FOUR.items() if not key.startswith("then2_")}
    assert client.post("/tournaments/new", gap).status_code == 302
    event = Tournament.objects.get()
    assert [each["format"] for each in event.later_stages] == [
        "single_elimination", "arena", "single_elimination"]  # fmt: skip


def test_what_is_wrong_with_a_stage_stands_beside_its_field(
    make_player: Make, as_player: Enter
) -> None:
    client = as_player(make_player())
    page = client.post("/tournaments/new", {**FOUR, "then4_take": "1"})
    assert page.status_code == 200
    assert 'id="id_then4_take_error"' in page.content.decode()


def test_how_it_will_go_is_said_before_it_is_saved(make_player: Make, as_player: Enter) -> None:
    client = as_player(make_player())
    page = client.post("/tournaments/new", {**FOUR, "then": "look"}).content.decode()
    assert Tournament.objects.count() == 0
    assert "Groups, 16 entrants: 5 rounds, 35 matches" in page
    assert "Knockout, 6 entrants: 3 rounds, 5 matches" in page
    assert "Arena, 4 entrants: 15 to 25 minutes" in page
    assert "With 16 entrants all of it takes about" in page
    part = client.post("/tournaments/new?part", {**FOUR, "name": "", "then": "look"})
    assert "When all fields are right" in part.content.decode()
    assert "<form" not in part.content.decode()
    info = {**NEW, "then": "draft"}
    assert client.post("/tournaments/new", info).status_code == 302
    event = Tournament.objects.get()
    edit = client.get(f"/tournaments/{event.slug}/edit").content.decode()
    assert "Groups, 16 entrants: 5 rounds, 35 matches" in edit


def test_a_stage_is_played_by_its_own_rules_and_times(
    make_player: Make, make_event: MakeEvent
) -> None:
    organiser = make_player()
    own = {
        "format": "swiss", "options": {"rounds": 1}, "take": 2, "ties": "lot", "turn_seconds": 33,
        "round_minutes": 7, "rules": {"preset": "draw", "target": 40},
    }  # fmt: skip
    event = make_event(organiser, bots=3, format="round_robin", later_stages=[own])
    services.start(tournament_id=event.pk, by=organiser)
    report_all(event, 1)
    services.draw_due(tournament_id=event.pk)
    game = Game.objects.get(pairing__stage__number=2)
    match = Match.objects.get(pk=game.match_id)
    assert (match.turn_seconds, match.rules) == (33, {"preset": "draw", "target": 40})
    row = game.pairing.round
    assert row.ends_at - row.started_at == dt.timedelta(minutes=7)
