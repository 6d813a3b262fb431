"""Seasons: the rule begun anew, kept match by match, closed once; divisions and what is kept."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta

import pytest

from ratings import recomputing, seasons, services, snapshots, tasks
from ratings.fold import fold
from ratings.glicko import State, rate
from ratings.models import (
    LadderSeason,
    OvertakenTable,
    Rating,
    RatingChange,
    Recomputation,
    SeasonRating,
)
from ratings.pools import prior_of
from ratings.proof import _pool_faults
from ratings.replay import entries_of
from ratings.seasonal import Calendar, Seasons, division_of, ranks_of

POOL = "allfives-1v1"
PRIOR = prior_of(POOL)


@pytest.fixture
def spring(db):
    """A season from the 10th to the 19th of March 2026, and the one after it."""
    return [
        LadderSeason.objects.create(
            number=1, begins_on=date(2026, 3, 10), ends_on=date(2026, 3, 19), top_division=1
        ),
        LadderSeason.objects.create(
            number=2, begins_on=date(2026, 3, 20), ends_on=date(2099, 3, 31), top_division=1
        ),
    ]


def table(season, **only):
    rows = SeasonRating.objects.filter(season=season, pool=POOL, **only).order_by("player")
    return [(row.player_id, row.state, row.opponents) for row in rows]


def begun_anew(season):
    """The rule of ratings.md, from its own words: what the season's table is to be."""
    states, career, met = {}, {}, {}
    for row in Rating.objects.filter(pool=POOL):
        career[row.player_id] = State(row.start_mean, PRIOR)
    for rated in fold(list(entries_of(POOL)), career, prior=PRIOR):
        entry = rated.entry
        if not season.begins_on <= entry.finished_at.date() <= season.ends_on:
            continue
        for player in entry.players:
            if player not in states:
                half = round(rated.changes[player].before.mean / 2, 9)
                states[player] = State(half, PRIOR)
        sides = [[states[player] for player in side] for side in entry.sides]
        day = entry.finished_at.toordinal()
        changes = rate(
            sides, entry.places, target=entry.target, day=day, prior=PRIOR, damping=rated.weights
        )
        for side, of_side in zip(entry.sides, changes, strict=True):
            for player, change in zip(side, of_side, strict=True):
                states[player] = change.after
                met.setdefault(player, set()).update(set(entry.players) - set(side))
    return [(player, states[player], len(met[player])) for player in sorted(states)]


@pytest.fixture
def log(people, entry, spring):
    """Twenty-four matches of six people from the 2nd of March to the 22nd, in no order of time."""
    rng = random.Random(11)
    players = people(6)
    made = [entry(*rng.sample(players, 2), days=number * 0.9) for number in range(24)]
    for each in rng.sample(made, len(made)):
        services.enter(POOL, each)
    return made


def test_a_season_is_the_rule_begun_anew_with_half_the_careers_mean(log, spring):
    for season in spring:
        assert table(season) == begun_anew(season) != []
    assert list(_pool_faults(POOL)) == []


def test_a_seasons_first_match_is_worked_out_by_hand(people, beat, spring):
    """Ana comes with 1600.. from her career: she begins the season half-way, as doubtful as new."""
    ana, ben, eva = people(3)
    beat(ana, ben)
    career = Rating.objects.get(player=ana)
    beat(ana, eva, days=10, target=100)
    row = SeasonRating.objects.get(player=ana)
    start, fresh = State(round(career.mean / 2, 9), PRIOR), State(0.0, PRIOR)
    day = date(2026, 3, 12).toordinal()
    (won,), _lost = rate([[start], [fresh]], [1, 2], target=100, day=day, prior=PRIOR)
    assert row.state == won.after
    assert 1500 < start.rating < career.state.rating < row.state.rating + 40


@pytest.mark.parametrize("which", [2, 12, 22])
def test_a_correction_makes_the_tables_anew_at_once_and_in_the_background(
    log, spring, which, monkeypatch
):
    services.annul(match_id=log[which].match_id)
    assert [table(each) for each in spring] == [begun_anew(each) for each in spring]
    monkeypatch.setattr(services, "AT_ONCE", 1)
    monkeypatch.setattr(recomputing, "PAGE", 7)
    services.annul(match_id=log[which - 1].match_id)
    tasks.recompute()
    assert [table(each) for each in spring] == [begun_anew(each) for each in spring]
    assert list(_pool_faults(POOL)) == []


def test_a_recomputation_may_begin_within_a_season(log, spring, entry, people, monkeypatch):
    services.take_snapshot(POOL, datetime(2026, 4, 3, tzinfo=UTC))
    from players.models import Player

    one, two = Player.objects.filter(pk__in=log[0].players)
    late = [entry(one, two, days=32 + n) for n in range(6)]
    for each in late:
        services.enter(POOL, each)
    monkeypatch.setattr(services, "AT_ONCE", 1)
    services.annul(match_id=late[1].match_id)
    assert snapshots.start_before(POOL, late[1].finished_at).at == datetime(2026, 4, 1, tzinfo=UTC)
    tasks.recompute()
    assert [table(each) for each in spring] == [begun_anew(each) for each in spring]
    assert list(snapshots.faults(POOL)) == list(_pool_faults(POOL)) == []


