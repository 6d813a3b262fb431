"""Results entered and corrected by people: always a new version, never an overwritten one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.models import Match
from players.models import Player
from ratings.models import RatedMatch
from tournaments import selectors, services
from tournaments.errors import TournamentError
from tournaments.models import Game, Result, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
People = Callable[[int], list[Player]]
AtOnce = Callable[[int, Callable[[int], Any]], list[Any]]
Play = Any
Report = Callable[..., Result]


@pytest.fixture
def report(play: Play) -> Report:
    """The organiser enters a result; `winner` is a seed."""

    def report(cup: Tournament, number: int, winner: int | None, **entry: Any) -> Result:
        return services.report_result(
            pairing_id=play.pairing(cup, number).pk,
            winner=None if winner is None else play.entrant(cup, winner).pk,
            **{"by": cup.organiser, "outcome": "played", **entry},
        )

    return report


def versions(play: Play, cup: Tournament, number: int) -> list[tuple[int, str]]:
    rows = Result.objects.filter(pairing=play.pairing(cup, number)).order_by("version")
    return list(rows.values_list("version", "outcome"))


def test_an_entered_result_stops_the_table_and_leads_on(
    started: Event, play: Play, report: Report
) -> None:
    cup = started(4)
    table = play.sit_down(cup, 1)
    report(cup, 1, 4, games=[0, 1], scores=[80, 150])
    assert play.result(cup, 1) == ("played", 4)
    assert play.seeds(cup, 3) == [4, None]
    assert Match.objects.get(pk=table.pk).status == "finished"
    play.deliver()
    assert versions(play, cup, 1) == [(1, "played")]
    assert selectors.verify(cup.pk) == []


def test_the_same_entry_twice_is_one_version(started: Event, play: Play, report: Report) -> None:
    cup = started(4)
    first = report(cup, 1, 4, scores=[80, 150])
    assert report(cup, 1, 4, scores=[80, 150]).pk == first.pk
    assert versions(play, cup, 1) == [(1, "played")]


def test_a_correction_replaces_the_place_when_the_next_has_not_begun(
    started: Event, play: Play, report: Report
) -> None:  # D10
    cup = started(4)
    play.lose(cup, 1, loser=4)
    play.lose(cup, 2, loser=3)
    first_table = play.game(cup, 3).match_id
    report(cup, 1, 4, outcome="decision", reason="Seat 1 was played by somebody else")
    assert versions(play, cup, 1) == [(1, "played"), (2, "decision")]
    assert play.seeds(cup, 3) == [4, 2]
    assert Match.objects.get(pk=first_table).status == "cancelled"
    table = Match.objects.get(pk=play.game(cup, 3).match_id)
    seated = {seat.player for seat in table.seat_set.all()}
    assert seated == {play.entrant(cup, 4).player, play.entrant(cup, 2).player}
    assert selectors.verify(cup.pk) == []


def test_a_correction_that_keeps_the_winner_touches_nothing_else(
    started: Event, play: Play, report: Report
) -> None:
    cup = started(4)
    play.lose(cup, 1, loser=4)
    play.lose(cup, 2, loser=3)
    table = play.sit_down(cup, 3)
    report(cup, 1, 1, outcome="played", scores=[150, 20], reason="The score sheet says so")
    assert Match.objects.get(pk=table.pk).status == "running"
    assert versions(play, cup, 1) == [(1, "played"), (2, "played")]
    assert selectors.verify(cup.pk) == []


def test_a_correction_is_refused_when_the_next_has_begun_and_names_it(
    started: Event, play: Play, report: Report
) -> None:  # D11
    cup = started(8)
    for number, loser in ((1, 8), (2, 5), (3, 7), (4, 6)):
        play.lose(cup, number, loser=loser)
    play.lose(cup, 5, loser=4)
    play.lose(cup, 6, loser=3)
    play.sit_down(cup, 7)
    with pytest.raises(TournamentError) as refused:
        report(cup, 2, 5, outcome="decision", reason="Wrong name")
    assert (refused.value.code, refused.value.facts["matches"]) == ("has_dependents", [5, 7])
    assert versions(play, cup, 2) == [(1, "played")]
    assert play.seeds(cup, 7) == [1, 2]
    assert selectors.verify(cup.pk) == []


def test_forced_the_later_matches_are_annulled_and_played_again(
    started: Event, play: Play, report: Report
) -> None:  # D11
    cup = started(4)
    play.lose(cup, 1, loser=4)
    play.lose(cup, 2, loser=3)
    final = play.lose(cup, 3, loser=1)
    cup.refresh_from_db()
    assert (cup.status, play.places(cup)) == ("finished", [2, 1, 3, 3])
    report(cup, 1, 4, outcome="decision", reason="Wrong name", force="void")
    play.deliver()
    cup.refresh_from_db()
    assert (cup.status, cup.finished_at) == ("running", None)
    assert versions(play, cup, 3) == [(1, "played"), (2, "void")]
    assert play.seeds(cup, 3) == [4, 2]
    assert play.places(cup) == [3, None, 3, None]
    assert Game.objects.get(match_id=final).void
    assert selectors.verify(cup.pk) == []
    play.lose(cup, 3, loser=2)
    cup.refresh_from_db()
    assert (cup.status, play.places(cup)) == ("finished", [3, 2, 3, 1])
    assert selectors.verify(cup.pk) == []


def test_ratings_follow_an_annulled_match(event: Event, play: Play, report: Report) -> None:  # D11
    cup = event(rules={"preset": "allfives", "target": 10})
    for number in range(1, 5):
        player = Player.objects.create_user(f"player{number}", name=f"Player {number}")
        services.join(tournament_id=cup.pk, player=player)
    services.start(tournament_id=cup.pk, by=cup.organiser)
    report(cup, 1, 1)
    report(cup, 2, 2)
    match = play.sit_down(cup, 3)
    Match.objects.filter(pk=match.pk).update(
        status="finished", phase="over", turn=None, wake_at=None, reason="target", winner=0,
        places=[1, 2], scores=[10, 0], finished_at=match.created_at, deadline=None,
    )  # fmt: skip
    services.handle_finished_match(match.pk)
    assert play.result(cup, 3) == ("played", 1)
    report(cup, 1, 4, outcome="decision", reason="Wrong name", force="void")
    assert RatedMatch.objects.get(match_id=match.pk).annulled


def test_forced_a_table_in_play_is_stopped_without_winner(
    started: Event, play: Play, report: Report
) -> None:
    cup = started(4)
    play.lose(cup, 1, loser=4)
    play.lose(cup, 2, loser=3)
    table = play.sit_down(cup, 3)
    report(cup, 2, 3, outcome="decision", reason="Wrong name", force="void")
    stopped = Match.objects.get(pk=table.pk)
    assert (stopped.status, stopped.winner, stopped.reason) == ("finished", None, "cancelled")
    assert play.seeds(cup, 3) == [1, 3]
    assert play.pairing(cup, 3).status == "live"
    play.deliver()
    assert play.result(cup, 3) is None
    assert selectors.verify(cup.pk) == []


def test_a_walk_over_that_rested_on_the_old_result_is_decided_anew(
    started: Event, play: Play, report: Report
) -> None:
    cup = started(4)
    report(cup, 1, None, outcome="double_forfeit", reason="Neither came")
    play.lose(cup, 2, loser=3)
    cup.refresh_from_db()
    assert (play.result(cup, 3), cup.status) == (("walkover", 2), "finished")
    report(cup, 1, 1, outcome="decision", reason="Seed 1 was there after all")
    cup.refresh_from_db()
    assert (play.result(cup, 3), cup.status) == (None, "running")
    assert versions(play, cup, 3) == [(1, "walkover"), (2, "void")]
    assert play.pairing(cup, 3).status == "live"
    assert selectors.verify(cup.pk) == []


def test_a_correction_to_a_withdrawn_entrant_lets_the_opponent_walk_over_again(
    started: Event, play: Play, report: Report
) -> None:
    cup = started(4)
    play.lose(cup, 1, loser=4)
    services.withdraw(tournament_id=cup.pk, player=play.entrant(cup, 1).player)
    play.lose(cup, 2, loser=3)
    assert play.result(cup, 3) == ("walkover", 2)
    report(cup, 1, 4, outcome="decision", reason="Wrong name")
    assert (play.result(cup, 3), play.seeds(cup, 3)) == (None, [4, 2])
    report(cup, 1, 1, outcome="decision", reason="No, it was right")
    assert play.result(cup, 3) == ("walkover", 2)
    assert versions(play, cup, 3) == [(1, "walkover"), (2, "void"), (3, "walkover")]
    assert selectors.verify(cup.pk) == []


def test_a_walk_over_by_disqualification_does_not_stand_in_the_way_of_a_correction(
    started: Event, play: Play, report: Report
) -> None:
    cup = started(4)
    play.lose(cup, 1, loser=4)
    play.lose(cup, 2, loser=3)
    cheat = play.entrant(cup, 2).player
    services.disqualify(tournament_id=cup.pk, player=cheat, by=cup.organiser, reason="Two hands")
    assert play.result(cup, 3) == ("walkover", 1)
    report(cup, 2, 3, outcome="decision", reason="It was in this match")
    assert (play.result(cup, 3), play.seeds(cup, 3)) == (None, [1, 3])
    assert versions(play, cup, 3) == [(1, "walkover"), (2, "void")]
    assert selectors.verify(cup.pk) == []


def test_both_forfeit_by_the_arbiters_word(started: Event, play: Play, report: Report) -> None:
    cup = started(4)
    report(cup, 1, None, outcome="double_forfeit", reason="Neither came")
    play.lose(cup, 2, loser=2)
    cup.refresh_from_db()
    assert (cup.status, play.places(cup)) == ("finished", [3, 3, 1, 3])


@pytest.mark.parametrize(
    ("number", "winner", "entry", "code"),
    [
        (3, 1, {}, "undecided"),
        (1, 2, {}, "bad_winner"),
        (1, None, {}, "bad_winner"),
        (1, 1, {"outcome": "double_forfeit", "reason": "both"}, "bad_winner"),
        (1, 1, {"outcome": "bye", "reason": "so"}, "bad_outcome"),
        (1, 1, {"outcome": "void", "reason": "so"}, "bad_outcome"),
        (1, 1, {"outcome": "magic"}, "bad_outcome"),
        (1, 1, {"scores": [1]}, "bad_score"),
        (1, 1, {"scores": [1.5, 2]}, "bad_score"),
        (1, 1, {"games": [True, 0]}, "bad_score"),
        (1, 1, {"outcome": "decision"}, "no_reason"),
        (1, 1, {"outcome": "forfeit", "reason": " \u202e "}, "no_reason"),
        (1, 1, {"expected_version": 1}, "stale"),
    ],
)
def test_bad_entries_are_refused_and_change_nothing(
    started: Event, report: Report, number: int, winner: int | None, entry: dict[str, Any],
    code: str,
) -> None:  # fmt: skip
    cup = started(4)
    with pytest.raises(TournamentError) as refused:
        report(cup, number, winner, **entry)
    assert refused.value.code == code
    assert not Result.objects.exists()
    assert selectors.verify(cup.pk) == []


def test_nothing_is_entered_against_a_bye_or_an_empty_place(
    started: Event, report: Report, play: Play
) -> None:  # D3
    cup = started(3)
    with pytest.raises(TournamentError) as refused:
        report(cup, 3, 1)
    assert refused.value.code == "no_opponent"


def test_a_pairing_that_does_not_exist(organiser: Player) -> None:
    with pytest.raises(TournamentError) as refused:
        services.report_result(pairing_id=0, by=organiser, outcome="played", winner=1)
    assert refused.value.code == "no_pairing"


def test_only_the_organiser_and_staff_enter_results(
    started: Event, report: Report, play: Play
) -> None:
    cup = started(4)
    player = play.entrant(cup, 1).player
    with pytest.raises(TournamentError) as refused:
        report(cup, 1, 1, by=player)
    assert refused.value.code == "not_allowed"
    player.is_staff = True
    report(cup, 1, 1, by=player)
    assert Result.objects.get().by == player


def test_two_arbiters_correct_at_once_and_one_is_told_so(
    started: Event, report: Report, play: Play
) -> None:
    cup = started(4)
    report(cup, 1, 1)
    report(cup, 1, 4, outcome="decision", reason="Wrong name", expected_version=1)
    with pytest.raises(TournamentError) as refused:
        report(cup, 1, 1, outcome="decision", reason="Late", expected_version=1)
    assert (refused.value.code, refused.value.facts["version"]) == ("stale", 2)
    assert play.result(cup, 1) == ("decision", 4)


@pytest.mark.django_db(transaction=True)
def test_many_arbiters_at_once_append_versions_without_a_gap(
    started: Event, report: Report, play: Play, at_once: AtOnce
) -> None:
    cup = started(4)
    at_once(8, lambda n: report(cup, 1, (1, 4)[n % 2], outcome="decision", reason=f"Vote {n}"))
    rows = versions(play, cup, 1)
    assert [version for version, _ in rows] == list(range(1, len(rows) + 1))
    assert selectors.verify(cup.pk) == []


def test_results_are_entered_without_any_table_being_played(
    started: Event, report: Report, play: Play
) -> None:
    cup = started(5)
    for number, winner in ((1, 5), (3, 2), (2, 5), (4, 5)):
        report(cup, number, winner)
    cup.refresh_from_db()
    assert (cup.status, play.places(cup)) == ("finished", [3, 2, 3, 5, 1])
    assert not Match.objects.filter(status__in=["open", "running"]).exists()
    assert selectors.verify(cup.pk) == []
