from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import services
from games.models import Match, Seat
from pages import qr
from pages.sent_once import TOKEN
from pages.waiting import waiting_for
from players import muting
from players.models import Player

Make = Callable[..., Player]
Enter = Callable[[Player], Client]
RULES = {"preset": "allfives"}

TABLE = {
    "preset": "allfives",
    "size": "2",
    "opponents": "people",
    "audience": "public",
    "target": "",
    "turn_seconds": "15",
    "bank_seconds": "0",
    "rated": "on",
}


def has_error(response: Any, field: str) -> bool:
    html = response.content.decode()
    return f'id="id_{field}_error"' in html and response.status_code == 200


@pytest.mark.django_db
def test_one_tap_starts_a_match_with_a_bot(client: Client) -> None:
    response = client.post("/play/bot")
    match = Match.objects.get()
    assert response["Location"] == f"/t/{match.pk}"
    assert (match.status, match.preset, match.listed) == ("running", "allfives", False)
    person, bot = match.seat_set.order_by("index")
    assert (bot.bot_level, person.bot_level) == ("medium", "")
    assert person.player is not None
    assert person.player.is_guest
    assert client.get(f"/t/{match.pk}").status_code == 200


@pytest.mark.django_db
def test_the_same_button_pressed_twice_opens_one_table(client: Client) -> None:
    first = client.post("/play/bot", {TOKEN: "abc"})
    again = client.post("/play/bot", {TOKEN: "abc"})
    assert again["Location"] == first["Location"]
    assert Match.objects.count() == 1
    assert Player.objects.filter(is_guest=True).count() == 1
    client.post("/play/bot", {TOKEN: "def"})
    assert Match.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_the_same_form_from_four_threads_opens_one_table(
    make_player: Make, as_player: Callable[[Player], Client], at_once: Any
) -> None:
    player = make_player()
    clients = [as_player(player) for _number in range(4)]
    made = at_once(4, lambda n: clients[n].post("/play/friend", {TOKEN: "abc"})["Location"])
    assert len(made) == 4
    assert len(set(made)) == 1
    assert Match.objects.count() == 1


@pytest.mark.django_db
def test_a_friend_gets_a_link_and_a_code(client: Client) -> None:
    response = client.post("/play/friend", follow=True)
    match = Match.objects.get()
    html = response.content.decode()
    assert response.request["PATH_INFO"] == f"/t/{match.pk}/share"
    assert f'value="http://testserver/t/{match.pk}"' in html
    assert str(qr.svg(f"http://testserver/t/{match.pk}")) in html
    assert (match.status, match.listed) == ("open", False)
    assert match.pk not in client.get("/").content.decode()
    Client().post(f"/t/{match.pk}/join")
    full = client.get(f"/t/{match.pk}/share").content.decode()
    assert "take the free seat" in html
    assert "take the free seat" not in full
    assert "Whoever opens this link sees the match." in full


@pytest.mark.django_db
def test_a_friend_who_takes_the_seat_twice_has_one(client: Client) -> None:
    client.post("/play/friend")
    match = Match.objects.get()
    friend = Client()
    for _click in range(2):
        response = friend.post(f"/t/{match.pk}/join")
        assert response["Location"] == f"/t/{match.pk}"
    assert Seat.objects.filter(match=match, player__isnull=False).count() == 2
    assert Player.objects.count() == 2
    match.refresh_from_db()
    assert match.status == "running"


@pytest.mark.django_db
def test_nobody_becomes_a_guest_for_a_seat_that_is_gone(make_player: Make) -> None:
    match = services.open_match(rules=RULES, seats=2, players=[make_player(), make_player()])
    response = Client().post(f"/t/{match.pk}/join", follow=True)
    assert response.redirect_chain == [(f"/t/{match.pk}", 302)]
    assert not Player.objects.filter(is_guest=True).exists()


