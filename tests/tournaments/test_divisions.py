"""Divisions from season to season, and what is certain: pure."""

from __future__ import annotations

from random import Random

import pytest

from tournaments.standings.divisions import Outlook, Score, outlooks, proposed

POINT = 12


def division(letter: str, size: int) -> list[str]:
    return [f"{letter}{number}" for number in range(1, size + 1)]


def test_the_first_two_go_up_and_the_last_two_go_down() -> None:
    found = proposed([division("A", 6), division("B", 6), division("C", 6)], 2, [6])
    assert found == [
        ["A1", "A2", "A3", "A4", "B1", "B2"],
        ["A5", "A6", "B3", "B4", "C1", "C2"],
        ["B5", "B6", "C3", "C4", "C5", "C6"],
    ]


def test_who_leaves_makes_room_for_the_next_and_new_ones_start_at_the_bottom() -> None:
    tables = [division("A", 4), division("B", 4)]
    found = proposed(tables, 1, [4], {"A1", "B4"}, ["N1", "N2", "N3"])
    assert found == [["A2", "A3", "B1", "A4"], ["B2", "B3", "N1", "N2", "N3"]]


def test_a_first_season_is_cut_by_the_sizes() -> None:
    found = proposed([], 2, [3, 4], (), [f"N{n}" for n in range(12)])
    assert [len(each) for each in found] == [3, 4, 5]
    assert [len(each) for each in proposed([], 2, [3, 4], (), list("abcdefghijklm"))] == [
        3,
        4,
        4,
        2,
    ]


@pytest.mark.parametrize("number", range(200))
def test_nobody_is_lost_or_in_two_divisions(number: int) -> None:
    chance = Random(number)
    tables = [division(chr(65 + n), chance.randint(2, 9)) for n in range(chance.randint(0, 5))]
    everybody = [each for table in tables for each in table]
    leaving = set(chance.sample(everybody, chance.randint(0, len(everybody) // 2)))
    new = [f"new{n}" for n in range(chance.randint(2, 6))]
    sizes = [chance.randint(2, 9) for _ in range(chance.randint(1, 4))]
    found = proposed(tables, chance.randint(0, 3), sizes, leaving, new)
    named = [each for one in found for each in one]
    assert sorted(named) == sorted([*(set(everybody) - leaving), *new])
    assert all(len(one) >= 2 for one in found)


def score(points: int, played: int, left: int, rank: int) -> Score:
    return Score(points * POINT, played, left, rank)


def test_nothing_is_certain_before_half_is_played() -> None:
    scores = {"a": score(1, 1, 3, 1), "b": score(0, 1, 3, 2), "c": score(0, 0, 4, 3)}
    found = outlooks(scores, 1, 1, over=False)
    assert found == {
        "a": Outlook("up", False),
        "b": Outlook("stays", False),
        "c": Outlook("down", False),
    }


def test_up_is_certain_when_nobody_can_catch_up() -> None:
    scores = {
        "a": score(4, 4, 1, 1), "b": score(2, 4, 1, 2), "c": score(2, 4, 1, 3),
        "d": score(2, 4, 1, 4), "e": score(0, 4, 1, 5)}  # fmt: skip
    found = outlooks(scores, 1, 1, over=False)
    assert found["a"] == Outlook("up", True)  # 4 against 3 at best
    assert found["e"] == Outlook("down", True)  # 1 at best against 2
    assert found["b"] == Outlook("stays", True)


def test_level_across_the_border_at_the_end_a_person_decides() -> None:
    scores = {
        "a": score(3, 3, 0, 1), "b": score(2, 3, 0, 2), "c": score(2, 3, 0, 2),
        "d": score(0, 3, 0, 4)}  # fmt: skip
    found = outlooks(scores, 2, 1, over=True)
    assert [found[one].certain for one in "abcd"] == [True, False, False, True]
    assert all(each.certain for each in outlooks(scores, 1, 1, over=True).values())


@pytest.mark.parametrize("number", range(60))
def test_what_is_certain_comes_true_whatever_the_results(number: int) -> None:
    chance = Random(number)
    size = chance.randint(3, 7)
    pairs = [(a, b) for a in range(size) for b in range(a)]
    chance.shuffle(pairs)
    points = dict.fromkeys(range(size), 0)
    played = dict.fromkeys(range(size), 0)
    said: dict[int, str] = {}
    for at, pair in enumerate(pairs):
        scores = _scores(points, played, size)
        for one, outlook in outlooks(scores, 1, 1, over=False).items():
            assert one not in said or outlook.way == said[one] or not outlook.certain
            if outlook.certain:
                said[one] = outlook.way
        points[chance.choice(pair)] += POINT
        for one in pair:
            played[one] += 1
        assert at < len(pairs)
    final = outlooks(_scores(points, played, size), 1, 1, over=True)
    for one, way in said.items():
        assert final[one].way == way


def _scores(points: dict[int, int], played: dict[int, int], size: int) -> dict[int, Score]:
    return {
        one: Score(
            points[one], played[one], size - 1 - played[one],
            1 + sum(other > points[one] for other in points.values()),
        )
        for one in points
    }  # fmt: skip
