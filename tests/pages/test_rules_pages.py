"""The rules pages say what the engine does."""

from __future__ import annotations

import json
import re

import pytest
from django.http import QueryDict
from django.test import Client

from engine.rules import PRESETS, RuleSet
from pages import lesson, rule_pages

ALLFIVES = RuleSet.parse({"preset": "allfives"}, 2)


@pytest.mark.parametrize(
    ("moves", "total", "pays", "text"),
    [
        ([("5-5", None)], 10, 10, "10"),
        ([("6-6", None)], 12, 0, "12"),
        ([("6-4", None)], 10, 10, "6 + 4 = 10"),
        ([("5-5", None), ("6-5", "left"), ("6-0", "left")], 10, 10, "0 + 10 = 10"),
        ([("5-5", None), ("6-5", "left"), ("5-0", "right")], 6, 0, "6 + 0 = 6"),
        (
            [("5-5", None), ("6-5", "left"), ("5-0", "right"), ("5-4", "up")],
            10, 10, "6 + 0 + 4 = 10",
        ),
        ([("6-4", None), ("4-4", "right")], 14, 0, "6 + 8 = 14"),
        ([("6-4", None), ("4-4", "right"), ("6-6", "left")], 20, 20, "12 + 8 = 20"),
    ],
)  # fmt: skip
def test_a_position_is_counted_as_the_engine_counts(
    moves: list[lesson.Move], total: int, pays: int, text: str
) -> None:
    scene = lesson.scene(moves, ALLFIVES)
    assert (scene.total, scene.pays, scene.sum) == (total, pays, text)
    assert scene.picture.count('class="face"') == len(moves)


def test_only_plays_that_fit_are_offered_at_every_end_they_fit() -> None:
    example = rule_pages.EXAMPLES["allfives"][1]
    offered = [each.key for each in lesson.choices(example.moves, example.hand, ALLFIVES)]
    assert offered == [
        "5-4@up", "5-4@down", "6-4@left", "5-1@up", "5-1@down", "0-0@right",
    ]  # fmt: skip


@pytest.mark.parametrize("slug", rule_pages.PAGES)
@pytest.mark.django_db
def test_every_page_answers_with_the_numbers_of_its_rule_set(client: Client, slug: str) -> None:
    page = client.get(f"/rules/{slug}").content.decode()
    for seats in (2, 3, 4):
        rules = RuleSet.parse({"preset": rule_pages.PAGES[slug]}, seats)
        assert re.search(
            rf'<th scope="row">{seats}</th>\s*<td class="n">{rules.hand_size}</td>'
            rf'<td class="n">{28 - seats * rules.hand_size}</td>'
            rf'<td class="n">{rules.target}</td>',
            page,
        )
    [block] = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    asked = json.loads(block)["mainEntity"]
    assert len(asked) == page.count("<dt><b>")


@pytest.mark.django_db
def test_a_play_that_is_tried_is_judged_and_nonsense_changes_nothing(client: Client) -> None:
    tried = client.get("/rules", {"ends": "6-0@left"}).content.decode()
    assert "0 + 10 = 10: that pays 10 points." in tried
    missed = client.get("/rules", {"arms": "5-1@down"}).content.decode()
    assert "6 + 0 + 1 = 7: no multiple of 5, so it pays nothing." in missed
    for wanted in ("5-5@left", "<svg/onload=alert(1)>", "6-0", "", "6-0@middle"):
        page = client.get("/rules", {"ends": wanted}).content.decode()
        assert 'role="status"' not in page
        assert "<svg/onload" not in page
    assert client.get("/rules/chess").status_code == 404


def test_every_preset_stands_among_the_variants() -> None:
    shown = rule_pages.context("all-fives", QueryDict())["variants"]
    assert len(shown) == len(PRESETS)
    classic = shown[1]
    assert (classic.hands, classic.target, classic.first) == (
        "9 / 7 / 5", "250 / 200 / 200", "drawn by lot",
    )  # fmt: skip