def test_who_has_no_match_left_in_a_season_is_not_in_its_table(people, beat, spring):
    ana, ben, eva = people(3)
    beat(ana, ben, days=9)
    only = beat(eva, ana, days=10)
    services.annul(match_id=only.match_id)
    assert [row[0] for row in table(spring[0])] == [ana.pk, ben.pk]
    services.reinstate(match_id=only.match_id)
    assert [row[0] for row in table(spring[0])] == [ana.pk, ben.pk, eva.pk]


def test_a_wrong_table_is_found(log, spring):
    row = SeasonRating.objects.filter(season=spring[1]).first()
    SeasonRating.objects.filter(pk=row.pk).update(mean=3.0)
    [fault] = _pool_faults(POOL)
    assert fault.startswith(f"{POOL}: player {row.player_id} has (State(mean=3.0")


@pytest.fixture
def enough(monkeypatch):
    monkeypatch.setattr(seasons, "MIN_MATCHES", 3)
    monkeypatch.setattr(seasons, "MIN_OPPONENTS", 2)


def test_closing_gives_ranks_and_the_next_season_its_divisions(log, spring, enough):
    first, second = spring
    assert seasons.due_to_close(datetime(2026, 3, 20, 0, 59, tzinfo=UTC)) == []
    assert seasons.due_to_close(datetime(2026, 3, 20, 1, 0, tzinfo=UTC)) == [1]
    assert services.close_season(1)
    rows = list(SeasonRating.objects.filter(season=first).order_by("-mean"))
    ranked = [row for row in rows if row.matches >= 3 and row.opponents >= 2]
    assert [row.rank for row in ranked] == list(range(1, len(ranked) + 1))
    assert all(row.rank is None for row in rows if row not in ranked)
    ranks = {row.player_id: row.rank for row in ranked}
    assert ranks
    for row in SeasonRating.objects.filter(season=second):
        rank = ranks.get(row.player_id)
        assert row.division == (None if rank is None else division_of(rank, 1))


def test_who_comes_after_the_closing_gets_a_division_too(people, beat, spring, enough):
    ana, ben, eva = people(3)
    for day in range(3):
        beat(ana, ben, days=9 + day)
        beat(ana, eva, days=9.5 + day)
    services.close_season(1)
    beat(ben, ana, days=20)
    divisions = dict(
        SeasonRating.objects.filter(season=spring[1]).values_list("player", "division")
    )
    assert divisions == {ana.pk: 1, ben.pk: None}


def test_equals_share_a_rank(people, spring, enough):
    rows = [
        SeasonRating(
            season=spring[0],
            pool=POOL,
            player=player,
            mean=mean,
            variance=0.2,
            matches=3,
            opponents=2,
        )
        for player, mean in zip(people(4), (0.5, 0.3, 0.3, 0.1), strict=True)
    ]
    SeasonRating.objects.bulk_create(rows)
    services.close_season(1)
    found = SeasonRating.objects.order_by("player").values_list("rank", flat=True)
    assert list(found) == [1, 2, 2, 4]


def test_a_closed_table_stays_as_it_was(log, spring, enough):
    services.close_season(1)
    before = list(SeasonRating.objects.filter(season=spring[0]).order_by("pk").values())
    assert not services.close_season(1)
    services.annul(match_id=log[14].match_id)
    assert list(SeasonRating.objects.filter(season=spring[0]).order_by("pk").values()) == before
    assert table(spring[1]) == begun_anew(spring[1])
    assert list(_pool_faults(POOL)) == []
    assert overtaken() == [(1, POOL)]


def overtaken():
    return list(OvertakenTable.objects.values_list("season__number", "pool"))


def test_a_closed_table_is_verified_while_no_correction_reaches_it(log, spring, enough):
    services.close_season(1)
    services.annul(match_id=log[21].match_id)  # of the season after it
    services.recompute(POOL)
    assert (overtaken(), list(_pool_faults(POOL))) == ([], [])
    row = SeasonRating.objects.filter(season=spring[0]).order_by("-mean").first()
    SeasonRating.objects.filter(pk=row.pk).update(opponents=row.opponents + 1)
    [fault] = _pool_faults(POOL)
    assert fault.startswith(f"{POOL}: player {row.player_id} has (State(mean=")
    SeasonRating.objects.filter(pk=row.pk).update(opponents=row.opponents, rank=row.rank + 1)
    assert list(_pool_faults(POOL)) == [
        f"{POOL}: player {row.player_id} has rank 2 in Season 1, the table gives 1."
    ]


