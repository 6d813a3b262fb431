"""The bench of a season: played once by its seed, and every rule told the same log."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import peers, season
from ratings.glicko import State
from ratings.quality import elo_forecasts


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
    told.append(list(season.ours(log, season.AS_NEW, {})))
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
    pools: dict[str, season.Newcomers] = {}
    for pool in ("allfives-1v1", "draw-1v1"):
        pools[pool] = season.Newcomers(0.5, pools)
    known = pools["allfives-1v1"][7]._replace(mean=0.8)
    pools["allfives-1v1"][7] = known
    assert pools["draw-1v1"][7] == State(0.4, 0.5)
    assert pools["draw-1v1"][8] == State(0.0, 0.5)
