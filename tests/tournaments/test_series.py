from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from players.models import Player
from tournaments import moments, selectors, services
from tournaments.errors import TournamentError
from tournaments.models import Official, Tournament

Event = Callable[..., Tournament]
People = Callable[[int], list[Player]]
NEW_YORK = "America/New_York"


def at(wall: str, zone: str = NEW_YORK) -> dt.datetime:
    return moments.resolve(moments.parse(wall), zone)


def test_a_copy_is_a_draft_with_the_settings_and_officials(event: Event, organiser: Player) -> None:
    made = event(
        format="swiss", options={"rounds": 7}, fee="5 euros", starts_at=at("2040-01-06T19:00")
    )
    arbiter = Player.objects.create_user("arno", name="Arno")
    Official.objects.create(tournament=made, player=arbiter, role="arbiter")
    copied = services.copy(tournament_id=made.pk, by=organiser)
    assert (copied.status, copied.starts_at, copied.copied_from) == ("draft", None, made)
    assert (copied.options, copied.fee, copied.name) == (made.options, "5 euros", made.name)
    assert copied.slug != made.slug
    assert copied.seed != made.seed
    assert copied.link_key != made.link_key
    assert [row.player for row in copied.officials.all()] == [arbiter]


def test_next_weeks_event_is_at_the_same_time_on_the_wall(event: Event, organiser: Player) -> None:
    made = event(zone=NEW_YORK, starts_at=at("2040-11-02T19:00"), closes_at=at("2040-11-02T18:30"))
    following = services.next_week(tournament_id=made.pk, by=organiser)
    assert following.starts_at is not None
    assert following.closes_at is not None
    assert moments.local(following.starts_at, NEW_YORK).isoformat() == "2040-11-09T19:00:00-05:00"
    assert moments.local(following.closes_at, NEW_YORK).isoformat() == "2040-11-09T18:30:00-05:00"
    assert following.status == "registration"
    assert services.next_week(tournament_id=made.pk, by=organiser) == following
    third = services.next_week(tournament_id=following.pk, by=organiser)
    assert [each.pk for each in selectors.siblings(third)] == [third.pk, following.pk, made.pk]


def test_the_next_is_in_a_week_still_to_come(event: Event, organiser: Player) -> None:
    start = timezone.now() - dt.timedelta(days=17)
    made = event(starts_at=start)
    following = services.next_week(tournament_id=made.pk, by=organiser)
    assert following.starts_at == start + dt.timedelta(days=21)


def test_an_event_without_a_time_has_no_next(event: Event, organiser: Player) -> None:
    with pytest.raises(TournamentError) as refused:
        services.next_week(tournament_id=event().pk, by=organiser)
    assert refused.value.code == "no_start"


def finish(made: Tournament) -> None:
    now = timezone.now()
    Tournament.objects.filter(pk=made.pk).update(status="finished", started_at=now, finished_at=now)


def test_a_weekly_event_that_is_over_is_followed_once(event: Event) -> None:
    made = event(starts_at=timezone.now() + dt.timedelta(hours=1), weekly=True)
    assert services.make_due() == 0
    finish(made)
    assert services.make_due() == 1
    assert services.make_due() == 0
    following = Tournament.objects.exclude(pk=made.pk).get()
    assert (following.weekly, following.series_number) == (True, 2)
    finish(following)
    assert services.make_due() == 1
    assert Tournament.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_two_at_once_make_one_next_event(
    event: Event, organiser: Player, at_once: Callable[..., list[Any]]
) -> None:
    made = event(starts_at=timezone.now() + dt.timedelta(hours=1), weekly=True)
    finish(made)

    def follow(index: int) -> object:
        if index % 2:
            return services.make_due()
        return services.next_week(tournament_id=made.pk, by=organiser).pk

    answers = at_once(4, follow)
    assert not [answer for answer in answers if isinstance(answer, Exception)]
    assert Tournament.objects.count() == 2
