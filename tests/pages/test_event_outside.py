"""An event on paper, on the projector, in calendars and as files."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from pages import calendar, exports, pairings, prizes, qr, reporting, whys
from pages.look import Look
from players.models import Club, Player
from tournaments import services as tournaments
from tournaments.models import Entrant, Pairing, Round, Tournament

Make = Callable[..., Player]
Enter = Callable[[Player], Client]
MakeEvent = Callable[..., Tournament]

PAPERS = ["tables", "names", "slips", "cards", "standings", "prizes"]
HOSTILE = ["<svg/onload=alert(1)>", "</script><script>alert(1)</script>", '" onfocus="alert(1)']


@pytest.fixture
def board(make_player: Make, make_event: MakeEvent) -> tuple[Player, Tournament]:
    """A Swiss of five over the board, its first round drawn."""
    organiser = make_player("Olga")
    event = make_event(organiser, format="swiss", options={"rounds": 3}, seeding="manual")
    Tournament.objects.filter(pk=event.pk).update(
        play="board", starts_at=dt.datetime(2026, 12, 4, 18, 0, tzinfo=dt.UTC), zone="Europe/Warsaw"
    )
    for name in ("Ana", "Béla", "Chiara", "Dilek", "Éva"):
        tournaments.join(tournament_id=event.pk, player=make_player(name))
    tournaments.start(tournament_id=event.pk, by=organiser)
    tournaments.draw_due(tournament_id=event.pk)
    event.refresh_from_db()
    return organiser, event


def got(client: Client, event: Tournament, rest: str) -> str:
    response = client.get(f"/tournaments/{event.slug}/{rest}")
    assert response.status_code == 200
    return response.content.decode()


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_times_are_shown_in_the_events_own_zone(board: tuple[Player, Tournament]) -> None:
    page = Client().get(board[1].get_absolute_url()).content.decode()
    assert "Fri 4 Dec 2026, 19:00 CET" in page


def test_pairings_are_read_by_table_and_by_name_and_found_without_accents(
    board: tuple[Player, Tournament],
) -> None:
    event = board[1]
    by_name = got(Client(), event, "pairings?by=name")
    names = re.findall(r'<th scope="row"><bdi>(.*?)</bdi>', by_name)
    assert names == ["Ana", "Béla", "Chiara", "Dilek", "Éva"]
    found = got(Client(), event, "pairings?by=name&find=EVA")
    assert re.findall(r'<th scope="row"><bdi>(.*?)</bdi>', found) == ["Éva"]
    assert got(Client(), event, "pairings?find=2").count('<li class="meeting') == 1
    assert "Nobody is called" in got(Client(), event, "pairings?find=Zoe")


def test_a_round_that_is_a_draft_is_shown_to_nobody(
    board: tuple[Player, Tournament], as_player: Enter
) -> None:
    organiser, event = board
    Round.objects.filter(stage__tournament=event).update(status="draft")
    ana = Player.objects.get(name="Ana")
    for client in (Client(), as_player(ana), as_player(organiser)):
        assert "No round has been published yet" in got(client, event, "pairings")
        assert "against" not in got(client, event, "print/tables")
        assert "bye" not in got(client, event, "screen?show=pairings")
        assert rows_of(got(client, event, "pairings.csv")) == []
    assert "waiting" not in as_player(ana).get("/parts/waiting").content.decode()


def test_ones_table_in_the_room_is_told_on_every_page_with_the_opponent(
    board: tuple[Player, Tournament], as_player: Enter
) -> None:
    pairing = Pairing.objects.filter(slots__kind="entrant", status="ready").order_by("number")[0]
    one, other = (slot.entrant for slot in pairing.slots.order_by("index"))
    assert one is not None
    assert other is not None
    client = as_player(one.player)
    for path in ("/", "/rules", "/parts/waiting"):
        page = client.get(path).content.decode()
        assert f"Table {pairing.table or pairing.position}, against {other.label}" in page
    page = client.get(board[1].get_absolute_url()).content.decode()
    assert page.count(f"against {other.label}") == 1  # the bar's alone
    tournaments.report_result(
        pairing_id=pairing.pk, by=board[0], outcome="decision", winner=one.pk, reason="x"
    )
    assert "against" not in client.get("/parts/waiting").content.decode()


def test_slips_have_a_code_for_each_table_that_waits_for_a_result(
    board: tuple[Player, Tournament],
) -> None:
    organiser, event = board
    page = got(Client(), event, "print/slips")
    assert page.count('<li class="slip">') == 2
    for pairing in Pairing.objects.filter(status="ready"):
        own = reporting.report_url(event, 1, pairing.number)
        assert qr.svg(f"http://testserver{own}") in page
    pairing = Pairing.objects.filter(status="ready")[0]
    winner = pairing.slots.get(index=0).entrant_id
    tournaments.report_result(
        pairing_id=pairing.pk, by=organiser, outcome="decision", winner=winner, reason="x"
    )
    assert got(Client(), event, "print/slips").count('<li class="slip">') == 1


def test_cards_say_where_each_sits(board: tuple[Player, Tournament]) -> None:
    page = got(Client(), board[1], "print/cards")
    assert page.count('<li class="place">') == 5
    assert sorted(re.findall(r"Table (\d), seat (\d)", page)) == [
        ("1", "1"), ("1", "2"), ("2", "1"), ("2", "2"),
    ]  # fmt: skip


def test_the_screen_goes_from_part_to_part_and_round_again(
    board: tuple[Player, Tournament],
) -> None:
    event = board[1]
    seen = []
    query = "?page=1"
    for _turn in range(4):
        part = got(Client(), event, f"screen/state{query}".replace("&amp;", "&"))
        seen += re.findall(r'<h2 id="what">([^<]*?) *<', part)
        found = re.search(r'data-next="([^"]+)"', part)
        assert found is not None
        query = found[1]
    assert seen == ["Round 1", "Round 1", "Standings", "Round 1"]
    only = got(Client(), event, "screen?show=standings,nonsense&every=1&page=99&colours=light")
    assert "Standings" in only
    assert 'data-every="5"' in only
    assert 'data-theme="light"' in only
    assert "1 of 1" in only


def test_a_cell_that_could_be_a_formula_is_quoted(board: tuple[Player, Tournament]) -> None:
    Player.objects.filter(name="Ana").update(name="=1+1", name_key="formula")
    Player.objects.filter(name="Dilek").update(name="@SUM(A1)", name_key="formula 2")
    rows = rows_of(got(Client(), board[1], "entrants.csv"))
    assert [row["name"] for row in rows] == ["'=1+1", "Béla", "Chiara", "'@SUM(A1)", "Éva"]
    plain = Client().get(f"/tournaments/{board[1].slug}/entrants.json").json()
    assert plain["rows"][0]["name"] == "=1+1"


def test_exports_say_what_was_played(board: tuple[Player, Tournament]) -> None:
    organiser, event = board
    pairing = Pairing.objects.filter(status="ready").order_by("number")[0]
    winner = pairing.slots.get(index=0).entrant
    assert winner is not None
    tournaments.report_result(
        pairing_id=pairing.pk, by=organiser, outcome="decision", winner=winner.pk, reason="Rain"
    )
    drawn = rows_of(got(Client(), event, "pairings.csv"))
    assert [(row["round"], row["match"], row["seat_3"]) for row in drawn] == [
        ("1", "1", ""), ("1", "2", ""), ("1", "3", ""),
    ]  # fmt: skip
    results = {row["match"]: row for row in rows_of(got(Client(), event, "results.csv"))}
    assert results[str(pairing.number)]["winner"] == winner.label
    assert results[str(pairing.number)]["reason"] == "Rain"
    assert results[str(pairing.number)]["by"] == "Olga"
    standing = rows_of(got(Client(), event, "standings.csv"))
    assert [row["points"] for row in standing].count("1.0") == 2  # the winner, and who rests
    assert got(Client(), event, "results.csv?bom=1").startswith("\ufeff")
    assert Client().get(f"/tournaments/{event.slug}/secrets.csv").status_code == 404


def lines_of(text: str) -> list[str]:
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    return text.replace("\r\n ", "").split("\r\n")


def test_a_calendar_tells_the_moment_and_the_events_own_time(
    board: tuple[Player, Tournament],
) -> None:
    event = board[1]
    lines = lines_of(got(Client(), event, "calendar.ics"))
    assert "DTSTART:20261204T180000Z" in lines
    assert any("2026-12-04 19:00 CET (Europe/Warsaw)" in line for line in lines)
    assert "STATUS:CONFIRMED" in lines
    uid = next(line for line in lines if line.startswith("UID:"))
    Tournament.objects.filter(pk=event.pk).update(name="Another name, with; signs\\")
    again = lines_of(got(Client(), event, "calendar.ics"))
    assert uid in again
    assert "SUMMARY:Another name\\, with\\; signs\\\\" in again


def test_a_cancelled_event_stays_in_the_calendar_and_says_so(
    make_player: Make, make_event: MakeEvent
) -> None:
    organiser = make_player()
    event = make_event(organiser, name="Friday Fives")
    Tournament.objects.filter(pk=event.pk).update(starts_at=timezone.now())
    before = lines_of(Client().get("/calendar.ics").content.decode())
    tournaments.cancel(tournament_id=event.pk, by=organiser, reason="The hall is flooded")
    after = lines_of(Client().get("/calendar.ics").content.decode())
    assert {"STATUS:CANCELLED", "SEQUENCE:1", "SUMMARY:Cancelled: Friday Fives"} <= set(after)
    assert [each for each in before if each.startswith("UID")] == [
        each for each in after if each.startswith("UID")
    ]


def test_the_feed_of_all_has_neither_drafts_nor_events_by_link(
    make_player: Make, make_event: MakeEvent
) -> None:
    organiser = make_player()
    shown, hidden = make_event(organiser, name="Open to all"), make_event(organiser, name="By link")
    draft = tournaments.create(organiser=organiser, name="Not yet")
    now = timezone.now()
    Tournament.objects.filter(pk__in=[shown.pk, hidden.pk, draft.pk]).update(starts_at=now)
    Tournament.objects.filter(pk=hidden.pk).update(access="link")
    text = Client().get("/calendar.ics").content.decode()
    assert re.findall(r"SUMMARY:(.*)\r", text) == ["Open to all"]


def test_a_players_feed_needs_its_key_and_a_new_password_makes_another(
    make_player: Make, make_event: MakeEvent, as_player: Enter
) -> None:
    organiser, player, other = make_player(), make_player(), make_player()
    mine, theirs = make_event(organiser, name="Mine"), make_event(organiser, name="Theirs")
    tournaments.join(tournament_id=mine.pk, player=player)
    tournaments.join(tournament_id=theirs.pk, player=other)
    Tournament.objects.update(starts_at=timezone.now())
    path = f"/calendar/{player.handle}/{calendar.key_of(player)}.ics"
    assert path in as_player(player).get("/tournaments").content.decode()
    assert "/calendar/person" not in Client().get("/tournaments").content.decode()
    assert re.findall(r"SUMMARY:(.*)\r", Client().get(path).content.decode()) == ["Mine"]
    assert Client().get(path.replace(player.handle, other.handle)).status_code == 404
    player.set_password("another-double-six")
    player.save()
    assert Client().get(path).status_code == 404


def test_a_club_has_a_feed(make_player: Make, make_event: MakeEvent) -> None:
    event = make_event(make_player(), name="Club night")
    club = Club.objects.create(slug="fives", name="Fives")
    Tournament.objects.filter(pk=event.pk).update(club=club, starts_at=timezone.now())
    assert "SUMMARY:Club night" in Client().get("/calendar/club/fives.ics").content.decode()
    assert Client().get("/calendar/club/nobody.ics").status_code == 404


def test_a_line_that_tries_to_add_a_property_stays_a_text(
    make_player: Make, make_event: MakeEvent
) -> None:
    event = make_event(make_player())
    Tournament.objects.filter(pk=event.pk).update(
        starts_at=timezone.now(), name="A\r\nATTACH:http://evil", text="B\nEND:VEVENT"
    )
    lines = lines_of(got(Client(), event, "calendar.ics"))
    assert not any(line.startswith(("ATTACH", "B")) and line != "BEGIN:VCALENDAR"
                   and line != "BEGIN:VEVENT" for line in lines)  # fmt: skip
    assert lines.count("END:VEVENT") == 1


def place(label: str, rank: int | None) -> Any:
    return Entrant(player=Player(name=label), place=rank)


def test_who_share_a_place_share_the_prizes_of_the_places_they_take_up() -> None:
    entrants = [place("Ana", 1), place("Béla", 2), place("Chiara", 2), place("Dilek", 4)]
    made = prizes.prize_list("1: 100 €\n2: 60 €\n3: 30 €\nBest newcomer: tiles", entrants)
    assert [(each.place, each.entrant.label, each.prize) for each in made.given] == [
        (1, "Ana", "100 €"), (2, "Béla", "45 €"), (2, "Chiara", "45 €"),
    ]  # fmt: skip
    assert made.given[1].note == "60 € + 30 €, shared by 2"
    assert made.others == ("Best newcomer: tiles",)


def test_prizes_that_are_no_numbers_are_for_the_organiser_to_share() -> None:
    entrants = [place("Ana", 1), place("Béla", 1), place("Out", None)]
    made = prizes.prize_list("1st: a cup\n2nd: 20 €", entrants)
    assert [each.prize for each in made.given] == ["a cup + 20 €"] * 2
    assert "the organiser decides" in made.given[0].note


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_stay_text_on_paper_and_on_the_projector(
    board: tuple[Player, Tournament], text: str
) -> None:
    event = board[1]
    paths = [*(f"print/{what}" for what in PAPERS), "screen", "screen?show=results", "pairings"]
    before = {path: re.findall(r"<[a-z]+", got(Client(), event, path)) for path in paths}
    Player.objects.filter(name="Ana").update(name=text, name_key="hostile")
    Tournament.objects.filter(pk=event.pk).update(name=text, prizes=f"1: {text}\n{text}")
    for path in paths[:5] + paths[6:]:
        page = got(Client(), event, path)
        assert text not in page, path
        assert sorted(re.findall(r"<[a-z]+", page)) == sorted(before[path]), path
    assert text not in got(Client(), event, "print/prizes")


def test_an_event_in_full_costs_few_queries_however_it_is_looked_at(
    make_player: Make, make_event: MakeEvent, as_player: Enter, django_assert_max_num_queries: Any
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=40, format="swiss", options={"rounds": 3})
    Tournament.objects.filter(pk=event.pk).update(play="board")
    tournaments.start(tournament_id=event.pk, by=organiser)
    tournaments.draw_due(tournament_id=event.pk)
    client = as_player(organiser)
    for rest in (
        *(f"print/{what}" for what in PAPERS), "screen", "pairings", "pairings?by=name",
        "standings", "info", "entrants.csv", "pairings.csv", "results.json", "standings.csv",
    ):  # fmt: skip
        with django_assert_max_num_queries(24):
            got(client, event, rest)


def test_the_pairings_say_why_they_were_made(board: tuple[Player, Tournament]) -> None:
    page = got(Client(), board[1], "pairings")
    assert page.count("Why this pairing?") == 3
    assert "Both have 0 points." in page
    assert "The number of players is odd" in page
    names = {1: "Ana", 4: "Dilek"}
    why = {"rule": "swiss", "points": [24, 18], "met_before": 0, "float": 1, "odd": True}
    ruled_out = {"wanted": 4, "ruled_out": "met", "met_in": 2}
    assert whys.sentences({**why, **ruled_out}, names) == [
        "They have 2 and 1½ points: the nearest there was.",
        "Ana came from a group of points with an odd number of players.",
        "By the order Dilek would have sat here; the two met in round 2.",
    ]
    assert whys.sentences({"rule": "of tomorrow"}, names) == []


def test_the_list_by_name_goes_by_letters_not_by_accents() -> None:
    assert sorted(["Zoe", "Éva", "ana", "Łukasz"], key=pairings.folded)[:2] == ["ana", "Éva"]


def test_numbers_are_left_as_numbers() -> None:
    assert exports.harmless(-5) == -5
    assert exports.harmless("-½") == "'-½"
    assert exports.harmless(" =1") == "' =1"


def test_a_look_reads_a_stage_once(
    board: tuple[Player, Tournament], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pages import event_page, look

    loaded = []
    real = look.board_for
    monkeypatch.setattr(look, "board_for", lambda stage: loaded.append(1) or real(stage))
    for key in ("overview", "pairings", "standings"):
        loaded.clear()
        event_page.context(Look(board[1], board[0]), key)
        assert len(loaded) == 1


def test_long_standings_come_a_page_at_a_time_with_ones_own_line_first(
    make_player: Make, make_event: MakeEvent, as_player: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    organiser, last = make_player(), make_player("Zoë")
    event = make_event(organiser, format="swiss", bots=11, options={"rounds": 3}, seeding="manual")
    tournaments.join(tournament_id=event.pk, player=last)
    tournaments.start(tournament_id=event.pk, by=organiser)
    monkeypatch.setattr(pairings.paged, "__defaults__", (5,))
    page = got(as_player(last), event, "standings")
    names = re.findall(r'<th scope="row">\s*<a [^>]*><bdi>(.*?)</bdi>', page)
    assert len(names) == 6
    assert names[0] == "Zoë"
    assert "Page 1 of 3" in page
    found = got(Client(), event, "standings?find=zoe")
    assert re.findall(r'<th scope="row">\s*<a [^>]*><bdi>(.*?)</bdi>', found) == ["Zoë"]


def test_the_projector_shows_a_knockout_as_a_bracket_in_screens_that_fit(
    make_player: Any, make_event: Any, client: Any
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=12, format="single_elimination", capacity=16, play="board")
    tournaments.start(tournament_id=event.pk, by=organiser)
    at = f"/tournaments/{event.slug}/screen?show=bracket"
    page = client.get(at).content.decode()
    assert page.count("<h3>") == 4
    assert "Round 1" in page
    assert "Final" in page
    assert page.count('<li class="gap"') == 4  # those with byes have nothing to play in round 1
    usual = [client.get(f"/tournaments/{event.slug}/screen?page={n}").content.decode()
             for n in (1, 2)]  # fmt: skip
    assert ['class="tree"' in each for each in usual] == [False, True]
    other = make_event(organiser, bots=4, format="round_robin", play="board")
    tournaments.start(tournament_id=other.pk, by=organiser)
    assert (
        "Nothing to show yet"
        in client.get(f"/tournaments/{other.slug}/screen?show=bracket").content.decode()
    )
