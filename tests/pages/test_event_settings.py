from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tournaments import services
from tournaments.models import AuditLine, Tournament

Make = Callable[..., Player]
Enter = Callable[[Player], Client]

SHORT = {
    "name": "Friday Fives",
    "format": "swiss",
    "rounds": "3",
    "preset": "allfives",
    "turn_seconds": "15",
    "best_of": "1",
    "seeding": "rating",
    "capacity": "16",
    "no_show_seconds": "180",
}
START = {**SHORT, "starts_at": "2027-05-07T19:30", "zone": "America/New_York"}


def sent(client: Client, data: dict[str, Any], url: str = "/tournaments/new") -> str:
    response = client.post(url, data)
    assert response.status_code == 200
    return response.content.decode()


def test_a_start_is_a_time_on_the_clocks_of_its_zone(make_player: Make, as_player: Enter) -> None:
    as_player(make_player()).post("/tournaments/new", START)
    event = Tournament.objects.get()
    assert event.zone == "America/New_York"
    assert event.starts_at == dt.datetime(2027, 5, 7, 23, 30, tzinfo=dt.UTC)


def test_a_city_is_enough_for_a_zone(make_player: Make, as_player: Enter) -> None:
    as_player(make_player()).post("/tournaments/new", {**START, "zone": "new york"})
    assert Tournament.objects.get().zone == "America/New_York"


def test_z1_the_form_refuses_a_time_that_does_not_exist(
    make_player: Make, as_player: Enter
) -> None:
    page = sent(as_player(make_player()), {**START, "starts_at": "2017-03-12T02:23"})
    assert "That time does not exist" in page
    assert 'value="2017-03-12T02:23"' in page
    assert not Tournament.objects.exists()


def test_z2_the_form_asks_which_of_two_times_is_meant(make_player: Make, as_player: Enter) -> None:
    client = as_player(make_player())
    twice = {**START, "starts_at": "2017-11-05T01:30"}
    page = sent(client, twice)
    assert "The first, UTC-04:00" in page
    assert "The second, UTC-05:00" in page
    client.post("/tournaments/new", {**twice, "starts_at_offset": "-05:00"})
    event = Tournament.objects.get()
    assert event.starts_at == dt.datetime(2017, 11, 5, 6, 30, tzinfo=dt.UTC)
    page = client.get(f"/tournaments/{event.slug}/edit").content.decode()
    assert 'value="2017-11-05T01:30"' in page
    assert 'name="starts_at_offset" value="-05:00"' in page


@pytest.mark.parametrize(
    ("then", "status"),
    [("open", "registration"), ("announce", "announced"), ("draft", "draft")],
)
def test_a_new_event_is_as_public_as_was_pressed(
    make_player: Make, as_player: Enter, then: str, status: str
) -> None:
    as_player(make_player()).post("/tournaments/new", {**SHORT, "then": then})
    assert Tournament.objects.get().status == status


def test_saving_what_was_shown_changes_nothing(make_player: Make, as_player: Enter) -> None:
    client = as_player(make_player())
    client.post("/tournaments/new", {**START, "rated": "on", "weekly": "on"})
    event = Tournament.objects.get()
    settings = [each.name for each in Tournament._meta.fields if each.name != "revision"]
    before = Tournament.objects.values(*settings).get()
    page = client.get(f"/tournaments/{event.slug}/edit")
    data = {}
    for section in page.context["form"]:
        for field in section:
            if (value := field.value()) not in (None, False):
                data[field.html_name] = (
                    value.strftime("%Y-%m-%dT%H:%M") if isinstance(value, dt.datetime) else value
                )
    response = client.post(f"/tournaments/{event.slug}/edit", data)
    assert response.status_code == 302
    assert Tournament.objects.values(*settings).get() == before
    assert not AuditLine.objects.filter(action="edited").exists()


def test_what_is_refused_loses_nothing_and_is_said_beside_its_field(
    make_player: Make, as_player: Enter
) -> None:
    wrong = {**START, "fee": "5 euros at the door", "min_rating": "1800", "max_rating": "1200"}
    page = sent(as_player(make_player()), wrong)
    assert 'id="id_max_rating_error"' in page
    assert 'value="5 euros at the door"' in page
    assert 'value="2027-05-07T19:30"' in page


def test_only_harmless_settings_change_while_it_runs(
    make_player: Make, as_player: Enter, make_event: Callable[..., Tournament]
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=2, format="swiss")
    services.start(tournament_id=event.pk, by=organiser)
    client = as_player(organiser)
    url = f"/tournaments/{event.slug}/edit"
    changed = {**SHORT, "name": "Saturday Fives", "format": "round_robin", "late_rounds": "2"}
    client.post(url, {**changed, "capacity": "64"})
    event.refresh_from_db()
    assert (event.name, event.late_rounds, event.format) == ("Saturday Fives", 2, "swiss")


def test_settings_are_for_those_who_run_the_event(
    make_player: Make, as_player: Enter, make_event: Callable[..., Tournament]
) -> None:
    event = make_event(make_player())
    url = f"/tournaments/{event.slug}/edit"
    assert as_player(make_player()).get(url).status_code == 404
    assert as_player(make_player()).post(url, SHORT).status_code == 404
