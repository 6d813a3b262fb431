"""What is shown: ladders, histories, chances."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from players import clubs
from players.clubs import condition_of
from ratings import ranking
from ratings.glicko import State, variance_of
from ratings.models import Rating, RatingChange
from ratings.selectors import Shown, chance, history, ladder, rating_of, ratings_of

POOL = "allfives-1v1"
NOW = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def rated(people):
    """Puts players on record: (rating, deviation) each, eligible unless said otherwise."""

    def make(*ratings, **facts):
        players = people(len(ratings))
        given = {"matches": 20, "opponents": 8, "last_at": NOW, **facts}
        rows = []
        for player, (rating, deviation) in zip(players, ratings, strict=True):
            row = Rating(player=player, pool=POOL, **given)
            row.mean, row.variance = State.shown(rating, deviation).mean, variance_of(deviation)
            row.last_day = row.last_at.date()
            rows.append(row)
        Rating.objects.bulk_create(rows, batch_size=500)
        return players

    return make


def names(rows):
    return [(row.rank, row.player.handle) for row in rows]


def test_the_ladder_is_sorted_by_rating_and_equals_share_a_rank(rated):
    rated((1500, 60), (1612, 45), (1500, 50), (1400, 60))
    board = ladder(POOL, now=NOW)
    assert names(board.rows) == [(1, "p1"), (2, "p0"), (2, "p2"), (4, "p3")]
    assert (board.total, board.provisional) == (4, ())
    assert str(board.rows[0].shown) == "1612 ± 88"


@pytest.mark.parametrize(
    ("facts", "deviation"),
    [({"matches": 19}, 60), ({"opponents": 7}, 60), ({}, 75.1)],
)
def test_who_is_not_known_well_enough_is_provisional(rated, facts, deviation):
    [player] = rated((1540, deviation), **facts)
    board = ladder(POOL, now=NOW)
    assert board.rows == ()
    [row] = board.provisional
    assert (row.player, row.rank, str(row.shown)) == (player, None, "1540 ?")


def test_who_has_not_played_for_sixty_days_is_not_listed(rated):
    rated((1700, 50), last_at=NOW - timedelta(days=61))
    board = ladder(POOL, now=NOW)
    assert (board.rows, board.provisional) == ((), ())


def test_a_deviation_that_has_grown_too_wide_since_is_no_rank(rated):
    rated((1700, 74.5), last_at=NOW - timedelta(days=50))
    assert ladder(POOL, now=NOW).rows == ()
    assert names(ladder(POOL, now=NOW - timedelta(days=50)).rows) == [(1, "p0")]


def test_ranks_come_with_the_span_that_is_likely(rated):
    rated((1900, 30), (1520, 60), (1500, 60), (1100, 30))
    spans = [(row.best_rank, row.worst_rank) for row in ladder(POOL, now=NOW).rows]
    assert spans == [(1, 1), (2, 3), (2, 3), (4, 4)]


def test_a_page_of_a_large_ladder(rated, django_assert_max_num_queries):
    rated(*[(2000 - i, 50) for i in range(120)])
    with django_assert_max_num_queries(6):
        page = ladder(POOL, offset=100, limit=50, now=NOW)
        assert [row.player.name for row in page.rows][:2] == ["Player 100", "Player 101"]
    assert page.rows[0].rank == 101
    assert (len(page.rows), page.total) == (20, 120)


def test_a_young_ladder_needs_few_queries_too(rated, django_assert_max_num_queries):
    rated(*[(1500 + i, 60) for i in range(20)], matches=3)
    with django_assert_max_num_queries(6):
        board = ladder(POOL, now=NOW)
        assert board.provisional[0].player.name == "Player 19"


def test_playing_leads_onto_the_ladder(people, beat):
    players = people(9)
    for lap in range(3):
        for day, other in enumerate(players[1:]):
            beat(players[0], other, days=lap * 8 + day)
    now = datetime(2026, 3, 27, tzinfo=UTC)
    board = ladder(POOL, now=now)
    assert names(board.rows) == [(1, "p0")]
    shown = board.rows[0].shown
    assert (shown.matches, shown.opponents, shown.provisional) == (24, 8, False)
    assert len(board.provisional) == 8


def test_nobody_has_a_rating_before_the_first_match(people):
    [ana] = people(1)
    assert rating_of(ana, POOL) is None
    assert ratings_of(ana) == {}
    assert history(ana, POOL) == []


def test_the_history_says_what_was_expected(people, beat):
    ana, ben = people(2)
    beat(ana, ben)
    beat(ana, ben, days=10)
    newest, oldest = history(ana, POOL)
    assert (oldest.before, oldest.after, oldest.expected) == (1500, 1546, 0.5)
    assert newest.before == 1546
    assert newest.delta < 46
    assert 0.5 < newest.expected < 0.7


def test_the_chance_grows_with_the_target(people, rated):
    strong, weak = rated((1700, 40), (1500, 40))
    short, long = chance(strong, weak, 50), chance(strong, weak, 250)
    assert 0.5 < short < long < 1
    assert chance(weak, strong, 250) == pytest.approx(1 - long)
    assert chance(strong, strong, 100) == 0.5


def test_a_rating_is_shown_with_its_spread_or_a_question_mark():
    assert str(Shown(1612, 44.9, 30, 9, None)) == "1612 ± 88"
    assert str(Shown(1540, 122.9, 1, 1, None)) == "1540 ?"


def test_the_admin_only_shows(people, client, rated):
    [ana] = rated((1500, 50))
    ana.is_staff = ana.is_superuser = True
    ana.save()
    client.force_login(ana)
    from django.contrib import admin
    from django.test import RequestFactory

    request = RequestFactory().get("/")
    request.user = ana
    model_admin = admin.site._registry[Rating]
    assert model_admin.has_view_permission(request)
    assert not model_admin.has_add_permission(request)
    assert not model_admin.has_change_permission(request)
    assert not model_admin.has_delete_permission(request)
    [row] = model_admin.get_queryset(request)
    assert model_admin.shown(row) == "1500 (50)"


def test_a_ladder_of_some_keeps_the_ranks_among_all(rated):
    players = rated((1700, 50), (1650, 50), (1600, 50))
    type(players[0]).objects.filter(pk__in=[players[0].pk, players[2].pk]).update(country="PE")
    board = ladder(POOL, now=NOW, who=condition_of("", "PE", None))
    assert (names(board.rows), board.total) == ([(1, "p0"), (3, "p2")], 2)
    assert names(ladder(POOL, now=NOW, who=condition_of("player 1", "", None)).rows) == [(2, "p1")]
    assert names(ladder(POOL, now=NOW, who=condition_of("player 1", "PE", None)).rows) == []
    club = clubs.found(founder=players[1], name="Double Six")
    assert names(ladder(POOL, now=NOW, who=condition_of("", "", club)).rows) == [(2, "p1")]


def test_five_above_and_five_below_somebody(rated):
    players = rated(*[(1800 - 10 * n, 50) for n in range(20)])
    around = [row.rank for row in ladder(POOL, now=NOW, around=players[9]).rows]
    assert around == list(range(5, 16))
    assert ladder(POOL, now=NOW, around=players[0]).rows[0].rank == 1
    [newcomer] = type(players[0]).objects.bulk_create(
        [type(players[0])(handle="new", name="New", name_key="new")]
    )
    assert ladder(POOL, now=NOW, around=newcomer).rows == ()


def test_what_this_week_moved(rated, people, beat):
    ana, ben = rated((1600, 50), (1500, 50))
    Rating.objects.update(last_at=NOW - timedelta(days=30), last_day=(NOW - timedelta(days=30)))
    board = ladder(POOL, now=NOW)
    assert [row.moved for row in board.rows] == [0, 0]
    beat(ben, ana, at=NOW - timedelta(days=8), match_id="before000000")
    beat(ben, ana, at=NOW - timedelta(days=1), match_id="thisweek0000")
    change = RatingChange.objects.get(player=ben, match="thisweek0000")
    Rating.objects.update(matches=20, opponents=8, variance=variance_of(60.0))
    moved = {row.player: row.moved for row in ladder(POOL, now=NOW).rows}
    assert moved[ben] == change.delta > 0


def test_a_page_of_a_long_ladder_costs_as_many_queries_as_of_a_short_one(
    rated, django_assert_num_queries
):
    """Bulk rows of a long ladder; its order is kept for a few seconds, and then costs none."""
    rated(*[(2000 - n / 10, 50) for n in range(ranking.LONG)])
    try:
        with django_assert_num_queries(3):
            ladder(POOL, offset=1000, now=NOW)
        with django_assert_num_queries(2):
            page = ladder(POOL, offset=50, limit=2, now=NOW)
        assert [row.rank for row in page.rows] == [51, 52]
    finally:
        ranking._kept.clear()


def test_the_api_filters_and_finds_somebodys_place(client, rated):
    players = rated((1700, 50), (1650, 50), (1600, 50), last_at=timezone.now())
    type(players[0]).objects.filter(pk=players[2].pk).update(country="PE")
    path = f"/api/v1/ratings/{POOL}/"
    [row] = client.get(path, {"country": "PE"}).json()["results"]
    assert (row["handle"], row["rank"], row["moved"]) == ("p2", 3, 0)
    rows = client.get(path, {"around": "p1"}).json()["results"]
    assert [row["rank"] for row in rows] == [1, 2, 3]
    for wrong in ({"club": "nowhere"}, {"around": "nobody"}):
        assert client.get(path, wrong).status_code == 400
