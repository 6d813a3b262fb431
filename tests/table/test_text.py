"""Sentences, clocks and camera."""

from __future__ import annotations

import json

import pytest


@pytest.fixture(scope="module")
def js(script):
    racer = script("clock", "text", "camera")

    def run(code: str):
        return json.loads(racer.eval(f"JSON.stringify((() => {{ {code} }})() ?? null)"))

    return run


def test_placeholders_are_filled_by_name(js):
    assert (
        js('return new Phrases({ a: "{tile} → {pips}" }).say("a", { tile: "6-4", pips: 4 })')
        == "6-4 → 4"
    )


def test_a_value_is_never_taken_for_a_placeholder(js):
    assert (
        js('return new Phrases({ a: "{one} {two}" }).say("a", { one: "{two}", two: "x" })')
        == "{two} x"
    )


def test_names_are_isolated_from_the_direction_of_the_sentence(js):
    assert (
        js('return new Phrases({ a: "{name}: 6-4" }).say("a", { name: "אבג" })')
        == "\u2068אבג\u2069: 6-4"
    )


def test_a_sentence_about_n_things_has_its_own_form(js):
    forms = '{ tiles: ["{n} tiles", "{n} tile", "{n} tiles"] }'
    said = js(
        f'const p = new Phrases({forms}); return [0, 1, 2, 9].map((n) => p.count("tiles", n))'
    )
    assert said == ["0 tiles", "1 tile", "2 tiles", "9 tiles"]


def test_the_shortest_round_trip_sets_the_clock(js):
    samples = "[0, 1100, 200], [1000, 2040, 1080], [2000, 3500, 3000]"
    offset = f"const o = new Offset(); for (const each of [{samples}]) o.sample(...each);"
    assert js(f"{offset} return o.ahead") == 1000


def test_a_view_sets_the_clock_until_a_round_trip_is_measured(js):
    assert js("const o = new Offset(); o.guess(1500, 1000); return o.ahead") == 500
    assert (
        js("const o = new Offset(); o.sample(0, 60, 20); o.guess(1500, 1000); return o.ahead") == 50
    )


def test_the_bank_is_used_when_the_turn_is_over(js):
    assert js("return timeLeft(10000, 30000, 4000)") == {"turn": 6000, "bank": 30000, "over": False}
    assert js("return timeLeft(10000, 30000, 14000)") == {"turn": 0, "bank": 26000, "over": False}
    assert js("return timeLeft(10000, 30000, 40000)") == {"turn": 0, "bank": 0, "over": True}


def test_clocks_read_in_minutes_and_seconds(js):
    assert js("return [0, 900, 15000, 61000].map(clockText)") == ["0:00", "0:01", "0:15", "1:01"]


FRAME = "{ width: 400, height: 400, top: 0, largest: 54 }"


def test_the_camera_stays_while_everything_fits(js):
    moved = js(
        f"const b = [-20, -20, 20, 20]; const c = aim(null, b, {FRAME});"
        f"return aim(c, b, {FRAME}) === c"
    )
    assert moved is True


def test_the_camera_zooms_out_further_than_it_must(js):
    first, then = js(
        f"const c = aim(null, [-10, -10, 10, 10], {FRAME});"
        f"return [c, aim(c, [-14, -14, 14, 14], {FRAME})]"
    )
    assert then["scale"] < first["scale"]
    assert then["scale"] * 14.4 < 400 - 28


def test_everything_is_in_view(js):
    x, y, width, height = js(
        f"const b = [-31, -7, 12, 25]; return project(aim(null, b, {FRAME}), b)"
    )
    assert x >= 0
    assert y >= 0
    assert x + width <= 400
    assert y + height <= 400
