"""From the draft to the start: announcing, registration, access, check-in, and the clock."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from players import clubs
from players.models import Player
from ratings.glicko import variance_of
from ratings.models import RatedMatch, Rating, RatingChange
from tournaments import proof, services
from tournaments.errors import TournamentError
from tournaments.models import AuditLine, Entrant, Tournament

Event = Callable[..., Tournament]
People = Callable[[int], list[Player]]
HOUR = dt.timedelta(hours=1)
DAY = 24 * HOUR


def refused(code: str, deed: Callable[..., Any], **given: Any) -> None:
    with pytest.raises(TournamentError) as caught:
        deed(**given)
    assert caught.value.code == code


def fresh(event: Tournament) -> Tournament:
    return Tournament.objects.get(pk=event.pk)


def names_in(event: Tournament) -> set[str]:
    rows = event.entrants.filter(status=Entrant.Status.ACTIVE).select_related("player")
    return {row.player.name for row in rows}


def test_an_event_goes_from_draft_to_announced_to_open_to_closed(
    organiser: Player, people: People
) -> None:
    event = services.create(organiser=organiser, name="Cup")
    [one] = people(1)
    refused("not_open", services.join, tournament_id=event.pk, player=one)
    for _twice in range(2):
        event = services.announce(tournament_id=event.pk, by=organiser)
    assert event.status == "announced"
    refused("not_open", services.join, tournament_id=event.pk, player=one)
    event = services.open_registration(tournament_id=event.pk, by=organiser)
    services.join(tournament_id=event.pk, player=one)
    for _twice in range(2):
        event = services.close_registration(tournament_id=event.pk, by=organiser)
    [two] = people(1)
    refused("closed", services.join, tournament_id=event.pk, player=two)
    event = services.open_registration(tournament_id=event.pk, by=organiser)
    assert (event.is_open, event.closes_at) == (True, None)
    services.join(tournament_id=event.pk, player=two)
    lines = AuditLine.objects.filter(tournament=event).values_list("action", flat=True)
    assert list(lines) == [
        "created",
        "announced",
        "registration_opened",
        "registration_closed",
        "registration_opened",
    ]


def test_registration_closes_at_its_time(event: Event, people: People) -> None:
    now = timezone.now()
    made = event(closes_at=now - HOUR, starts_at=now + HOUR)
    assert made.closes_at is None  # opening it again after its end took the end away
    made = services.edit(tournament_id=made.pk, by=made.organiser, closes_at=now - HOUR)
    refused("closed", services.join, tournament_id=made.pk, player=people(1)[0])


def test_an_event_by_link_lets_in_who_has_its_link(event: Event, people: People) -> None:
    made = event(access="link")
    one, two = people(2)
    refused("no_link", services.join, tournament_id=made.pk, player=one)
    refused("no_link", services.join, tournament_id=made.pk, player=one, key="0" * 24)
    services.join(tournament_id=made.pk, player=one, key=made.link_key)
    old = made.link_key
    made = services.renew_link(tournament_id=made.pk, by=made.organiser)
    refused("no_link", services.join, tournament_id=made.pk, player=two, key=old)
    assert services.join(tournament_id=made.pk, player=two, key=made.link_key).is_active


def test_an_event_of_a_club_lets_in_its_members(organiser: Player, people: People) -> None:
    club = clubs.found(founder=organiser, name="Double Six", joining="ask")
    made = services.create(organiser=organiser, name="Cup", access="club", club=club.slug)
    services.open_registration(tournament_id=made.pk, by=organiser)
    member = Player.objects.create_user("mira", name="Mira")
    clubs.join(club_id=club.pk, player=member)
    refused("not_member", services.join, tournament_id=made.pk, player=member)  # asks so far
    clubs.set_rank(club_id=club.pk, by=organiser, player=member, rank="member")
    assert services.join(tournament_id=made.pk, player=member).is_active
    refused("not_member", services.join, tournament_id=made.pk, player=people(1)[0])


def test_an_event_is_a_clubs_only_by_its_members(organiser: Player) -> None:
    other = Player.objects.create_user("otto", name="Otto")
    club = clubs.found(founder=other, name="Double Six")
    refused("no_club", services.create, organiser=organiser, name="Cup", club=club.slug)
    refused("no_club", services.create, organiser=organiser, name="Cup", access="club")


@pytest.mark.parametrize(
    ("limits", "rating", "code"),
    [
        ({"min_rating": 1600}, 1599, "rating_low"),
        ({"min_rating": 1600}, 1600, None),
        ({"max_rating": 1400}, 1401, "rating_high"),
        ({"max_rating": 1400}, None, "rating_high"),  # who has none counts as 1500
        ({"min_rating": 1400, "max_rating": 1600}, None, None),
    ],
)
def test_an_event_by_rating_looks_at_its_own_pool(
    event: Event, limits: dict[str, int], rating: int | None, code: str | None
) -> None:
    made = event(**limits)
    player = Player.objects.create_user("rita", name="Rita")
    if rating is not None:
        now = timezone.now()
        Rating.objects.create(
            player=player,
            pool="allfives-1v1",
            mean=(rating - 1500) / 173.7178,
            variance=variance_of(40.0),
            last_day=now.date(),
            last_at=now,
            matches=30,
            opponents=12,
        )
    if code:
        refused(code, services.join, tournament_id=made.pk, player=player)
    else:
        assert services.join(tournament_id=made.pk, player=player).is_active


def test_who_has_not_checked_in_is_left_out_and_the_waiting_list_moves_up(
    event: Event, people: People
) -> None:
    start = timezone.now() + HOUR
    made = event(capacity=3, check_in_minutes=30, starts_at=start)
    a, b, c, d, e = people(5)
    for player in (a, b, c, d, e):
        services.join(tournament_id=made.pk, player=player)
    refused("no_check_in", services.check_in, tournament_id=made.pk, player=a)
    services.check_in(tournament_id=made.pk, player=a, by=made.organiser)  # the desk may earlier
    made = services.edit(
        tournament_id=made.pk, by=made.organiser, starts_at=start - dt.timedelta(minutes=40)
    )
    for player in (b, e):
        for _twice in range(2):
            services.check_in(tournament_id=made.pk, player=player)
    services.check_in(tournament_id=made.pk, player=c)
    services.check_in(tournament_id=made.pk, player=c, here=False)
    assert services.start_due(start) == 1
    made = fresh(made)
    assert (made.status, made.taken) == ("running", 3)
    assert names_in(made) == {a.name, b.name, e.name}
    assert proof.verify(made.pk) == []
    line = AuditLine.objects.get(tournament=made, action="left_out")
    assert line.facts["names"] == c.name


def test_who_joins_while_people_check_in_has_done_so(event: Event, people: People) -> None:
    made = event(check_in_minutes=30, starts_at=timezone.now() + dt.timedelta(minutes=10))
    entrant = services.join(tournament_id=made.pk, player=people(1)[0])
    assert entrant.checked_in_at is not None


def test_nobody_is_left_out_before_people_could_check_in(event: Event, people: People) -> None:
    made = event(check_in_minutes=30, starts_at=timezone.now() + 5 * HOUR)
    for player in people(2):
        services.join(tournament_id=made.pk, player=player)
    services.start(tournament_id=made.pk, by=made.organiser)
    assert fresh(made).taken == 2


def test_the_clock_starts_what_is_due_once(event: Event, people: People) -> None:
    start = timezone.now() + HOUR
    made = event(starts_at=start)
    for player in people(2):
        services.join(tournament_id=made.pk, player=player)
    assert services.start_due(start - dt.timedelta(seconds=1)) == 0
    assert services.start_due(start) == 1
    assert services.start_due(start) == 0
    assert made.stages.count() == 1
    assert fresh(made).status == "running"


def test_the_clock_leaves_events_that_the_arbiter_starts(event: Event, people: People) -> None:
    made = event(starts_at=timezone.now() + HOUR, round_start="arbiter")
    for player in people(2):
        services.join(tournament_id=made.pk, player=player)
    assert services.start_due(timezone.now() + 2 * HOUR) == 0
    assert fresh(made).status == "registration"


def test_a_start_with_too_few_says_so_and_is_not_tried_again(event: Event, people: People) -> None:
    start = timezone.now() + HOUR
    made = event(starts_at=start)
    services.join(tournament_id=made.pk, player=people(1)[0])
    for _tick in range(3):
        assert services.start_due(start) == 0
    assert fresh(made).held == "too_few"
    assert AuditLine.objects.filter(tournament=made, action="held").count() == 1
    services.join(tournament_id=made.pk, player=people(1)[0])
    assert services.start_due(start) == 0
    services.edit(tournament_id=made.pk, by=made.organiser, starts_at=start + HOUR)
    assert services.start_due(start + HOUR) == 1
    assert fresh(made).held == ""


def test_too_few_who_are_here_lose_nobody(event: Event, people: People) -> None:
    made = event(check_in_minutes=30, starts_at=timezone.now() + dt.timedelta(minutes=5))
    for player in people(3):
        services.join(tournament_id=made.pk, player=player)
    Entrant.objects.filter(tournament=made).update(checked_in_at=None)
    assert services.start_due(timezone.now() + HOUR) == 0
    made = fresh(made)
    assert (made.held, made.taken, made.entrants.count()) == ("too_few", 3, 3)


@pytest.mark.django_db(transaction=True)
def test_clocks_and_arbiter_at_once_start_an_event_once(
    event: Event, people: People, at_once: Callable[..., list[Any]]
) -> None:
    start = timezone.now() + HOUR
    made = event(starts_at=start, check_in_minutes=120)
    for player in people(5):
        services.join(tournament_id=made.pk, player=player)

    def begin(index: int) -> object:
        if index % 2:
            return services.start_due(start)
        return services.start(tournament_id=made.pk, by=made.organiser).status

    answers = at_once(4, begin)
    assert not [answer for answer in answers if isinstance(answer, Exception)]
    assert made.stages.count() == 1
    assert AuditLine.objects.filter(tournament=made, action="started").count() == 1
    assert proof.verify(made.pk) == []


@pytest.mark.django_db(transaction=True)
def test_b11_two_clicks_on_i_am_here_are_one(
    event: Event, people: People, at_once: Callable[..., list[Any]]
) -> None:
    made = event(check_in_minutes=30)  # no time to start: from registration on
    [player] = people(1)
    services.join(tournament_id=made.pk, player=player)
    Entrant.objects.update(checked_in_at=None)
    at_once(4, lambda _: services.check_in(tournament_id=made.pk, player=player))
    assert AuditLine.objects.filter(tournament=made, action="checked_in").count() == 1


def test_limits_by_the_highest_of_the_last_year(event: Event) -> None:
    now = timezone.now()
    rita = Player.objects.create_user("rita", name="Rita")
    otto = Player.objects.create_user("otto", name="Otto")
    facts = {"pool": "allfives-1v1", "variance": variance_of(40.0), "last_day": now.date()}
    for player in (rita, otto):
        Rating.objects.create(
            player=player, mean=-0.6, last_at=now, matches=30, opponents=12, **facts
        )
        days = 100 if player == rita else 400
        match = RatedMatch.objects.create(
            match_id=player.handle, pool="allfives-1v1", finished_at=now - days * DAY, target=100,
            sides=[[player.pk], [0]], places=[1, 2],
        )  # fmt: skip
        RatingChange.objects.create(
            match=match, player=player, pool="allfives-1v1", finished_at=match.finished_at,
            number=29, side=0, place=1, before_mean=0, before_variance=0.05, after_mean=0.5,
            after_variance=0.05, expected=0.5, weight=1, opponents=[],
        )  # fmt: skip
    today, year = event(max_rating=1500), event(max_rating=1500, by_peak=True)
    assert services.join(tournament_id=today.pk, player=rita).is_active
    refused("peak_high", services.join, tournament_id=year.pk, player=rita)
    assert services.join(tournament_id=year.pk, player=otto).is_active
