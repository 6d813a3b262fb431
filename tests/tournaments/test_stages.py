"""Stages after one another: what the services make of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from players.models import Player
from tournaments import selectors, services, stages
from tournaments.errors import TournamentError
from tournaments.models import Entrant, Pairing, Stage, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
KNOCKOUT = {"format": "single_elimination", "take": 2, "per_group": True}


def report(cup: Tournament, pairing: Pairing, winner: int | None, **more: Any) -> None:
    """`winner` is an entrant's id."""
    services.report_result(
        pairing_id=pairing.pk,
        by=cup.organiser,
        outcome="double_forfeit" if winner is None else "played",
        winner=winner,
        reason="x",
        **more,
    )


def open_pairings(cup: Tournament) -> list[Pairing]:
    found = Pairing.objects.filter(stage__tournament=cup, status__in=["ready", "live"])
    return list(found.order_by("stage", "number"))


def seeds_of(pairing: Pairing) -> dict[int, int]:
    """Entrant ids by the seed of the event."""
    return {slot.entrant.seed: slot.entrant_id for slot in pairing.slots.all() if slot.entrant}  # type: ignore[misc]


def play_out(cup: Tournament, chance: Random | None = None, stage: int | None = None) -> None:
    """The better seed wins every match, or chance; of a stage or to the end."""
    while found := [p for p in open_pairings(cup) if stage in (None, p.stage.number)]:
        own = seeds_of(found[0])
        seed = min(own) if chance is None else chance.choice(sorted(own))
        report(cup, found[0], own[seed], scores=[150, 100])
    cup.refresh_from_db()


def match_of(cup: Tournament, one: int, other: int, stage: int = 1) -> Pairing:
    wanted = {one, other}
    found = Pairing.objects.filter(stage__tournament=cup, stage__number=stage)
    return next(p for p in found if set(seeds_of(p)) == wanted)


def names(stage: Stage) -> list[int]:
    return [
        s.entrant.seed or 0 for s in stage.seedings.select_related("entrant").order_by("number")
    ]


def circle(cup: Tournament, one: int, two: int, three: int) -> None:
    """Each beats the next, by the same score."""
    for winner, loser in ((one, two), (two, three), (three, one)):
        pairing = match_of(cup, winner, loser)
        own = [slot.entrant.seed for slot in pairing.slots.order_by("index") if slot.entrant]
        scores = [150, 100] if own[0] == winner else [100, 150]
        report(cup, pairing, seeds_of(pairing)[winner], scores=scores)


@pytest.fixture
def groups_cup(started: Event) -> Callable[..., Tournament]:
    def make(count: int = 16, groups: int = 4, **later: Any) -> Tournament:
        return started(
            count,
            play="board",
            format="groups",
            options={"groups": groups},
            later_stages=[{**KNOCKOUT, **later}],
        )

    return make


def test_two_of_each_of_four_groups_go_into_the_knockout(groups_cup: Event) -> None:  # D13
    cup = groups_cup()
    play_out(cup, stage=1)
    assert cup.status == "running"
    second = stages.current(cup)
    assert second is not None
    assert (second.number, second.format) == (2, "single_elimination")
    # A: 1, 8; B: 2, 7; C: 3, 6; D: 4, 5
    assert names(second) == [1, 2, 3, 4, 7, 8, 5, 6]
    first = [
        sorted(seeds_of(p)) for p in second.pairings.filter(round__number=1).order_by("position")
    ]
    assert first == [[1, 6], [4, 7], [2, 5], [3, 8]]
    assert selectors.verify(cup.pk) == []
    play_out(cup)
    assert cup.status == "finished"
    assert selectors.verify(cup.pk) == []


def test_places_are_those_of_the_last_stage_then_those_of_the_one_before(
    groups_cup: Event, play: Any
) -> None:
    cup = groups_cup()
    play_out(cup)
    places = play.places(cup)
    assert places[:8] == [1, 2, 3, 3, 5, 5, 5, 5]
    assert places[8:] == [9, 9, 9, 9, 13, 13, 13, 13]  # thirds and fourths of the groups
    rows = selectors.standings(cup)
    assert [row.place for row in rows] == sorted(places)


