"""Joining by link, checking in, the desk's list of entries, and lists that are read in."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from pages import csv_text
from players.models import Player
from tournaments import services
from tournaments.models import Entrant, Tournament

Make = Callable[..., Player]
Enter = Callable[[Player], Client]
MakeEvent = Callable[..., Tournament]


def shown(client: Client, event: Tournament, tail: str = "") -> str:
    response = client.get(f"/tournaments/{event.slug}{tail}")
    assert response.status_code == 200
    return response.content.decode()


def send_list(client: Client, event: Tournament, data: bytes, **more: str) -> Any:
    file = io.BytesIO(data)
    file.name = "entrants.csv"
    url = f"/tournaments/{event.slug}/entries/import"
    return client.post(url, {"file": file, **more} if data else more)


def labels(event: Tournament) -> list[str]:
    rows = event.entrants.order_by("pk").select_related("player", "partner")
    return [row.label for row in rows]


def test_who_opened_the_link_can_join_and_others_are_told(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    event = make_event(make_player(), access="link")
    stranger, invited = as_player(make_player()), as_player(make_player())
    assert "for those who have its link" in shown(stranger, event)
    stranger.post(f"/tournaments/{event.slug}/join")
    stranger.get(f"/tournaments/{event.slug}/in/{'0' * 24}")
    stranger.post(f"/tournaments/{event.slug}/join")
    assert not event.entrants.exists()
    response = invited.get(f"/tournaments/{event.slug}/in/{event.link_key}")
    assert response["Location"] == f"/tournaments/{event.slug}"
    assert event.link_key not in shown(invited, event)
    invited.post(f"/tournaments/{event.slug}/join")
    assert event.entrants.count() == 1
    assert event.name not in stranger.get("/tournaments").content.decode()


def test_a_visitor_without_the_link_does_not_become_a_guest(
    make_player: Make, make_event: MakeEvent, client: Client
) -> None:
    event = make_event(make_player(), access="link")
    client.post(f"/tournaments/{event.slug}/join")
    assert not Player.objects.filter(is_guest=True).exists()


def test_somebody_checks_in_by_a_button_and_the_desk_ticks_others(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser, one, two = make_player(), make_player(), make_player()
    event = make_event(organiser)
    for player in (one, two):
        services.join(tournament_id=event.pk, player=player)
    start = timezone.now() + dt.timedelta(minutes=10)
    services.edit(tournament_id=event.pk, by=organiser, starts_at=start, check_in_minutes=30)
    client = as_player(one)
    assert "I am here" in shown(client, event)
    client.post(f"/tournaments/{event.slug}/here")
    assert "You have checked in." in shown(client, event)
    desk = as_player(organiser)
    assert "1 of 2 are here" in shown(desk, event, "/entries")
    entrant = event.entrants.get(player=two)
    desk.post(f"/tournaments/{event.slug}/entries", {"here": entrant.pk})
    assert "2 of 2 are here" in shown(desk, event, "/entries")
    assert as_player(two).get(f"/tournaments/{event.slug}/entries").status_code == 404


def test_the_desk_enters_people_by_name_and_by_account(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser, known = make_player(), make_player("Zoë")
    event = make_event(organiser)
    client = as_player(organiser)
    url = f"/tournaments/{event.slug}/entries"
    client.post(url, {"add": "1", "name": "Maximiliana von Hohenstein"})
    client.post(url, {"add": "1", "name": f"@{known.handle}"})
    client.post(url, {"add": "1", "name": "Zoë"})  # an account's name, without saying so
    client.post(url, {"add": "1", "name": "@nobody"})
    assert labels(event) == ["Maximiliana von Hohenstein", "Zoë"]
    guest = event.entrants.order_by("pk")[0].player
    assert (guest.is_guest, guest.has_usable_password()) == (True, False)


def test_z4_a_list_in_an_old_coding_is_shown_before_anybody_is_entered(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    make_player("Marta")
    event = make_event(organiser := make_player())
    client = as_player(organiser)
    data = " Name ;TEAM\r\nMüller;Kiel\r\n;Ulm\r\n\r\n123;\r\nMarta;Bonn\r\nmuller;\r\nMüller;\r\n"
    response = send_list(client, event, data.encode("cp1252"))
    page = response.content.decode()
    assert [(row.line, row.name, row.problem) for row, _said in response.context["rows"]] == [
        (2, "Müller", ""),
        (3, "", "empty"),
        (5, "123", "no_letter"),
        (6, "Marta", "has_account"),
        (7, "muller", ""),
        (8, "Müller", "twice"),
    ]
    assert "TEAM" in page
    assert "Nobody is entered yet." in page
    assert not event.entrants.exists()
    kept = response.context["kept"]
    for _twice in range(2):
        send_list(client, event, b"", kept=kept, coding=response.context["coding"], enter="1")
    assert labels(event) == ["Müller", "muller"]


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_codings_and_delimiters_are_recognised(coding: str, delimiter: str) -> None:
    text = f"Name{delimiter}Account\nJosé Núñez{delimiter}\n"
    table = csv_text.read(text.encode(coding))
    assert table.rows == ((1, ("Name", "Account")), (2, ("José Núñez", "")))


def test_a_long_text_tells_its_own_coding() -> None:
    text = "Name\n" + "\n".join(
        ["Żółkiewska Łucja", "Wąsik Śledź", "Gęś Ćma", "Źrebię Świątek"] * 3
    )
    assert csv_text.read(text.encode("cp1250")).rows[1][1] == ("Żółkiewska Łucja",)


def test_what_is_no_table_is_refused(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    event = make_event(organiser := make_player())
    response = send_list(as_player(organiser), event, b"\x89PNG\x00\x00\x01")
    assert "not a table" in response.content.decode()


def test_z3_a_hostile_name_is_text(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    event = make_event(organiser := make_player())
    client = as_player(organiser)
    page = send_list(client, event, b"Name\n<svg/onload=alert(1)>\n").content.decode()
    assert "<svg/onload" not in page
    assert "&lt;svg/onload=alert(1)&gt;" in page
    client.post(f"/tournaments/{event.slug}/entries", {"add": "1", "name": "<svg/onload=alert(1)>"})
    for tail in ("", "/entries", "/entrants"):
        page = shown(client, event, tail)
        assert "<svg/onload" not in page
        assert "&lt;svg/onload=alert(1)&gt;" in page


@pytest.mark.parametrize(
    ("cell", "safe"),
    [("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@A1", "'@A1"), (" =1", "' =1"), (-1, "-1")],
)
def test_z5_no_cell_is_a_formula(cell: object, safe: str) -> None:
    assert csv_text.safe(cell) == safe


def test_z6_one_name_however_it_is_written(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    event = make_event(organiser := make_player())
    rows = ["José", "Jose\u0301", "\u0430dmin", "Jo\u202esé", "Ann\u202ea", "Annа"]
    response = send_list(as_player(organiser), event, "\n".join(rows).encode())
    assert [(row.name, row.problem) for row, _said in response.context["rows"]] == [
        ("José", ""),
        ("José", "twice"),
        ("\u0430dmin", "mixed_scripts"),
        ("José", "twice"),
        ("Anna", ""),
        ("Annа", "mixed_scripts"),
    ]


def test_a_list_fills_the_places_and_then_the_waiting_list(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    event = make_event(organiser := make_player(), capacity=2)
    client = as_player(organiser)
    response = send_list(client, event, b"Ann\nBen\nCid\n")
    send_list(client, event, b"", kept=response.context["kept"], enter="1")
    event.refresh_from_db()
    waiting = event.entrants.filter(status=Entrant.Status.WAITING)
    assert (event.taken, waiting.count()) == (2, 1)


def test_a_disqualification_has_its_reason(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    event = make_event(organiser := make_player(), bots=3)
    services.start(tournament_id=event.pk, by=organiser)
    entrant = event.entrants.order_by("seed")[0]
    client = as_player(organiser)
    url = f"/tournaments/{event.slug}/entries"
    client.post(url, {"disqualify": "1", "entrant": entrant.pk, "reason": ""})
    entrant.refresh_from_db()
    assert entrant.is_active
    client.post(url, {"disqualify": "1", "entrant": entrant.pk, "reason": "Marked tiles"})
    entrant.refresh_from_db()
    assert entrant.status == "disqualified"


def test_a_rest_is_asked_for_on_the_page(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    player = make_player()
    event = make_event(make_player(), bots=3, format="swiss", rests_allowed=1)
    services.join(tournament_id=event.pk, player=player)
    client = as_player(player)
    assert "Rest for a round" in shown(client, event)
    client.post(f"/tournaments/{event.slug}/rest", {"round": "2"})
    page = shown(client, event)
    assert "You rest in round 2." in page
    assert "Play after all" in page
    client.post(f"/tournaments/{event.slug}/play", {"round": "2"})
    assert "You rest in round 2." not in shown(client, event)


def test_a_household_is_kept_apart_from_the_entries_page_and_let_meet_again(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=4, format="swiss")
    desk, url = as_player(organiser), f"/tournaments/{event.slug}/entries"
    one, two = event.entrants.order_by("pk")[:2]
    desk.post(url, {"apart": "people", "member": [one.pk, two.pk], "household": "The Bergs"})
    page = shown(desk, event, "/entries")
    assert "The Bergs" in page
    assert f"{one.label}, {two.label}" in page
    desk.post(url, {"apart": "club"})
    assert "Keep members of the same club apart" not in shown(desk, event, "/entries")
    refused = desk.post(url, {"apart": "people", "member": [one.pk]}, follow=True)
    assert "Choose two to fifty entrants" in refused.content.decode()
    for wish in event.aparts.all():
        desk.post(url, {"let-meet": wish.pk})
    assert not event.aparts.exists()
    assert "The Bergs" not in shown(as_player(make_player()), event, "/entrants")


def test_one_is_replaced_while_it_runs_and_the_event_s_page_says_so(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser, one, two = make_player(), make_player("Ann"), make_player("Bob")
    event = make_event(organiser, format="round_robin", play="board")
    for player in (one, two):
        services.join(tournament_id=event.pk, player=player)
    services.start(tournament_id=event.pk, by=organiser)
    desk, url = as_player(organiser), f"/tournaments/{event.slug}/entries"
    entrant = event.entrants.get(player=one)
    given = {"replace": "1", "entrant": f"{entrant.pk}:{one.pk}", "by": "Nell Day"}
    assert "Say why." in desk.post(url, given, follow=True).content.decode()
    said = desk.post(url, {**given, "reason": "ill"}, follow=True).content.decode()
    assert "Nell Day plays in place of Ann." in said
    again = desk.post(url, {**given, "reason": "ill"}, follow=True).content.decode()
    assert "Somebody has changed this since. Look again." in again
    page = shown(desk, event, "/entrants")
    assert "Nell Day plays in place of Ann from round 1 on." in page


def test_enter_in_a_field_presses_nothing_dangerous(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=2)
    desk = as_player(organiser)
    for tail, dangerous in (("/entries", 'name="out"'), ("", "Cancel it")):
        page = shown(desk, event, tail)
        form = page[page.rindex("<form", 0, page.index(dangerous)) : page.index(dangerous)]
        first = form[form.index("<button") :]
        assert first.startswith('<button type="submit" disabled hidden>')


def test_an_entrant_is_seated_at_one_table_from_the_list_of_entries(
    make_player: Any, make_event: Any, as_player: Any
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=4, format="round_robin", play="board")
    entrant = event.entrants.order_by("pk")[0]
    here, client = f"/tournaments/{event.slug}/entries", as_player(organiser)
    sent = {"fix": "1", "entrant": entrant.pk, "table": "7"}
    assert "always at table 7" in client.post(here, sent, follow=True).content.decode()
    wrong = client.post(here, {**sent, "table": "-1"}, follow=True).content.decode()
    assert "Tables are whole numbers from 1." in wrong
    freed = client.post(here, {**sent, "table": ""}, follow=True).content.decode()
    assert "always at table" not in freed
