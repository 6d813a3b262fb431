"""Two entrants exchange their seats in matches that nobody has begun."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tournaments import audit, selectors, services
from tournaments.errors import TournamentError
from tournaments.models import AuditLine, Tournament
from tournaments.services.exchanging import Exchange

pytestmark = pytest.mark.django_db

Started = Callable[..., Tournament]


@pytest.fixture
def swap(play: Any) -> Callable[..., Exchange]:
    """Two seeds exchange their seats."""

    def do(cup: Tournament, one: int, other: int, number: int, **more: Any) -> Exchange:
        given = {"reason": "late bus", **more}
        return services.exchange(
            tournament_id=cup.pk, by=cup.organiser, one=play.entrant(cup, one).pk,
            other=play.entrant(cup, other).pk, number=number, **given,
        )  # fmt: skip

    return do


def finish(cup: Tournament, play: Any) -> None:
    """The first of each pairing wins, in the order of the numbers."""
    for number in sorted(play.board(cup).pairings):
        if play.result(cup, number) is None:
            services.enter_sheet(
                pairing_id=play.pairing(cup, number).pk, by=cup.organiser,
                sheet=services.Sheet(scores=[100, 50]),
            )  # fmt: skip


def test_in_one_round_of_a_round_robin_two_meet_each_other_s_opponents(
    started: Started, play: Any, swap: Callable[..., Exchange]
) -> None:
    cup = started(4, format="round_robin", play="board")
    assert [play.seeds(cup, n) for n in (1, 2)] == [[1, 4], [2, 3]]
    one, two, three, four = (play.entrant(cup, seed).pk for seed in (1, 2, 3, 4))
    looked = services.preview_exchange(
        tournament_id=cup.pk, by=cup.organiser, one=one, other=two, number=1
    )
    assert [play.seeds(cup, n) for n in (1, 2)] == [[1, 4], [2, 3]]
    found = swap(cup, 1, 2, 1)
    assert found == looked
    assert [(each.before, each.after) for each in found.changes] == [
        ((one, four), (two, four)), ((two, three), (one, three))]  # fmt: skip
    assert (found.again, found.never) == (((one, three), (two, four)), ((one, four), (two, three)))
    assert [play.seeds(cup, n) for n in (1, 2)] == [[2, 4], [1, 3]]
    assert selectors.verify(cup.pk) == []
    line = audit.lines(cup)[0]
    names = [play.entrant(cup, seed).label for seed in (1, 2)]
    assert audit.sentence(line) == f"{names[0]} and {names[1]} exchanged their seats in round 1."
    finish(cup, play)
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert selectors.verify(cup.pk) == []


def test_in_all_rounds_from_the_first_everybody_still_meets_everybody(
    started: Started, play: Any, swap: Callable[..., Exchange]
) -> None:
    cup = started(5, format="round_robin", play="board")
    found = swap(cup, 1, 2, 1, onward=True)
    assert (found.again, found.never) == ((), ())
    met = [tuple(sorted(play.seeds(cup, n))) for n in play.board(cup).pairings]
    assert len(set(met)) == len(met) == 10
    assert selectors.verify(cup.pk) == []


def test_what_has_begun_stays_and_onward_leaves_those_rounds_out(
    started: Started, play: Any, swap: Callable[..., Exchange]
) -> None:
    cup = started(4, format="round_robin", play="board")
    services.enter_sheet(
        pairing_id=play.pairing(cup, 1).pk, by=cup.organiser, sheet=services.Sheet(scores=[9, 5])
    )
    with pytest.raises(TournamentError) as refused:
        swap(cup, 1, 2, 1)
    assert refused.value.code == "exchange_begun"
    assert {each.round for each in swap(cup, 1, 2, 1, onward=True).changes} == {2, 3}
    assert play.seeds(cup, 1) == [1, 4]
    assert selectors.verify(cup.pk) == []


def test_a_live_table_nobody_has_begun_at_is_closed_and_opened_for_the_others(
    started: Started, play: Any, swap: Callable[..., Exchange]
) -> None:
    cup = started(4, format="round_robin")
    old = play.game(cup, 1)
    swap(cup, 4, 3, 1)
    old.refresh_from_db()
    assert old.void
    seats = [s.player_id for s in play.sit_down(cup, 1).seat_set.order_by("index")]
    assert seats == [play.entrant(cup, seed).player_id for seed in (1, 3)]
    with pytest.raises(TournamentError) as refused:
        swap(cup, 4, 3, 1)
    assert refused.value.code == "exchange_begun"
    assert selectors.verify(cup.pk) == []


def test_in_groups_two_of_one_group_exchange_and_others_can_not(
    started: Started, play: Any, swap: Callable[..., Exchange]
) -> None:
    cup = started(8, format="groups", options={"groups": 2}, play="board")
    number = next(n for n in play.board(cup).pairings if set(play.seeds(cup, n)) == {1, 8})
    swap(cup, 8, 1, 1)
    assert play.seeds(cup, number) == [8, 1]
    swap(cup, 1, 4, 2, onward=True)
    assert selectors.verify(cup.pk) == []
    with pytest.raises(TournamentError) as refused:
        swap(cup, 1, 2, 1)
    assert refused.value.code == "not_fitting"
    finish(cup, play)
    cup.refresh_from_db()
    assert (cup.status, selectors.verify(cup.pk)) == ("finished", [])


def test_partners_that_rotate_exchange_seats_at_a_drawn_table(
    started: Started, play: Any, swap: Callable[..., Exchange]
) -> None:
    cup = started(4, format="rotating", options={"rounds": 2}, play="board")
    services.draw_due(tournament_id=cup.pk)
    before = play.seeds(cup, 1)
    swap(cup, before[0], before[1], 1)
    assert play.seeds(cup, 1) == [before[1], before[0], *before[2:]]
    assert play.pairing(cup, 1).why["exchanged"]
    finish(cup, play)
    assert services.draw_due(tournament_id=cup.pk)
    finish(cup, play)
    cup.refresh_from_db()
    assert (cup.status, selectors.verify(cup.pk)) == ("finished", [])


@pytest.mark.parametrize(
    ("given", "code"),
    [({"reason": ""}, "no_reason"), ({"number": 9}, "no_round"), ({"other": 1}, "no_entrant")],
)
def test_what_can_not_be_exchanged_is_refused(
    given: dict[str, Any], code: str, started: Started, swap: Callable[..., Exchange]
) -> None:
    cup = started(4, format="round_robin", play="board")
    with pytest.raises(TournamentError) as refused:
        swap(cup, **{"one": 1, "other": 2, "number": 1, **given})
    assert refused.value.code == code


def test_in_a_knockout_places_follow_from_results(
    started: Started, swap: Callable[..., Exchange]
) -> None:
    cup = started(4, play="board")
    with pytest.raises(TournamentError) as refused:
        swap(cup, 1, 2, 1)
    assert refused.value.code == "by_schedule"


@pytest.mark.django_db(transaction=True)
def test_the_same_exchange_sent_again_and_at_once_is_done_once(
    started: Started, play: Any, swap: Callable[..., Exchange], at_once: Any
) -> None:
    cup = started(6, format="round_robin", play="board")
    before = [play.seeds(cup, n) for n in (1, 2)]
    one, other = before[0][0], before[1][0]
    seen = services.preview_exchange(
        tournament_id=cup.pk, by=cup.organiser, one=play.entrant(cup, one).pk,
        other=play.entrant(cup, other).pk, number=1,
    ).digest  # fmt: skip
    answers = at_once(3, lambda _n: swap(cup, one, other, 1, seen=seen))
    assert all(isinstance(answer, Exchange) for answer in answers)
    assert [play.seeds(cup, n) for n in (1, 2)] == [[other, before[0][1]], [one, before[1][1]]]
    assert AuditLine.objects.filter(action="exchanged").count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_exchanges_at_once_the_second_is_of_what_the_first_left(
    started: Started, play: Any, swap: Callable[..., Exchange], at_once: Any
) -> None:
    cup = started(6, format="round_robin", play="board")
    pairs = ((1, 2), (1, 3))
    seen = [
        services.preview_exchange(
            tournament_id=cup.pk, by=cup.organiser, one=play.entrant(cup, one).pk,
            other=play.entrant(cup, other).pk, number=1,
        ).digest
        for one, other in pairs
    ]  # fmt: skip
    answers = at_once(2, lambda n: swap(cup, *pairs[n], 1, seen=seen[n]))
    codes = [answer.code for answer in answers if isinstance(answer, TournamentError)]
    assert codes == ["stale"]
    assert selectors.verify(cup.pk) == []
    finish(cup, play)
    cup.refresh_from_db()
    assert cup.status == "finished"


@pytest.mark.django_db(transaction=True)
def test_an_exchange_and_a_result_at_once_never_move_a_result(
    started: Started, play: Any, swap: Callable[..., Exchange], at_once: Any
) -> None:
    cup = started(4, format="round_robin", play="board")

    def act(n: int) -> Any:
        if n == 0:
            return swap(cup, 1, 2, 1)
        return services.enter_sheet(
            pairing_id=play.pairing(cup, 1).pk, by=cup.organiser,
            sheet=services.Sheet(scores=[100, 50]),
        )  # fmt: skip

    answers = at_once(2, act)
    refused = [answer.code for answer in answers if isinstance(answer, TournamentError)]
    assert refused in ([], ["exchange_begun"], ["stale"])
    seated = play.seeds(cup, 1)
    assert play.result(cup, 1) == (None if refused == ["stale"] else ("played", seated[0]))
    assert selectors.verify(cup.pk) == []


def test_a_sheet_is_of_those_who_were_seen_at_the_table(
    started: Started, play: Any, swap: Callable[..., Exchange]
) -> None:
    cup = started(4, format="round_robin", play="board")
    seen = [play.entrant(cup, seed).pk for seed in play.seeds(cup, 1)]
    given = {"pairing_id": play.pairing(cup, 1).pk, "by": cup.organiser}
    swap(cup, 3, 4, 1)
    with pytest.raises(TournamentError) as refused:
        services.enter_sheet(**given, sheet=services.Sheet(scores=[100, 50], seats=seen))
    assert (refused.value.code, play.result(cup, 1)) == ("stale", None)
    now = [play.entrant(cup, seed).pk for seed in play.seeds(cup, 1)]
    services.enter_sheet(**given, sheet=services.Sheet(scores=[100, 50], seats=now))
    assert play.result(cup, 1) == ("played", 1)