def test_a_tie_across_the_cut_waits_for_the_arbiter(groups_cup: Event) -> None:  # D14
    cup = groups_cup(6, 2)
    circle(cup, 1, 4, 5)
    play_out(cup)
    tie = stages.tie_of(cup)
    assert tie is not None
    assert ([e.seed for e in tie.entrants], tie.places, tie.group) == ([1, 4, 5], 2, 1)
    assert (cup.status, cup.stages.count()) == ("running", 1)
    assert selectors.verify(cup.pk) == []
    with pytest.raises(TournamentError, match="level across the cut"):
        services.finish(tournament_id=cup.pk, by=cup.organiser)
    ids = [e.pk for e in tie.entrants]
    with pytest.raises(TournamentError) as refused:
        services.break_tie(tournament_id=cup.pk, by=cup.organiser, how="lot", tied=ids[:2])
    assert refused.value.code == "stale"
    services.break_tie(tournament_id=cup.pk, by=cup.organiser, how="lot", tied=ids)
    assert cup.stages.count() == 2
    assert stages.tie_of(cup) is None
    play_out(cup)
    assert (cup.status, selectors.verify(cup.pk)) == ("finished", [])


def test_a_decision_names_the_order_and_a_reason(groups_cup: Event) -> None:
    cup = groups_cup(6, 2)
    circle(cup, 1, 4, 5)
    play_out(cup)
    tie = stages.tie_of(cup)
    assert tie is not None
    ids = {e.seed: e.pk for e in tie.entrants}
    tied = list(ids.values())
    decide = {"tournament_id": cup.pk, "by": cup.organiser, "how": "decision", "tied": tied}
    for order, reason, code in (
        ([], "by pips", "bad_order"),
        ([ids[5], ids[4], ids[1]], " ", "no_reason"),
    ):
        with pytest.raises(TournamentError) as refused:
            services.break_tie(**decide, order=order, reason=reason)  # type: ignore[arg-type]
        assert refused.value.code == code
    services.break_tie(**decide, order=[ids[5], ids[4], ids[1]], reason="by pips")  # type: ignore[arg-type]
    second = stages.current(cup)
    assert second is not None
    assert set(names(second)) == {2, 3, 4, 5}
    assert selectors.verify(cup.pk) == []


def test_a_play_off_decides_and_the_knockout_follows_it(groups_cup: Event, play: Any) -> None:
    cup = groups_cup(6, 2, take=1)
    circle(cup, 1, 4, 5)
    play_out(cup)
    tie = stages.tie_of(cup)
    assert tie is not None
    tied = [e.pk for e in tie.entrants]
    services.break_tie(tournament_id=cup.pk, by=cup.organiser, how="play_off", tied=tied)
    play_off = stages.current(cup)
    assert play_off is not None
    assert (play_off.is_play_off, play_off.format, names(play_off)) == (
        True,
        "round_robin",
        [1, 4, 5],
    )
    assert selectors.verify(cup.pk) == []
    play_out(cup, stage=2)
    final = stages.current(cup)
    assert final is not None
    assert names(final) == [1, 2]
    play_out(cup)
    assert (cup.status, selectors.verify(cup.pk)) == ("finished", [])
    assert play.places(cup) == [1, 2, 5, 3, 3, 6] or play.places(cup)[:2] == [1, 2]


def test_a_play_off_that_ends_level_is_decided_by_lot(groups_cup: Event) -> None:
    cup = groups_cup(6, 2, take=1)
    circle(cup, 1, 4, 5)
    play_out(cup)
    for how in ("play_off", "lot"):
        tie = stages.tie_of(cup)
        assert tie is not None
        tied = [e.pk for e in tie.entrants]
        services.break_tie(tournament_id=cup.pk, by=cup.organiser, how=how, tied=tied)  # type: ignore[arg-type]
        if how == "play_off":
            for winner, loser in ((1, 4), (4, 5), (5, 1)):
                pairing = match_of(cup, winner, loser, stage=2)
                report(cup, pairing, seeds_of(pairing)[winner], scores=[0, 0])
            assert selectors.verify(cup.pk) == []
    assert cup.stages.count() == 3
    play_out(cup)
    assert (cup.status, selectors.verify(cup.pk)) == ("finished", [])


def test_ties_are_drawn_by_lot_where_that_is_set(groups_cup: Event) -> None:
    cup = groups_cup(6, 2, ties="lot")
    circle(cup, 1, 4, 5)
    play_out(cup)
    assert (cup.status, cup.stages.count(), selectors.verify(cup.pk)) == ("finished", 2, [])


def test_a_correction_that_changes_nobody_leaves_the_next_stage(groups_cup: Event) -> None:
    cup = groups_cup()
    play_out(cup, stage=1)
    pairing = match_of(cup, 9, 16)
    report(cup, pairing, seeds_of(pairing)[16], scores=[10, 150])
    assert [s.annulled for s in cup.stages.order_by("number")] == [False, False]
    assert selectors.verify(cup.pk) == []


