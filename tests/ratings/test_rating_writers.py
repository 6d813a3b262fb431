"""Many at once: a pool has one writer at a time, and a match is rated once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from django.db import connection

from ratings import services
from ratings.models import RatedMatch, RatingChange
from ratings.proof import _pool_faults

POOL = "allfives-1v1"


@pytest.mark.django_db(transaction=True)
def test_matches_that_come_at_once_and_twice_end_as_if_one_by_one(people, entry):
    players = people(6)
    rng = Random(7)
    log = [entry(*rng.sample(players, 2), days=number / 3) for number in range(16)]
    arrivals = log + rng.sample(log, 8)
    rng.shuffle(arrivals)

    def enter(match):
        try:
            return services.enter(POOL, match)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        new = list(pool.map(enter, arrivals))
    assert sum(new) == len(log)
    assert RatedMatch.objects.count() == len(log)
    assert RatingChange.objects.count() == 2 * len(log)
    assert list(_pool_faults(POOL)) == []
    assert services.recompute(POOL) == []
