"""Corrections worked out in the background: equal to the log without them, whatever dies."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from ratings import recomputing, services, snapshots, tasks
from ratings.models import (
    RatedMatch,
    Rating,
    RatingChange,
    RatingCorrection,
    RatingPool,
    RatingSnapshot,
    Recomputation,
    ShadowChange,
)
from ratings.proof import _pool_faults
from ratings.replay import start_mean
from ratings.selectors import history, recomputation_of

POOL = "allfives-1v1"
APRIL = datetime(2026, 4, 3, tzinfo=UTC)


def numbers():
    ratings = Rating.objects.filter(pool=POOL, matches__gt=0).order_by("player")
    changes = RatingChange.objects.filter(pool=POOL).order_by("player", "number")
    return (
        list(ratings.values_list("player", "mean", "variance", "last_at", "matches", "opponents")),
        list(changes.values_list("player", "number", "match", "after_mean", "weight", "opponents")),
    )


@pytest.fixture
def pool(people, entry, monkeypatch):
    """Twenty-four matches of six people over twelve days of March, entered with a small limit."""
    monkeypatch.setattr(services, "AT_ONCE", 5)
    monkeypatch.setattr(recomputing, "PAGE", 7)
    monkeypatch.setattr(recomputing, "NEAR", 1)
    rng = random.Random(3)
    players = people(6)
    log = [entry(*rng.sample(players, 2), days=number / 2) for number in range(24)]
    for each in log:
        services.enter(POOL, each)
    return log


def as_if_from_the_log():
    """What computing the pool from its log gives; nothing is kept of it."""
    from django.db import transaction

    with transaction.atomic():
        services.recompute(POOL)
        due = numbers()
        transaction.set_rollback(True)
    return due


def test_an_old_correction_is_in_the_log_at_once_and_in_the_ratings_after_the_run(pool, people):
    before = numbers()
    services.annul(match_id=pool[3].match_id, note="somebody else played")
    assert RatedMatch.objects.get(pk=pool[3].match_id).annulled
    assert numbers() == before
    [job] = Recomputation.objects.all()
    assert (job.pool, job.cause, job.match_id, job.state) == (
        POOL, "annulled", pool[3].match_id, "waiting",
    )  # fmt: skip
    due = as_if_from_the_log()
    tasks.recompute()
    assert numbers() == due != before
    assert list(_pool_faults(POOL)) == []
    job.refresh_from_db()
    assert (job.state, job.done, job.total, job.run) == ("done", 23, 23, 1)
    assert services.recompute_in_background(POOL) is None


def test_whose_rating_moved_has_a_line_of_its_own(pool):
    one = Rating.objects.get(player=pool[3].players[0], pool=POOL)
    was = round(one.state.rating)
    services.annul(match_id=pool[3].match_id)
    tasks.recompute()
    line = history(one.player, POOL)[0]
    one.refresh_from_db()
    assert (line.cause, line.match_id, line.before, line.after) == (
        "annulled", pool[3].match_id, was, round(one.state.rating),
    )  # fmt: skip
    assert not any(line.delta == 0 for line in RatingCorrection.objects.all())


def test_several_corrections_are_one_run_and_one_line(pool):
    services.annul(match_id=pool[3].match_id)
    services.annul(match_id=pool[12].match_id)
    due = as_if_from_the_log()
    tasks.recompute()
    assert numbers() == due
    assert list(Recomputation.objects.values_list("run", "state")) == [(1, "done"), (1, "done")]
    causes = set(RatingCorrection.objects.values_list("cause", "match_id"))
    assert causes == {("recomputed", "")}


def test_a_late_match_of_a_newcomer_is_worked_out_too(pool, people, entry):
    from players.models import Player

    new = Player.objects.create(handle="new", name="New", name_key="new")
    old = Player.objects.get(pk=pool[0].players[0])
    assert start_mean(POOL, [new.pk]) == {}
    services.enter(POOL, entry(new, old, days=1.1))
    assert not RatingChange.objects.filter(player=new).exists()
    tasks.recompute()
    assert RatingChange.objects.filter(player=new).count() == 1
    assert list(_pool_faults(POOL)) == []


def test_matches_that_come_during_a_run_are_taken_in(pool, entry):
    from players.models import Player

    services.annul(match_id=pool[2].match_id)
    run = recomputing.begin(POOL)
    recomputing.fold_ahead(run)
    one, two = Player.objects.filter(pk__in=pool[0].players)
    services.enter(POOL, entry(one, two, days=30))
    assert RatingChange.objects.filter(player=one).latest("finished_at").number
    recomputing.swap(run)
    assert list(_pool_faults(POOL)) == []


def test_a_correction_during_a_run_is_the_next_run(pool):
    services.annul(match_id=pool[2].match_id)
    run = recomputing.begin(POOL)
    recomputing.fold_ahead(run)
    services.annul(match_id=pool[-1].match_id)
    recomputing.swap(run)
    assert recomputing.is_open(POOL)
    tasks.recompute()
    assert list(_pool_faults(POOL)) == []


@pytest.mark.parametrize("folded", [False, True])
def test_a_run_that_dies_is_begun_anew_and_can_do_no_harm_any_more(pool, folded):
    services.annul(match_id=pool[2].match_id)
    before = numbers()
    dead = recomputing.begin(POOL)
    if folded:
        recomputing.fold_ahead(dead)
    assert numbers() == before
    assert recomputing.begin(POOL) is None
    run = recomputing.begin(POOL, timezone.now() + recomputing.STALE)
    with pytest.raises(recomputing.Superseded):
        recomputing.swap(dead)
    due = as_if_from_the_log()
    recomputing.fold_ahead(run)
    recomputing.swap(run)
    assert numbers() == due


def test_what_fails_again_and_again_is_given_up_and_told(pool):
    services.annul(match_id=pool[2].match_id)
    for _each in range(recomputing.MAX_TRIES):
        recomputing.fail(recomputing.begin(POOL), "a fault")
    assert recomputing.begin(POOL) is None
    assert Recomputation.objects.get().state == "failed"
    services.ask_to_recompute(pool=POOL)
    tasks.recompute()
    assert list(_pool_faults(POOL)) == []


def test_a_replay_begins_with_the_last_months_snapshot(pool, entry):
    from players.models import Player

    assert services.take_snapshot(POOL, datetime(2026, 4, 1, 12, tzinfo=UTC)) is None
    assert services.take_snapshot(POOL, APRIL) == 6
    assert services.take_snapshot(POOL, APRIL) is None
    assert list(snapshots.faults(POOL)) == []
    one, two = Player.objects.filter(pk__in=pool[0].players)
    aprils = [entry(one, two, days=32 + n) for n in range(10)]
    for each in aprils:
        services.enter(POOL, each)
    services.annul(match_id=aprils[1].match_id)
    start = snapshots.start_before(POOL, aprils[1].finished_at)
    assert start.at == datetime(2026, 4, 1, tzinfo=UTC)
    due = as_if_from_the_log()
    tasks.recompute()
    assert numbers() == due
    assert RatingSnapshot.objects.count() == 6
    services.annul(match_id=pool[3].match_id)
    tasks.recompute()
    assert RatingSnapshot.objects.count() == 0
    assert RatingPool.objects.get().snapshots_until.month == 3
    assert services.take_snapshot(POOL, APRIL) == 6
    assert list(_pool_faults(POOL)) == []


def test_a_wrong_snapshot_is_found(pool):
    services.take_snapshot(POOL, APRIL)
    RatingSnapshot.objects.filter(matches__gt=1).update(mean=2.0)
    assert list(snapshots.faults(POOL)) == [
        f"{POOL}: the snapshot of 2026-03 is not what the changes give."
    ]


def test_how_far_a_run_is_can_be_seen(pool):
    assert recomputation_of(POOL) is None
    services.annul(match_id=pool[2].match_id)
    waiting = recomputation_of(POOL)
    assert (waiting.done, waiting.total, waiting.since) == (0, 0, pool[2].finished_at)
    recomputing.fold_ahead(recomputing.begin(POOL))
    running = recomputation_of(POOL)
    assert (running.done, running.total, running.percent) == (23, 23, 100)
    assert ShadowChange.objects.count() == 42
    assert timedelta(0) <= timezone.now() - running.asked_at < timedelta(minutes=5)


def test_the_ladder_and_the_api_say_so(pool, client, settings):
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    services.annul(match_id=pool[2].match_id)
    page = client.get("/ladder").content.decode()
    assert "the ratings after it are being worked out anew" in page
    [shown] = [each for each in client.get("/api/v1/ratings/").json() if each["recomputation"]]
    assert (shown["pool"], shown["recomputation"]["total"]) == (POOL, 0)
    tasks.recompute()
    assert "worked out anew" not in client.get("/ladder").content.decode()
    assert not any(each["recomputation"] for each in client.get("/api/v1/ratings/").json())


def test_only_a_superuser_has_a_pool_recomputed(pool, client):
    from players.models import Player

    staff = Player.objects.get(pk=pool[0].players[0])
    Player.objects.filter(pk=staff.pk).update(is_staff=True)
    from django.contrib import admin
    from django.test import RequestFactory

    request = RequestFactory().get("/")
    request.user = Player.objects.get(pk=staff.pk)
    model_admin = admin.site._registry[RatingPool]
    assert model_admin.get_actions(request) == {}
    request.user.is_superuser = True
    assert "recompute" in model_admin.get_actions(request)