def test_a_correction_that_changes_who_goes_on_remakes_a_stage_that_has_not_begun(
    groups_cup: Event,
) -> None:
    cup = groups_cup()
    play_out(cup, stage=1)
    pairing = match_of(cup, 8, 9)
    report(cup, pairing, seeds_of(pairing)[9], scores=[10, 150])
    assert [s.annulled for s in cup.stages.order_by("number")] == [False, True, False]
    third = stages.current(cup)
    assert third is not None
    assert set(names(third)) == {1, 9, 2, 7, 3, 6, 4, 5}
    assert selectors.verify(cup.pk) == []
    play_out(cup)
    assert (cup.status, selectors.verify(cup.pk)) == ("finished", [])


def test_a_correction_is_refused_when_the_next_stage_has_begun_unless_it_is_annulled(
    groups_cup: Event,
) -> None:
    cup = groups_cup()
    play_out(cup)
    assert cup.status == "finished"
    pairing = match_of(cup, 8, 9)
    winner = seeds_of(pairing)[9]
    with pytest.raises(TournamentError) as refused:
        report(cup, pairing, winner, scores=[10, 150])
    assert refused.value.code == "has_dependents"
    assert refused.value.facts["stages"] == {2: [1, 2, 3, 4, 5, 6, 7]}
    seen = services.preview_result(
        pairing_id=pairing.pk, by=cup.organiser, outcome="played", winner=winner, scores=[10, 150]
    )
    assert (seen.stages, [way.name for way in seen.ways]) == ((2,), ["void"])
    assert {each.number for each in seen.ways[0].later if each.stage == 2} == set(range(1, 8))
    with pytest.raises(TournamentError):
        report(cup, pairing, winner, scores=[10, 150], force="keep")
    report(cup, pairing, winner, scores=[10, 150], force="void")
    cup.refresh_from_db()
    assert cup.status == "running"
    old = cup.stages.get(number=2)
    assert old.annulled
    played = old.pairings.get(number=7).results.order_by("version")
    assert [r.outcome for r in played] == ["played", "void"]  # nothing is lost
    assert selectors.verify(cup.pk) == []
    with pytest.raises(TournamentError) as refused:
        report(cup, old.pairings.get(number=1), seeds_of(old.pairings.get(number=1))[1])
    assert refused.value.code == "annulled"
    play_out(cup)
    assert (cup.status, selectors.verify(cup.pk)) == ("finished", [])


def test_who_leaves_in_the_knockout_keeps_what_the_groups_say(groups_cup: Event) -> None:
    cup = groups_cup()
    play_out(cup, stage=1)
    before = [(r.entrant.seed, r.place) for r in selectors.standings(cup, 1)]
    one = cup.entrants.get(seed=1).player
    services.disqualify(tournament_id=cup.pk, player=one, by=cup.organiser, reason="x")
    assert [(r.entrant.seed, r.place) for r in selectors.standings(cup, 1)] == before
    assert selectors.verify(cup.pk) == []
    play_out(cup)
    assert cup.entrants.get(seed=1).place is None
    assert cup.entrants.get(seed=9).place == 8  # nobody's hole
    assert selectors.verify(cup.pk) == []


def test_when_too_few_are_left_for_the_next_stage_the_event_ends(started: Event) -> None:
    final = {"format": "single_elimination", "take": 2}
    cup = started(3, play="board", format="round_robin", later_stages=[final])
    for seed in (1, 2):
        player: Player = cup.entrants.get(seed=seed).player
        services.withdraw(tournament_id=cup.pk, player=player)
    cup.refresh_from_db()
    assert (cup.status, cup.stages.count(), selectors.verify(cup.pk)) == ("finished", 1, [])
    assert cup.entrants.get(seed=3).place == 1


def test_a_swiss_goes_into_a_knockout_of_best_of_three(started: Event) -> None:
    knockout = {"format": "double_elimination", "take": 4, "best_of": 3, "ties": "lot",
                "rules": {"preset": "draw", "target": 50}}  # fmt: skip
    cup = started(9, play="board", format="swiss", options={"rounds": 3}, later_stages=[knockout])
    while cup.stages.count() == 1:
        services.draw_due(tournament_id=cup.pk)
        play_out(cup, stage=1)
    second = stages.current(cup)
    assert second is not None
    assert (second.size, second.config["best_of"], second.rules["preset"]) == (4, 3, "draw")
    ranks = {row.entrant.seed: row.place for row in selectors.standings(cup, 1)}
    # S7; a lot decides between those of the same rank.
    assert [ranks[seed] for seed in names(second)] == list(ranks.values())[:4]
    play_out(cup)
    assert (cup.status, selectors.verify(cup.pk)) == ("finished", [])


def test_nobody_comes_in_late_after_the_first_stage(started: Event, people: Any) -> None:
    cup = started(
        4, play="board", format="round_robin", capacity=8,
        later_stages=[{"format": "swiss", "options": {"rounds": 2}, "take": 4}],
    )  # fmt: skip
    play_out(cup)
    assert stages.current(cup).format == "swiss"  # type: ignore[union-attr]
    with pytest.raises(TournamentError):
        services.join(tournament_id=cup.pk, player=people(1)[0])


