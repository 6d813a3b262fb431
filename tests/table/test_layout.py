"""The line of tiles: nothing overlaps, nothing moves, and the next tile always has its place.

LAYOUT_ROUNDS sets how many rounds each box and kind of round is tried with.
"""

from __future__ import annotations

import json
import os
import random
from itertools import combinations
from typing import Any

import pytest

from tests.table import rounds

ROUNDS = int(os.environ.get("LAYOUT_ROUNDS", "20"))
SEQUENCES = max(4, ROUNDS // 2)
BOXES = [(370, 520), (300, 250), (560, 330), (600, 600), (960, 440), (1600, 300)]
KINDS = {
    "highest double leads": {"spinner": True, "any_lead": False, "everything": False},
    "any tile leads": {"spinner": True, "any_lead": True, "everything": False},
    "no spinner": {"spinner": False, "any_lead": True, "everything": False},
    "whole set": {"spinner": True, "any_lead": False, "everything": True},
}

# Lays a round; answers, after each tile, every rectangle that lies and each end's next places.
TRACE = """
function trace(width, height, moves, spinner, offers) {
  const line = new Line({ width, height }, spinner);
  return JSON.stringify(moves.map(([end, isDouble], i) => {
    const arm = ENDS.indexOf(end);
    const from = i ? [line.ends[arm].x, line.ends[arm].y] : null;
    const promised = i && offers ? line.place(arm, isDouble).rect : null;
    if (i) line.add(arm, isDouble); else line.lead(isDouble);
    const next = !offers ? [] : line.ends.flatMap((end, at) =>
      [false, true].map((double) => line.place(at, double)).map((place) => place && place.rect));
    const rects = line.tiles.map(({ rect }) => rect);
    return { rects, from, promised, next, ends: line.ends.length };
  }));
}
"""


@pytest.fixture(scope="module")
def trace(script):
    racer = script("layout")
    racer.eval(TRACE)

    def run(box, moves, *, spinner, offers=True) -> list[dict[str, Any]]:
        arguments = json.dumps([*box, moves, spinner, offers])
        return json.loads(racer.eval(f"trace(...{arguments})"))

    return run


def overlap(p, q) -> bool:
    return p[0] < q[2] and q[0] < p[2] and p[1] < q[3] and q[1] < p[3]


def on_border(point, rect) -> bool:
    (x, y), (left, top, right, bottom) = point, rect
    inside = left <= x <= right and top <= y <= bottom
    return inside and (x in (left, right) or y in (top, bottom))


def sides(rect) -> tuple[int, int]:
    return tuple(sorted((rect[2] - rect[0], rect[3] - rect[1])))


def check(steps, *, offers=True) -> None:
    for before, now in zip([{"rects": []}, *steps], steps, strict=False):
        *older, latest = now["rects"]
        assert older == before["rects"], "a tile moved"
        assert sides(latest) == (2, 4)
        assert not any(overlap(latest, other) for other in older), "two tiles overlap"
        if now["from"] is None:
            continue
        assert on_border(now["from"], latest), "the tile does not touch its end"
        if offers:
            assert now["promised"] == latest, "the tile lies elsewhere than was shown"
    if offers:
        for step in steps:
            check_places(step)


def check_places(step) -> None:
    plain, double = step["next"][::2], [place for place in step["next"][1::2] if place]
    assert all(plain), "an end has no place for a tile"
    for place in plain + double:
        assert not any(overlap(place, rect) for rect in step["rects"]), "a place covers a tile"
    for places in (plain, double):
        assert not any(overlap(p, q) for p, q in combinations(places, 2)), "two places overlap"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("box", BOXES, ids=lambda box: f"{box[0]}x{box[1]}")
def test_any_round_lies_without_overlap_and_as_it_was_shown(trace, box, kind):
    chance = random.Random(f"{box} {kind}")
    for number in range(ROUNDS):
        moves = rounds.random_round(chance, **KINDS[kind])
        offers = number % 5 == 0
        check(trace(box, moves, spinner=KINDS[kind]["spinner"], offers=offers), offers=offers)


@pytest.mark.parametrize("box", BOXES, ids=lambda box: f"{box[0]}x{box[1]}")
def test_a_line_of_any_length_never_gets_stuck(trace, box):
    chance = random.Random(str(box))
    for number in range(SEQUENCES):
        moves = rounds.abstract_sequence(chance, spinner=number % 4 != 0, length=100)
        check(trace(box, moves, spinner=number % 4 != 0, offers=False), offers=False)


def test_the_same_moves_give_the_same_picture(trace):
    moves = rounds.random_round(random.Random(1), spinner=True, any_lead=False, everything=True)
    first, again = (trace((370, 520), moves, spinner=True, offers=False) for _ in range(2))
    assert first == again


def test_a_place_shown_for_one_tile_does_not_change_the_line(trace):
    moves = rounds.random_round(random.Random(2), spinner=True, any_lead=False, everything=False)
    with_offers = trace((370, 520), moves, spinner=True, offers=True)
    without = trace((370, 520), moves, spinner=True, offers=False)
    assert [step["rects"] for step in with_offers] == [step["rects"] for step in without]


def test_the_spinner_has_four_ends_and_a_later_double_two(trace):
    steps = trace((960, 440), [[None, True], ["left", False], ["left", True]], spinner=True)
    assert [step["ends"] for step in steps] == [4, 4, 4]


def test_without_a_spinner_there_are_two_ends(trace):
    steps = trace((960, 440), [[None, True], ["left", False], ["left", True]], spinner=False)
    assert [step["ends"] for step in steps] == [2, 2, 2]


def test_a_plain_lead_opens_arms_at_the_first_double(trace):
    steps = trace((960, 440), [[None, False], ["right", False], ["right", True]], spinner=True)
    assert [step["ends"] for step in steps] == [2, 2, 4]


def test_the_left_end_lies_left_of_the_lead_and_up_above_it(trace):
    steps = trace((960, 440), [[None, True], ["left", False], ["up", False]], spinner=True)
    lead, left, up = steps[-1]["rects"]
    assert left[2] <= lead[0]
    assert up[3] <= lead[1]


def test_in_an_upright_box_the_line_runs_down(trace):
    steps = trace((370, 520), [[None, True], ["right", False]], spinner=True)
    lead, right = steps[-1]["rects"]
    assert right[1] >= lead[3]
