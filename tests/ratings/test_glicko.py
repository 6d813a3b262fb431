"""The formula against worked numbers, Glickman's example, and the properties it must keep."""

from __future__ import annotations

from datetime import date
from itertools import combinations, permutations
from math import exp, fsum, log, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.glicko import (
    CENTRE,
    POINTS,
    Comparison,
    State,
    aged,
    chance,
    duel,
    rate,
    scale_of,
    update,
    variance_of,
)
from ratings.pools import POOLS, PRIOR_DEVIATION, prior_of

PRIOR = variance_of(130)
FRESH = State(0.0, PRIOR)


def shown(sides, places, target=100, **options):
    """Ratings and deviations after a match, to four decimals, side by side."""
    rated = rate(sides, places, target=target, day=0, prior=PRIOR, **options)
    return [[(round(c.after.rating, 4), round(c.after.deviation, 4)) for c in s] for s in rated]


def test_fresh_beats_fresh_to_100():
    assert shown([[FRESH], [FRESH]], [1, 2]) == [[(1540.1606, 122.8583)], [(1459.8394, 122.8583)]]


def test_fresh_beats_fresh_to_150():
    assert shown([[FRESH], [FRESH]], [1, 2], 150) == [
        [(1545.5512, 120.3245)],
        [(1454.4488, 120.3245)],
    ]


def test_a_tie_of_equals_moves_nobody_but_tells_something():
    assert shown([[FRESH], [FRESH]], [1, 1]) == [[(1500, 122.8583)], [(1500, 122.8583)]]


def test_a_known_player_moves_little_against_an_unknown_one():
    assert shown([[State.shown(1600, 50)], [FRESH]], [1, 2]) == [
        [(1604.8426, 49.5925)],
        [(1469.1493, 122.5054)],
    ]


def test_a_table_of_four():
    ratings = [1557.1857, 1519.0619, 1480.9381, 1442.8143]
    assert shown([[FRESH]] * 4, [1, 2, 3, 4]) == [[(rating, 119.7022)] for rating in ratings]


def test_two_against_two():
    winners, losers = shown([[FRESH, FRESH], [FRESH, FRESH]], [1, 2])
    assert winners == [(1522.2135, 128.0283)] * 2
    assert losers == [(1477.7865, 128.0283)] * 2


@pytest.mark.parametrize(
    ("days", "deviation"), [(0, 50.0), (30, 51.0602), (365, 61.6731), (5000, 130.0)]
)
def test_what_is_known_fades_with_time_but_never_beyond_the_prior(days, deviation):
    known = State.shown(1500, 50, day=date(2024, 1, 1).toordinal())
    assert round(aged(known, known.day + days, PRIOR).deviation, 4) == deviation


def test_a_rating_is_shown_around_1500_and_a_unit_is_400_by_the_logarithm_of_ten():
    shown = State(1.0, 0.25)
    assert (shown.rating, shown.deviation) == (1673.7178, 173.7178 / 2)
    assert pytest.approx(400 / log(10), abs=5e-5) == POINTS


def test_a_week_adds_five_points_to_what_is_not_known():
    known = State.shown(1500, 12, day=738_000)
    assert aged(known, 738_007, PRIOR).deviation == pytest.approx(13)  # 12² + 5² = 13²


def test_an_unknown_player_is_as_wide_as_the_game():
    assert PRIOR_DEVIATION == {"allfives": 130, "draw": 90, "block": 130}
    assert {pool: round(State(0.0, prior_of(pool)).deviation) for pool in POOLS} == {
        f"{game}-{kind}": width
        for game, width in PRIOR_DEVIATION.items()
        for kind in ("1v1", "table", "partners")
    }


def test_glickmans_example():
    """R1: one update against three opponents, all weights 1."""
    opponents = [(1400, 30, 1), (1550, 100, 0), (1700, 300, 0)]
    mean, variance = update(
        State.shown(1500, 200),
        [
            Comparison(0.0, (rating - CENTRE) / POINTS, variance_of(deviation), score)
            for rating, deviation, score in opponents
        ],
    )
    after = State(mean, variance)
    assert (round(after.rating, 3), round(after.deviation, 3)) == (1464.106, 151.399)