def test_bots_play_groups_and_a_knockout_at_live_tables(bots_event: Event, play: Any) -> None:
    cup = bots_event(
        6, format="groups", options={"groups": 2}, later_stages=[{**KNOCKOUT, "ties": "lot"}]
    )
    play.to_the_end(cup)
    assert selectors.verify(cup.pk) == []
    assert sorted(play.places(cup))[:2] == [1, 2]


@pytest.mark.parametrize(
    "later",
    [
        [{"format": "chess"}],
        [{"format": "swiss", "take": 1}],
        [{"format": "swiss", "take": True}],
        [{"format": "swiss", "per_group": True}],
        [{"format": "swiss", "options": {"rounds": 99}}],
        [{"format": "swiss", "ties": "quarrel"}],
        [{"format": "swiss", "colour": "red"}],
        [{"format": "swiss"}] * 5,
        {"format": "swiss"},
    ],
)
def test_stages_that_cannot_follow_are_refused(event: Event, later: Any) -> None:
    with pytest.raises(TournamentError) as refused:
        event(format="swiss", later_stages=later)
    assert refused.value.code == "bad_stages"


def _act(cup: Tournament, chance: Random) -> None:
    deed = chance.random()
    if deed < 0.6 and (found := open_pairings(cup)):
        own = seeds_of(found[0])
        ids: list[int | None] = list(own.values())
        winner = chance.choice([*ids, None] if deed < 0.1 else ids)
        report(cup, found[0], winner, scores=[chance.randint(0, 3) * 5 for _ in own])
    elif deed < 0.75:
        decided = list(
            Pairing.objects.filter(stage__tournament=cup, results__isnull=False).distinct()
        )
        if decided:
            pairing = chance.choice(decided)
            inside = list(seeds_of(pairing).values())
            report(
                cup, pairing, chance.choice([*inside, None]), force=chance.choice([None, "void"])
            )
    elif deed < 0.8:
        entrant = chance.choice(list(cup.entrants.all()))
        if chance.random() < 0.7:
            services.withdraw(tournament_id=cup.pk, player=entrant.player)
        else:
            services.disqualify(
                tournament_id=cup.pk, player=entrant.player, by=cup.organiser, reason="x"
            )
    else:
        services.draw_due(tournament_id=cup.pk)
        _break(cup, chance)


def _break(cup: Tournament, chance: Random) -> None:
    cup.refresh_from_db()
    if tie := stages.tie_of(cup):
        ids = [e.pk for e in tie.entrants]
        how = chance.choice(["lot", "play_off", "decision"])
        services.break_tie(
            tournament_id=cup.pk,
            by=cup.organiser,
            how=how,
            tied=ids,
            order=ids,
            reason="x",  # type: ignore[arg-type]
        )


LATER: list[tuple[dict[str, Any], list[dict[str, Any]]]] = [
    ({"format": "groups", "options": {"groups": 2}}, [KNOCKOUT]),
    (
        {"format": "groups", "options": {"groups": 3}},
        [{**KNOCKOUT, "format": "double_elimination"}],
    ),
    ({"format": "groups", "options": {"groups": 4}}, [{"format": "single_elimination", "take": 4}]),
    ({"format": "swiss", "options": {"rounds": 2}}, [{"format": "single_elimination", "take": 4}]),
    ({"format": "single_elimination"}, [{"format": "round_robin", "take": 3}]),
    (
        {"format": "groups", "options": {"groups": 2}},
        [{"format": "groups", "take": 4, "options": {"groups": 2}}, KNOCKOUT],
    ),
]


@pytest.mark.parametrize("number", range(24))
def test_any_course_of_stages_stays_provable_and_ends(started: Event, number: int) -> None:
    chance = Random(number)
    first, later = LATER[number % len(LATER)]
    cup = started(chance.randint(4, 10), play="board", **first, later_stages=later)
    for _ in range(30):
        with contextlib.suppress(TournamentError):
            _act(cup, chance)
        assert selectors.verify(cup.pk) == []
    for _ in range(300):
        cup.refresh_from_db()
        if not cup.is_running:
            break
        play_out(cup, chance)
        services.draw_due(tournament_id=cup.pk)
        _break(cup, chance)
    assert cup.status == "finished"
    assert selectors.verify(cup.pk) == []
    gone = cup.entrants.filter(status=Entrant.Status.DISQUALIFIED).count()
    places = [p for p in cup.entrants.values_list("place", flat=True) if p is not None]
    assert len(places) == cup.taken - gone
    assert not places or min(places) == 1 or "elimination" in cup.later_stages[-1]["format"]
