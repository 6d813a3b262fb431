"""An arena after another stage, and before one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tournaments import arena, selectors, services, stages, tasks
from tournaments.errors import TournamentError
from tournaments.models import ArenaClock, Pairing, Presence, Stage, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
ARENA = {"format": "arena", "options": {"minutes": 5}, "take": 2}
FINAL = {"format": "single_elimination", "take": 2}


def play_out(cup: Tournament) -> None:
    """The better seed wins whatever is open now."""
    found = Pairing.objects.filter(stage__tournament=cup, status__in=["ready", "live"])
    while pairing := found.order_by("number").first():
        best = min((slot.entrant.seed, slot.entrant_id) for slot in pairing.slots.all())  # type: ignore[union-attr,misc]
        services.report_result(
            pairing_id=pairing.pk,
            by=cup.organiser,
            outcome="played",
            winner=best[1],
            scores=[20, 5] if pairing.slots.get(index=0).entrant_id == best[1] else [5, 20],
        )


def end(cup: Tournament) -> None:
    services.end_arena(tournament_id=cup.pk, by=cup.organiser)
    services.look_at_arena(tournament_id=cup.pk)
    cup.refresh_from_db()


def seeds_in(stage: Stage) -> list[int]:
    return list(stage.seedings.order_by("number").values_list("entrant__seed", flat=True))


def test_a_later_arena_starts_its_clock_pairs_ends_and_passes_on_its_best(started: Event) -> None:
    cup = started(3, format="round_robin", later_stages=[{**ARENA, "take": 3}, FINAL])
    play_out(cup)
    second = stages.current(cup)
    assert second is not None
    assert (second.format, seeds_in(second)) == ("arena", [1, 2, 3])
    assert arena.clock_of(second).phase == "running"
    assert tasks.pair_arenas() == 2
    assert selectors.verify(cup.pk) == []
    play_out(cup)
    end(cup)
    final = stages.current(cup)
    assert final is not None
    assert final.number == 3
    assert selectors.verify(cup.pk) == []
    play_out(cup)
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert selectors.verify(cup.pk) == []


def test_where_the_arbiter_starts_rounds_a_later_arena_waits_for_a_word(
    started: Event, people: Any
) -> None:
    cup = started(2, format="arena", options={"minutes": 5}, later_stages=[ARENA])
    tasks.pair_arenas()
    play_out(cup)
    services.edit(tournament_id=cup.pk, by=cup.organiser, round_start="arbiter")
    end(cup)
    second = stages.current(cup)
    assert second is not None
    assert second.number == 2
    assert arena.clock_of(second).phase == "ready"
    own = second.seedings.get(number=1).entrant.player
    assert arena.own(second, own).word == "ready"
    assert tasks.pair_arenas() == 0
    assert selectors.verify(cup.pk) == []
    with pytest.raises(TournamentError, match="Your role"):
        services.begin_arena(tournament_id=cup.pk, by=people(1)[0])
    for _click in range(2):
        services.begin_arena(tournament_id=cup.pk, by=cup.organiser)
    assert ArenaClock.objects.get(stage=second).closed_at is None
    assert tasks.pair_arenas() == 2
    assert selectors.verify(cup.pk) == []


def test_nobody_comes_in_to_an_arena_that_follows_another_stage(
    started: Event, people: Any
) -> None:
    cup = started(3, format="round_robin", later_stages=[ARENA])
    play_out(cup)
    (late,) = people(1)
    with pytest.raises(TournamentError, match="closed"):
        services.join(tournament_id=cup.pk, player=late)
    out = cup.entrants.get(seed=3).player
    services.withdraw(tournament_id=cup.pk, player=out)
    with pytest.raises(TournamentError, match="closed"):
        services.join(tournament_id=cup.pk, player=out)
    inside = cup.entrants.get(seed=2).player
    services.withdraw(tournament_id=cup.pk, player=inside)
    assert services.join(tournament_id=cup.pk, player=inside).status == "active"
    assert Presence.objects.count() == 2
    assert selectors.verify(cup.pk) == []


def test_a_correction_before_it_annuls_the_arena_and_another_begins(started: Event) -> None:
    cup = started(3, format="round_robin", later_stages=[ARENA])
    play_out(cup)
    first = stages.current(cup)
    tasks.pair_arenas()
    lost = Pairing.objects.filter(stage__tournament=cup, stage__number=1)
    for pairing in lost:
        own = {slot.entrant.seed: slot.entrant_id for slot in pairing.slots.all()}  # type: ignore[union-attr]
        if 3 in own and None not in own:
            services.report_result(
                pairing_id=pairing.pk,
                by=cup.organiser,
                outcome="decision",
                winner=own[3],
                reason="x",
                force="void",
            )
    assert first is not None
    first.refresh_from_db()
    assert first.annulled
    assert ArenaClock.objects.get(stage=first).closed_at is not None
    second = stages.current(cup)
    assert second is not None
    assert second != first
    assert 3 in seeds_in(second)
    assert tasks.pair_arenas() == 2
    assert selectors.verify(cup.pk) == []


def test_who_is_disqualified_later_keeps_the_rank_of_the_arena_before(started: Event) -> None:
    cup = started(2, format="arena", options={"minutes": 5}, later_stages=[FINAL])
    tasks.pair_arenas()
    play_out(cup)
    end(cup)
    services.disqualify(
        tournament_id=cup.pk, player=cup.entrants.get(seed=1).player, by=cup.organiser, reason="x"
    )
    shown = [(row.entrant.seed, row.place) for row in selectors.standings(cup, 1)]
    assert shown == [(1, 1), (2, 2)]
    assert selectors.verify(cup.pk) == []
