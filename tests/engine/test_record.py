from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import events as ev
from engine.errors import BadRecord
from engine.match import Match
from engine.record import dump, records, replay, replay_line
from engine.round import Deal
from engine.rules import RuleSet
from engine.tiles import texts

NAMES = ("North", "East", "South", "West")


def log_of(rules: RuleSet, seed: int, walk: Callable[..., Any]) -> tuple[Match, list[Any]]:
    rounds: list[tuple[Deal, list[ev.Event]]] = []
    match = Match(rules)
    for now, happened, deal in walk(rules, seed):
        match = now
        if deal is not None:
            rounds.append((deal, []))
        rounds[-1][1].extend(happened)
    return match, rounds


@pytest.mark.parametrize("seed", range(3))
def test_a_dumped_match_replays_to_the_same_scores(
    variant: RuleSet, seed: int, walk: Callable[..., Any]
) -> None:
    match, rounds = log_of(variant, seed, walk)
    record = json.loads(json.dumps(dump(variant.source, NAMES[: variant.seats], rounds)))
    answer = replay(record)
    assert answer["scores"] == match.scores
    assert answer["winner"] == match.winner
    ends = [event for _, log in rounds for event in log if isinstance(event, ev.RoundEnded)]
    answered = answer["rounds"]
    assert isinstance(answered, list)
    assert [tuple(given["end"]["scores"]) for given in answered] == [e.scores for e in ends]
    assert [given["end"]["reason"] for given in answered] == [e.reason for e in ends]


def test_draws_in_a_row_are_one_move_and_the_leader_is_there_when_drawn() -> None:
    deal = Deal(((27,), (0,)), tuple(range(1, 27)))
    log: list[ev.Event] = [
        ev.RoundStarted(1, 1), ev.Drew(0, 1), ev.Drew(0, 1), ev.Drew(1, 1), ev.Passed(0),
        ev.Played(1, 5, "left", None, 5, 0), ev.Claimed(0, 5, 5), ev.Resigned(0),
    ]  # fmt: skip
    (written,) = dump({"preset": "draw"}, ["a", "b"], [(deal, log)])["rounds"]  # type: ignore[misc]
    assert written == {
        "hands": [["6-6"], ["0-0"]],
        "boneyard": list(texts(deal.boneyard)),
        "leader": 1,
        "moves": [
            {"seat": 0, "draw": 2},
            {"seat": 1, "draw": 1},
            {"seat": 0, "pass": True},
            {"seat": 1, "play": "5-0", "at": "left"},
            {"seat": 0, "muggins": 5},
        ],
    }


@pytest.fixture
def record(make_deal: Callable[..., Deal]) -> dict[str, Any]:
    """A record of three plays: 6-6, 6-3 on the left for 15, 6-4 on the right."""
    deal = make_deal("6-6 6-4 0-0 1-0", "6-3 2-0 2-1 2-2")
    return {
        "format": "domino-record/1",
        "rules": {"preset": "allfives", "hand_sizes": 4},
        "players": ["North", "East"],
        "rounds": [
            {
                "hands": [list(texts(hand)) for hand in deal.hands],
                "boneyard": list(texts(deal.boneyard)),
                "moves": [
                    {"seat": 0, "play": "6-6"},
                    {"seat": 1, "play": "3-6", "at": "left"},
                    {"seat": 0, "play": "6-4", "at": "right"},
                ],
            }
        ],
    }


def test_a_round_broken_off_has_no_end(record: dict[str, Any]) -> None:
    answer = replay(record)
    assert answer["rounds"][0]["end"] is None  # type: ignore[index]
    assert answer["scores"] == [0, 15]
    assert answer["winner"] is None