def test_an_overtaken_table_keeps_the_ranks_that_its_ratings_give(log, spring, enough):
    services.close_season(1)
    services.annul(match_id=log[14].match_id)
    SeasonRating.objects.filter(season=spring[0], rank=1).update(rank=5)
    [fault] = _pool_faults(POOL)
    assert fault.endswith("has rank 5 in Season 1, the table gives 1.")


def test_a_correction_in_the_background_overtakes_a_closed_table_too(
    log, spring, enough, monkeypatch
):
    services.close_season(1)
    monkeypatch.setattr(services, "AT_ONCE", 1)
    services.annul(match_id=log[14].match_id)
    tasks.recompute()
    assert (overtaken(), list(_pool_faults(POOL))) == ([(1, POOL)], [])


def test_another_width_overtakes_closed_tables_once_the_pool_is_recomputed(
    log, spring, enough, settings
):
    services.close_season(1)
    settings.RATING_WIDTHS = {POOL: 80.0}
    assert list(_pool_faults(POOL)) != []
    services.ask_to_recompute(pool=POOL)
    tasks.recompute()
    assert (overtaken(), list(_pool_faults(POOL))) == ([(1, POOL)], [])
    assert Rating.objects.filter(pool=POOL, variance__gt=prior_of(POOL)).count() == 0


def test_a_season_waits_for_a_recomputation(log, spring):
    services.ask_to_recompute(pool=POOL)
    assert not services.close_season(1)
    tasks.recompute()
    assert services.close_season(1)


@pytest.mark.django_db(transaction=True)
def test_many_who_close_a_season_at_once_close_it_once(log, spring, enough, at_once):
    closed = at_once(4, lambda _n: services.close_season(1))
    assert sorted(closed) == [False, False, False, True]
    assert list(_pool_faults(POOL)) == []


@pytest.mark.django_db(transaction=True)
def test_many_who_open_a_season_at_once_open_it_once(at_once):
    at_once(4, lambda _n: services.open_season(datetime(2026, 11, 30, tzinfo=UTC)))
    [season] = LadderSeason.objects.all()
    assert (season.begins_on, season.ends_on) == (date(2026, 10, 1), date(2026, 12, 31))


@pytest.mark.django_db
def test_seasons_follow_one_another_however_long_nobody_looked():
    services.open_season(datetime(2026, 2, 3, tzinfo=UTC))
    LadderSeason.objects.update(ends_on=date(2026, 3, 15), top_division=10)
    services.open_season(datetime(2026, 11, 30, tzinfo=UTC))
    found = LadderSeason.objects.order_by("number")
    assert [(each.number, each.begins_on, each.ends_on, each.top_division) for each in found] == [
        (1, date(2026, 1, 1), date(2026, 3, 15), 10),
        (2, date(2026, 3, 16), date(2026, 6, 30), 10),
        (3, date(2026, 7, 1), date(2026, 9, 30), 10),
        (4, date(2026, 10, 1), date(2026, 12, 31), 10),
    ]


def test_matches_from_before_the_first_season_was_there_are_taken_in(people, beat, monkeypatch):
    ana, ben = people(2)
    monkeypatch.setattr(services, "open_season", lambda: False)
    beat(ana, ben, days=1)
    monkeypatch.undo()
    services.open_season(datetime(2026, 3, 30, tzinfo=UTC))
    assert Recomputation.objects.get().pool == POOL
    tasks.recompute()
    [season] = LadderSeason.objects.all()
    assert table(season) == begun_anew(season) != []
    assert RatingChange.objects.filter(season_matches=1).count() == 2


def test_a_day_belongs_to_one_season():
    calendar = Calendar([10, 20], [1, 2], 29)
    days = (9, 10, 19, 20, 29, 30)
    assert [calendar.season_of(day) for day in days] == [None, 1, 1, 2, 2, None]
    assert Seasons(Calendar(), PRIOR).states == {}


def test_a_division_holds_twice_as_many_as_the_one_above():
    for top in (1, 20, 33):
        for rank in range(1, 500):
            first, last = ranks_of(division_of(rank, top), top)
            assert first <= rank <= last
    assert timedelta(hours=1) == seasons.CLOSES_AFTER


def test_the_running_season_alone_is_changed(people, spring):
    services.close_season(1)
    [ana] = people(1)
    row = SeasonRating.objects.create(
        season=spring[0], pool=POOL, player=ana, mean=0, variance=0.2, rank=3
    )
    row.pk, row.season, row.rank = None, spring[1], None
    row.save(force_insert=True)
    today = date(2026, 4, 1)
    facts = {"name": "Spring", "ends_on": today, "top_division": 2, "today": today}
    assert str(services.change_season(2, **facts)) == "Spring"
    row.refresh_from_db()
    assert (row.division, str(spring[0])) == (2, "Season 1")
    for number, wrong in ((1, today), (2, date(2026, 3, 31))):
        with pytest.raises(services.SeasonFixed):
            services.change_season(number, **facts | {"ends_on": wrong})
