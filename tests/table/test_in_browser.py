"""The table in headless Chromium: keys, refusals, lost connections, screen readers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.table.pretend import Pretend, picture, played, seat

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
Sit = Callable[..., Pretend]
ENDED = {
    "number": 3, "reason": "domino", "out": 1, "winner": 1, "pips": [13, 0],
    "points": [0, 15], "scores": [85, 125], "hands": [["6-5", "2-0"], []],
}  # fmt: skip


@pytest.fixture
def sit(chromium: Browser, settings) -> Iterator[Sit]:
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    tables: list[Pretend] = []

    def open_table(
        width: int = 390, height: int = 844, scheme: str = "light", **view: Any
    ) -> Pretend:
        context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        context.set_default_timeout(10_000)
        table = Pretend(context.new_page(), picture(**view))
        table.open()
        tables.append(table)
        return table

    yield open_table
    for table in tables:
        assert table.messages == []
        table.page.context.close()


def test_a_tile_that_fits_in_one_place_is_played_by_one_tap(sit: Sit) -> None:
    table = sit()
    table.tile("3 1").click()
    table.page.wait_for_timeout(100)
    (act,) = table.sent("act")
    assert act["action"] == {"play": "3-1", "at": "right"}
    assert act["seq"] == 12


def test_a_tile_with_a_choice_is_played_by_keys_alone(sit: Sit) -> None:
    table = sit()
    table.page.keyboard.press("1")
    expect(table.page.get_by_role("button", name="Play 6 5 at the right end, on 6")).to_be_focused()
    table.page.keyboard.press("ArrowRight")
    table.page.keyboard.press("Enter")
    table.page.wait_for_timeout(100)
    assert [act["action"] for act in table.sent("act")] == [{"play": "6-5", "at": "down"}]


def test_the_chosen_place_keeps_the_focus_when_the_felt_changes_its_size(sit: Sit) -> None:
    """The places are laid anew then, as a late layout or a turned phone makes them."""
    table = sit()
    table.page.keyboard.press("1")
    table.page.keyboard.press("ArrowRight")
    second = table.page.locator(".spot").nth(1)
    expect(second).to_be_focused()
    table.page.set_viewport_size({"width": 600, "height": 500})
    table.page.wait_for_timeout(300)
    expect(second).to_be_focused()


def test_escape_puts_the_tile_back(sit: Sit) -> None:
    table = sit()
    table.page.keyboard.press("1")
    table.page.keyboard.press("Escape")
    expect(table.tile("6 5")).to_be_focused()
    expect(table.page.locator(".spot")).to_have_count(0)
    assert table.sent("act") == []


def test_the_hand_is_one_stop_of_the_tab_key(sit: Sit) -> None:
    table = sit()
    assert table.page.locator('.hand [tabindex="0"]').count() == 1


def test_a_tile_that_does_not_fit_says_so(sit: Sit) -> None:
    table = sit()
    table.tile("2 2, does not fit").click(force=True)
    expect(table.part("prompt")).to_have_text("2-2 fits nowhere now.")
    assert table.sent("act") == []


def test_a_move_is_seen_before_the_server_answers(sit: Sit) -> None:
    table = sit()
    table.tile("3 1").click()
    expect(table.page.locator(".tile.pending")).to_have_count(1)
    expect(table.tile("3 1")).to_have_count(0)
    table.view = played(table.view, "3-1", "right")
    table.state(
        {
            "seq": 13,
            "kind": "played",
            "seat": 0,
            "tile": "3-1",
            "end": "right",
            "total": 5,
            "score": 5,
        }
    )
    expect(table.page.locator(".tile.pending")).to_have_count(0)
    expect(table.part("log").locator("li").last).to_have_text(
        "\u2068You\u2069: 3\u20111\xa0→\xa03, +5"
    )


def test_a_page_opened_late_has_the_whole_log(sit: Sit) -> None:
    ends = [
        {"reason": "domino", "out": 1, "winner": 1, "points": [0, 20], "scores": [0, 20]},
        {"reason": "blocked", "out": None, "winner": 0, "points": [85, 0], "scores": [85, 110]},
    ]
    table = sit(rounds=[{"number": n, **end} for n, end in enumerate(ends, start=1)])
    lines = table.part("log").locator("li").all_inner_texts()
    assert [line.translate({0x2068: None, 0x2069: None}) for line in lines] == [
        "Round 1",
        "Domino! Out: Zeynep",
        "Round 2",
        "Blocked. Fewest pips: Marta",
        "Round 3",
        "Zeynep: 6\u20116",
        "You: 2 tiles from the boneyard",
        "You: 6\u20114\xa0→\xa06",
        "Zeynep: away, the server plays",
        "Zeynep: 6\u20113\xa0→\xa06",
    ]


def test_the_deal_is_seen_to_be_fixed_before_play_and_its_seed_afterwards(sit: Sit) -> None:
    table = sit()
    table.page.keyboard.press("?")
    proof = table.part("proof")
    expect(proof).to_contain_text("This deal was fixed before play")
    expect(proof.locator("summary")).to_have_text(["9b9b9b9b9b9b…", "c6c6c6c6c6c6…"])
    seed = {"id": "9b" * 16, "commit": "c6" * 32, "seed": "5e" * 32}
    end = {"seq": 13, "kind": "round_ended", "time": 0, "deal": seed, **ENDED}
    table.view["history"].append(end)
    table.view |= {"seq": 13, "phase": "between", "turn": None, "last_end": end}
    table.state(end)
    expect(proof.locator("summary").last).to_have_text("5e5e5e5e5e5e…")
    proof.locator("summary").last.click()
    expect(proof.locator("code").last).to_have_text("5e" * 32)
    expect(proof).to_contain_text("SHA-256")


def test_a_refused_move_goes_back_with_its_reason(sit: Sit) -> None:
    table = sit()
    table.answer = lambda act: table.say(
        t="refused", id=act["id"], code="end_mismatch", detail="It does not fit there.", seq=12
    )
    table.tile("3 1").click()
    expect(table.part("news")).to_have_text("It does not fit there.")
    expect(table.tile("3 1")).to_be_focused()


def test_a_move_that_was_only_late_is_sent_once_more(sit: Sit) -> None:
    table = sit()

    def late(act: dict[str, Any]) -> None:
        if len(table.sent("act")) > 1:
            return
        table.view = table.view | {"seq": 13}
        table.state({"seq": 13, "kind": "back", "seat": 1})
        table.say(t="refused", id=act["id"], code="stale", detail="The table has moved on.", seq=13)

    table.answer = late
    table.tile("3 1").click()
    table.page.wait_for_timeout(300)
    assert [act["seq"] for act in table.sent("act")] == [12, 13]


def test_a_move_lost_with_its_connection_is_sent_again_under_its_id(sit: Sit) -> None:
    table = sit()
    table.tile("3 1").click()
    table.page.wait_for_timeout(100)
    table.socket.close()
    table.page.wait_for_timeout(1500)
    first, again = table.sent("act")
    assert first == again
    assert table.opened == 2
    assert table.sent("hello")[-1]["seq"] == 12


def test_news_and_the_turn_are_spoken(sit: Sit) -> None:
    table = sit(turn=1, legal=None)
    table.view = picture(seq=13)
    table.state({"seq": 13, "kind": "drew", "seat": 1, "count": 2})
    expect(table.part("polite")).to_have_text("\u2068Zeynep\u2069: 2 tiles from the boneyard")
    expect(table.part("assertive")).to_contain_text("Your turn.")


def test_the_line_is_told_in_words(sit: Sit) -> None:
    table = sit(1280, 800)
    words = "3 tiles lie on the table. Open ends: left 4, right 3, top 6, bottom 6. Last tile: 6 3."
    expect(table.part("line-words")).to_have_text(words)


def test_single_keys_can_be_switched_off(sit: Sit) -> None:
    table = sit()
    table.page.keyboard.press("?")
    table.page.get_by_label("Single-key shortcuts").uncheck()
    table.page.keyboard.press("Escape")
    table.page.keyboard.press("1")
    expect(table.page.locator(".spot")).to_have_count(0)


def test_called_points_go_with_the_play(sit: Sit) -> None:
    rules = picture()["rules"] | {"count": "called"}
    table = sit(rules=rules, legal=[{"play": "3-1", "at": "right"}])
    table.tile("3 1").click()
    table.page.get_by_role("button", name="15").click()
    table.page.wait_for_timeout(100)
    assert [act["action"] for act in table.sent("act")] == [
        {"play": "3-1", "at": "right", "call": 15}
    ]
    expect(table.part("total")).to_be_hidden()


def test_missed_points_are_claimed_by_one_tap(sit: Sit) -> None:
    table = sit(rules=picture()["rules"] | {"count": "called"}, claim=True)
    table.page.get_by_role("button", name="Claim points missed: 10").click()
    table.page.wait_for_timeout(100)
    assert [act["action"] for act in table.sent("act")] == [{"muggins": 10}]


def test_names_are_text_and_nothing_else(sit: Sit) -> None:
    table = sit(seats=[seat(0, "<svg/onload=alert(1)>"), seat(1, "<b>x</b>")])
    assert table.page.locator(".seat .name").all_inner_texts() == [
        "<b>x</b>",
        "<svg/onload=alert(1)>",
    ]


ENDING = {
    "number": 3,
    "reason": "domino",
    "out": 0,
    "winner": 0,
    "pips": [0, 13],
    "points": [15, 0],
    "scores": [100, 110],
    "hands": [[], ["6-5", "2-0"]],
}
BETWEEN = {
    "phase": "between",
    "turn": None,
    "legal": None,
    "hand": [],
    "last_end": ENDING,
    "scores": ENDING["scores"],
}
OVER = BETWEEN | {
    "phase": "over",
    "status": "finished",
    "deadline": None,
    "scores": [160, 110],
    "result": {
        "reason": "target",
        "winner": 0,
        "places": [1, 2],
        "ratings": [{"seat": 0, "before": 1500, "after": 1512}],
    },
}
OPEN = {
    "phase": "open",
    "status": "open",
    "round": None,
    "turn": None,
    "legal": None,
    "hand": None,
    "host": True,
    "seats": [seat(0, "Marta"), seat(1, "", kind="empty", sat=False)],
}
WATCHING = {"me": None, "hand": None, "legal": None}


def test_the_end_of_a_round_shows_how_pips_are_rounded(sit: Sit) -> None:
    table = sit(**BETWEEN)
    assert table.part("sheet").locator(".pips").all_inner_texts() == ["13 → 15", "0"]
    table.page.get_by_role("button", name="Ready").click()
    table.page.wait_for_timeout(100)
    assert len(table.sent("ready")) == 1


def test_the_end_of_a_round_covers_no_tile(sit: Sit) -> None:
    table = sit(**BETWEEN)
    felt, sheet = table.part("felt").bounding_box(), table.part("sheet").bounding_box()
    assert felt["y"] + felt["height"] <= sheet["y"]


def test_the_end_of_a_match_offers_another(sit: Sit) -> None:
    table = sit(**OVER)
    expect(table.page.get_by_role("heading", name="You won the match!")).to_be_visible()
    table.page.get_by_role("button", name="Rematch").click()
    table.view = table.view | {"seq": 13, "rematch": "NewMatch1234"}
    table.state({"seq": 13, "kind": "rematch", "match": "NewMatch1234"})
    link = table.page.get_by_role("link", name="To the new table")
    assert link.get_attribute("href") == "/t/NewMatch1234"


@pytest.mark.parametrize(("width", "height"), [(320, 844), (390, 844), (844, 390)])
def test_what_can_be_done_after_a_match_stands_two_by_two_on_a_phone(
    sit: Sit, width: int, height: int
) -> None:
    table = sit(width, height, **OVER)
    boxes = [each.bounding_box() for each in table.page.locator(".sheet .next > :visible").all()]
    assert [round(box["y"] - boxes[0]["y"]) for box in boxes] == [0, 0, 52, 52]
    assert len({round(box["width"]) for box in boxes}) == 1


@pytest.mark.parametrize("view", [BETWEEN, OVER])
@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (844, 390)])
def test_the_end_of_a_round_or_match_is_never_wider_than_its_place(
    sit: Sit, view: dict[str, Any], width: int, height: int
) -> None:
    dock = sit(width, height, **view).page.locator(".dock")
    assert dock.evaluate("each => each.scrollWidth - each.clientWidth") == 0
    assert dock.locator(".sheet").evaluate("each => each.scrollWidth - each.clientWidth") == 0


def test_who_made_the_points_is_told_in_a_line_each(sit: Sit) -> None:
    """A side of two is known by both its names, however narrow its column."""
    seats = [seat(n, name, side=n % 2) for n, name in enumerate(("Marta", "Zeynep", "Ana", "Béla"))]
    table = sit(1280, 800, seats=seats, partners=True)
    heads = table.part("score-sheet").locator("thead th").all_inner_texts()
    assert [head.split("\n") for head in heads[1:]] == [
        ["◆", "Marta", "Ana"],
        ["⬤", "Zeynep", "Béla"],
    ]


@pytest.mark.parametrize("height", [700, 760, 800, 844])
def test_the_tiles_lie_in_the_middle_of_the_felt(sit: Sit, height: int) -> None:
    table = sit(390, height)
    felt = table.part("felt").bounding_box()
    tiles = table.page.locator(".felt .tiles").bounding_box()
    assert tiles["x"] + tiles["width"] / 2 == pytest.approx(felt["x"] + felt["width"] / 2, abs=3)


def test_a_list_without_moves_says_so(sit: Sit) -> None:
    expect(sit(1280, 800, **OPEN).page.get_by_text("No moves yet.")).to_be_visible()
    expect(sit(1280, 800).page.get_by_text("No moves yet.")).to_be_hidden()


def test_only_paths_of_this_site_are_followed(sit: Sit) -> None:
    table = sit(**OVER | {"back_url": "//evil.test/"})
    assert table.page.locator(".sheet a.button").first.get_attribute("href") == "/"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (844, 390), (1280, 800)])
def test_nothing_stands_in_the_way_of_a_screen_reader(sit: Sit, width, height, scheme) -> None:
    views = {"turn": {}, "watching": WATCHING, "between": BETWEEN, "over": OVER, "open": OPEN}
    found = {}
    for name, view in views.items():
        table = sit(width, height, scheme, **view)
        if name == "turn":
            table.page.keyboard.press("1")
        table.page.wait_for_timeout(400)
        answer = Axe().run(table.page)
        found[name] = [
            (each["id"], each["nodes"][0]["html"]) for each in answer.response["violations"]
        ]
        wide, high = table.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        assert (wide <= width, high <= height) == (True, True), name
    assert found == {name: [] for name in views}


def test_a_spectator_at_an_earlier_position_is_left_there(sit: Sit) -> None:
    """New moves are told of, and shown when the reader wants to see the table as it is."""
    table = sit(me=None, hand=None, legal=None)
    page = table.page
    shown = len(table.view["round"]["line"])
    page.get_by_role("button", name="One tile back").click()
    expect(page.locator(".felt .tiles > g")).to_have_count(shown - 1)
    live = page.locator("[data-browse=live]")
    expect(live).to_have_text("Live (+1)")
    live.click()
    expect(page.locator(".felt .tiles > g")).to_have_count(shown)
    expect(live).to_be_disabled()


def test_a_player_has_no_way_back(sit: Sit) -> None:
    expect(sit().page.locator("[data-part=browse]")).to_be_hidden()


def test_the_result_can_be_passed_on(sit: Sit) -> None:
    table = sit(
        status="finished", phase="over", turn=None, deadline=None, hand=[], legal=None,
        last_end=ENDED, result={
            "reason": "target", "winner": 1, "places": [2, 1], "ratings": [],
            "best_play": {"seat": 1, "tile": "5-5", "points": 25},
        },
    )  # fmt: skip
    share = table.page.locator("button[data-url]")
    text = share.get_attribute("data-text") or ""
    assert text.endswith("5-5, +25.")
    assert (share.get_attribute("data-url") or "").endswith("/replay")
    expect(table.page.get_by_role("link", name="Replay")).to_be_visible()


def switch(table: Pretend, *labels: str) -> None:
    """Turns switches of the help dialog over."""
    table.page.keyboard.press("?")
    for label in labels:
        table.page.get_by_label(label).click()
    table.page.keyboard.press("Escape")


def theirs(**changes: Any) -> dict[str, Any]:
    return {"turn": 1, "legal": None, **changes}


def test_a_play_chosen_ahead_is_made_when_the_turn_comes(sit: Sit) -> None:
    table = sit(**theirs())
    table.tile("3 1").click()
    expect(table.part("prompt")).to_have_text(
        "3-1: played at your turn. Tap it again to take it back."
    )
    expect(table.page.locator(".tile.ghost")).to_have_count(1)
    assert table.sent("act") == []
    table.view = picture(seq=13)
    table.state({"seq": 13, "kind": "passed", "seat": 1})
    table.page.wait_for_timeout(100)
    assert [act["action"] for act in table.sent("act")] == [{"play": "3-1", "at": "right"}]


def test_a_play_chosen_ahead_is_dropped_in_silence_when_it_fits_no_more(sit: Sit) -> None:
    table = sit(**theirs())
    table.tile("3 1").click()
    legal = [{"play": "6-5", "at": "up", "total": 12, "pays": 0}]
    table.view = picture(seq=13, legal=legal)
    table.state({"seq": 13, "kind": "passed", "seat": 1})
    expect(table.part("prompt")).to_have_text("Your turn: choose a tile.")
    expect(table.page.locator(".own.ahead")).to_have_count(0)
    assert table.sent("act") == []


def test_a_play_ahead_is_taken_back_by_escape_and_by_a_tap(sit: Sit) -> None:
    table = sit(**theirs())
    for take_back in (
        lambda: table.page.keyboard.press("Escape"),
        lambda: table.tile("3 1").click(),
        lambda: table.part("felt").click(position={"x": 20, "y": 200}),
    ):
        table.tile("3 1").click()
        expect(table.page.locator(".own.ahead")).to_have_count(1)
        take_back()
        expect(table.page.locator(".own.ahead")).to_have_count(0)
    assert table.sent("act") == []


def test_a_tile_with_a_choice_is_chosen_ahead_with_its_place(sit: Sit) -> None:
    table = sit(**theirs())
    table.tile("6 5").click()
    table.page.locator(".spot").last.click()
    table.view = picture(seq=13)
    table.state({"seq": 13, "kind": "passed", "seat": 1})
    table.page.wait_for_timeout(100)
    assert [act["action"] for act in table.sent("act")] == [{"play": "6-5", "at": "down"}]


def test_a_tile_is_asked_for_again_where_that_is_wanted(sit: Sit) -> None:
    table = sit()
    switch(table, "Ask again before a tile is laid")
    table.tile("3 1").click()
    expect(table.page.locator(".tile.pending")).to_have_count(1)
    table.page.get_by_role("button", name="Cancel").click()
    assert table.sent("act") == []
    table.tile("3 1").click()
    table.page.get_by_role("button", name="Lay it there").click()
    table.page.wait_for_timeout(100)
    assert [act["action"] for act in table.sent("act")] == [{"play": "3-1", "at": "right"}]


def test_the_places_of_a_tile_are_large_buttons_where_that_is_wanted(sit: Sit) -> None:
    table = sit()
    switch(table, "Large buttons for the places of a tile")
    table.tile("6 5").click()
    buttons = table.part("actions").locator(".wide")
    assert all((each.bounding_box() or {})["height"] >= 44 for each in buttons.all())
    buttons.last.click()
    table.page.wait_for_timeout(100)
    assert [act["action"] for act in table.sent("act")] == [{"play": "6-5", "at": "down"}]


def test_a_hand_is_kept_sorted_where_that_is_wanted(sit: Sit) -> None:
    table = sit(hand=["1-0", "6-5"], legal=[])
    table.view = table.view | {"seq": 13, "hand": ["1-0", "6-5", "6-2"]}
    table.state({"seq": 13, "kind": "drew", "seat": 0, "count": 1, "tiles": ["6-2"]})
    tiles = table.page.locator(".hand button")
    first = [each.get_attribute("aria-label") for each in tiles.all()]
    switch(table, "Keep the hand sorted")
    then = [each.get_attribute("aria-label") for each in tiles.all()]
    assert [name[:3] for name in first] == ["6 5", "1 0", "6 2"]
    assert [name[:3] for name in then] == ["6 5", "6 2", "1 0"]


def test_large_tiles_are_seen_from_near_with_a_map(sit: Sit) -> None:
    ends = ["right", "left"] * 6
    tiles = ["5-5", "5-4", "5-3", "4-2", "3-1", "2-6", "1-0", "6-0", "0-4", "0-2", "4-1", "2-5"]
    line = [{"seq": 8, "seat": 0, "tile": "5-5", "at": None, "total": 10, "score": 10}]
    for at, tile in zip(ends, tiles[1:], strict=False):
        line.append({"seq": 8, "seat": 0, "tile": tile, "at": at, "total": 1, "score": 0})
    table = sit(round=picture()["round"] | {"line": line}, hand=["6-6"], legal=[])
    scale = "() => document.querySelector('.stage').style.transform.match(/scale\\((.*)\\)/)[1]"
    before = float(table.page.evaluate(scale))
    switch(table, "Large tiles")
    assert float(table.page.evaluate(scale)) == 46 > before
    expect(table.page.locator(".mini-map .at")).to_have_count(12)
    place = "() => document.querySelector('.stage').style.transform"
    still = table.page.evaluate(place)
    table.part("felt").focus()
    table.page.keyboard.press("ArrowUp")
    table.page.keyboard.press("ArrowLeft")
    assert table.page.evaluate(place) != still


def test_a_hint_is_shown_once_and_then_no_more(sit: Sit) -> None:
    first = picture()["round"] | {"number": 1}
    table = sit(round=first)
    table.page.get_by_role("button", name="Got it").click()
    expect(table.part("hint")).to_be_hidden()
    table.page.reload()
    table.page.locator('.link-state[data-state="live"]').wait_for()
    expect(table.part("hint")).to_be_hidden()


def test_a_link_that_is_back_says_so_for_a_moment(sit: Sit) -> None:
    table = sit()
    table.page.context.set_offline(True)
    link = table.page.locator(".link-state")
    expect(link).to_have_attribute("data-state", "offline")
    table.page.context.set_offline(False)
    expect(link).to_have_attribute("data-state", "returned")
    expect(link).to_have_attribute("data-state", "live")


def test_a_word_is_said_by_its_code_and_read_in_ones_own_language(sit: Sit) -> None:
    table = sit()
    table.page.get_by_role("button", name="Say something").click()
    table.page.get_by_role("button", name="Well played!").click()
    table.page.wait_for_timeout(100)
    assert [said["word"] for said in table.sent("say")] == ["well_played"]
    table.view["words"] = [{"n": 1, "seat": 1, "word": "thanks"}]
    table.state()
    expect(table.page.locator(".seat .said").first).to_have_text("Thank you!")
    expect(table.part("log").locator("li").last).to_have_text("\u2068Zeynep\u2069: “Thank you!”")


def test_who_is_muted_is_not_heard_after_a_reload_either(sit: Sit) -> None:
    table = sit(words=[{"n": 4, "seat": 1, "word": "wow"}])
    table.page.get_by_role("button", name="Say something").click()
    table.page.get_by_role("checkbox", name="Zeynep").check()
    table.page.get_by_role("button", name="Close").click()
    table.page.reload()
    table.page.locator('.link-state[data-state="live"]').wait_for()
    table.view["words"] = [{"n": 5, "seat": 1, "word": "clap"}, {"n": 6, "seat": 0, "word": "wow"}]
    table.state()
    expect(table.page.locator(".seat .said").last).to_have_text("😮")
    expect(table.page.locator(".seat .said").first).to_be_hidden()


def test_who_watches_has_no_words(sit: Sit) -> None:
    expect(sit(**WATCHING).part("say-opener")).to_be_hidden()


def test_a_text_is_written_where_the_table_allows_it(sit: Sit) -> None:
    table = sit(talk="text")
    table.page.get_by_role("button", name="Say something").click()
    table.page.get_by_label("In your own words").fill(" <b>Nice</b> one ")
    table.page.keyboard.press("Enter")
    table.page.wait_for_timeout(100)
    assert [said["text"] for said in table.sent("say")] == ["<b>Nice</b> one"]
    table.view["words"] = [{"n": 1, "seat": 1, "text": "<i>Thanks</i>, it was luck"}]
    table.state()
    expect(table.page.locator(".seat .said").first).to_have_text("<i>Thanks</i>, it was luck")


def test_a_table_of_words_has_nothing_to_write_in(sit: Sit) -> None:
    table = sit(talk="words")
    table.page.get_by_role("button", name="Say something").click()
    expect(table.part("write")).to_be_hidden()


def test_a_seat_opens_what_can_be_done_about_its_player(sit: Sit) -> None:
    table = sit()
    table.page.get_by_role("button", name="About \u2068Zeynep\u2069").click()
    expect(table.part("person").get_by_role("link", name="Report")).to_have_attribute(
        "href", re.compile(r"/@zeynep/report\?table=")
    )
    table.part("person").get_by_label("Mute").check()
    table.page.keyboard.press("Escape")
    table.view["words"] = [{"n": 1, "seat": 1, "word": "clap"}]
    table.state()
    expect(table.page.locator(".seat .said").first).to_be_hidden()


def test_the_dialogs_about_people_are_accessible(sit: Sit) -> None:
    table = sit(talk="text")
    for opener in ("Say something", "About \u2068Zeynep\u2069"):
        table.page.get_by_role("button", name=opener).click()
        answer = Axe().run(table.page)
        assert [each["id"] for each in answer.response["violations"]] == [], opener
        table.page.keyboard.press("Escape")