def spoil(record: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """The record with the value at `path` ("rounds/0/leader") replaced."""
    spoilt: Any = copy.deepcopy(record)
    at = spoilt
    *way, last = path.split("/")
    for step in way:
        at = at[int(step)] if isinstance(at, list) else at[step]
    at[int(last) if isinstance(at, list) else last] = value
    return spoilt  # type: ignore[no-any-return]


MOVE = "rounds/0/moves/1"


@pytest.mark.parametrize(
    ("path", "value", "where", "words"),
    [
        ("format", "domino-record/2", (None, None), "format"),
        ("site", "x", (None, None), "site: no such key"),
        ("rules", None, (None, None), "rules"),
        ("rules", {"preset": "allfives", "zap": 1}, (None, None), "zap: no such rule"),
        ("players", ["North"], (None, None), "players"),
        ("players", ["North", 7], (None, None), "players"),
        ("players", ["North", "East", "South"], (0, None), "hands"),
        ("rounds", {}, (None, None), "rounds"),
        ("rounds/0", [], (0, None), "a round"),
        ("rounds/0/by", "x", (0, None), "by: no such key"),
        ("rounds/0/leader", 0, (0, None), "highest double"),
        ("rounds/0/leader", None, (0, None), "leader"),
        ("rounds/0/leader", "0", (0, None), "leader"),
        ("rounds/0/moves", None, (0, None), "moves"),
        ("rounds/0/hands/0", "6-6", (0, None), "tiles"),
        ("rounds/0/hands/0/0", "7-7", (0, None), "7-7"),
        ("rounds/0/hands/0/0", "6-3", (0, None), "28 tiles"),
        ("rounds/0/hands/0", ["6-6"], (0, None), "seat 0 has 1 tiles"),
        ("rounds/0/boneyard", [], (0, None), "28 tiles"),
        (MOVE, "6-3", (0, 1), "a move"),
        (MOVE, {"play": "6-3", "at": "left"}, (0, 1), "seat"),
        (MOVE, {"seat": True, "play": "6-3", "at": "left"}, (0, 1), "seat"),
        (MOVE, {"seat": 2, "play": "6-3", "at": "left"}, (0, 1), "seat"),
        (MOVE, {"seat": 0, "play": "6-3", "at": "left"}, (0, 1), "turn"),
        (MOVE, {"seat": 1, "play": "6-4", "at": "left"}, (0, 1), "6-4 is not in your hand"),
        (MOVE, {"seat": 1, "play": "6-3", "at": "up"}, (0, 1), "up is not open"),
        (MOVE, {"seat": 1, "play": "6-3"}, (0, 1), "names its end"),
        (MOVE, {"seat": 1, "play": "2-0", "at": "left"}, (0, 1), "does not match the 6"),
        (MOVE, {"seat": 1, "draw": 1}, (0, 1), "you can play"),
        (MOVE, {"seat": 1, "draw": 0}, (0, 1), "at least 1"),
        (MOVE, {"seat": 1, "draw": 1, "pass": True}, (0, 1), "no such key"),
        (MOVE, {"seat": 1, "pass": True}, (0, 1), "you can play"),
        (MOVE, {"seat": 1, "muggins": 10}, (0, 1), "count by themselves"),
        (MOVE, {"seat": 1, "play": "6-3", "at": "left", "call": "5"}, (0, 1), "points"),
        ("rounds/0/moves/0", {"seat": 0, "play": "6-4"}, (0, 0), "6-6 must be led"),
    ],
)
def test_a_bad_record_says_where_and_what(
    record: dict[str, Any], path: str, value: object, where: tuple[int | None, int | None],
    words: str,
) -> None:  # fmt: skip
    with pytest.raises(BadRecord) as caught:
        replay(spoil(record, path, value))
    assert (caught.value.round, caught.value.move) == where
    assert words in caught.value.detail


def test_a_round_after_one_broken_off_is_bad(record: dict[str, Any]) -> None:
    record["rounds"].append(record["rounds"][0])
    answer = replay_line(json.dumps(record))
    assert answer["error"] == {
        "round": 0,
        "move": None,
        "detail": "the round is broken off, yet another follows",
    }


def test_a_round_or_move_after_the_match_is_bad(record: dict[str, Any]) -> None:
    won = spoil(record, "rules/target", 15)
    assert replay_line(json.dumps(won))["error"] == {
        "round": 0,
        "move": 2,
        "detail": "the match is over",
    }
    won["rounds"][0]["moves"].pop()
    won["rounds"].append(record["rounds"][0])
    assert replay_line(json.dumps(won))["error"]["round"] == 1  # type: ignore[index]


@pytest.mark.parametrize(
    "line", ["", "nope", "[]", "null", "[" * 100_000, '{"format": NaN}', '{"a":1}{"b":2}', "1e999"]
)
def test_what_is_no_record_is_an_error_line(line: str) -> None:
    error = replay_line(line)["error"]
    assert isinstance(error, dict)
    assert set(error) == {"round", "move", "detail"}
    assert error["round"] is None


def test_claims_late_or_on_ones_own_points_pay_nothing(record: dict[str, Any]) -> None:
    record["rules"]["count"] = "called"
    record["rounds"][0]["moves"][2:] = [
        {"seat": 1, "muggins": 15},
        {"seat": 0, "muggins": 10},
        {"seat": 0, "muggins": 15},
        {"seat": 0, "muggins": 15},
        {"seat": 0, "play": "6-4", "at": "right"},
        {"seat": 0, "muggins": 15},
    ]
    answer: Any = replay(record)
    moves = answer["rounds"][0]["moves"]
    assert [move["score"] for move in moves] == [0, 0, 0, 0, 15, 0, 0, 0]
    assert answer["scores"] == [15, 0]


def test_text_splits_into_records_by_line_or_as_one() -> None:
    assert list(records(['{"a": 1}\n', "\n", "nope\n", "{}"])) == ['{"a": 1}\n', "nope\n", "{}"]
    assert list(records(["{\n", '"a": 1\n', "}\n"])) == ['{\n"a": 1\n}\n']
    assert list(records(["nope\n", "{}\n"])) == ["nope\n", "{}\n"]
    assert list(records(["\n", ""])) == []


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) inside a JSON value."""
    if isinstance(value, dict):
        found = [(value, key) for key in value]
    elif isinstance(value, list):
        found = [(value, index) for index in range(len(value))]
    else:
        return []
    return found + [place for container, key in found for place in places(container[key])]


def test_a_spoilt_record_is_answered_or_refused_never_a_crash() -> None:
    lines = (Path(__file__).parent / "vectors" / "random.jsonl").read_text().splitlines()
    chance = random.Random(11)
    junk = [
        None,
        True,
        -1,
        0,
        1,
        7,
        10**30,
        0.5,
        "",
        "6-6",
        "left",
        "\ud800",
        [],
        [[]],
        {},
        {"2": 1},
    ]
    refused = 0
    for _ in range(400):
        record = json.loads(chance.choice(lines))["record"]
        record["rounds"] = record["rounds"][:2]
        container, key = chance.choice(places(record))
        container[key] = chance.choice(junk)
        answer = replay_line(json.dumps(record))
        json.dumps(answer, allow_nan=False).encode()
        refused += "error" in answer
    assert 200 < refused < 400
