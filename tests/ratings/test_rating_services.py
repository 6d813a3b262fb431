"""Ratings in the database: once each, in order, and equal to the log computed anew."""

from __future__ import annotations

import queue
import random
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import events
from ratings import replay, services
from ratings.fold import fold
from ratings.glicko import State, variance_of
from ratings.models import (
    RatedMatch,
    Rating,
    RatingChange,
    RatingCorrection,
    UnratedMatch,
)
from ratings.pools import prior_of
from ratings.proof import _pool_faults
from ratings.selectors import history, rating_of

POOL = "allfives-1v1"


def table(pool=POOL):
    """All that is stored of a pool and may not depend on how it came about."""
    ratings = Rating.objects.filter(pool=pool).order_by("player")
    changes = RatingChange.objects.filter(pool=pool).order_by("player", "number")
    matches = RatedMatch.objects.filter(pool=pool, annulled=False).order_by("match_id")
    return (
        list(
            ratings.values_list(
                "player", "mean", "variance", "last_day", "last_at", "matches", "opponents"
            )
        ),
        list(
            changes.values_list(
                "player", "number", "match", "before_mean", "before_variance", "after_mean",
                "after_variance", "expected", "weight", "place", "side",
            )
        ),
        list(matches.values_list("match_id", "weights")),
    )  # fmt: skip


def wipe():
    for model in (RatingCorrection, RatingChange, Rating, RatedMatch, UnratedMatch):
        model.objects.all().delete()


def random_log(rng, entry, players, length):
    """Matches of random pairs, some in the same instant, some with ties, over three weeks."""
    log = []
    for number in range(length):
        one, two = rng.sample(players, 2)
        places = rng.choice([(1, 2), (1, 2), (2, 1), (1, 1)])
        days = rng.choice([number // 3, rng.randint(0, 21), rng.uniform(0, 21)])
        log.append(entry(one, two, days=days, places=places, target=rng.choice([100, 150, 250])))
    return log


def test_a_match_changes_both_players(people, beat):
    ana, ben = people(2)
    beat(ana, ben)
    assert (rating_of(ana, POOL).rating, rating_of(ben, POOL).rating) == (1546, 1454)
    won = RatingChange.objects.get(player=ana)
    assert (won.rating_before, won.rating_after, won.delta) == (1500, 1546, 46)
    assert (won.expected, won.weight, won.place, won.opponents) == (0.5, 1.0, 1, [ben.pk])
    assert RatedMatch.objects.get().weights == [1.0]


def test_a_match_told_twice_is_rated_once(people, entry):
    """R2: twice would be 1449.64 / 126.86 in the report this comes from."""
    ana, ben = people(2)
    once = entry(ana, ben)
    assert services.enter(POOL, once) is True
    before = table()
    assert services.enter(POOL, once) is False
    assert table() == before
    assert RatingChange.objects.count() == 2


def test_annulling_equals_computing_from_the_log_without_it(people, beat):
    """R3: A beats B, B beats C; the first is annulled."""
    ana, ben, eva = people(3)
    first = beat(ana, ben, days=0)
    beat(ben, eva, days=1)
    assert services.annul(match_id=first.match_id, note="played by someone else") is True
    annulled = table()
    [line] = history(ana, POOL)
    assert (line.cause, line.before, line.after) == ("annulled", 1546, 1500)
    assert UnratedMatch.objects.get().sentence == "The result was annulled."
    assert rating_of(ana, POOL) is None
    assert services.annul(match_id=first.match_id) is False
    wipe()
    beat(ben, eva, days=1, match_id="match0000002")
    played = [row for row in annulled[0] if row[0] != ana.pk]
    assert (played, *annulled[1:]) == table()


def test_a_reinstated_match_counts_as_if_it_had_never_been_annulled(people, beat):
    ana, ben, eva = people(3)
    first = beat(ana, ben)
    beat(ben, eva, days=1)
    before = table()
    services.annul(match_id=first.match_id)
    assert services.reinstate(match_id=first.match_id) is True
    assert table() == before
    assert services.reinstate(match_id=first.match_id) is False
    assert not UnratedMatch.objects.exists()


def test_only_a_rated_match_can_be_annulled(db):
    with pytest.raises(services.NotRatedYet):
        services.annul(match_id="nothing")


def test_a_late_arrival_ends_where_the_right_order_does(people, entry):
    ana, ben, eva = people(3)
    log = [entry(ana, ben, days=0), entry(ben, eva, days=1), entry(eva, ana, days=2)]
    for each in log:
        services.enter(POOL, each)
    in_order = table()
    assert not RatingCorrection.objects.exists()
    wipe()
    for each in reversed(log):
        services.enter(POOL, each)
    assert table() == in_order


def test_whoever_a_late_arrival_moves_sees_it_in_the_history(people, entry):
    ana, ben, eva = people(3)
    late = entry(ana, ben, days=0)
    services.enter(POOL, entry(ben, eva, days=1))
    before = rating_of(eva, POOL).rating
    services.enter(POOL, late)
    line, match = history(eva, POOL)
    assert (line.cause, line.before, line.match_id) == ("late", before, late.match_id)
    assert line.after == rating_of(eva, POOL).rating != before
    assert match.cause == "match"
    assert [each.cause for each in history(ana, POOL)] == ["match"]


@pytest.mark.django_db
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32))
def test_any_order_of_arrival_with_duplicates_ends_the_same(people, entry, seed):
    wipe()
    rng = random.Random(seed)
    from players.models import Player

    players = list(Player.objects.filter(handle__startswith="p")) or people(8)
    log = random_log(rng, entry, players, 16)
    for each in sorted(log, key=lambda each: each.order):
        services.enter(POOL, each)
    in_order = table()
    # The fold by itself, without a database.
    states = {player.pk: State(0.0, variance_of(130)) for player in players}
    list(fold(sorted(log, key=lambda each: each.order), states, prior=prior_of(POOL)))
    assert [row[:3] for row in in_order[0]] == [
        (player, states[player].mean, states[player].variance)
        for player in sorted({player for each in log for player in each.players})
    ]
    wipe()
    arrivals = log + rng.sample(log, 4)
    rng.shuffle(arrivals)
    for each in arrivals:
        services.enter(POOL, each)
    assert table() == in_order
    assert list(_pool_faults(POOL)) == []
    assert services.recompute(POOL) == []
    assert table() == in_order


