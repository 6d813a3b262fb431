"""A player's record in events: the best places, and what is shown of an event's matches."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from pages import profile
from players.models import Player
from ratings.glicko import variance_of
from ratings.models import Rating
from ratings.selectors import HistoryLine
from tournaments import services
from tournaments.models import Entrant, Tournament
from tournaments.record import best_places, matches_of

pytestmark = pytest.mark.django_db
POOL = "allfives-1v1"


@pytest.fixture
def people() -> list[Player]:
    """Eight players, of whom the first four have ratings: 1500 and upwards by 100."""
    made = [Player.objects.create_user(f"p{n}", name=f"Player {n}") for n in range(8)]
    for n, player in enumerate(made[:4]):
        Rating.objects.create(
            player=player, pool=POOL, mean=n * 100 / 173.7178, variance=variance_of(50), matches=30
        )
    return made


def over(name: str, *places: Player, days: int = 1, **settings: Any) -> Tournament:
    """An event that is over, in which these came first, second, …"""
    event = services.create(organiser=places[0], name=name, **settings)
    for place, player in enumerate(places, 1):
        Entrant.objects.create(tournament=event, player=player, place=place)
    Tournament.objects.filter(pk=event.pk).update(
        status="finished",
        started_at=timezone.now() - timedelta(days=days),
        finished_at=timezone.now() - timedelta(days=days),
    )
    return event


def test_the_best_places_left_the_largest_share_behind_in_the_strongest_fields(
    people: list[Player],
) -> None:
    ana = people[0]
    over("Small", ana, people[1])
    over("Strong", people[3], ana, people[2])
    over("Weak", people[6], ana, people[7], days=40)
    over("Large", people[1], people[2], *people[4:7], ana, people[7])
    over("Large too", people[1], ana, *people[4:])
    over("Draw", ana, *people[1:], rules={"preset": "draw"})
    over("Secret", ana, *people[1:], access="link")
    found = [(each.event.name, each.place, each.entrants, each.strength)
             for each in best_places(ana, POOL)]  # fmt: skip
    assert found == [
        ("Large too", 2, 6, 1550),
        ("Small", 1, 2, 1550),
        ("Strong", 2, 3, 1667),
        ("Weak", 2, 3, 1500),
        ("Large", 6, 7, 1600),
    ]
    recent = best_places(ana, POOL, since=timezone.now() - timedelta(days=30))
    assert "Weak" not in [each.event.name for each in recent]


def test_the_api_has_them_and_filters_by_event(people: list[Player], client: Client) -> None:
    event = over("Cup", *people)
    base = f"/api/v1/players/p0/ratings/{POOL}"
    [best] = client.get(f"{base}/best-events/").json()
    assert best == {
        "tournament": event.slug, "name": "Cup", "place": 1, "entrants": 8, "strength": 1650,
    }  # fmt: skip
    assert matches_of(event) == []
    assert client.get(f"{base}/history/", {"event": event.slug}).json()["results"] == []
    assert client.get(f"{base}/history/", {"event": "nowhere"}).status_code == 400


def test_the_chance_is_told_to_another_of_the_same_pool(people: list[Player]) -> None:
    ana, ben, last = people[0], people[1], people[7]
    chance = profile.chance(ben, ana, POOL)
    assert chance is not None
    assert 60 < chance < 66
    assert chance + (profile.chance(ana, ben, POOL) or 0) == 100
    assert profile.chance(ana, ana, POOL) is profile.chance(None, ana, POOL) is None
    assert profile.chance(last, ana, POOL) is profile.chance(ana, ben, "allfives-table") is None


def test_at_a_table_of_four_the_chance_is_to_be_ahead_of_one_of_the_others() -> None:
    line = HistoryLine(timezone.now(), "match", "m", 1500, 1509, expected=0.46, weight=0.5)
    assert profile.reason(line) == "given 46%; counted for 50%"
    assert profile.reason(line, duel=False) == "given 46% against each; counted for 50%"
