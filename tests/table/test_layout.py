"""The line of tiles: nothing overlaps, nothing moves, and the next tile always has its place.

20,160 rounds at six shapes of the box, and 1,200 sequences longer than any set; LAYOUT_ROUNDS sets
how many rounds each box and kind of round is tried with. The many are checked by V8 itself, beside
the layout; the few that check the check, and the places that are shown, here.
"""

from __future__ import annotations

import json
import os
import random
from itertools import combinations
from typing import Any

import pytest

from tests.table import rounds

ROUNDS = int(os.environ.get("LAYOUT_ROUNDS", "840"))
SEQUENCES = max(4, ROUNDS * 200 // 840)
SHOWN = 6
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

# Lays many rounds; answers what is wrong with the first that is, or "".
FAULT = """
function fault(moves, line) {
  const laid = [];
  for (const [i, [end, isDouble]] of moves.entries()) {
    const arm = ENDS.indexOf(end);
    const { x, y } = i ? line.ends[arm] : { x: 0, y: 0 };
    if (i) line.add(arm, isDouble); else line.lead(isDouble);
    const [left, top, right, bottom] = line.tiles.at(-1).rect;
    const sides = [right - left, bottom - top].sort().join();
    if (line.tiles.length !== i + 1 || sides !== "2,4") return `tile ${i}: no tile`;
    const covers = (r) => r[0] < right && left < r[2] && r[1] < bottom && top < r[3];
    if (laid.some(covers)) return `tile ${i}: overlap`;
    const within = left <= x && x <= right && top <= y && y <= bottom;
    const border = x === left || x === right || y === top || y === bottom;
    if (i && !(within && border)) return `tile ${i}: away from its end`;
    laid.push([left, top, right, bottom]);
  }
  const moved = laid.some((rect, i) => rect.join() !== line.tiles[i].rect.join());
  return moved ? "a tile moved" : "";
}
function firstFault(width, height, spinner, rounds) {
  for (const moves of rounds) {
    let found;
    try {
      found = fault(moves, new Line({ width, height }, spinner));
    } catch (error) {
      found = `stuck: ${error}`;
    }
    if (found) return `${found} in ${JSON.stringify(moves)}`;
  }
  return "";
}
"""


@pytest.fixture(scope="module")
def racer(script):
    racer = script("layout")
    racer.eval(TRACE)
    racer.eval(FAULT)
    return racer


@pytest.fixture(scope="module")
def first_fault(racer):
    def run(box, spinner, many) -> str:
        return str(racer.eval(f"firstFault(...{json.dumps([*box, spinner, many])})"))

    return run


@pytest.fixture(scope="module")
def trace(racer):

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


by_box = pytest.mark.parametrize("box", BOXES, ids=lambda box: f"{box[0]}x{box[1]}")


@pytest.mark.parametrize("kind", KINDS)
@by_box
def test_any_round_lies_without_overlap_stuck_or_moved_tile(first_fault, box, kind):
    chance = random.Random(f"{box} {kind}")
    many = [rounds.random_round(chance, **KINDS[kind]) for _ in range(ROUNDS)]
    assert first_fault(box, KINDS[kind]["spinner"], many) == ""


@pytest.mark.parametrize("kind", KINDS)
@by_box
def test_any_round_lies_as_it_was_shown(trace, box, kind):
    chance = random.Random(f"{box} {kind} shown")
    for _ in range(SHOWN):
        moves = rounds.random_round(chance, **KINDS[kind])
        check(trace(box, moves, spinner=KINDS[kind]["spinner"]))


@pytest.mark.parametrize("spinner", [True, False], ids=["spinner", "no spinner"])
@by_box
def test_a_line_of_any_length_never_gets_stuck(first_fault, box, spinner):
    chance = random.Random(f"{box} {spinner}")
    many = [
        rounds.abstract_sequence(chance, spinner=spinner, length=100) for _ in range(SEQUENCES // 2)
    ]
    assert first_fault(box, spinner, many) == ""


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        ("isSafe() { return true; }", "stuck"),
        ("place(arm, double) { return spot({ ...this.ends[arm], x: 0, y: 0 }, double, 0); }", "overlap"),  # noqa: E501
        ("place(arm, double) { return spot({ ...this.ends[arm], y: 90 }, double, 0); }", "away"),
        ("add(...all) { super.add(...all); this.tiles[0] = { ...this.tiles[0], rect: [] }; }", "moved"),  # noqa: E501
    ],
)  # fmt: skip
def test_a_broken_layout_would_be_found(racer, broken, fault):
    chance = random.Random(fault)
    many = [rounds.abstract_sequence(chance, spinner=True, length=60) for _ in range(40)]
    racer.eval(f"""
function brokenFault(rounds) {{
  class Broken extends Line {{ {broken} }}
  for (const moves of rounds) {{
    try {{
      const found = fault(moves, new Broken({{ width: 370, height: 520 }}, true));
      if (found) return found;
    }} catch (error) {{ return "stuck"; }}
  }}
  return "";
}}""")
    assert fault in racer.eval(f"brokenFault({json.dumps(many)})")


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
