from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games import services as games
from games.models import Match
from outbox.services import drain
from pages.event_page import SECTIONS
from players.models import Player
from tournaments import services as tournaments
from tournaments.models import Entrant, Game, Pairing, Result, Tournament

Make = Callable[..., Player]
Enter = Callable[[Player], Client]
MakeEvent = Callable[..., Tournament]

EVENT = {
    "name": "Friday Fives",
    "text": "Bring a friend.",
    "preset": "allfives",
    "format": "single_elimination",
    "target": "",
    "best_of": "3",
    "capacity": "8",
    "seeding": "random",
    "turn_seconds": "20",
    "no_show_seconds": "120",
    "rated": "on",
}


def do(client: Client, event: Tournament, deed: str, **data: Any) -> Any:
    response = client.post(f"/tournaments/{event.slug}/{deed}", data)
    assert response.status_code == 302
    event.refresh_from_db()
    return response


def shown(client: Client, event: Tournament) -> str:
    """The event's page, one section after the other."""
    front = client.get(f"/tournaments/{event.slug}")
    assert front.status_code == 200
    rest = [section(client, event, key) for key in SECTIONS if key != "overview"]
    return front.content.decode() + "".join(rest)


def section(client: Client, event: Tournament, key: str) -> str:
    response = client.get(f"/tournaments/{event.slug}/{key}")
    return response.content.decode() if response.status_code == 200 else ""


def names_in_order(event: Tournament) -> list[str]:
    rows = event.entrants.filter(seed__isnull=False).order_by("seed")
    return [row.player.name for row in rows.select_related("player")]


def test_an_event_is_announced_with_what_was_chosen(make_player: Make, as_player: Enter) -> None:
    organiser = make_player()
    client = as_player(organiser)
    response = client.post("/tournaments/new", EVENT)
    event = Tournament.objects.get()
    assert response["Location"] == f"/tournaments/{event.slug}"
    assert (event.status, event.organiser, event.name) == ("registration", organiser, EVENT["name"])
    assert (event.best_of, event.capacity, event.seeding) == (3, 8, "random")
    assert (event.format, event.options) == ("single_elimination", {"third_place": False})
    assert (event.turn_seconds, event.no_show_seconds, event.rated) == (20, 120, True)
    assert client.post("/tournaments/new", EVENT)["Location"] == response["Location"]
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "x" * 81),
        ("name", "..."),
        ("text", "x" * 4001),
        ("preset", "chess"),
        ("target", "5"),
        ("format", "lottery"),
        ("best_of", "2"),
        ("capacity", "1"),
        ("capacity", "1025"),
        ("capacity", "10001"),
        ("capacity", "many"),
        ("seeding", "by whim"),
        ("turn_seconds", "1"),
        ("no_show_seconds", "9"),
        ("no_show_seconds", "3601"),
    ],
)
def test_a_bad_setting_is_refused_beside_its_field(
    make_player: Make, as_player: Enter, field: str, value: str
) -> None:
    response = as_player(make_player()).post("/tournaments/new", {**EVENT, field: value})
    assert response.status_code == 200
    assert f'id="id_{field}_error"' in response.content.decode()
    assert not Tournament.objects.exists()


@pytest.mark.django_db
def test_a_guest_is_asked_for_an_account_before_organising(client: Client) -> None:
    client.post("/play/bot")
    response = client.get("/tournaments/new")
    assert response["Location"] == "/accounts/sign-up?next=/tournaments/new"


