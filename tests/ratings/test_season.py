"""The bench of a season: played once by its seed, and every rule told the same log."""

from __future__ import annotations

from math import log as log_of
from pathlib import Path
from random import Random

import pytest

from bench import peers, season
from ratings.glicko import State, variance_of
from ratings.quality import Forecast, elo_forecasts


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> season.Log:
    monkeypatch.setattr(season, "MEAN", 0.4)
    monkeypatch.setattr(season, "SPREAD", 0.2)  # nobody so strong that thinking takes long
    season.people.cache_clear()
    return season.season(3, 30, 60, 1, tmp_path / "kept.jsonl")


def test_a_season_is_played_once_by_its_seed_and_in_the_order_of_a_log(
    log: season.Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sorted(log, key=lambda each: each[1].order) == log
    assert season.match(3, 30, 7) in log
    monkeypatch.setattr(season, "match", None)
    assert season.season(3, 30, 60, 1, tmp_path / "kept.jsonl") == log


def test_every_rule_forecasts_the_same_matches_and_begins_with_even_chances(
    log: season.Log,
) -> None:
    tellers = [elo_forecasts, peers.openskill, peers.glicko2]
    told = [list(season.pool_by_pool(teller, log)) for teller in tellers]
    told.append(list(season.ours(log, season.site(season.AS_NEW))))
    for each in told:
        assert {entry.match_id for _pool, entry, _forecasts in each} == {e.match_id for _, e in log}
        _pool, _entry, forecasts = each[0]
        assert [forecast.chance for forecast in forecasts] == [0.5] * len(forecasts)
    scores = [
        {entry.match_id: [f.score for f in forecasts] for _pool, entry, forecasts in each}
        for each in told
    ]
    assert all(each == scores[0] for each in scores)


def test_who_is_known_in_one_pool_starts_half_as_far_from_the_middle_in_another() -> None:
    width = {"allfives-1v1": 100.0, "draw-1v1": 100.0}
    pools, prior = season.site(width), variance_of(100)
    pools["allfives-1v1"][7] = pools["allfives-1v1"][7]._replace(mean=0.8)
    assert pools["draw-1v1"][7] == State(0.4, prior)
    assert pools["draw-1v1"][8] == State(0.0, prior)
    told = season.site(width, {"draw-1v1": {8: 0.3}})
    assert told["draw-1v1"][8] == State(0.3, prior)


def test_the_site_is_refitted_by_what_rating_fit_says_of_the_first_half(
    log: season.Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    fits, _site = season.in_the_middle(log)
    half = [entry for pool, entry in log if pool == "allfives-1v1"]
    half = [entry for entry in half if entry.finished_at < season.MIDDLE]
    assert fits["allfives-1v1"].weight == len(half)
    as_new = season.site(season.AS_NEW)
    list(season.ours([each for each in log if each[1].finished_at < season.MIDDLE], as_new))
    monkeypatch.setattr(season, "proposed", lambda fits: {"draw-1v1": 50})
    _fits, refitted = season.in_the_middle(log)
    assert refitted["draw-1v1"].prior == variance_of(50)
    assert refitted["block-1v1"].prior == variance_of(130)
    assert {pool: each.starts for pool, each in refitted.items()} == {
        pool: each.starts for pool, each in as_new.items()
    }


def test_widths_fitted_to_matches_drawn_anew_differ_and_only_where_a_change_was_proposed(
    log: season.Log,
) -> None:
    _fits, fitted = season.in_the_middle(log)
    sites = season.refitted_again(log, fitted, {"allfives-1v1"}, Random(1))
    assert len(sites) == season.AGAIN
    assert len({each["allfives-1v1"].prior for each in sites}) > 1
    assert {each["draw-1v1"].prior for each in sites} == {variance_of(90)}
    starts = fitted["allfives-1v1"].starts
    assert all(each["allfives-1v1"].starts == starts for each in sites)
    same = season.refitted_again(log, fitted, {"allfives-1v1"}, Random(1))
    assert [each["allfives-1v1"].prior for each in same] == [
        each["allfives-1v1"].prior for each in sites
    ]


def of_slope(said: float, won: int) -> list[list[Forecast]]:
    return [[Forecast(said, float(n < won))] for n in range(10)]


def test_the_slope_is_as_unsure_as_the_widths_make_it() -> None:
    timid, sure = of_slope(0.6, 8), of_slope(0.8, 6)
    apart = log_of(4) / log_of(1.5) - log_of(1.5) / log_of(4)
    one = season.Season({}, [{"a": timid, "b": []}, {"a": sure, "b": []}])
    assert one.width_error() == one.width_error("a") == pytest.approx(apart / 2**0.5)


def test_several_seasons_are_judged_as_one(log: season.Log) -> None:
    told = {name: season.second_half(season.ours(log, season.site(season.AS_NEW)))
            for name in (season.OURS, season.SHIPPED, *season.OTHERS)}  # fmt: skip
    again = [told[season.OURS], told[season.SHIPPED]]
    pooled = season.pooled([season.Season(told, again)] * 2)
    one = season.verdicts_of(told)[season.OURS]
    both = season.verdicts_of(pooled.told)[season.OURS]
    assert both.count == 2 * one.count
    assert both.log_loss == pytest.approx(one.log_loss)
    assert both.error == pytest.approx(one.error / 2**0.5)
    assert [sum(map(len, half.values())) for half in pooled.again] == [
        2 * sum(map(len, half.values())) for half in again
    ]
