"""Widths fitted to logs of worlds whose truth is known, and what is proposed of them."""

from __future__ import annotations

import datetime as dt
from math import exp, log
from random import Random
from statistics import NormalDist

import pytest

from ratings import fitting
from ratings.fitting import WIDTHS, Fit, Known, compared, fit, proposed, together
from ratings.fold import Entry
from ratings.glicko import scale_of, variance_of

START = dt.datetime(2026, 3, 2, 20, 0, tzinfo=dt.UTC)


def world(width: float, matches: int) -> list[Entry]:
    """A hundred skills just as wide as that, and matches that go as the formula says."""
    chance, bell = Random(5), NormalDist(0, variance_of(width) ** 0.5)
    skill = [bell.inv_cdf((n + 0.5) / 100) for n in range(100)]
    found = []
    for number in range(matches):
        one, two = chance.sample(range(100), 2)
        odds = 1 / (1 + exp(-scale_of(150) * (skill[one] - skill[two])))
        winner, loser = (one, two) if chance.random() < odds else (two, one)
        at = START + dt.timedelta(minutes=10 * number)
        found.append(Entry(f"m{number:07}", at, 150, ((winner,), (loser,)), (1, 2)))
    return found


def known(entries: list[Entry]) -> Known:
    return Known(entries, dict.fromkeys(range(100), 0.0), 130.0)


def bowl(width: float, matches: int) -> list[float]:
    """What a pool loses whose best width is that: the more, the more matches."""
    return [matches * log(each / width) ** 2 for each in WIDTHS]


@pytest.mark.parametrize("width", [70, 110])
def test_the_width_of_a_world_is_found(width: int) -> None:
    found = fit(["one"], lambda _pool: known(world(width, 3000)), START)
    assert abs(log(found["one"].best / width)) < 0.15
    assert (found["one"].in_use, found["one"].weight) == (130, 3000)


def test_a_pool_of_few_matches_is_about_as_wide_as_the_others() -> None:
    large, own, none = bowl(65, 100_000), bowl(130, 100_000), bowl(300, 0)
    assert together({"large": large, "own": own}) == {"large": 65, "own": 131}
    assert together({"large": large, "none": none}) == {"large": 65, "none": 73}
    few = together({"large": large, "few": bowl(130, 10)})["few"]
    assert 73 < few < 130


def test_without_matches_that_tell_a_site_is_as_a_new_one() -> None:
    flat = [1000.0] * len(WIDTHS)
    assert together({"one": flat, "two": flat}) == {"one": 116, "two": 116}
    assert together({}) == {}


def test_only_the_matches_since_then_are_judged_and_pools_without_any_have_no_fit() -> None:
    entries = world(110, 40)
    since = entries[30].finished_at
    found = fit(["old", "new"], lambda pool: known(entries[: 30 if pool == "old" else 40]), since)
    assert {pool: each.weight for pool, each in found.items()} == {"new": 10}


def test_a_table_of_three_tells_as_much_as_two_matches() -> None:
    entry = Entry("m1", START, 100, ((1,), (2,), (3,)), (1, 2, 3))
    told = fitting.losses(known([entry]), START, 130)
    assert (list(told.costs), told.weight) == ([pytest.approx(2 * log(2))], 2)
    assert told.mean == pytest.approx(log(2))


def test_a_better_width_is_worth_a_change_only_where_it_is_more_than_luck() -> None:
    entries = world(60, 3000)
    few, many = compared(known(entries[:5]), START, 60), compared(known(entries), START, 60)
    assert (few.in_use, few.best, many.best) == (130, 60, 60)
    assert (few.is_sure, many.is_sure) == (False, True)
    assert not compared(known(entries[:1]), START, 60).is_sure


def of(gain: float, error: float, weight: int = 100, best: int = 80) -> Fit:
    return Fit(130, 0.69, best, 0.69 - gain, error, weight)


def test_a_pool_is_changed_where_that_is_sure_or_where_it_is_for_all_in_sum() -> None:
    unsure, sure = of(0.01, 0.006), of(0.02, 0.006)
    assert proposed({"a": unsure}) == {}
    assert proposed({"a": sure}) == {"a": 80}
    assert proposed({"a": unsure, "b": unsure}) == {"a": 80, "b": 80}
    assert proposed({"a": sure, "b": of(-0.1, 0.006)}) == {"a": 80}
    assert proposed({"a": sure, "b": of(0.0, 0.0, best=130)}) == {"a": 80}
    assert proposed({}) == {}
