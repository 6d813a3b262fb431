from __future__ import annotations

import json
from typing import Any

import pytest

from engine.errors import BadRules
from engine.rules import PRESETS, RuleSet, game_of


@pytest.mark.parametrize(
    ("preset", "seats", "facts"),
    [
        ("allfives", 2, {"hand_size": 7, "target": 150, "first_lead": "highest_double"}),
        ("allfives", 3, {"hand_size": 6, "next_lead": "highest_double", "spinner": True}),
        ("allfives", 4, {"hand_size": 5, "arms": "after_sides", "keep": 0, "gate": 0}),
        ("classic", 2, {"hand_size": 9, "target": 250, "settle": "each_deducts"}),
        ("classic", 3, {"hand_size": 7, "target": 200, "first_lead": "random"}),
        ("classic", 4, {"hand_size": 5, "target": 200, "next_lead": "winner"}),
        ("fivecount", 4, {"hand_size": 7, "target": 250, "next_lead": "winner"}),
        ("fivecount", 2, {"first_lead": "highest_double", "block_lead": "highest_double"}),
        ("muggins", 2, {"hand_size": 7, "spinner": False, "count": "called", "target": 200}),
        ("muggins", 3, {"hand_size": 5, "settle": "winner_collects_total"}),
        ("draw", 2, {"multiple": 0, "rounding": 1, "target": 100, "draw": True}),
        ("block", 4, {"multiple": 0, "spinner": False, "draw": False}),
    ],
)
def test_presets(preset: str, seats: int, facts: dict[str, object]) -> None:
    rules = RuleSet.parse({"preset": preset}, seats)
    assert {name: getattr(rules, name) for name in facts} == facts


@pytest.mark.parametrize(
    ("given", "seats", "key"),
    [
        ({"tempo": 1}, 2, "tempo"),
        ({"preset": "chess"}, 2, "preset"),
        ({"preset": None}, 2, "preset"),
        ({"multiple": 3}, 2, "multiple"),
        ({"multiple": True}, 2, "multiple"),
        ({"multiple": 5.0}, 2, "multiple"),
        ({"spinner": 1}, 2, "spinner"),
        ({"arms": "never"}, 2, "arms"),
        ({"draw": "no"}, 2, "draw"),
        ({"keep": -1}, 2, "keep"),
        ({"keep": False}, 2, "keep"),
        ({"gate": 36}, 2, "gate"),
        ({"partners": True}, 2, "partners"),
        ({"partners": True}, 3, "partners"),
        ({"hand_sizes": 0}, 2, "hand_sizes"),
        ({"hand_sizes": 8}, 4, "hand_sizes"),
        ({"hand_sizes": {"2": 7}}, 3, "hand_sizes"),
        ({"hand_sizes": {"5": 7}}, 2, "hand_sizes"),
        ({"hand_sizes": {"2": 7, "3": "6"}}, 2, "hand_sizes"),
        ({"first_lead": "winner"}, 2, "first_lead"),
        ({"next_lead": "random"}, 2, "next_lead"),
        ({"block_lead": "winner"}, 2, "block_lead"),
        ({"settle": "nobody"}, 2, "settle"),
        ({"settle": "each_deducts", "multiple": 0}, 2, "settle"),
        ({"preset": "draw", "settle": "each_deducts"}, 2, "settle"),
        ({"preset": "classic", "multiple": 0}, 3, "settle"),
        ({"rounding": 10}, 2, "rounding"),
        ({"target": 0}, 2, "target"),
        ({"target": 1e9}, 2, "target"),
        ({"target": float("nan")}, 2, "target"),
        ({"match_end": "late"}, 2, "match_end"),
        ({"count": "silent"}, 2, "count"),
        ({"redeal_doubles": 2}, 2, "redeal_doubles"),
        ({"redeal_doubles": 8}, 2, "redeal_doubles"),
        ({}, 1, "seats"),
        ({}, 5, "seats"),
        ({}, True, "seats"),
    ],
)
def test_what_is_out_of_range_is_refused_by_name(
    given: dict[str, Any], seats: int, key: str
) -> None:
    with pytest.raises(BadRules) as caught:
        RuleSet.parse({"preset": "allfives", **given}, seats)
    assert caught.value.key == key
    assert caught.value.detail.startswith(f"{key}: ")


def test_rules_that_are_no_object_are_refused() -> None:
    with pytest.raises(BadRules):
        RuleSet.parse([("preset", "allfives")], 2)  # type: ignore[arg-type]


def test_a_number_may_stand_for_a_table_by_seats() -> None:
    by_seats = {"preset": "allfives", "hand_sizes": {"2": 9, "3": 8}, "target": {"2": 61, "3": 99}}
    assert (RuleSet.parse(by_seats, 2).hand_size, RuleSet.parse(by_seats, 2).target) == (9, 61)
    assert (RuleSet.parse(by_seats, 3).hand_size, RuleSet.parse(by_seats, 3).target) == (8, 99)
    assert RuleSet.parse({"preset": "classic", "target": 40}, 4).target == 40


def test_the_source_is_kept_as_given() -> None:
    given = {"preset": "allfives", "target": 100}
    rules = RuleSet.parse(given, 2)
    given["target"] = 5
    assert rules.source == {"preset": "allfives", "target": 100}


def test_resolved_rules_are_json_and_read_back_the_same(variant: RuleSet) -> None:
    written = json.loads(json.dumps(variant.as_dict()))
    assert RuleSet.parse(written, variant.seats) == variant
    assert written["hand_sizes"] == variant.hand_size


def test_partners_sit_across() -> None:
    partners = RuleSet.parse({"preset": "allfives", "partners": True}, 4)
    assert partners.sides == 2
    assert [partners.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    alone = RuleSet.parse({"preset": "allfives"}, 4)
    assert [alone.side_of(seat) for seat in range(alone.sides)] == [0, 1, 2, 3]


def test_each_preset_plays_one_of_three_games() -> None:
    assert {preset: game_of(preset) for preset in PRESETS} == {
        "allfives": "allfives",
        "classic": "allfives",
        "fivecount": "allfives",
        "muggins": "allfives",
        "draw": "draw",
        "block": "block",
    }
    with pytest.raises(BadRules):
        game_of("chess")
