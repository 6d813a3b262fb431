from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine import actions, events
from engine.actions import Claim, Draw, Pass, Play
from engine.errors import EngineError, Refusal
from engine.rules import RuleSet


@pytest.mark.parametrize(
    ("action", "written"),
    [
        (Play(26, "left", 10), {"play": "6-5", "at": "left", "call": 10}),
        (Play(27), {"play": "6-6"}),
        (Draw(), {"draw": True}),
        (Pass(), {"pass": True}),
        (Claim(10), {"muggins": 10}),
    ],
)
def test_actions_go_both_ways(action: actions.Action, written: dict[str, object]) -> None:
    assert actions.to_json(action) == written
    assert actions.from_json(written) == action


@pytest.mark.parametrize(
    "data",
    [
        None, [], "draw", {}, {"draw": 1}, {"draw": False}, {"pass": None}, {"play": "7-0"},
        {"play": "6-6", "at": "middle"}, {"play": "6-6", "at": 1}, {"play": "6-6", "at": []},
        {"play": "6-6", "call": True}, {"play": "6-6", "call": -5}, {"play": "6-6", "call": 5.0},
        {"play": "6-6", "draw": True}, {"draw": True, "pass": True}, {"muggins": "10"},
        {"muggins": True}, {"muggins": 10**9}, {"muggins": 10, "seat": 1}, {"seat": 0},
    ],
)  # fmt: skip
def test_what_is_no_action_is_refused(data: object) -> None:
    with pytest.raises(Refusal) as caught:
        actions.from_json(data)
    assert caught.value.code == "bad_action"


def test_every_event_of_a_match_goes_both_ways(variant: RuleSet, walk: Callable[..., Any]) -> None:
    kinds = set()
    for _, happened, _ in walk(variant, seed=3):
        for event in happened:
            written = json.loads(json.dumps(events.to_json(event)))
            assert events.from_json(written) == event
            kinds.add(written["kind"])
    assert {"round_started", "played", "round_ended"} <= kinds


@pytest.mark.parametrize(
    "data",
    [
        None, {}, {"kind": "dealt"}, {"kind": "played"}, {"kind": "drew", "seat": True, "count": 1},
        {"kind": "passed", "seat": "0"}, {"kind": "passed", "seat": None},
        {"kind": "played", "seat": 0, "tile": "9-9", "end": None, "call": None, "total": 0,
         "score": 0},
        {"kind": "played", "seat": 0, "tile": "6-6", "end": "in", "call": None, "total": 0,
         "score": 0},
        {"kind": "match_ended", "reason": 1, "winner": 0, "scores": [], "places": []},
        {"kind": "match_ended", "reason": "x", "winner": 0, "scores": "12", "places": []},
    ],
)  # fmt: skip
def test_what_is_no_event_is_refused(data: object) -> None:
    with pytest.raises(EngineError) as caught:
        events.from_json(data)
    assert caught.value.code == "bad_event"