def test_the_target_weighs_by_its_square_root_within_limits():
    assert [scale_of(target) for target in (1, 25, 100, 400, 500)] == [0.25, 0.5, 1, 2, 2]


def test_damping_weighs_each_pair_of_sides():
    full = shown([[FRESH], [FRESH]], [1, 2])
    half = shown([[FRESH], [FRESH]], [1, 2], damping=[0.5])
    none = shown([[FRESH]] * 3, [1, 2, 3], damping=[0, 0, 0])
    assert CENTRE < half[0][0][0] < full[0][0][0]
    assert none == [[(1500, 130)]] * 3


def test_a_pair_that_is_not_damped_still_counts_at_a_table():
    (first,), (second,), (third,) = rate(
        [[FRESH]] * 3, [1, 2, 3], target=100, day=0, prior=PRIOR, damping=[0.0, 1.0, 0.0]
    )
    assert second.after.mean == 0
    assert first.after.mean == -third.after.mean > 0


def test_expected_is_the_chance_given_before_the_match():
    one, two = State.shown(1600, 50), State.shown(1500, 80)
    (won,), (lost,) = rate([[one], [two]], [1, 2], target=150, day=0, prior=PRIOR)
    assert won.expected == chance([one], [two], 150)
    assert won.expected + lost.expected == pytest.approx(1)


@pytest.mark.parametrize(
    ("sides", "places", "damping"),
    [
        ([[FRESH]], [1], None),
        ([[FRESH], []], [1, 2], None),
        ([[FRESH], [FRESH]], [1], None),
        ([[FRESH]] * 3, [1, 2, 3], [1.0]),
    ],
)
def test_a_match_that_is_none_is_refused(sides, places, damping):
    with pytest.raises(ValueError, match="side"):
        rate(sides, places, target=100, day=0, prior=PRIOR, damping=damping)


states = st.builds(
    State.shown,
    st.floats(0, 3500),
    st.floats(20, 130),
    st.one_of(st.none(), st.integers(700_000, 738_000)),
)
tables = st.integers(2, 4).flatmap(
    lambda sides: st.tuples(
        st.integers(1, 2).flatmap(
            lambda size: st.lists(
                st.lists(states, min_size=size, max_size=size), min_size=sides, max_size=sides
            )
        ),
        st.lists(st.integers(1, sides), min_size=sides, max_size=sides),
        st.integers(10, 1000),
    )
)


def afters(sides, places, target, **options):
    rated = rate(sides, places, target=target, day=738_100, prior=PRIOR, **options)
    return [[(change.after, change.expected) for change in side] for side in rated]


def by_the_book(sides, places, target, day, damping):
    """The four steps of the rule as they are written, and nothing saved (ratings.md)."""
    known = [[(p.mean, aged(p, day, PRIOR).variance) for p in side] for side in sides]
    scale = min(max((target / 100) ** 0.5, 0.25), 2)
    means = [sum(mean for mean, _v in side) / len(side) for side in known]
    spread = [sum(variance for _m, variance in side) / len(side) ** 2 for side in known]
    pairs = dict(zip(combinations(range(len(sides)), 2), damping, strict=True))
    found = []
    for i, side in enumerate(known):
        share = 1 / len(side)
        for mean, variance in side:
            info = grad = 0.0
            for j in set(range(len(sides))) - {i}:
                rest = spread[i] + spread[j] - share**2 * variance
                g = 1 / (1 + 3 * scale**2 * rest / pi**2) ** 0.5
                expected = 1 / (1 + exp(-scale * g * (means[i] - means[j])))
                score = (places[i] < places[j]) + (places[i] == places[j]) / 2
                weight = 2 / len(sides) * pairs[min(i, j), max(i, j)]
                info += weight * (scale * g * share) ** 2 * expected * (1 - expected)
                grad += weight * scale * g * share * (score - expected)
            after = 1 / (1 / variance + info)
            found.append((mean + after * grad, after))
    return found


