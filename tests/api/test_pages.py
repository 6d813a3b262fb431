"""Lists: pages that stay right, filters, and how many queries they take."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from games import services as games
from players.models import Player
from players.services import bot_player, create_guest
from ratings.glicko import State, variance_of
from ratings.models import Rating
from tournaments import services as tournaments


@pytest.fixture
def crowd(db):
    def make(number):
        rows = [
            Player(handle=f"p{i:03}", name=f"Player {i:03}", name_key=f"player {i:03}")
            for i in range(number)
        ]
        return Player.objects.bulk_create(rows)

    return make


def walk(path):
    """All rows of a list, page by page, forwards; and the pages."""
    client, rows, pages = APIClient(), [], []
    while path:
        page = client.get(path).json()
        assert page.keys() == {"next", "previous", "results"}
        pages.append(page)
        rows += page["results"]
        path = page["next"]
    return rows, pages


def test_pages_lead_there_and_back(crowd):
    crowd(25)
    rows, pages = walk("/api/v1/players/?limit=10")
    assert [row["handle"] for row in rows] == [f"p{i:03}" for i in range(25)]
    assert [len(page["results"]) for page in pages] == [10, 10, 5]
    assert pages[0]["previous"] is None
    back = APIClient().get(pages[2]["previous"]).json()
    assert back["results"] == pages[1]["results"]


def test_a_row_that_comes_in_between_moves_nothing(person, call):
    client = call(person())
    for number in range(6):
        client.post("/api/v1/tournaments/", {"name": f"Cup {number}"})
    from tournaments.models import Tournament

    Tournament.objects.update(status="registration")
    first = APIClient().get("/api/v1/tournaments/?limit=3").json()
    late = client.post("/api/v1/tournaments/", {"name": "Late"}).json()
    client.post(f"/api/v1/tournaments/{late['slug']}/open/")
    second = APIClient().get(first["next"]).json()
    names = [row["name"] for row in first["results"] + second["results"]]
    assert names == [f"Cup {number}" for number in (5, 4, 3, 2, 1, 0)]


def test_guests_are_nobody_s_business(crowd, person):
    person("marta")
    guest = create_guest()
    bot_player(level="easy")
    rows, _pages = walk("/api/v1/players/")
    assert {row["kind"] for row in rows} == {"player", "bot"}
    assert guest.handle not in {row["handle"] for row in rows}
    assert APIClient().get(f"/api/v1/players/{guest.handle}/").status_code == 404
    assert [row["handle"] for row in walk("/api/v1/players/?kind=player")[0]] == ["marta"]
    assert [row["kind"] for row in walk("/api/v1/players/?kind=bot")[0]] == ["bot"]
    assert [row["handle"] for row in walk("/api/v1/players/?search=MAR")[0]] == ["marta"]


def test_a_name_is_text(db):
    """Z3: the name is data in JSON, and the answer is not taken for a page."""
    name = "<svg/onload=alert(1)>"
    Player.objects.create(handle="svg", name=name, name_key="svg")
    response = APIClient().get("/api/v1/players/svg/")
    assert response.json()["name"] == name
    assert response["Content-Type"] == "application/json"
    assert response["X-Content-Type-Options"] == "nosniff"


def test_the_ladder_in_pages(crowd):
    players = crowd(120)
    Rating.objects.bulk_create(
        Rating(
            player=player,
            pool="allfives-1v1",
            mean=State.shown(2000 - number, 50).mean,
            variance=variance_of(50),
            matches=30,
            opponents=9,
            last_at=player.created_at,
            last_day=player.created_at.date(),
        )
        for number, player in enumerate(players)
    )
    rows, pages = walk("/api/v1/ratings/allfives-1v1/?limit=50")
    assert [row["rank"] for row in rows] == list(range(1, 121))
    assert rows[0]["handle"] == "p000"
    assert rows[0]["best_rank"] == 1 < rows[0]["worst_rank"]
    assert (rows[0]["rating"], rows[0]["spread"], rows[0]["provisional"]) == (2000, 98, False)
    back = APIClient().get(pages[1]["previous"]).json()
    assert back["results"] == pages[0]["results"]


def test_a_young_ladder_lists_the_provisional_without_a_rank(person, table, play):
    match = play(table([person("ana"), person("ben")]).pk)
    from ratings.services import rate

    rate(match.pk)
    [winner, loser] = walk("/api/v1/ratings/allfives-1v1/")[0]
    assert winner["rank"] is loser["rank"] is None
    assert winner["provisional"] is True
    assert winner["rating"] > 1500 > loser["rating"]
    ratings = APIClient().get(f"/api/v1/players/{winner['handle']}/ratings/").json()
    assert [(row["pool"], row["rating"]) for row in ratings] == [("allfives-1v1", winner["rating"])]
    path = f"/api/v1/players/{winner['handle']}/ratings/allfives-1v1/history/"
    [line] = walk(path)[0]
    assert (line["match"], line["before"], line["after"]) == (match.pk, 1500, winner["rating"])
    assert (line["cause"], line["expected"], line["place"]) == ("match", 0.5, 1)


def test_pools_have_names(db):
    pools = APIClient().get("/api/v1/ratings/").json()
    title = "All Fives, one against one"
    assert {"pool": "allfives-1v1", "title": title, "recomputation": None} in pools
    assert len(pools) == 9


def test_matches_are_listed_by_status_game_and_player(person, table, play):
    ana, ben = person("ana"), person("ben")
    over = play(table([ana, ben]).pk)
    running = table([ana, ben])
    waiting = games.open_match(rules={"preset": "draw"}, seats=2, host=ben)
    hidden = games.open_match(rules={}, seats=2, host=ben, listed=False)

    def ids(query):
        return [row["id"] for row in walk(f"/api/v1/matches/{query}")[0]]

    assert ids("") == [waiting.pk, running.pk, over.pk]
    assert ids("live/") == [running.pk]
    assert ids("?status=finished") == [over.pk]
    assert ids("?game=draw") == [waiting.pk]
    assert ids("?player=ana") == [running.pk, over.pk]
    assert APIClient().get(f"/api/v1/matches/{hidden.pk}/").status_code == 200


@pytest.mark.parametrize("path", ["matches/", "players/", "matches/live/", "tournaments/"])
def test_a_hundred_rows_take_few_queries(path, crowd, person, django_assert_max_num_queries):
    players = crowd(100)
    for number in range(0, 100, 2):
        games.open_match(
            rules={}, seats=2, players=players[number : number + 2], host=players[number]
        )
    for number in range(50):
        games.open_match(rules={}, seats=2, host=players[number])
        made = tournaments.create(organiser=players[number], name=f"Cup {number}")
        tournaments.open_registration(tournament_id=made.pk, by=players[number])
    with django_assert_max_num_queries(12) as queries:
        rows = APIClient().get(f"/api/v1/{path}?limit=100").json()["results"]
    assert len(rows) >= 50
    assert len(queries) <= 4


def test_a_bracket_and_its_entrants_take_few_queries(crowd, person, django_assert_max_num_queries):
    organiser = person("organiser")
    made = tournaments.create(organiser=organiser, name="Cup", capacity=64)
    tournaments.open_registration(tournament_id=made.pk, by=organiser)
    for player in crowd(64):
        tournaments.join(tournament_id=made.pk, player=player)
    tournaments.start(tournament_id=made.pk, by=organiser)
    for path in ("bracket/", "entrants/", "standings/", ""):
        with django_assert_max_num_queries(12):
            response = APIClient().get(f"/api/v1/tournaments/{made.slug}/{path}")
        assert response.status_code == 200
