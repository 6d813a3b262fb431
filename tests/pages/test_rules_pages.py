"""The rules pages say what the engine does."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import QueryDict
from django.test import Client

from engine.actions import Play
from engine.events import Claimed, Drew, Passed, Played, RoundEnded
from engine.rules import PRESETS, SEATS, RuleSet
from engine.scoring import rounded, settle
from engine.tiles import mask_of, parse, text
from games import clock
from pages import (
    house_rules,
    lesson,
    rule_examples,
    rule_pages,
    rule_questions,
    rule_words,
    sample_round,
)
from pages.house_rules import Chosen

ALLFIVES = RuleSet.parse({"preset": "allfives"}, 2)
TEMPLATES = settings.BASE_DIR / "templates" / "pages" / "rules"
MODULES = (house_rules, rule_examples, rule_pages, rule_questions, rule_words, sample_round)

VARIANTS = [
    (slug, base, house)
    for slug, bases in house_rules.BASES.items()
    for base in bases
    for house in ["", *(each.value for each in house_rules.houses(Chosen(base, ())))]
]
"""Every preset, plain and with each of its house rules."""


def shown(slug: str, base: str, *house: str, **plays: str) -> dict[str, Any]:
    query = QueryDict(mutable=True)
    query["rules"] = base
    query.setlist("house", [each for each in house if each])
    for key, value in plays.items():
        query[key] = value
    return rule_pages.context(slug, query)


def address(slug: str, base: str, house: str) -> str:
    return f"/rules/{slug}?rules={base}&house={house}"


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
    moves: list[lesson.Move] = [("5-5", None), ("6-5", "left"), ("5-0", "right")]
    offered = lesson.choices(moves, ("5-4", "6-4", "5-1", "0-0"), ALLFIVES)
    assert [each.key for each in offered] == [
        "5-4@up", "5-4@down", "6-4@left", "5-1@up", "5-1@down", "0-0@right",
    ]  # fmt: skip


def test_the_highest_double_is_led_unless_the_leader_is_drawn_by_lot() -> None:
    hand = ("5-5", "2-2", "4-1")
    assert [each.key for each in lesson.choices([], hand, ALLFIVES)] == ["5-5"]
    assert [each.key for each in lesson.choices([], ("4-1", "6-3"), ALLFIVES)] == ["6-3"]
    free = RuleSet.parse({"preset": "classic"}, 2)
    assert [each.key for each in lesson.choices([], hand, free)] == list(hand)


@pytest.mark.parametrize(("slug", "base", "house"), VARIANTS)
@pytest.mark.django_db
def test_a_page_has_the_numbers_of_the_rules_it_is_read_by(
    client: Client, slug: str, base: str, house: str
) -> None:
    page = client.get(address(slug, base, house)).content.decode()
    source = {"preset": base, **(house_rules.HOUSE[house][0] if house else {})}
    for seats in SEATS:
        rules = RuleSet.parse(source, seats)
        assert re.search(
            rf'<th scope="row">{seats}</th>\s*<td class="n">{rules.hand_size}</td>'
            rf'<td class="n">{28 - seats * rules.hand_size}</td>'
            rf'<td class="n">{rules.target}</td>',
            page,
        )
    two = RuleSet.parse(source, 2)
    assert f"two players take {two.hand_size} each" in page
    assert (f"a multiple of {two.multiple} pays" in page) == (two.multiple > 0)
    assert (f"must make {two.gate} or more" in page) == (two.gate > 0)
    assert (f"{two.keep} tiles of the boneyard may not be drawn." in page) == (two.keep > 0)
    assert ('id="spinner"' in page) == two.spinner
    assert ('id="claims"' in page) == two.called
    assert ("drawn by lot. The leader" in page) == (two.first_lead == "random")
    assert ("the player who went out leads" in page) == (two.next_lead == "winner")
    assert ("are taken off their score" in page) == (two.settle == "each_deducts")
    assert ("added up and then rounded" in page) == (two.settle == "winner_collects_total")
    assert (f"bring you to {two.target} win" in page) == (
        two.multiple > 0 and two.match_end == "immediate"
    )
    assert numbers_in_prose(page) <= numbers_of(two)


def numbers_in_prose(page: str) -> set[int]:
    """The numbers in the sentences of a page, without its tables, examples and sample round."""
    shown = ("figure", "table", 'ul class="variants" role="list"', 'ol class="walked"',
             'ul class="cluster roundings"')  # fmt: skip
    [article] = re.findall(r"<article.*?</article>", page, re.DOTALL)
    for part in shown:
        article = re.sub(rf"<{part}.*?</{part.split()[0]}>", " ", article, flags=re.DOTALL)
    return set(map(int, re.findall(r"\d+", re.sub(r"<[^>]*>", " ", article))))


def numbers_of(rules: RuleSet) -> set[int]:
    """Every number that may be said of these rules: theirs, the set's, and the site's."""
    site = set(rule_pages.site_plays().values())
    of_the_set = {28, 7, 6}
    said = {rules.hand_size, rules.target} | of_the_set | site
    if rules.multiple:
        said |= {rules.multiple, rules.gate, rule_questions.most(rules)}
    if rules.rounding > 1:
        said |= {7, rounded(7, rules.rounding), 8, rounded(8, rules.rounding), rules.rounding}
    return said | {rules.keep}


@pytest.mark.parametrize(("slug", "base", "house"), VARIANTS)
def test_every_play_of_an_example_is_paid_as_in_a_match(slug: str, base: str, house: str) -> None:
    rules = Chosen(base, (house,) if house else ()).rules(2)
    tried = 0
    for example in rule_examples.EXAMPLES[slug]:
        if not isinstance(example, rule_examples.Position) or not example.fits(rules):
            continue
        for choice in example.choices(rules):
            found = example.shown(rules, choice.key, str.format)
            match, seat = rule_examples.staged(example.moves, example.hand, rules)
            match.scores = [0, 0]
            total, _pays = match.preview(Play(parse(choice.tile), choice.end))
            match.act(seat, Play(parse(choice.tile), choice.end, total))
            assert found.good == (match.scores[seat] > 0)
            if rules.multiple:
                counted = found.verdict.split(":")[0].split(" = ")[-1]
                assert counted == str(total)
            if found.good:
                assert f"pays {match.scores[seat]} points" in found.verdict
            tried += 1
    assert tried


@pytest.mark.parametrize(("slug", "base", "house"), VARIANTS)
def test_a_sheet_has_one_right_answer_and_it_is_the_settlement(
    slug: str, base: str, house: str
) -> None:
    chosen = Chosen(base, (house,) if house else ())
    for example in rule_examples.EXAMPLES[slug]:
        if not isinstance(example, rule_examples.Sheet):
            continue
        answers = example.answers(chosen.rules(2))
        rules = RuleSet.parse({**chosen.source, "hand_sizes": 1}, len(example.hands))
        result = settle(rules, [mask_of(map(parse, h)) for h in example.hands], example.out)
        paid = min(result.points) if rules.settle == "each_deducts" else max(result.points)
        assert [each.value for each in answers if each.good] == [str(paid)]
        assert len(answers) > 1


def test_thirteen_pips_pay_fifteen_and_seven_and_six_depend_on_the_house() -> None:
    sheets = {each.key: each for each in rule_examples.EXAMPLES["all-fives"]
              if isinstance(each, rule_examples.Sheet)}  # fmt: skip
    by = {
        base: RuleSet.parse({"preset": base}, 2)
        for base in ("allfives", "classic", "muggins", "draw")
    }

    def right(key: str, base: str) -> tuple[str, str]:
        [answer] = [each for each in sheets[key].answers(by[base]) if each.good]
        return answer.text, answer.verdict

    assert right("out", "allfives") == ("+15", "Right. Béla 13 → 15. Ana: +15.")
    assert right("three", "allfives") == ("+10", "Right. Béla 7 → 5, Chi 6 → 5. Ana: +10.")
    assert right("three", "muggins") == ("+15", "Right. Béla 7 + Chi 6 = 13 → 15. Ana: +15.")
    assert right("three", "classic") == ("−5", "Right. Béla 7 → −5, Chi 6 → −5.")
    assert right("out", "draw") == ("+13", "Right. Béla 13. Ana: +13.")


def test_what_is_not_called_can_be_claimed() -> None:
    page = shown("all-fives", "allfives", "called", claim="none")
    [example] = page["examples"]["claims"]
    assert example.verdict == ("Paid nothing. Whoever says “muggins, 20” now, is paid 20 instead.")
    assert [(each.value, each.text) for each in example.tries] == [
        ("none", "Call nothing"), ("15", "Call 15"), ("20", "Call 20"), ("25", "Call 25"),
    ]  # fmt: skip
    [called] = shown("all-fives", "muggins", claim="20")["examples"]["claims"]
    assert (called.verdict, called.good) == ("Called and paid: 20.", True)
    assert "claims" not in shown("all-fives", "allfives")["examples"]


@pytest.mark.parametrize(("slug", "right"), [("all-fives", "draw"), ("draw", "draw"),
                                             ("block", "pass")])  # fmt: skip
def test_who_is_stuck_draws_or_passes_as_the_game_has_it(slug: str, right: str) -> None:
    base = house_rules.BASES[slug][0]
    for value in ("draw", "pass"):
        found = shown(slug, base, stuck=value)["examples"]["turn"]
        assert [each.good for each in found if each.key == "stuck"] == [value == right]


@pytest.mark.parametrize(("slug", "base", "house"), VARIANTS)
def test_the_sample_round_is_a_round_of_the_engine(slug: str, base: str, house: str) -> None:
    rules = Chosen(base, (house,) if house else ()).rules(2)
    moments = sample_round.played(rules, slug)
    ended = moments[-1].event
    assert isinstance(ended, RoundEnded)
    assert all(isinstance(each.event, (Played, Drew, Passed, Claimed)) for each in moments[:-1])
    paid = [0, 0]
    for moment in moments[:-1]:
        if isinstance(moment.event, Played):
            tile = text(moment.event.tile)
            assert (tile, moment.joined, moment.event.score) in {
                (each.tile, each.pip, each.pays) for each in moment.options
            }
            scene = lesson.scene(moment.moves, rules)
            assert scene.total == moment.event.total
            assert moment.moves[-1] == (text(moment.event.tile), moment.event.end)
        if isinstance(moment.event, (Played, Claimed)):
            paid[moment.event.seat] += moment.event.score
        assert list(moment.scores) == paid
    assert tuple(made + end for made, end in zip(paid, ended.points, strict=True)) == ended.scores
    steps = sample_round.steps(rules, moments)
    assert [step.n for step in steps] == list(range(1, len(moments) + 1))
    for step, moment in zip(steps, moments, strict=True):
        if isinstance(moment.event, Played) and moment.event.score:
            assert f"+{moment.event.score}" in step.text
            assert f"pays {moment.event.score} points" in step.why


def test_where_nothing_is_counted_a_picture_shows_the_pips_to_match() -> None:
    moves: list[lesson.Move] = [("6-4", None), ("4-4", "right")]

    def badges(preset: str) -> list[str]:
        picture = lesson.scene(moves, RuleSet.parse({"preset": preset}, 2)).picture
        return re.findall(r'class="end-text"[^>]*>(\d+)<', picture)

    assert badges("muggins") == ["6", "8"]
    assert badges("draw") == ["6", "4"]


@pytest.mark.django_db
def test_the_round_is_gone_through_step_by_step(client: Client) -> None:
    last = len(sample_round.played(ALLFIVES, "all-fives"))
    first = client.get("/rules").content.decode()
    assert f"Step 1 of {last}" in first
    assert 'rel="prev"' not in first
    assert 'href="?step=2#round" rel="next"' in first
    end = client.get("/rules", {"step": last}).content.decode()
    assert f"Step {last} of {last}" in end
    assert 'rel="next"' not in end
    for wanted, stands in (("0", 1), ("-3", 1), ("999", last), ("1e9", 1), ("٣", 3), ("²", 1)):
        page = client.get("/rules", {"step": wanted}).content.decode()
        assert f"Step {stands} of {last}" in page


@pytest.mark.django_db
def test_what_the_reader_chose_stays_in_every_link(client: Client) -> None:
    page = client.get("/rules/all-fives?rules=classic&house=gate&line=6-4@right").content.decode()
    kept = "rules=classic&amp;house=gate&amp;line=6-4%40right&amp;step=2#round"
    assert f'href="?{kept}"' in page
    assert 'value="classic" checked' in page
    assert 'value="gate" checked' in page


def test_of_house_rules_that_undo_each_other_the_first_is_kept() -> None:
    page = shown("all-fives", "allfives", "own", "once", "plain", "arms", "gate")
    assert [each.value for each in page["house"]["rules"] if each.chosen] == [
        "own", "plain", "gate",
    ]  # fmt: skip
    assert (page["rules"].settle, page["rules"].spinner, page["rules"].gate) == (
        "each_deducts", False, 10,
    )  # fmt: skip


def test_rules_that_are_not_offered_change_nothing() -> None:
    for base, house in (("draw", "gate"), ("chess", "<b>"), ("", "own own")):
        page = shown("all-fives", base, house) if base != "draw" else shown("draw", base, house)
        assert page["house"]["changed"] is False
    assert [each.value for each in house_rules.houses(Chosen("block", ()))] == [
        "hands", "winner", "lot",
    ]  # fmt: skip
    assert house_rules.name(Chosen("classic", ("gate",))) == (
        "All Fives, classic; The first points in play must be 10 or more"
    )


@pytest.mark.parametrize("slug", rule_pages.TABS)
@pytest.mark.django_db
def test_search_engines_are_told_the_steps_and_the_questions_of_the_page(
    client: Client, slug: str
) -> None:
    page = client.get(f"/rules/{slug}").content.decode()
    [block] = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    how, asked = json.loads(block)["@graph"]
    assert (how["@type"], asked["@type"]) == ("HowTo", "FAQPage")
    assert 10 <= len(asked["mainEntity"]) <= 15
    assert len(asked["mainEntity"]) == page.count("<dt><b>")
    assert [step["position"] for step in how["step"]] == list(range(1, len(how["step"]) + 1))
    for step in how["step"]:
        assert f"<li>{step['text']}</li>" in page


@pytest.mark.parametrize("slug", rule_pages.TABS)
@pytest.mark.django_db
def test_the_contents_lead_to_every_section(client: Client, slug: str) -> None:
    page = client.get(f"/rules/{slug}").content.decode()
    listed = re.findall(r'<li><a href="#([a-z]+)">', page)
    assert listed == re.findall(r'<h2 id="([a-z]+)">', page)[1:]
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


@pytest.mark.django_db
def test_a_play_that_is_tried_is_judged_and_nonsense_changes_nothing(client: Client) -> None:
    tried = client.get("/rules", {"spun": "6-0@left"}).content.decode()
    assert "0 + 10 = 10: that pays 10 points." in tried
    missed = client.get("/rules", {"arms": "5-1@down"}).content.decode()
    assert "6 + 0 + 1 = 7: no multiple of 5, so it pays nothing." in missed
    untouched = client.get("/rules").content.decode().count('role="status"')
    for wanted in ("5-5@left", "<svg/onload=alert(1)>", "6-0", "", "6-0@middle"):
        page = client.get("/rules", {"spun": wanted}).content.decode()
        assert page.count('role="status"') == untouched
        assert "<svg/onload" not in page
    assert client.get("/rules/chess").status_code == 404


def test_every_preset_stands_among_the_variants() -> None:
    rows = shown("all-fives", "allfives")["variants"]
    assert len(rows) == len(PRESETS)
    classic = rows[1]
    assert (classic.hands, classic.target, classic.first) == (
        "9\xa0/\xa07\xa0/\xa05", "250\xa0/\xa0200\xa0/\xa0200", "drawn by lot",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("slug", "totals"), [("all-fives", True), ("draw", False), ("block", False)]
)
def test_totals_are_spoken_of_where_there_are_any(slug: str, totals: bool) -> None:
    page = shown(slug, house_rules.BASES[slug][0])
    said = " ".join(answer for _question, answer in page["questions"])
    assert ("totals can differ" in said) == totals


def test_where_nothing_is_rounded_the_winner_gets_the_pips_as_they_are() -> None:
    settles = {each.name: each.settle for each in shown("draw", "draw")["variants"]}
    assert settles["Draw"] == "The winner gets all opponents’ pips."
    assert settles["All Fives"] == "The winner gets each opponent’s pips, each rounded."


def test_the_most_that_one_play_can_pay() -> None:
    assert rule_questions.most(ALLFIVES) == 35  # rules.md 5
    assert rule_questions.most(RuleSet.parse({"preset": "muggins"}, 2)) == 20


def test_what_the_site_plays_is_what_a_table_is_opened_with() -> None:
    assert rule_pages.site_plays() == {
        "turn": 15, "pause": 8, "away": 3, "claims": clock.CLAIM_WINDOW.seconds,
    }  # fmt: skip


def test_no_number_is_written_by_hand() -> None:
    for template in sorted(TEMPLATES.glob("*.html")):
        words = re.sub(r"<[^>]*>|\{\{[^}]*\}\}|\{#.*?#\}", " ", template.read_text())
        said = re.sub(r"\{% (?!translate)[^%]*%\}", " ", words)
        assert not re.search(r"\d", said), template.name
    for module in MODULES:
        tree = ast.parse(Path(module.__file__).read_text())
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            if isinstance(call.func, ast.Name) and call.func.id in ("_", "gettext_lazy"):
                assert not re.search(r"\d", ast.unparse(call.args[0])), ast.unparse(call)
