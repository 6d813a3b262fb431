"""Random logs of every kind of table, corrected at random: equal to computing them anew."""

from __future__ import annotations

import random

import pytest

from ratings import services
from ratings.models import RatedMatch, Rating, RatingChange, RatingCorrection, UnratedMatch
from ratings.proof import _pool_faults

POOLS = {"1v1": "draw-1v1", "table": "allfives-table", "partners": "block-partners"}


def stored(pool):
    """All that may not depend on how the log came about."""
    ratings = Rating.objects.filter(pool=pool, matches__gt=0).order_by("player")
    changes = RatingChange.objects.filter(pool=pool).order_by("player", "number")
    counted = RatedMatch.objects.filter(pool=pool, annulled=False).order_by("match_id")
    return (
        list(ratings.values_list("player", "mean", "variance", "last_at", "matches", "opponents")),
        list(
            changes.values_list(
                "player", "number", "match", "before_mean", "before_variance", "after_mean",
                "after_variance", "expected", "weight",
            )
        ),
        list(counted.values_list("match_id", "weights")),
    )  # fmt: skip


def some_log(rng, kind, players, entry, length=14):
    """Matches over two weeks, with ties, with unverified accounts, and in no order."""
    log = []
    for _ in range(length):
        seats = {"1v1": 2, "table": rng.choice((3, 4)), "partners": 4}[kind]
        sides = rng.sample(players, seats)
        if kind == "partners":
            sides = [sides[::2], sides[1::2]]
        places = [rng.randint(1, len(sides)) for _side in sides]
        at = {"days": rng.uniform(0, 14)}
        log.append(entry(*sides, places=places, target=rng.choice((100, 150, 250)), **at))
    return log


@pytest.mark.django_db
@pytest.mark.parametrize("kind", POOLS)
@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_is_annulled_and_reinstated_equals_the_log_as_it_is_now(kind, seed, people, entry):
    """R3, and its siblings: the first, the last, several, twice, and back again."""
    rng, pool = random.Random(f"{kind} {seed}"), POOLS[kind]
    log = some_log(rng, kind, people(6), entry)
    for each in log:
        services.enter(pool, each)
    gone = rng.sample(log, 5)
    for each in gone:
        assert services.annul(match_id=each.match_id)
        assert not services.annul(match_id=each.match_id)
    back = gone[:2]
    for each in back:
        assert services.reinstate(match_id=each.match_id)
    corrected = stored(pool)
    assert list(_pool_faults(pool)) == []
    assert services.recompute(pool) == []
    assert stored(pool) == corrected
    for model in (RatingCorrection, RatingChange, Rating, RatedMatch, UnratedMatch):
        model.objects.all().delete()
    for each in log:
        if each not in gone or each in back:
            services.enter(pool, each)
    assert stored(pool) == corrected
