"""Rounds that the arbiter draws, checks, publishes and starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from players.services import create_guest
from tournaments import desk, selectors, services, tasks, visibility
from tournaments.errors import TournamentError
from tournaments.models import AuditLine, Official, Pairing, Result, Round, Slot, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
Play = Any
BY_ARBITER: dict[str, Any] = {
    "format": "swiss",
    "options": {"rounds": 3},
    "play": "board",
    "round_start": "arbiter",
}


def draw(cup: Tournament) -> Round:
    row = services.ask(tournament_id=cup.pk, by=cup.organiser)
    assert tasks.draw_round(cup.pk)
    return row


def play_round(cup: Tournament, play: Play) -> Round:
    row = draw(cup)
    services.publish(round_id=row.pk, by=cup.organiser)
    services.start_round(round_id=row.pk, by=cup.organiser)
    enter_all(cup, play, row)
    return row


def enter_all(cup: Tournament, play: Play, row: Round) -> None:
    """Every table ends for its lower seed."""
    for pairing in row.pairings.filter(status="ready"):
        one, other = play.seeds(cup, pairing.number)
        sheet = services.Sheet(scores=[150, 95] if one < other else [80, 150])
        services.enter_sheet(pairing_id=pairing.pk, by=cup.organiser, sheet=sheet)


def test_nothing_is_drawn_until_the_arbiter_asks(started: Event) -> None:
    cup = started(4, **BY_ARBITER)
    assert not tasks.draw_round(cup.pk)
    tasks.tick()
    assert not Round.objects.exists()
    assert desk.desk(cup).step.word == "draw"


def test_a_round_is_asked_for_drawn_published_and_started(started: Event, play: Play) -> None:
    cup = started(5, **BY_ARBITER)
    row = services.ask(tournament_id=cup.pk, by=cup.organiser)
    assert services.ask(tournament_id=cup.pk, by=cup.organiser) == row
    assert desk.desk(cup).step.word == "drawing"
    tasks.tick()
    assert desk.desk(cup).step.word == "publish"
    assert set(row.pairings.values_list("status", flat=True)) == {"waiting"}
    services.publish(round_id=row.pk, by=cup.organiser)
    assert desk.desk(cup).step.word == "start_round"
    services.start_round(round_id=row.pk, by=cup.organiser)
    row.refresh_from_db()
    assert row.started_at is not None
    assert desk.desk(cup).step.word == "results"
    enter_all(cup, play, row)
    assert desk.desk(cup).step.word == "draw"
    assert selectors.verify(cup.pk) == []


def test_an_event_of_drafts_is_played_to_its_end(started: Event, play: Play) -> None:
    cup = started(7, **BY_ARBITER)
    for _ in range(3):
        play_round(cup, play)
        assert selectors.verify(cup.pk) == []
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert sorted(play.places(cup))[0] == 1
    assert desk.desk(cup).step.word == "over"


def test_only_officials_see_a_draft(started: Event, play: Play) -> None:
    cup = started(5, **BY_ARBITER)
    row = draw(cup)
    scorer, stranger = create_guest(), create_guest()
    Official.objects.create(tournament=cup, player=scorer, role="scorer")
    player = play.entrant(cup, 1).player
    for viewer in (None, stranger, player):
        assert selectors.bracket(cup, viewer=viewer) == []
        assert not visibility.pairings_for(cup, viewer).exists()
    for viewer in (cup.organiser, scorer):
        assert len(selectors.bracket(cup, viewer=viewer)[0]["pairings"]) == 3
    assert [line.points for line in selectors.standings(cup)] == [0] * 5  # not the bye's point
    services.publish(round_id=row.pk, by=cup.organiser)
    assert len(selectors.bracket(cup)[0]["pairings"]) == 3
    assert sum(line.points or 0 for line in selectors.standings(cup)) == 12


def test_a_deleted_draft_leaves_the_standings_as_before(started: Event, play: Play) -> None:  # D12
    cup = started(5, **BY_ARBITER)
    play_round(cup, play)
    before = [(line.entrant, line.points, line.place) for line in selectors.standings(cup)]
    results = Result.objects.count()
    row = draw(cup)
    services.publish(round_id=row.pk, by=cup.organiser)
    services.take_back(round_id=row.pk, by=cup.organiser, reason="too early")
    services.discard(round_id=row.pk, by=cup.organiser)
    after = [(line.entrant, line.points, line.place) for line in selectors.standings(cup)]
    assert after == before
    assert Result.objects.count() == results
    assert list(Round.objects.values_list("number", flat=True)) == [1]
    assert selectors.verify(cup.pk) == []
    assert AuditLine.objects.filter(action="round_deleted").count() == 1
    tasks.tick()
    assert Round.objects.count() == 1  # nobody asked again
    assert draw(cup).number == 2


def test_a_draft_drawn_again_has_another_seed(started: Event) -> None:
    cup = started(8, **BY_ARBITER)
    row = draw(cup)
    first = Round.objects.get(pk=row.pk).draw["seed"]
    services.redraw(round_id=row.pk, by=cup.organiser)
    assert desk.desk(cup).step.word == "drawing"
    assert tasks.draw_round(cup.pk)
    again = Round.objects.get(pk=row.pk)
    assert (again.status, again.pairings.count()) == ("draft", 4)
    assert again.draw["seed"] != first
    assert selectors.verify(cup.pk) == []


def test_no_command_takes_back_a_started_round(started: Event) -> None:
    cup = started(4, **BY_ARBITER)
    row = draw(cup)
    services.publish(round_id=row.pk, by=cup.organiser)
    services.start_round(round_id=row.pk, by=cup.organiser)
    for command in (services.take_back, services.redraw, services.discard):
        with pytest.raises(TournamentError, match="nothing can take it back"):
            command(round_id=row.pk, by=cup.organiser)
    with pytest.raises(TournamentError, match="nothing can take it back"):
        services.pair_by_hand(round_id=row.pk, by=cup.organiser, tables=[], reason="x")
    assert row.pairings.count() == 2


def test_a_draft_with_somebody_who_left_is_not_published(started: Event, play: Play) -> None:
    cup = started(6, **BY_ARBITER)
    row = draw(cup)
    services.withdraw(tournament_id=cup.pk, player=play.entrant(cup, 2).player)
    shown = desk.desk(cup).draft
    assert shown is not None
    assert shown.left == (play.entrant(cup, 2).label,)
    with pytest.raises(TournamentError, match="does not fit"):
        services.publish(round_id=row.pk, by=cup.organiser)
    services.redraw(round_id=row.pk, by=cup.organiser)
    tasks.draw_round(cup.pk)
    assert services.publish(round_id=row.pk, by=cup.organiser).status == "published"


def test_somebody_who_came_after_the_draw_is_not_left_out(started: Event) -> None:
    cup = started(4, **BY_ARBITER)
    row = draw(cup)
    services.join(tournament_id=cup.pk, player=create_guest())
    with pytest.raises(TournamentError, match="does not fit"):
        services.publish(round_id=row.pk, by=cup.organiser)


def test_results_wait_for_the_start_of_their_round(started: Event) -> None:
    cup = started(4, **BY_ARBITER)
    row = draw(cup)
    pairing = row.pairings.first()
    assert pairing is not None
    for command in (lambda: None, lambda: services.publish(round_id=row.pk, by=cup.organiser)):
        command()
        with pytest.raises(TournamentError, match="not been started"):
            services.enter_sheet(
                pairing_id=pairing.pk, by=cup.organiser, sheet=services.Sheet(scores=[150, 90])
            )


def test_a_scorer_starts_no_round(started: Event) -> None:
    cup = started(4, **BY_ARBITER)
    row = draw(cup)
    scorer = create_guest()
    Official.objects.create(tournament=cup, player=scorer, role="scorer")
    for by in (scorer, create_guest()):
        for command in (services.publish, services.start_round, services.discard):
            with pytest.raises(TournamentError, match="does not allow"):
                command(round_id=row.pk, by=by)


def test_rounds_of_a_schedule_are_published_one_by_one(started: Event, play: Play) -> None:
    cup = started(4, format="round_robin", play="board", round_start="arbiter")
    first, second = Round.objects.order_by("number")[:2]
    assert set(Round.objects.values_list("status", flat=True)) == {"draft"}
    assert selectors.bracket(cup) == []
    with pytest.raises(TournamentError, match="earlier round"):
        services.publish(round_id=second.pk, by=cup.organiser)
    with pytest.raises(TournamentError, match="schedule"):
        services.discard(round_id=first.pk, by=cup.organiser)
    for row in Round.objects.order_by("number"):
        services.publish(round_id=row.pk, by=cup.organiser)
        services.start_round(round_id=row.pk, by=cup.organiser)
        assert len(selectors.bracket(cup)) == row.number
        enter_all(cup, play, row)
        assert selectors.verify(cup.pk) == []
    cup.refresh_from_db()
    assert cup.status == "finished"


def test_a_knockout_with_byes_is_published_round_by_round(started: Event, play: Play) -> None:
    cup = started(6, format="single_elimination", play="board", round_start="arbiter")
    for row in Round.objects.order_by("number"):
        assert not Result.objects.filter(pairing__round=row).exists()
        services.publish(round_id=row.pk, by=cup.organiser)
        services.start_round(round_id=row.pk, by=cup.organiser)
        enter_all(cup, play, row)
        assert selectors.verify(cup.pk) == []
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert play.places(cup)[0] == 1


def test_live_tables_open_with_the_start(started: Event) -> None:
    cup = started(4, **{**BY_ARBITER, "play": "live"})
    row = draw(cup)
    services.publish(round_id=row.pk, by=cup.organiser)
    tasks.tick()
    assert set(row.pairings.values_list("status", flat=True)) == {"ready"}
    services.start_round(round_id=row.pk, by=cup.organiser)
    assert set(row.pairings.values_list("status", flat=True)) == {"live"}


def tables_of(cup: Tournament, row: Round) -> list[list[int]]:
    slots = Slot.objects.filter(round=row, entrant__isnull=False)
    found: dict[int, list[int]] = {}
    for number, entrant in slots.order_by("pairing__number", "index").values_list(
        "pairing__number", "entrant"
    ):
        found.setdefault(number, []).append(entrant)
    return list(found.values())


def test_two_are_swapped_by_hand_and_it_says_so(started: Event) -> None:
    cup = started(5, **BY_ARBITER)
    row = draw(cup)
    tables = tables_of(cup, row)
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]
    services.pair_by_hand(round_id=row.pk, by=cup.organiser, tables=tables, reason="they are kin")
    assert tables_of(cup, row) == tables
    why = Pairing.objects.filter(round=row).order_by("number").values_list("why", flat=True)
    assert [each["rule"] for each in why] == ["manual", "manual", "swiss_bye"]
    assert why[0]["reason"] == "they are kin"
    assert selectors.verify(cup.pk) == []
    services.publish(round_id=row.pk, by=cup.organiser)
    assert selectors.verify(cup.pk) == []


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (lambda tables: [tables[0], tables[0], tables[2]], "twice"),
        (lambda tables: tables[:2], "missing"),
        (lambda tables: [*tables[:2], [999_999]], "strangers"),
        (lambda tables: [tables[0] + tables[2], tables[1]], "tables"),
    ],
)
def test_what_is_no_round_is_never_saved(started: Event, change: Any, fact: str) -> None:
    cup = started(5, **BY_ARBITER)
    row = draw(cup)
    before = tables_of(cup, row)
    with pytest.raises(TournamentError) as refused:
        services.pair_by_hand(
            round_id=row.pk, by=cup.organiser, tables=change(before), reason="why not"
        )
    assert refused.value.code == "not_fitting"
    assert refused.value.facts[fact]
    assert tables_of(cup, row) == before


def test_by_hand_two_may_have_a_bye_each_and_rematches_are_counted(
    started: Event, play: Play
) -> None:
    cup = started(4, **BY_ARBITER)
    first = play_round(cup, play)
    row = draw(cup)
    sheet = services.open_sheet(Round.objects.get(pk=row.pk))
    met = [tuple(sorted(play.seeds(cup, pairing.number))) for pairing in first.pairings.all()]
    again = sheet.check(met)
    assert (again.cost.rematches, again.is_legal) == (2, True)
    assert sheet.check(sheet.engine).cost.rematches == 0
    apart = sheet.check([met[0], (met[1][0],), (met[1][1],)])
    assert (apart.cost.byes, apart.cost.second_byes, apart.is_legal) == (2, 0, True)


def test_a_pairing_somebody_else_has_changed_is_not_overwritten(started: Event) -> None:
    cup = started(4, **BY_ARBITER)
    row = draw(cup)
    seen = services.open_sheet(Round.objects.get(pk=row.pk)).seen
    tables = tables_of(cup, row)
    swapped = [[tables[0][0], tables[1][1]], [tables[1][0], tables[0][1]]]
    services.pair_by_hand(round_id=row.pk, by=cup.organiser, tables=swapped, reason="x", seen=seen)
    with pytest.raises(TournamentError, match="Look again"):
        services.pair_by_hand(
            round_id=row.pk, by=cup.organiser, tables=tables, reason="y", seen=seen
        )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("command", ["ask", "publish", "start_round"])
def test_two_who_press_at_once_do_it_once(  # B6
    started: Event, at_once: Any, command: str
) -> None:
    cup = started(6, **BY_ARBITER)
    if command == "ask":
        answers = at_once(3, lambda _n: services.ask(tournament_id=cup.pk, by=cup.organiser))
        assert len({row.pk for row in answers}) == 1
        drawn = at_once(2, lambda _n: services.draw_due(tournament_id=cup.pk))
        assert sorted(drawn) == [False, True], drawn
        assert (Round.objects.count(), Pairing.objects.count()) == (1, 3)
        connection.close()
        return
    row = draw(cup)
    if command == "start_round":
        services.publish(round_id=row.pk, by=cup.organiser)
    act = getattr(services, command)
    answers = at_once(3, lambda _n: act(round_id=row.pk, by=cup.organiser))
    assert {answer.status for answer in answers} == {
        "published" if command == "publish" else "started"
    }
    action = {"publish": "round_published", "start_round": "round_started"}[command]
    assert AuditLine.objects.filter(action=action).count() == 1
    assert selectors.verify(cup.pk) == []
    connection.close()


def test_the_seats_of_a_drawn_match_are_swapped_until_its_round_starts(
    started: Event, play: Play
) -> None:
    cup = started(5, **BY_ARBITER)
    row = draw(cup)
    before, other = play.seeds(cup, 1), play.seeds(cup, 2)
    pairing = play.pairing(cup, 1)
    services.swap_seats(pairing_id=pairing.pk, by=cup.organiser)
    assert (play.seeds(cup, 1), play.seeds(cup, 2)) == (before[::-1], other)
    line = AuditLine.objects.get(tournament=cup, action="seats_swapped")
    leads = cup.entrants.get(seed=before[1]).label
    assert (line.by, line.facts) == (cup.organiser, {"match": 1, "stage": 1, "first": leads})
    assert selectors.verify(cup.pk) == []
    services.publish(round_id=row.pk, by=cup.organiser)
    services.swap_seats(pairing_id=pairing.pk, by=cup.organiser)
    assert play.seeds(cup, 1) == before
    services.swap_seats(pairing_id=pairing.pk, by=cup.organiser)
    services.start_round(round_id=row.pk, by=cup.organiser)
    with pytest.raises(TournamentError, match="started"):
        services.swap_seats(pairing_id=pairing.pk, by=cup.organiser)
    sheet = services.Sheet(scores=[150, 95])
    services.enter_sheet(pairing_id=pairing.pk, by=cup.organiser, sheet=sheet)
    assert play.result(cup, 1) == ("played", before[1])  # the first score is whose seat is first
    enter_all(cup, play, row)
    play_round(cup, play)
    assert selectors.verify(cup.pk) == []


def test_who_has_a_bye_has_nobody_to_swap_with(started: Event) -> None:
    cup = started(5, **BY_ARBITER)
    bye = draw(cup).pairings.get(slots__kind="bye")
    with pytest.raises(TournamentError) as refused:
        services.swap_seats(pairing_id=bye.pk, by=cup.organiser)
    assert refused.value.code == "no_opponent"


def test_a_schedule_says_who_leads(started: Event) -> None:
    cup = started(4, **{**BY_ARBITER, "format": "round_robin", "options": {}})
    first = Pairing.objects.get(stage__tournament=cup, number=1)
    with pytest.raises(TournamentError) as refused:
        services.swap_seats(pairing_id=first.pk, by=cup.organiser)
    assert refused.value.code == "by_schedule"


def test_the_log_says_who_entered_somebody_late(started: Event, play: Play) -> None:
    cup = started(4, **BY_ARBITER)
    play_round(cup, play)
    rows = [services.Newcomer(1, name="Lena Voss")]
    services.enter(tournament_id=cup.pk, by=cup.organiser, rows=rows)
    assert AuditLine.objects.get(tournament=cup, action="entered_late").by == cup.organiser
