"""How good the forecasts are: known numbers, and worlds whose truth is known."""

from __future__ import annotations

import datetime as dt
from io import StringIO
from math import exp, log
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from ratings.fold import Entry
from ratings.glicko import State, scale_of, variance_of
from ratings.pools import prior_of
from ratings.quality import (
    Forecast,
    bins_of,
    elo_forecasts,
    glicko_forecasts,
    judged,
)

START = dt.datetime(2026, 3, 2, 20, 0, tzinfo=dt.UTC)
PRIOR = variance_of(130)


def test_a_coin_has_the_loss_of_a_coin_and_says_nothing_of_calibration() -> None:
    verdict = judged([[Forecast(0.5, 1)], [Forecast(0.5, 0)], [Forecast(0.5, 0.5)]])
    assert verdict.log_loss == pytest.approx(log(2))
    assert verdict.slope != verdict.slope


@pytest.mark.parametrize(
    ("said", "came", "slope"), [(0.8, 6, log(1.5) / log(4)), (0.6, 8, log(4) / log(1.5))]
)
def test_the_slope_says_how_much_too_sure_or_too_timid(
    said: float, came: int, slope: float
) -> None:
    forecasts = [[Forecast(said, float(n < came))] for n in range(10)]
    verdict = judged(forecasts)
    assert verdict.slope == pytest.approx(slope)
    assert verdict.brier == pytest.approx((came * (1 - said) ** 2 + (10 - came) * said**2) / 10)


def test_the_order_of_the_sides_says_nothing() -> None:
    one = [Forecast(0.7, 1), Forecast(0.55, 0), Forecast(0.9, 1)]
    turned = [Forecast(1 - each.chance, 1 - each.score) for each in one]
    assert judged([turned]).slope == pytest.approx(judged([one]).slope)
    assert judged([turned]).log_loss == pytest.approx(judged([one]).log_loss)
    assert [each.count for each in bins_of(turned)] == [each.count for each in bins_of(one)]


def test_what_a_match_says_twice_makes_the_slope_no_surer() -> None:
    matches = [[Forecast(0.7, float(n % 10 < 6))] for n in range(100)]
    once, twice = judged(matches), judged([each * 2 for each in matches])
    assert (once.slope, once.error) == (pytest.approx(twice.slope), pytest.approx(twice.error))
    assert once.error == pytest.approx(1 / (10 * log(7 / 3) * (0.6 * 0.4) ** 0.5))


def test_a_certainty_that_fails_costs_much_and_not_everything() -> None:
    assert 10 < judged([[Forecast(1.0, 0)]]).log_loss < 20


def test_elo_learns_by_sixteen() -> None:
    first, second = elo_forecasts([entry(1, (1,), (2,)), entry(2, (1,), (2,))])
    assert first[1] == [Forecast(0.5, 1.0)]
    assert second[1][0].chance == pytest.approx(1 / (1 + 10 ** (-16 / 400)))


def test_a_table_is_a_forecast_for_each_pair() -> None:
    states = {player: State(0.0, PRIOR) for player in (1, 2, 3, 4)}
    [(_entry, forecasts)] = glicko_forecasts(
        [entry(1, (1,), (2,), (3,), (4,))], states, prior=PRIOR
    )
    assert forecasts == [Forecast(0.5, 1.0)] * 6


def test_in_a_world_as_the_rule_thinks_it_the_forecasts_are_calibrated_and_better_than_elo() -> (
    None
):
    log = world(people=60, matches=9_000)
    states = {player: State(0.0, PRIOR) for player in range(60)}
    late = slice(3_000, None)
    ours = [each for _entry, each in list(glicko_forecasts(log, states, prior=PRIOR))[late]]
    elo = [each for _entry, each in list(elo_forecasts(log))[late]]
    assert 0.9 < judged(ours).slope < 1.1
    assert judged(ours).log_loss < judged(elo).log_loss < log_loss_of_a_coin()


def log_loss_of_a_coin() -> float:
    return log(2)


def entry(number: int, *sides: tuple[int, ...]) -> Entry:
    at = START + dt.timedelta(hours=3 * number)
    return Entry(f"m{number:07}", at, 150, sides, tuple(range(1, len(sides) + 1)))


def world(people: int, matches: int) -> list[Entry]:
    """Skills as wide as the prior, and matches that go as the formula says; nobody changes."""
    chance = Random(5)
    skill = [chance.gauss(0, PRIOR**0.5) for _ in range(people)]
    found = []
    for number in range(matches):
        one, two = chance.sample(range(people), 2)
        odds = 1 / (1 + exp(-scale_of(150) * (skill[one] - skill[two])))
        winner, loser = (one, two) if chance.random() < odds else (two, one)
        found.append(entry(number, (winner,), (loser,)))
    return found


@pytest.mark.django_db
def test_the_report_and_the_fit_read_the_log_of_the_pool(people, beat, tmp_path) -> None:
    ana, bo, cy = people(3)
    now = timezone.now()
    for days, (won, lost) in enumerate([(ana, bo), (bo, cy), (ana, cy), (ana, bo)]):
        beat(won, lost, at=now - dt.timedelta(days=20 - days))
    out, picture = StringIO(), tmp_path / "calibration.svg"
    call_command("rating_report", plot=picture, stdout=out)
    assert "allfives-1v1: 4 matches" in out.getvalue()
    assert out.getvalue().count("0.6931") == 1
    circles = ElementTree.parse(picture).getroot().iter("{http://www.w3.org/2000/svg}circle")
    assert 1 <= len(list(circles)) <= 4
    fit = StringIO()
    call_command("rating_fit", pool="allfives-1v1", stdout=fit)
    assert fit.getvalue().startswith("allfives-1v1: RD 130 gives 0.6")
    assert fit.getvalue().endswith("No change is worth it: the differences are small, or luck.\n")


def test_a_pool_is_as_wide_as_the_site_has_fitted_it(settings: Any) -> None:
    settings.RATING_WIDTHS = {"draw-1v1": 110.0}
    assert prior_of("draw-1v1") == variance_of(110)
    assert prior_of("draw-table") == variance_of(90)


@pytest.mark.django_db
def test_without_matches_the_report_says_so_and_bad_weeks_are_refused() -> None:
    out = StringIO()
    call_command("rating_report", stdout=out)
    assert out.getvalue() == "No rated match in the last 8 weeks.\n"
    with pytest.raises(CommandError, match="1 to 520"):
        call_command("rating_report", weeks=0)
