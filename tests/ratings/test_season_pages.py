"""Seasons on pages and in the API: the running table, past ones, and a profile's honours."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest
from django.utils import timezone

from ratings import archive, services
from ratings.archive import honours, winners
from ratings.glicko import State, variance_of
from ratings.models import LadderSeason, RatingChange, SeasonRating
from ratings.movement import moved
from ratings.selectors import ladder

POOL = "allfives-1v1"


@pytest.fixture
def table(people):
    """Forty people of a season that is over, the last eight without a rank, the strongest first:
    the first division held five; and the running season, in which the first thirty have played.
    """
    players, today = people(40), timezone.now().date()
    over = LadderSeason.objects.create(
        number=1, begins_on=today - timedelta(days=90), ends_on=today - timedelta(days=1),
        top_division=5, closed_at=timezone.now(), name="Autumn",
    )  # fmt: skip
    now = LadderSeason.objects.create(
        number=2, begins_on=today, ends_on=today + timedelta(days=90), top_division=5
    )
    rows = []
    for place, player in enumerate(players):
        facts = {"pool": POOL, "player": player, "mean": 1 - place / 40, "opponents": 9,
                 "variance": variance_of(60), "last_day": today - timedelta(days=1)}  # fmt: skip
        enough = place < 32
        rows.append(
            SeasonRating(
                season=over, **facts, matches=30 if enough else 9, division=1 + place % 2,
                rank=place + 1 if enough else None,
            )
        )  # fmt: skip
        if place < 30:
            rows.append(SeasonRating(season=now, **facts, matches=12, division=1 + place // 10))
    SeasonRating.objects.bulk_create(rows)
    return players, over, now


def test_a_seasons_ladder_ranks_who_has_played_enough(table, django_assert_num_queries):
    players, over, now = table
    with django_assert_num_queries(3):
        board = ladder(POOL, season=over, limit=5)
    assert [(row.rank, row.player) for row in board.rows] == list(enumerate(players[:5], 1))
    assert (board.total, len(board.provisional)) == (32, 8)
    second = ladder(POOL, season=now, division=2)
    assert [row.rank for row in second.rows] == list(range(11, 21))
    assert {row.division for row in second.rows} == {2}
    near = ladder(POOL, season=now, around=players[12])
    assert [row.rank for row in near.rows] == list(range(8, 19))
    assert ladder(POOL, season=now, around=players[35]).rows == ()


def test_who_won_a_season_and_what_it_leaves_on_a_profile(table):
    players, over, now = table
    assert [(row.division, row.player) for row in winners(over, POOL)] == [
        (1, players[0]), (2, players[1]),
    ]  # fmt: skip
    assert winners(now, POOL) == []
    assert archive.divisions(now, POOL) == [1, 2, 3]
    assert [row.player for row in archive.firsts(POOL, [over, now])[1]] == players[:3]
    [second] = honours(players[1])
    assert (second.rank, second.division, second.won, second.rating) == (2, 2, True, 1669)
    assert not honours(players[2])[0].won
    assert honours(players[39]) == []


def test_the_pages_show_them(table, client, settings):
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    players, _over, _now = table

    def page(path, **query):
        return client.get(path, query).content.decode()

    past = page("/ladder", pool=POOL, season=1)
    assert "Autumn" in past
    assert "Player 31<" in past
    running = page("/ladder", pool=POOL, season=2, division=3)
    assert "Player 20<" in running
    assert "Player 19<" not in running
    assert "season=2" in page("/ladder")
    assert "Player 2<" in page("/ladder/seasons", pool=POOL)
    assert "first in division 2" in page(f"/@{players[1].handle}")
    for wrong in ("9", "x", "99999999999"):
        assert client.get("/ladder", {"season": wrong}).status_code == 404
    assert client.get("/ladder/seasons", {"pool": "x"}).status_code == 404


def test_a_season_closed_on_its_last_day_is_over_on_every_page(table, client, settings):
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    _players, _over, now = table
    LadderSeason.objects.filter(pk=now.pk).update(closed_at=timezone.now())
    assert archive.running() is None
    listed = client.get("/ladder/seasons", {"pool": POOL}).content.decode()
    assert (listed.count("<span>over</span>"), listed.count("<span>running</span>")) == (2, 0)
    assert (
        "<span>over</span>" in client.get("/ladder", {"pool": POOL, "season": 2}).content.decode()
    )


@pytest.mark.parametrize("query", ["", "season=1", "season=2&division=1", "name=3&country=PE"])
def test_a_page_of_a_ladder_is_a_handful_of_queries(
    table, client, settings, query, django_assert_max_num_queries
):
    """The header's own among them; bench/ladder.py has as many with 100,000 players."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    client.force_login(table[0][29])
    with django_assert_max_num_queries(20):
        assert client.get(f"/ladder?pool={POOL}&{query}").status_code == 200