def test_recomputing_mends_a_rating_and_says_so(people, beat):
    ana, ben = people(2)
    beat(ana, ben)
    right = table()
    Rating.objects.filter(player=ana).update(mean=3.0)
    assert "log gives" in "".join(_pool_faults(POOL))
    [difference] = services.recompute(POOL)
    assert (difference.player, difference.before) == (ana.pk, 3.0)
    assert table() == right
    assert [line.cause for line in history(ana, POOL)] == ["recomputed", "match"]
    assert [line.cause for line in history(ben, POOL)] == ["match"]


def test_a_lost_change_is_a_fault(people, beat):
    ana, ben = people(2)
    made = beat(ana, ben)
    RatingChange.objects.filter(player=ana).delete()
    assert list(_pool_faults(POOL)) == [
        f"{POOL}: match {made.match_id} changed player {ana.pk} otherwise.",
        f"{POOL}: 1 changes are stored, 2 follow from the log.",
    ]


def test_damping_is_stored_with_the_match_and_corrected_by_a_late_one(people, entry):
    ana, ben = people(2)
    early, late = entry(ana, ben, days=0), entry(ana, ben, days=1)
    services.enter(POOL, late)
    assert RatedMatch.objects.get(pk=late.match_id).weights == [1.0]
    services.enter(POOL, early)
    assert RatedMatch.objects.get(pk=late.match_id).weights == [0.5]
    assert RatingChange.objects.get(match=late.match_id, player=ana).weight == 0.5


def test_pools_keep_to_themselves(people, beat):
    ana, ben = people(2)
    beat(ana, ben)
    beat(ben, ana, pool="draw-1v1")
    assert rating_of(ana, POOL).rating == 1546
    assert RatedMatch.objects.get(pool="draw-1v1").weights == [1.0]


