"""An arena's page, before, during and after."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import services as games
from outbox.services import drain
from players.models import Player
from tournaments import services, tasks
from tournaments.models import ArenaClock, Game, Pairing, Tournament

Make = Callable[..., Player]
Enter = Callable[[Player], Client]
FORM = {
    "name": "Sunday Arena",
    "preset": "allfives",
    "format": "arena",
    "minutes": "45",
    "in_course": "finished",
    "best_of": "1",
    "capacity": "64",
    "seeding": "rating",
    "turn_seconds": "15",
    "no_show_seconds": "60",
}


def page_of(client: Client, event: Tournament, query: str = "") -> str:
    response = client.get(f"/tournaments/{event.slug}{query}")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def do(client: Client, event: Tournament, deed: str, **data: Any) -> None:
    assert client.post(f"/tournaments/{event.slug}/{deed}", data).status_code == 302
    event.refresh_from_db()


@pytest.fixture
def running(make_event: Callable[..., Tournament], make_player: Make) -> tuple[Any, ...]:
    """An arena of two people that has begun, its organiser and the two."""
    organiser, one, other = (make_player() for _ in range(3))
    event = make_event(organiser, format="arena", options={"minutes": 10})
    for player in (one, other):
        services.join(tournament_id=event.pk, player=player)
    services.start(tournament_id=event.pk, by=organiser)
    event.refresh_from_db()
    return event, organiser, one, other


def resign(player: Player) -> None:
    """The player's table begins, and they give it up."""
    match_id = Game.objects.get(over_at__isnull=True).match_id
    for seat in games_seats(match_id):
        games.sit(match_id=match_id, player=seat.player)
    games.resign(match_id=match_id, player=player)
    drain()


def games_seats(match_id: str) -> Any:
    from games.models import Seat

    return Seat.objects.filter(match=match_id).select_related("player")


def test_an_arena_is_announced_with_its_minutes(make_player: Make, as_player: Enter) -> None:
    as_player(make_player()).post("/tournaments/new", FORM)
    event = Tournament.objects.get()
    assert (event.format, event.options) == ("arena", {"minutes": 45, "in_course": "finished"})


def test_people_join_pause_come_back_and_leave_by_its_buttons(
    running: Any, make_player: Make, as_player: Enter, client: Client
) -> None:
    event, _organiser, one, _other = running
    late = as_player(make_player())
    assert "you can come in now" in page_of(late, event)
    assert "you can come in now" in page_of(client, event)
    do(late, event, "join")
    assert "You are in. Your next opponent comes" in page_of(late, event)
    do(late, event, "pause")
    assert "You pause." in page_of(late, event)
    do(late, event, "resume")
    assert "You are in. Your next" in page_of(late, event)
    do(late, event, "leave")
    assert "You have left." in page_of(late, event)
    do(late, event, "join")
    assert "You are in." in page_of(late, event)
    do(late, event, "leave")
    tasks.pair_arenas()
    shown = page_of(as_player(one), event)
    table = Game.objects.get().match_id
    assert shown.count(f'href="/t/{table}"') == 2  # the bar's, and among the tables
    do(as_player(one), event, "pause")
    assert "then you pause" in page_of(as_player(one), event)


def test_a_streak_is_told_by_text_and_shape(running: Any, client: Client) -> None:
    event, _organiser, _one, other = running
    for count in range(3):
        tasks.pair_arenas()
        page = page_of(client, event)
        assert ('class="flame"' in page) is (count == 2)
        resign(other)
    page = page_of(client, event)
    assert "the next match counts double" in page
    assert '<b class="points">8</b>' in page
    assert '<span class="double">4</span>' in page


def test_after_its_end_there_is_a_podium_and_nothing_to_press(
    running: Any, as_player: Enter, client: Client
) -> None:
    event, organiser, _one, other = running
    tasks.pair_arenas()
    resign(other)
    do(as_player(organiser), event, "end")
    tasks.pair_arenas()
    event.refresh_from_db()
    assert event.status == "finished"
    page = page_of(as_player(other), event)
    assert page.index('id="podium"') < page.index('id="standings"')
    assert "Final standings" in page
    assert "/pause" not in page
    assert "hx-get" not in page.split('id="state"')[1].split(">")[0]


def test_every_tab_of_an_arena_has_the_same_head_and_the_viewer_s_line(
    running: Any, make_player: Make, as_player: Enter
) -> None:
    event, *_people = running
    late = as_player(make_player())
    heads = set()
    for section in ("", "/pairings", "/standings", "/entrants", "/info"):
        page = late.get(f"/tournaments/{event.slug}{section}").content.decode()
        assert "It is on, and you can come in now." in page
        assert "Provisional: round" not in page
        head = page[page.index('<header class="event-head">') : page.index('<section class="card')]
        heads.add(head.replace(' aria-current="page"', ""))
    assert len(heads) == 1


