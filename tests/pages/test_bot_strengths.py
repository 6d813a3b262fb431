"""How strong the bots are: before a match, on their pages, and at tables to be filled with them."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client

from games import services as games
from players.models import Player
from ratings.bots import yardsticks
from ratings.models import BotRating, Rating

POOL = "allfives-1v1"
Enter = Callable[[Player], Client]


def measure() -> None:
    for level, mean in (("easy", -1.0), ("medium", 0.0), ("hard", 1.0)):
        BotRating.objects.create(
            pool=POOL, level=level, mean=mean, variance=0.04, matches=9, with_people=0
        )


def test_whoever_opens_a_table_is_told_how_strong_the_bots_are(client: Client, db: None) -> None:
    measure()
    page = client.get("/tables/new").content.decode()
    row = page.split("All Fives, one against one</th>")[1].split("</tr>")[0]
    assert [number for number in ("1330", "1500", "1670") if number in row] == [
        "1330",
        "1500",
        "1670",
    ]
    assert "your chance to win" not in page


def test_who_is_rated_is_told_the_chances_too(
    as_player: Enter, make_player: Callable[..., Player], rate: Callable[..., Rating]
) -> None:
    measure()
    rate(player := make_player())
    page = as_player(player).get("/tables/new").content.decode()
    row = page.split("All Fives, one against one</th>")[1].split("</tr>")[0]
    assert ["77%" in row, "50%" in row, "23%" in row] == [True] * 3
    assert "your chance to win" in page


def test_a_bots_page_shows_its_own_strength_with_what_is_not_known(
    client: Client, make_bot: Callable[[int], Player]
) -> None:
    measure()
    page = client.get(f"/@{make_bot(1).handle}").content.decode()
    row = page.split("All Fives, one against one</th>")[1].split("</tr>")[0]
    assert "1330" in row
    assert "± 70" in row
    assert "1500" not in row
    assert "never rated" in page


def test_a_person_s_page_shows_no_such_thing(
    client: Client, make_player: Callable[..., Player]
) -> None:
    assert "never rated" not in client.get(f"/@{make_player().handle}").content.decode()


def test_an_open_table_names_the_strengths_in_its_own_pool(
    as_player: Enter, make_player: Callable[..., Player]
) -> None:
    host = make_player()
    match = games.open_match(rules={"preset": "block"}, seats=2, host=host)
    page = as_player(host).get(f"/t/{match.pk}").content.decode()
    strength = yardsticks("block-1v1")["block-1v1", "hard"].rating
    assert f"Hard ≈ {strength}</option>" in page
