"""Who can't move about always sits at one table; the desk's patience is the organiser's to set."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from tournaments import desk, services
from tournaments.errors import TournamentError
from tournaments.models import AuditLine, Entrant, Pairing, Report, Result, Round, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]


def tables(cup: Tournament, number: int) -> dict[frozenset[int], int]:
    """The tables of a round by the seeds that sit there."""
    found = Pairing.objects.filter(stage__tournament=cup, round__number=number)
    return {
        frozenset(s.entrant.seed for s in each.slots.all() if s.entrant): each.at_table  # type: ignore[misc]
        for each in found
    }


def table_of(cup: Tournament, number: int, seed: int) -> int:
    return next(table for seeds, table in tables(cup, number).items() if seed in seeds)


def decide(cup: Tournament, number: int) -> None:
    for pairing in Pairing.objects.filter(stage__tournament=cup, round__number=number):
        best = min(pairing.slots.all(), key=lambda slot: slot.entrant.seed or 0)  # type: ignore[union-attr]
        services.report_result(
            pairing_id=pairing.pk, by=cup.organiser, outcome="decision", winner=best.entrant_id,
            reason="x",
        )  # fmt: skip
    services.draw_due(tournament_id=cup.pk)


def fix(cup: Tournament, seed: int, table: int | None) -> Entrant:
    entrant = cup.entrants.get(seed=seed)
    return services.fix_table(
        tournament_id=cup.pk, by=cup.organiser, entrant_id=entrant.pk, table=table
    )


def test_an_entrant_sits_at_one_table_in_every_round_and_no_table_is_given_twice(
    started: Event,
) -> None:
    cup = started(8, format="swiss", options={"rounds": 3}, play="board")
    services.draw_due(tournament_id=cup.pk)
    fix(cup, 1, 3)
    for number in (1, 2, 3):
        assert table_of(cup, number, 1) == 3
        assert sorted(tables(cup, number).values()) == [1, 2, 3, 4]
        decide(cup, number)
    assert AuditLine.objects.filter(action="table_fixed").count() == 1


def test_a_table_far_away_leaves_the_others_where_they_were(started: Event) -> None:
    cup = started(8, format="round_robin", play="board")
    before = tables(cup, 1)
    fix(cup, 8, 40)
    after = tables(cup, 1)
    assert table_of(cup, 1, 8) == 40
    assert {k: v for k, v in after.items() if 8 not in k} == {
        k: v for k, v in before.items() if 8 not in k
    }
    fix(cup, 8, None)
    assert tables(cup, 1) == before


def test_what_has_been_played_keeps_its_table(started: Event) -> None:
    cup = started(4, format="round_robin", play="board")
    held = tables(cup, 1)
    decide(cup, 1)
    fix(cup, 4, 2)
    assert tables(cup, 1) == held
    assert table_of(cup, 2, 4) == table_of(cup, 3, 4) == 2


def test_two_who_always_sit_at_the_same_table_are_refused(started: Event) -> None:
    cup = started(4, format="round_robin", play="board")
    fix(cup, 1, 2)
    with pytest.raises(TournamentError) as taken:
        fix(cup, 2, 2)
    assert taken.value.code == "table_taken"
    with pytest.raises(TournamentError) as none:
        fix(cup, 2, 0)
    assert none.value.code == "bad_table"


def test_two_with_tables_of_their_own_meet_at_one_of_them(started: Event) -> None:
    cup = started(4, format="round_robin", play="board")
    fix(cup, 1, 7)
    fix(cup, 2, 9)
    met = next(t for n in (1, 2, 3) for seeds, t in tables(cup, n).items() if {1, 2} == seeds)
    assert met in (7, 9)


def test_the_desk_calls_a_table_slow_after_the_minutes_that_were_set(started: Event) -> None:
    cup = started(4, format="swiss", options={"rounds": 1}, play="board", slow_minutes=25)
    services.draw_due(tournament_id=cup.pk)
    Round.objects.update(started_at=timezone.now() - dt.timedelta(minutes=24, seconds=30))
    assert {row.state for row in desk.desk(cup).hands[0].rows} == {"running"}
    Round.objects.update(started_at=timezone.now() - dt.timedelta(minutes=25, seconds=30))
    assert {row.state for row in desk.desk(cup).hands[0].rows} == {"slow"}
    services.edit(tournament_id=cup.pk, by=cup.organiser, slow_minutes=0)
    cup.refresh_from_db()
    assert {row.state for row in desk.desk(cup).hands[0].rows} == {"running"}


def test_a_report_is_pointed_out_after_the_minutes_that_were_set(started: Event, play: Any) -> None:
    cup = started(
        4, format="swiss", options={"rounds": 1}, play="board", reports="players",
        confirm_minutes=3,
    )  # fmt: skip
    services.draw_due(tournament_id=cup.pk)
    pairing = play.pairing(cup, 1)
    player = pairing.slots.get(index=0).entrant.player
    services.hand_in(pairing_id=pairing.pk, by=player, sheet=services.Sheet(scores=[20, 5]))
    row = next(each for each in desk.desk(cup).hands[0].rows if each.id == pairing.pk)
    assert (row.state, row.unconfirmed) == ("reported", False)
    Report.objects.update(at=timezone.now() - dt.timedelta(minutes=4))
    row = next(each for each in desk.desk(cup).hands[0].rows if each.id == pairing.pk)
    assert row.unconfirmed
    assert not Result.objects.filter(pairing=pairing).exists()
