"""Stages kept as they were read: what anybody changes is seen at once, and nothing else is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tournaments import kept, selectors, services
from tournaments.models import Pairing, Tournament
from tournaments.visibility import board_for

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
Play = Any


def test_a_stage_is_read_once_until_something_changes(started: Event, play: Play) -> None:
    cup = started(4, play="board")
    stage = cup.stages.get()
    first = board_for(stage)
    assert board_for(cup.stages.get()) is first
    [one, _other] = Pairing.objects.filter(stage=stage, status="ready").order_by("number")
    winner = play.entrant(cup, 1)
    services.report_result(
        pairing_id=one.pk, by=cup.organiser, outcome="played", winner=winner.pk, scores=[100, 5]
    )
    assert board_for(stage) is not first
    assert board_for(stage).results[1].winner == winner


@pytest.mark.parametrize(
    "act",
    [
        lambda cup, entrant: services.withdraw(tournament_id=cup.pk, player=entrant.player),
        lambda cup, entrant: services.disqualify(
            tournament_id=cup.pk, player=entrant.player, by=cup.organiser, reason="x"
        ),
    ],
)
def test_who_is_out_is_out_on_the_next_look(
    started: Event, play: Play, act: Callable[..., Any]
) -> None:
    cup = started(4, format="round_robin", play="board")
    assert all(row.entrant.is_active for row in selectors.standings(cup))
    act(cup, play.entrant(cup, 2))
    gone = [row.entrant.seed for row in selectors.standings(cup) if not row.entrant.is_active]
    assert gone == [2]


def test_a_large_stage_is_kept_for_a_while(started: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = started(4, play="board")
    stage = cup.stages.get()
    monkeypatch.setattr(kept, "LARGE", 2)
    monkeypatch.setattr(kept, "REST", 1e9)
    first = board_for(stage)
    Tournament.objects.update(revision=99)
    assert board_for(stage) is first
    monkeypatch.setattr(kept, "REST", 0.0)
    assert board_for(stage) is not first


def test_only_so_many_pairings_are_kept(started: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_PAIRINGS", 5)
    one, other = started(4), started(4)
    first = board_for(one.stages.get())
    second = board_for(other.stages.get())
    assert board_for(other.stages.get()) is second
    assert board_for(one.stages.get()) is not first