@pytest.mark.django_db
def test_a_name_is_no_key_to_a_seat(make_player: Make) -> None:
    match = services.open_match(
        rules=RULES, seats=2, players=[make_player("Marta"), make_player("Ivan")]
    )
    Client().post(f"/t/{match.pk}/join", {"name": "Marta", "player": "Marta", "seat": "0"})
    assert [seat.name for seat in match.seat_set.order_by("index")] == ["Marta", "Ivan"]
    assert not Player.objects.filter(is_guest=True).exists()


def test_a_table_is_opened_with_what_was_chosen(make_player: Make, as_player: Enter) -> None:
    chosen = {
        **TABLE,
        "preset": "muggins",
        "size": "partners",
        "target": "120",
        "turn_seconds": "60",
        "bank_seconds": "90",
        "opponents": "hard",
    }
    del chosen["rated"]
    response = as_player(make_player()).post("/tables/new", chosen)
    match = Match.objects.get()
    assert response["Location"] == f"/t/{match.pk}"
    assert match.rules == {"preset": "muggins", "target": 120, "partners": True}
    assert (match.seats, match.turn_seconds, match.bank_seconds) == (4, 60, 90)
    assert (match.rated, match.listed) == (False, True)
    levels = [seat.bot_level for seat in match.seat_set.order_by("index")]
    assert levels == ["", "hard", "hard", "hard"]


def test_a_table_behind_a_link_leads_to_the_invitation(make_player: Make, as_player: Enter) -> None:
    response = as_player(make_player()).post("/tables/new", {**TABLE, "audience": "link"})
    match = Match.objects.get()
    assert response["Location"] == f"/t/{match.pk}/share"
    assert not match.listed


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("preset", "chess"),
        ("preset", ""),
        ("size", "5"),
        ("size", ""),
        ("opponents", "godlike"),
        ("audience", "nobody"),
        ("target", "9"),
        ("target", "1001"),
        ("target", "many"),
        ("target", "-50"),
        ("target", "1e3"),
        ("turn_seconds", "4"),
        ("turn_seconds", "301"),
        ("turn_seconds", ""),
        ("turn_seconds", "15.5"),
        ("bank_seconds", "-1"),
        ("bank_seconds", "3601"),
    ],
)
def test_a_bad_setting_is_refused_beside_its_field(client: Client, field: str, value: str) -> None:
    response = client.post("/tables/new", {**TABLE, field: value})
    assert has_error(response, field)
    assert not Match.objects.exists()
    assert not Player.objects.exists()


def test_open_tables_offer_a_seat_and_ones_own_the_way_back(
    client: Client, make_player: Make, as_player: Enter
) -> None:
    host = make_player("Marta")
    match = services.open_match(rules=RULES, seats=2, host=host)
    assert f'formaction="/t/{match.pk}/join"' in client.get("/").content.decode()
    own = as_player(host).get("/").content.decode()
    assert "Go back to it" in own
    assert f'formaction="/t/{match.pk}/join"' not in own


def test_a_match_in_course_is_called_to_mind_on_every_page_but_its_own(
    make_player: Make, as_player: Enter
) -> None:
    player = make_player()
    match = services.open_match(rules=RULES, seats=2, players=[player, make_player()])
    client = as_player(player)
    bar = f'<a href="/t/{match.pk}" data-waiting='
    for path in ("/", "/ladder", "/tournaments", "/rules"):
        assert bar in client.get(path).content.decode(), path
    assert bar not in client.get(f"/t/{match.pk}").content.decode()
    services.resign(match_id=match.pk, player=player)
    assert "data-waiting" not in client.get("/").content.decode()