def test_an_arena_without_time_left_says_so_before_its_clock_is_swept(
    running: Any, client: Client
) -> None:
    event, *_people = running
    tasks.pair_arenas()
    ArenaClock.objects.update(ends_at=timezone.now())
    page = page_of(client, event)
    assert "Time is over" in page
    assert "0:00" not in page


def test_the_last_matches_are_awaited(running: Any, client: Client) -> None:
    event, *_people = running
    tasks.pair_arenas()
    ArenaClock.objects.update(ends_at=timezone.now())
    tasks.pair_arenas()
    assert "1 match is being finished" in page_of(client, event)


def test_the_standings_come_in_pages_that_stay_as_they_refresh(
    make_event: Callable[..., Tournament],
    make_player: Make,
    client: Client,
    django_assert_max_num_queries: Any,
) -> None:
    event = make_event(make_player(), bots=30, format="arena")
    services.start(tournament_id=event.pk, by=event.organiser)
    event.refresh_from_db()
    page = page_of(client, event, "?page=2")
    assert "26–30 / 30" in page
    assert "/state?page=2" in page or "page=2" in page.split('id="state"')[1].split('"')[1]
    with django_assert_max_num_queries(24):
        page_of(client, event)


def test_the_organiser_adds_bots_and_corrects_while_it_runs(running: Any, as_player: Enter) -> None:
    event, organiser, one, other = running
    client = as_player(organiser)
    do(client, event, "bots", count="1", level="easy")
    assert event.taken == 3
    do(as_player(one), event, "pause")
    do(as_player(one), event, "resume")
    tasks.pair_arenas()
    page = page_of(client, event)
    assert "Decide a match" in page
    assert other.name in page


def test_every_match_of_an_arena_is_found_by_name_or_number_and_corrected(
    make_event: Callable[..., Tournament], make_player: Make, as_player: Enter, client: Client
) -> None:
    organiser, *people = (make_player(name) for name in ("Olga", "Ada", "Ben", "Cem", "Zoë"))
    event = make_event(organiser, format="arena", options={"minutes": 10})
    for player in people:
        services.join(tournament_id=event.pk, player=player)
    services.start(tournament_id=event.pk, by=organiser)
    for _round in range(5):
        tasks.pair_arenas()
        for pairing in Pairing.objects.exclude(status="decided"):
            winner = pairing.slots.get(index=0).entrant_id
            services.report_result(
                pairing_id=pairing.pk, by=organiser, outcome="decision", winner=winner, reason="x"
            )
    here = f"/tournaments/{event.slug}/pairings"
    staff = as_player(organiser)
    page = staff.get(here).content.decode()
    assert page.count("/correct?stage=1") == 10
    found = staff.get(f"{here}?find=zoe").content.decode()
    assert found.count("/correct?stage=1") == 5
    assert staff.get(f"{here}?find=1").content.decode().count("/correct?stage=1") == 1
    assert "No match of “nobody”" in staff.get(f"{here}?find=nobody").content.decode()
    assert "/correct?stage=1" not in client.get(here).content.decode()
    assert staff.get(f"/tournaments/{event.slug}/pairings/1/correct?stage=1").status_code == 200


def test_an_arena_after_groups_waits_for_the_arbiter_who_starts_it_at_the_desk(
    make_event: Callable[..., Tournament], make_player: Make, as_player: Enter, client: Client
) -> None:
    organiser, *people = (make_player() for _ in range(3))
    event = make_event(
        organiser,
        format="arena",
        options={"minutes": 10},
        later_stages=[{"format": "arena", "options": {"minutes": 5}, "take": 2}],
    )
    for player in people:
        services.join(tournament_id=event.pk, player=player)
    services.start(tournament_id=event.pk, by=organiser)
    services.edit(tournament_id=event.pk, by=organiser, round_start="arbiter")
    services.end_arena(tournament_id=event.pk, by=organiser)
    services.look_at_arena(tournament_id=event.pk)
    assert "5 minutes from when the arbiter starts it" in page_of(client, event)
    assert "Start the arena" not in page_of(client, event)
    staff = as_player(organiser)
    assert "Start the arena" in page_of(staff, event)
    desk = f"/tournaments/{event.slug}/desk"
    assert "Start the arena" in staff.get(desk).content.decode()
    assert staff.post(f"{desk}/begin-arena").status_code == 302
    assert "Start the arena" not in staff.get(desk).content.decode()
    assert "Ready to begin" not in page_of(client, event)
    assert client.get(f"/tournaments/{event.slug}/pairings?stage=1").status_code == 200
    assert client.get(f"/tournaments/{event.slug}/standings?stage=1").status_code == 200
    assert client.get(f"/tournaments/{event.slug}/screen").status_code == 200