@given(tables, st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_any_table_is_rated_as_the_rule_is_written(table, damping):
    sides, places, target = table
    damping = damping[: len(sides) * (len(sides) - 1) // 2]
    rated = rate(sides, places, target=target, day=738_100, prior=PRIOR, damping=damping)
    ours = [(change.after.mean, change.after.variance) for side in rated for change in side]
    for mine, book in zip(ours, by_the_book(sides, places, target, 738_100, damping), strict=True):
        assert mine == pytest.approx(book, abs=2e-9)


@given(tables)
def test_the_order_of_the_seats_does_not_matter(table):
    sides, places, target = table
    expected = afters(sides, places, target)
    for order in permutations(range(len(sides))):
        mixed = afters([sides[i][::-1] for i in order], [places[i] for i in order], target)
        assert mixed == [expected[i][::-1] for i in order]


@given(tables)
def test_a_sole_winner_never_falls_and_a_sole_last_never_rises(table):
    sides, places, target = table
    rated = afters(sides, places, target)
    for i, side in enumerate(sides):
        others = places[:i] + places[i + 1 :]
        for before, (after, _expected) in zip(side, rated[i], strict=True):
            if places[i] < min(others):
                assert after.mean >= round(before.mean, 9)
            if places[i] > max(others):
                assert after.mean <= round(before.mean, 9)


@given(tables, st.data())
def test_a_better_result_never_lowers_a_rating(table, data):
    sides, places, target = table
    one = data.draw(st.integers(0, len(sides) - 1))
    better = data.draw(st.integers(0, places[one]))
    improved = [*places[:one], better, *places[one + 1 :]]
    worse, best = afters(sides, places, target)[one], afters(sides, improved, target)[one]
    for (before, _x), (after, _y) in zip(worse, best, strict=True):
        assert after.mean >= before.mean


@given(tables)
def test_a_match_never_makes_anyone_less_known(table):
    sides, places, target = table
    for side, rated in zip(sides, afters(sides, places, target), strict=True):
        for before, (after, _expected) in zip(side, rated, strict=True):
            assert 0 < after.variance <= round(aged(before, 738_100, PRIOR).variance, 9)
            assert (after.day, after.matches) == (738_100, before.matches + 1)


@given(tables, st.data())
def test_how_much_a_match_tells_does_not_hang_on_how_it_ends(table, data):
    sides, places, target = table
    others = data.draw(st.permutations(places))
    one, two = (afters(sides, each, target) for each in (places, others))
    for side, same in zip(one, two, strict=True):
        assert [after.variance for after, _ in side] == [after.variance for after, _ in same]


@given(tables)
def test_what_some_gain_others_lose_where_all_are_known_alike(table):
    """Weighed by what is known afterwards, since a doubtful rating moves further."""
    sides, places, target = table
    alike = [[State(state.mean, 0.2) for state in side] for side in sides]
    rated = rate(alike, places, target=target, day=738_100, prior=PRIOR)
    changes = [change for side in rated for change in side]
    moved = fsum((each.after.mean - each.before.mean) / each.after.variance for each in changes)
    assert moved == pytest.approx(0, abs=1e-6)


@given(tables)
def test_what_is_stored_is_rounded_to_nine_places(table):
    for side in afters(*table):
        for after, _expected in side:
            assert (after.mean, after.variance) == (round(after.mean, 9), round(after.variance, 9))


@given(
    states, states, st.tuples(*[st.integers(1, 2)] * 2), st.floats(0.01, 1), st.integers(10, 1000)
)
def test_one_against_one_by_the_short_way_is_the_same_to_the_last_bit(
    one, two, places, weight, target
):
    facts = {"target": target, "day": 738_100, "prior": PRIOR}
    short = duel(one, two, places, weight, **facts)
    (first,), (second,) = rate([[one], [two]], places, damping=[weight], **facts)
    assert short == (first, second)
