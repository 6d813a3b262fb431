"""Which pips lie at which end, against the records of the rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

VECTORS = Path(__file__).parents[1] / "engine/vectors"


@pytest.fixture(scope="module")
def chain(script):
    racer = script("layout", "chain")

    def run(items, *, spinner=True) -> dict:
        arguments = json.dumps([items, spinner])
        return json.loads(
            racer.eval(
                f"(() => {{ const links = chain(...{arguments}); return JSON.stringify({{"
                "tiles: links.tiles, ends: Object.fromEntries(links.ends),"
                "total: countingEnds(links).reduce((sum, { counts }) => sum + counts, 0) }); })()"
            )
        )

    return run


def line(*moves: str) -> list[dict]:
    """line("6-6", "6-2 left") -> the items as the server sends them."""
    parts = [move.split() for move in moves]
    return [{"tile": tile, "at": at[0] if at else None} for tile, *at in parts]


def test_the_higher_half_of_the_lead_faces_left(chain):
    assert chain(line("4-1"))["ends"]["left"]["pips"] == 4
    assert chain(line("4-1"))["ends"]["right"]["pips"] == 1


def test_a_tile_joins_with_its_matching_half(chain):
    last = chain(line("6-6", "6-2 left", "2-1 left"))["tiles"][-1]
    assert (last["inner"], last["outer"]) == (2, 1)


def test_a_double_at_an_end_counts_both_halves(chain):
    assert chain(line("4-1", "4-4 left"))["total"] == 9


def test_a_spinner_that_is_both_ends_counts_once(chain):
    assert chain(line("6-6"))["total"] == 12


def test_a_spinner_that_is_both_ends_counts_once_beside_an_arm_too(chain):
    assert chain(line("1-1", "3-1 up"))["total"] == 5


def test_a_covered_spinner_counts_nothing(chain):
    assert chain(line("6-6", "6-2 left", "6-1 right"))["total"] == 3


def test_arms_count_from_their_first_tile_on(chain):
    assert chain(line("6-6", "6-2 left", "6-1 right", "6-5 up"))["total"] == 8


def test_without_a_spinner_no_arms_open(chain):
    assert set(chain(line("6-6", "6-2 left"), spinner=False)["ends"]) == {"left", "right"}


def vector_rounds():
    for name in ("golden.jsonl", "random.jsonl"):
        path = VECTORS / name
        for text in path.read_text(encoding="utf-8").splitlines():
            vector = json.loads(text)
            for played, told in zip(
                vector["record"]["rounds"], vector["expected"]["rounds"], strict=True
            ):
                yield vector["record"]["rules"], played["moves"], told["moves"]


def test_ends_and_totals_agree_with_every_record(chain):
    compared = 0
    for rules, moves, answers in vector_rounds():
        preset = rules.get("preset", "allfives")
        spinner = rules.get("spinner", preset not in ("muggins", "draw", "block"))
        items: list[dict] = []
        for move, answer in zip(moves, answers, strict=False):
            if "play" not in move:
                continue
            high, low = sorted(move["play"].split("-"), reverse=True)
            items.append({"tile": f"{high}-{low}", "at": move.get("at")})
            links = chain(items, spinner=spinner)
            assert {end: links["ends"][end]["pips"] for end in answer["ends"]} == answer["ends"]
            assert links["total"] == answer["total"]
            compared += 1
    assert compared > 1000
