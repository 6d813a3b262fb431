"""An entrant who needs it has more time at live tables."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.models import Seat
from players.models import Player
from tournaments import services
from tournaments.errors import TournamentError
from tournaments.models import AuditLine, Entrant, Tournament

pytestmark = pytest.mark.django_db
People = Callable[[int], list[Player]]


@pytest.fixture
def entered(event: Callable[..., Tournament], people: People) -> list[Entrant]:
    cup = event(format="round_robin")
    for player in people(4):
        services.join(tournament_id=cup.pk, player=player)
    return list(cup.entrants.order_by("pk").select_related("tournament__organiser"))


def grant(entrant: Entrant, percent: int) -> None:
    cup = entrant.tournament
    services.grant_time(
        tournament_id=cup.pk, by=cup.organiser, entrant_id=entrant.pk, percent=percent
    )


def test_tables_that_open_from_then_on_give_it_to_that_seat_alone(entered: list[Entrant]) -> None:
    slow, *others = entered
    for _ in range(2):
        grant(slow, 150)
    services.start(tournament_id=slow.tournament_id, by=slow.tournament.organiser)

    def percents(*entrants: Entrant) -> set[int]:
        seats = Seat.objects.filter(player__in=[entrant.player_id for entrant in entrants])
        return set(seats.values_list("time_percent", flat=True))

    assert percents(slow) == {150}
    assert percents(*others) == {100}
    line = AuditLine.objects.get(action="time_granted")
    assert line.facts["percent"] == 150


def test_no_other_share_is_given(entered: list[Entrant]) -> None:
    with pytest.raises(TournamentError) as refused:
        grant(entered[0], 120)
    assert refused.value.code == "bad_percent"
    entered[0].refresh_from_db()
    assert entered[0].time_percent == 100