def test_the_api_tells_of_them(table, client):
    found = client.get("/api/v1/ratings/seasons/").json()
    assert [(each["season"], each["name"], each["closed"]) for each in found] == [
        (2, "Season 2", False), (1, "Autumn", True),
    ]  # fmt: skip
    path = f"/api/v1/ratings/{POOL}/seasons/2/"
    rows = client.get(path, {"division": "2", "limit": "3"}).json()["results"]
    assert [(row["rank"], row["division"], row["handle"]) for row in rows] == [
        (11, 2, "p10"), (12, 2, "p11"), (13, 2, "p12"),
    ]  # fmt: skip
    [near, *_rest] = client.get(path, {"around": "p7"}).json()["results"]
    assert near["rank"] == 3
    [honour] = client.get("/api/v1/players/p1/honours/").json()
    assert honour == {
        "season": 1, "pool": POOL, "rank": 2, "rating": 1669, "division": 2, "won": True,
    }  # fmt: skip
    assert client.get(path, {"division": "top"}).status_code == 400
    assert client.get(f"/api/v1/ratings/{POOL}/seasons/7/").status_code == 404


@pytest.fixture
def week(people, beat, monkeypatch):
    """A season of 30 days that runs, and one before it; of two people two matches in each, the last
    one three days ago.
    """
    now = timezone.now()
    monkeypatch.setattr(services, "open_season", lambda: False)
    today = now.astimezone(UTC).date()
    for number, first, last in ((1, 60, 21), (2, 20, -10)):
        LadderSeason.objects.create(
            number=number,
            begins_on=today - timedelta(days=first),
            ends_on=today - timedelta(days=last),
        )
    ana, ben = people(2)
    for days in (40, 30, 10, 3):
        beat(ana, ben, at=now - timedelta(days=days))
    return ana, ben


def test_the_week_moves_who_played_by_what_it_added_in_the_season(week):
    ana, ben = week
    earlier, last = RatingChange.objects.filter(player=ana, season_matches__gt=0).order_by(
        "number"
    )[2:]
    gained = last.season_state(0).rating - earlier.season_state(0).rating
    season = LadderSeason.objects.get(number=2)
    moves = moved(POOL, [ana.pk, ben.pk], timezone.now(), season)
    assert set(moves) == {ana.pk, ben.pk}
    assert moves[ana.pk] == pytest.approx(gained, abs=1)
    assert moves[ana.pk] > moved(POOL, [ana.pk], timezone.now())[ana.pk] > 0


def test_the_first_week_of_a_season_moves_from_its_beginning(week):
    ana, _ben = week
    season = LadderSeason.objects.get(number=2)
    [career, _last] = RatingChange.objects.filter(player=ana).order_by("number")[2:]
    start = State(career.before_mean / 2, 1.0).rating
    soon = timezone.now() - timedelta(days=4)
    RatingChange.objects.filter(number=4).delete()
    assert moved(POOL, [ana.pk], soon, season) == {
        ana.pk: round(career.season_state(0).rating) - round(start)
    }
    assert moved(POOL, [ana.pk], timezone.now(), season) == {}


def test_the_running_seasons_table_alone_says_what_the_week_moved(table, client, settings):
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    _players, over, now = table
    pages = [client.get(f"/ladder?season={each.number}") for each in (now, over)]
    assert ["This week" in page.content.decode() for page in pages] == [True, False]