def test_joining_twice_is_one_entry_and_leaving_twice_is_none(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    event = make_event(make_player())
    player = make_player()
    client = as_player(player)
    assert "Join" in shown(client, event)
    for _click in range(2):
        do(client, event, "join")
    assert event.taken == event.entrants.count() == 1
    page = shown(client, event)
    assert "You are in." in page
    assert "Leave the tournament" in page
    for _click in range(2):
        do(client, event, "leave")
    assert event.taken == event.entrants.count() == 0


def test_a_visitor_who_joins_becomes_a_guest_and_only_then(
    make_player: Make, make_event: MakeEvent, client: Client
) -> None:
    event = make_event(make_player())
    shown(client, event)
    assert not Player.objects.filter(is_guest=True).exists()
    do(client, event, "join")
    assert Player.objects.filter(is_guest=True).count() == 1
    assert event.taken == 1


def test_who_comes_too_late_waits(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    event = make_event(make_player(), bots=2, capacity=2)
    client = as_player(make_player())
    assert "join the waiting list" in shown(client, event)
    do(client, event, "join")
    assert "You are on the waiting list, at place 1." in shown(client, event)


@pytest.mark.parametrize(
    "deed", ["open", "bots", "seeds", "start", "decide", "announce", "close", "cancel"]
)
def test_organising_is_the_organisers(
    make_player: Make, as_player: Enter, make_event: MakeEvent, deed: str
) -> None:
    event = make_event(make_player(), bots=3)
    before = Tournament.objects.values().get(), list(Entrant.objects.values())
    entrant = event.entrants.first()
    assert entrant is not None
    data = {"level": "easy", "count": "1", "entrant": entrant.pk, "reason": "No.", "pairing": "1"}
    stranger = as_player(make_player())
    assert "For the organiser" not in shown(stranger, event)
    do(stranger, event, deed, **data)
    assert Client().post(f"/tournaments/{event.slug}/{deed}", data).status_code in (302, 404)
    assert (Tournament.objects.values().get(), list(Entrant.objects.values())) == before


def test_a_draft_is_seen_by_its_organiser_alone(make_player: Make, as_player: Enter) -> None:
    organiser = make_player()
    event = tournaments.create(organiser=organiser, name="Secret Cup")
    assert as_player(make_player()).get(f"/tournaments/{event.slug}").status_code == 404
    assert "Secret Cup" not in Client().get("/tournaments").content.decode()
    client = as_player(organiser)
    assert "Secret Cup" in client.get("/tournaments").content.decode()
    assert "Be the first." not in shown(client, event)
    do(client, event, "open")
    assert event.status == "registration"
    assert "Be the first." in shown(client, event)


def test_the_order_is_typed_or_moved_a_place_at_a_time(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser = make_player()
    event = make_event(organiser)
    for name in ("Ana", "Ben", "Cleo"):
        tournaments.join(tournament_id=event.pk, player=make_player(name))
    ana, ben, cleo = (row.pk for row in event.entrants.order_by("pk"))
    client = as_player(organiser)
    do(client, event, "seeds", **{f"seed-{ana}": "3", f"seed-{ben}": "1", f"seed-{cleo}": "2"})
    assert names_in_order(event) == ["Ben", "Cleo", "Ana"]
    assert event.seeding == "manual"
    typed = {f"seed-{ben}": "1", f"seed-{cleo}": "2", f"seed-{ana}": "3"}
    do(client, event, "seeds", move=f"{ana}:up", **typed)
    assert names_in_order(event) == ["Ben", "Ana", "Cleo"]
    do(client, event, "seeds", move=f"{ben}:up", **{f"seed-{ana}": "x", f"seed-{ben}": "1"})
    assert names_in_order(event) == ["Ben", "Ana", "Cleo"]


def test_the_page_goes_with_the_event_from_entry_to_podium(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser, player = make_player("Olga"), make_player("Marta")
    event = make_event(organiser, rated=False)
    client, own = as_player(organiser), as_player(player)
    do(own, event, "join")
    do(client, event, "bots", level="easy", count="2")
    assert event.taken == 3
    do(client, event, "start")
    do(client, event, "start")
    assert event.status == "running"
    page = shown(own, event)
    assert "Semi-final" in page
    assert "bye" in page
    assert "Join" not in page
    for pairing in Pairing.objects.order_by("number"):
        slots = list(pairing.slots.order_by("index"))
        winner = slots[0].entrant or slots[1].entrant
        assert winner is not None
        do(client, event, "decide", pairing=pairing.pk, winner=winner.pk, reason="Power cut")
    assert event.status == "finished"
    page = shown(own, event)
    assert "Podium" in page
    assert "decision of the arbiter (“Power cut”)" in page
    assert page.count('class="place num"') == 3
    listing = own.get("/tournaments").content.decode()
    assert listing.index("Finished") < listing.index(event.name)


def test_a_result_shows_the_rule_that_decided_and_the_reason_given(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=4)
    client = as_player(organiser)
    do(client, event, "start")
    pairing = Pairing.objects.get(number=1)
    one, other = (slot.entrant for slot in pairing.slots.order_by("index"))
    assert one is not None
    assert other is not None
    tournaments.withdraw(tournament_id=event.pk, player=one.player, by=organiser)
    assert "forfeit: withdrawn" in shown(client, event)
    cheat = Pairing.objects.get(number=2).slots.order_by("index")[0].entrant
    assert cheat is not None
    tournaments.disqualify(
        tournament_id=event.pk, player=cheat.player, by=organiser, reason="Two hands"
    )
    assert "disqualified (“Two hands”)" in shown(client, event)


def test_a_live_match_shows_its_running_score_and_the_series(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser, one, other = make_player(), make_player("Ana"), make_player("Ben")
    event = make_event(organiser, best_of=3, seeding="manual")
    client = as_player(organiser)
    for player in (one, other):
        do(as_player(player), event, "join")
    do(client, event, "start")
    first = Game.objects.get()
    assert "about to begin" in shown(client, event)
    for player in (one, other):
        games.sit(match_id=first.match_id, player=player)
    games.resign(match_id=first.match_id, player=other)
    drain()
    second = Game.objects.get(number=2)
    for player in (one, other):
        games.sit(match_id=second.match_id, player=player)
    Match.objects.filter(pk=second.match_id).update(scores=[35, 20])
    page = section(client, event, "bracket")
    assert ">live, game 2, series 1–0<" in page.replace("</span> live", ">live")
    assert [part.split("<")[0] for part in page.split('<b class="num">')[1:]] == ["35", "20"]


def test_a_decision_needs_a_reason_and_one_of_the_two(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=2)
    client = as_player(organiser)
    do(client, event, "start")
    pairing = Pairing.objects.get()
    entrant = event.entrants.first()
    assert entrant is not None
    for data in (
        {"winner": entrant.pk, "reason": " "},
        {"winner": "", "reason": "Why not"},
        {"winner": "999999", "reason": "Why not"},
        {"winner": "abc", "reason": "Why not"},
    ):
        do(client, event, "decide", pairing=pairing.pk, **data)
        assert not Result.objects.exists()
    do(client, event, "decide", pairing="999999", winner=entrant.pk, reason="Why not")
    assert not Result.objects.exists()


def test_a_pairing_of_another_event_is_out_of_reach(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    one, other = make_player(), make_player()
    mine, theirs = make_event(one, bots=2), make_event(other, bots=2)
    tournaments.start(tournament_id=theirs.pk, by=other)
    pairing = Pairing.objects.get()
    entrant = theirs.entrants.first()
    assert entrant is not None
    do(as_player(one), mine, "decide", pairing=pairing.pk, winner=entrant.pk, reason="Mine now")
    do(as_player(one), mine, "entries", out="1", entrant=entrant.pk)
    assert not Result.objects.exists()
    entrant.refresh_from_db()
    assert entrant.is_active


def test_a_cancelled_event_says_why(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=2)
    client = as_player(organiser)
    do(client, event, "cancel", reason="")
    assert event.status == "registration"
    do(client, event, "cancel", reason="The hall is flooded")
    assert event.status == "cancelled"
    assert "The hall is flooded" in shown(Client(), event)


def test_somebody_is_taken_out(make_player: Make, as_player: Enter, make_event: MakeEvent) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=3)
    entrant = event.entrants.order_by("pk").first()
    assert entrant is not None
    client = as_player(organiser)
    do(client, event, "entries", out="1", entrant=entrant.pk)
    assert event.taken == 2
    do(client, event, "entries", out="1", entrant=entrant.pk)
    assert event.taken == 2


def test_both_brackets_and_an_unneeded_second_final_are_shown(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=3, format="double_elimination")
    event = tournaments.start(tournament_id=event.pk, by=organiser)
    client = as_player(organiser)
    page = shown(client, event)
    for title in (
        "Winners’ bracket",
        "Losers’ bracket",
        "Finals",
        "Second final",
        "Loser of match",
    ):
        assert title.casefold() in page.casefold()
    assert "only if the losers’ champion wins the final" in page
    while event.is_running:
        for pairing in Pairing.objects.filter(stage__tournament=event, status="live"):
            first = pairing.slots.order_by("entrant__seed").first()
            assert first is not None
            do(client, event, "decide", pairing=pairing.pk, winner=first.entrant_id, reason="x")
    page = shown(client, event)
    assert "not needed" in page
    assert "Final standings" in page


def test_rounds_of_both_brackets_that_are_played_at_once_are_all_in_hand(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=4, format="double_elimination")
    event = tournaments.start(tournament_id=event.pk, by=organiser)
    client = as_player(organiser)
    for pairing in Pairing.objects.filter(stage__tournament=event, status="live"):
        winner = pairing.slots.order_by("index")[0].entrant_id
        do(client, event, "decide", pairing=pairing.pk, winner=winner, reason="x")
    page = client.get(event.get_absolute_url()).content.decode()
    titles = re.findall(r'<h2 id="now-\d+">(.*?)</h2>', page)
    assert titles == ["Losers’ round 1", "Winners’ final"]


def test_rounds_that_wait_for_each_other_are_not(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=4, format="round_robin", play="board")
    event = tournaments.start(tournament_id=event.pk, by=organiser)
    page = as_player(organiser).get(event.get_absolute_url()).content.decode()
    assert re.findall(r'<h2 id="now-\d+">(.*?)</h2>', page) == ["Round 1"]


def test_a_swiss_shows_its_rounds_and_why_somebody_rests(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser = make_player()
    client = as_player(organiser)
    client.post("/tournaments/new", {**EVENT, "format": "swiss", "rounds": "2"})
    event = Tournament.objects.get()
    assert event.options["rounds"] == 2
    tournaments.add_bots(tournament_id=event.pk, by=organiser, count=3, level="easy")
    assert "a round robin fits as well" in shown(client, event)
    event = tournaments.start(tournament_id=event.pk, by=organiser)
    assert "Standings" in shown(client, event)  # no round is drawn yet
    while event.is_running:
        tournaments.draw_due(tournament_id=event.pk)
        page = shown(client, event)
        assert "bye: one point" in page
        assert '<bdi class="tbd">bye</bdi>' not in page  # it is said once
        for pairing in Pairing.objects.filter(stage__tournament=event, status="live"):
            first = pairing.slots.order_by("entrant__seed").first()
            assert first is not None
            do(client, event, "decide", pairing=pairing.pk, winner=first.entrant_id, reason="x")
    assert "Buchholz" in shown(client, event)
    base = f"/api/v1/tournaments/{event.slug}"
    rows = client.get(f"{base}/standings/").json()
    assert [row["points"] for row in rows] == sorted((r["points"] for r in rows), reverse=True)
    assert set(rows[0]["criteria"]) == {"buchholz_cut", "buchholz", "wins", "difference"}
    rounds = client.get(f"{base}/bracket/").json()["rounds"]
    assert [each["part"] for each in rounds] == ["rounds", "rounds"]


def test_late_comers_are_offered_the_rounds_that_are_left(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser = make_player()
    event = make_event(organiser, bots=4, format="swiss", options={"rounds": 3})
    event = tournaments.start(tournament_id=event.pk, by=organiser)
    client = as_player(make_player())
    assert "you can still come in" in shown(client, event)
    do(client, event, "join")
    assert event.taken == 5
    assert "The next round is drawn when this one is over" in shown(client, event)


def test_a_round_robin_shows_standings_rounds_and_a_cross_table(
    make_player: Make, as_player: Enter, make_event: MakeEvent
) -> None:
    organiser = make_player()
    client = as_player(organiser)
    client.post("/tournaments/new", {**EVENT, "format": "round_robin", "legs": "2"})
    event = Tournament.objects.get()
    assert (event.format, event.options["legs"]) == ("round_robin", 2)
    tournaments.add_bots(tournament_id=event.pk, by=organiser, count=3, level="easy")
    event = tournaments.start(tournament_id=event.pk, by=organiser)
    page = shown(client, event)
    for title in ("Standings", "Provisional", "Cross table", "Round 6", "everybody twice"):
        assert title in page
    while event.is_running:
        for pairing in Pairing.objects.filter(stage__tournament=event, status="live"):
            first = pairing.slots.order_by("entrant__seed").first()
            assert first is not None
            do(client, event, "decide", pairing=pairing.pk, winner=first.entrant_id, reason="x")
    page = shown(client, event)
    assert "Final standings" in page
    assert "Provisional" not in page
    assert client.post("/tournaments/new", {**EVENT, "name": "Big", "format": "round_robin",
                                            "capacity": "65"}).status_code == 200  # fmt: skip


def test_a_player_leaves_while_it_runs_and_the_table_says_that_there_are_no_points(
    make_player: Make, as_player: Enter
) -> None:
    organiser, one = make_player(), make_player()
    event = tournaments.create(
        organiser=organiser, name="Thursday", rules={"preset": "allfives"}, format="pods"
    )
    tournaments.open_registration(tournament_id=event.pk, by=organiser)
    everyone = [one, *(make_player() for _ in range(3))]
    for player in everyone:
        tournaments.join(tournament_id=event.pk, player=player)
    tournaments.start(tournament_id=event.pk, by=organiser)
    tournaments.draw_due(tournament_id=event.pk)
    match_id = Game.objects.get(pairing__stage__tournament=event).match_id
    for player in everyone:
        games.sit(match_id=match_id, player=player)
    client = as_player(one)
    assert "/leave" in client.get(f"/tournaments/{event.slug}").content.decode()
    do(client, event, "leave")
    assert "/leave" not in client.get(f"/tournaments/{event.slug}").content.decode()
    for player in everyone[1:3]:
        games.resign(match_id=match_id, player=player)
    drain()
    assert "forfeited: no points" in section(client, event, "pairings")