def test_the_player_of_a_reserved_seat_arrives_by_looking_and_nobody_else(
    make_player: Make, as_player: Enter
) -> None:
    one, other = make_player(), make_player()
    match = services.open_match(
        rules=RULES,
        seats=2,
        players=[one, other],
        sit_by=timezone.now() + timedelta(minutes=3),
    )
    Client().get(f"/t/{match.pk}")
    as_player(make_player()).get(f"/t/{match.pk}")
    as_player(one).head(f"/t/{match.pk}")
    assert [seat.sat_at for seat in match.seat_set.all()] == [None, None]
    as_player(one).get(f"/t/{match.pk}")
    as_player(one).get(f"/t/{match.pk}")
    match.refresh_from_db()
    assert match.status == "open"
    as_player(other).get(f"/t/{match.pk}")
    match.refresh_from_db()
    assert match.status == "running"


def test_a_spectator_sees_a_table_without_a_hand(make_player: Make, as_player: Enter) -> None:
    player = make_player()
    match = services.open_match(rules=RULES, seats=2, players=[player, make_player()])
    assert Client().get(f"/t/{match.pk}").context["initial"]["hand"] is None
    assert len(as_player(player).get(f"/t/{match.pk}").context["initial"]["hand"]) == 7


def test_a_finished_match_is_shown_with_its_record(
    make_player: Make, finished_match: Callable[..., Match], client: Client
) -> None:
    one, other = make_player("Marta"), make_player("Ivan")
    match = finished_match(one, other)
    record = client.get(f"/t/{match.pk}/record.json").json()
    assert record["format"] == "domino-record/1"
    assert record["players"] == ["Marta", "Ivan"]
    page = client.get(f"/@{one.handle}").content.decode()
    assert f'href="/t/{match.pk}/record.json"' in page
    assert f'href="/t/{match.pk}/replay"' in client.get("/watch").content.decode()


def test_a_match_that_goes_on_without_a_player_waits_for_them_no_more(
    make_player: Callable[..., Player],
) -> None:
    players = [make_player() for _seat in range(3)]
    match = services.open_match(
        rules={"preset": "allfives", "target": 50}, seats=3, players=players, break_seconds=0
    )
    assert all(waiting_for(player) is not None for player in players)
    services.forfeit(match_id=match.pk, seats=[1], reason="forfeit")
    assert [waiting_for(player) is not None for player in players] == [True, False, True]


def test_people_write_at_a_table_if_its_host_has_an_account_and_wishes_it(
    client: Client, make_player: Callable[..., Player], as_player: Callable[[Player], Client]
) -> None:
    host = as_player(make_player())
    assert 'name="talk" aria-describedby="id_talk_helptext" id="id_talk" checked' in (
        host.get("/tables/new").content.decode()
    )
    assert "id_talk" in client.get("/tables/new").content.decode()
    for visitor, sent in ((host, {"talk": "on"}), (host, {}), (client, {})):
        form = {"preset": "allfives", "size": "2", "opponents": "people", "audience": "public",
                "turn_seconds": "15", "bank_seconds": "0"}  # fmt: skip
        assert visitor.post("/tables/new", form | sent).status_code == 302
    host.post("/play/friend")
    client.post("/play/friend")
    talks = Match.objects.order_by("created_at").values_list("talk", flat=True)
    assert list(talks) == ["text", "words", "words", "text", "words"]


def test_who_is_muted_at_a_table_is_kept_at_the_player(
    client: Client, make_player: Callable[..., Player], as_player: Callable[[Player], Client]
) -> None:
    one, two = make_player(), make_player()
    match = services.open_match(rules={"preset": "allfives"}, seats=2, players=[one, two])
    own = as_player(one)
    assert own.post(f"/@{two.handle}/mute", {"value": "on"}).status_code == 204
    assert f'id="table-muted" type="application/json">["{two.handle}"]' in (
        own.get(f"/t/{match.pk}").content.decode()
    )
    assert own.post(f"/@{two.handle}/mute", {"value": "off"}).status_code == 204
    assert muting.muted_by(one) == []
    assert own.post(f"/@{two.handle}/mute", {"value": "?"}).status_code == 400
    assert client.post(f"/@{two.handle}/mute", {"value": "on"}).status_code == 400
    assert "table-muted" not in client.get(f"/t/{match.pk}").content.decode()
