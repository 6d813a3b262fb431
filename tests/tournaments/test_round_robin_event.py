"""A round robin played at tables: what the services make of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tournaments import selectors, services
from tournaments.errors import TournamentError
from tournaments.models import Pairing, Tournament

pytestmark = pytest.mark.django_db

Event = Callable[..., Tournament]
Play = Any


def live(cup: Tournament) -> list[int]:
    found = Pairing.objects.filter(stage__tournament=cup, status="live")
    return list(found.order_by("number").values_list("number", flat=True))


def test_four_play_each_other_and_a_table_opens_as_soon_as_both_are_free(
    started: Event, play: Play
) -> None:
    cup = started(4, format="round_robin")
    assert live(cup) == [1, 2]
    play.lose(cup, 1, loser=4)
    assert live(cup) == [2]
    play.lose(cup, 2, loser=3)
    assert live(cup) == [3, 4]
    while numbers := live(cup):
        play.lose(cup, numbers[0], loser=max(play.seeds(cup, numbers[0])))
    cup.refresh_from_db()
    assert (cup.status, play.places(cup)) == ("finished", [1, 2, 3, 4])
    rows = selectors.standings(cup)
    assert [(row.entrant.seed, row.place, row.points, row.wins) for row in rows] == [
        (1, 1, 36, 3), (2, 2, 24, 2), (3, 3, 12, 1), (4, 4, 0, 0)]  # fmt: skip
    assert selectors.verify(cup.pk) == []


def test_who_leaves_before_half_counts_for_nobody(started: Event, play: Play) -> None:  # S6
    cup = started(4, format="round_robin")
    play.lose(cup, 1, loser=1)  # 4 wins
    services.withdraw(tournament_id=cup.pk, player=play.entrant(cup, 4).player)
    rows = {row.entrant.seed: row for row in selectors.standings(cup)}
    assert (rows[4].counts, rows[1].points, rows[4].points) == (False, 0, 0)
    assert play.result(cup, 1) == ("played", 4) or play.result(cup, 1) == ("forfeit", 4)
    while numbers := live(cup):
        play.lose(cup, numbers[0], loser=max(play.seeds(cup, numbers[0])))
    cup.refresh_from_db()
    assert (cup.status, play.places(cup)) == ("finished", [1, 2, 3, 4])
    assert selectors.verify(cup.pk) == []


def test_a_round_robin_has_at_most_64_places(event: Event) -> None:
    with pytest.raises(TournamentError) as refused:
        event(format="round_robin", capacity=65)
    assert refused.value.facts == {"key": "capacity", "high": 64}