def test_a_known_player_enters_a_new_pool_at_half_the_best_known_mean(people, beat):
    ana, *others = people(6)
    for day, other in enumerate(others):
        beat(ana, other, days=day)
    beat(ana, others[0], pool="block-1v1", days=9)
    best_known = Rating.objects.get(player=ana, pool=POOL)
    other = Rating.objects.get(player=ana, pool="block-1v1")
    assert best_known.variance < other.variance
    start = replay.start_mean("draw-1v1", [ana.pk])
    assert start == {ana.pk: round(best_known.mean / 2, 9)}
    beat(ana, others[0], pool="draw-1v1", days=10)
    change = RatingChange.objects.get(player=ana, pool="draw-1v1")
    assert change.before_mean == start[ana.pk]
    assert change.before_variance == prior_of("draw-1v1")
    assert services.recompute("draw-1v1") == []


def test_a_table_and_partners_are_rated_by_their_own_pools(people, beat):
    ana, ben, eva, ida = people(4)
    beat(ana, ben, eva, ida, pool="allfives-table", target=100)
    assert rating_of(ana, "allfives-table").rating == 1557
    beat([ana, eva], [ben, ida], pool="allfives-partners", target=100)
    change = RatingChange.objects.get(player=ana, pool="allfives-partners")
    assert change.opponents == sorted([ben.pk, ida.pk])
    assert Rating.objects.get(player=ana, pool="allfives-partners").opponents == 2
    assert Rating.objects.get(player=ana, pool="allfives-table").opponents == 3


def test_one_match_costs_few_queries(people, beat, entry, django_assert_max_num_queries):
    players = people(10)
    for day, (one, two) in enumerate(pairwise(players)):
        beat(one, two, days=day)
    latest = entry(players[0], players[1], days=30)
    with django_assert_max_num_queries(28):
        services.enter(POOL, latest)


def test_two_matches_of_the_same_instant_are_ordered_by_their_ids(people, entry):
    ana, ben, eva = people(3)
    upper = entry(ana, ben, match_id="Zzzzzzzzzzzz")
    lower = entry(ben, eva, match_id="aaaaaaaaaaaa", at=upper.finished_at)
    for each in (lower, upper):
        services.enter(POOL, each)
    one_way = table()
    assert RatingChange.objects.get(player=ben, number=1).match_id == "Zzzzzzzzzzzz"
    wipe()
    for each in (upper, lower):
        services.enter(POOL, each)
    assert table() == one_way


def test_time_between_matches_widens_the_deviation_before_the_next(people, beat):
    ana, ben, eva = people(3)
    beat(ana, ben)
    known = RatingChange.objects.get(player=ana).after_variance
    beat(ana, eva, days=50)
    change = RatingChange.objects.get(player=ana, number=2)
    assert change.before_variance > known
    assert change.finished_at - RatedMatch.objects.order_by("finished_at")[0].finished_at == (
        timedelta(days=50)
    )


class Layer:
    """A channel layer that keeps what it was given."""

    def __init__(self):
        self.sent = queue.Queue()

    async def group_send(self, group, payload):
        self.sent.put((group, payload["tables"]))


def test_those_at_the_table_are_told_once_the_match_is_rated(
    people, entry, monkeypatch, django_capture_on_commit_callbacks
):
    layer = Layer()
    monkeypatch.setattr(events, "get_channel_layer", lambda: layer)
    made = entry(*people(2))
    told = ("tables", {made.match_id: None})
    with django_capture_on_commit_callbacks(execute=True):
        services.enter(POOL, made)
        assert layer.sent.empty()
    assert layer.sent.get(timeout=10) == told
    with django_capture_on_commit_callbacks(execute=True):
        services.enter(POOL, made)
    for change in (services.annul, services.reinstate):
        with django_capture_on_commit_callbacks(execute=True):
            change(match_id=made.match_id)
        assert layer.sent.get(timeout=10) == told
    assert layer.sent.empty()
