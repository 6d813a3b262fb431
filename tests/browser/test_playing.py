"""People play in the browser: against a bot, against each other, and in a knockout."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Person, play_to_the_end

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]
Arrive = Callable[..., Person]


def hand_of(person: Person) -> list[str]:
    labels = person.page.locator(".hand button").evaluate_all(
        "buttons => buttons.map(button => button.getAttribute('aria-label'))"
    )
    return sorted(label.split(",")[0] for label in labels)


def final_scores(person: Person) -> list[str]:
    return person.page.locator(".places-table .tally").all_inner_texts()


def test_a_visitor_plays_a_whole_match_against_a_bot(person: Arrive) -> None:
    visitor = person()
    visitor.open_table(opponents="easy", target="30")
    play_to_the_end([visitor])
    assert max(int(score) for score in final_scores(visitor)) >= 30
    assert visitor.page.get_by_role("button", name="Rematch").is_visible()


def test_one_tap_plays_without_an_account_on_a_phone(person: Arrive) -> None:
    visitor = person(390, 844)
    visitor.page.goto("/")
    visitor.page.get_by_role("button", name="Play a bot now").click()
    visitor.page.wait_for_url("**/t/*")
    visitor.page.locator(".hand button").first.wait_for()
    before = hand_of(visitor)
    for _ in range(200):
        visitor.move()
        visitor.page.wait_for_timeout(150)
        if hand_of(visitor) != before:
            break
    assert hand_of(visitor) != before
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_two_browsers_play_each_other_and_one_reloads_in_mid_turn(person: Arrive) -> None:
    one, two = person(), person(390, 844)
    one.open_table(opponents="people", target="20", turn_seconds="120")
    address = one.page.url.removesuffix("/share")
    two.page.goto(address)
    two.page.get_by_role("button", name="Take a seat").click()
    one.page.goto(address)
    for someone in (one, two):
        someone.page.locator(".hand button").first.wait_for()
    while not (one.move() or two.move()):
        one.page.wait_for_timeout(150)
    one.page.locator('[data-part="log"] li').nth(1).wait_for()
    one.page.wait_for_timeout(1000)
    for someone in (one, two):
        hand, line = hand_of(someone), someone.line
        someone.page.reload()
        someone.page.locator(".hand button").first.wait_for()
        someone.page.locator('[data-state="live"]').wait_for()
        assert (hand_of(someone), someone.line) == (hand, line)
    play_to_the_end([one, two])
    assert sorted(final_scores(one)) == sorted(final_scores(two))


def test_two_press_the_same_button_and_meet_at_a_table(person: Arrive) -> None:
    one, two = person(), person(390, 844)
    for someone in (one, two):
        someone.page.goto("/")
        button = someone.page.get_by_role("button", name="Block target: 100 2 players")
        button.focus()
        button.press("Enter")
        if someone is one:
            one.page.get_by_text("Looking for somebody").wait_for()
    for someone in (one, two):
        someone.page.wait_for_url("**/t/*")
        someone.page.locator(".hand button").first.wait_for()
    assert one.page.url == two.page.url
    while not (one.move() or two.move()):
        one.page.wait_for_timeout(150)
    one.page.go_back()
    assert one.page.url.endswith("/")


def test_a_knockout_with_three_bots_is_won(person: Arrive) -> None:
    """The organiser makes it, joins, fills it with bots, starts it and plays until it is over."""
    organiser = person()
    sign_up(organiser)
    page = organiser.page
    page.goto("/tournaments/new")
    page.locator('[name="name"]').fill("Four at table")
    for summary in page.locator("main form details > summary:visible").all():
        summary.click()
    page.locator('[name="target"]').fill("20")
    page.locator('[name="capacity"]').fill("4")
    page.locator("main form button").last.click()
    page.wait_for_url("**/tournaments/four-at-table*")
    if page.get_by_role("button", name="Open registration").is_visible():
        page.get_by_role("button", name="Open registration").click()
    page.get_by_role("button", name="Join").click()
    page.get_by_text("Fill places with bots").click()
    page.locator('[name="count"]').fill("3")
    page.get_by_role("button", name="Add the bots").click()
    page.get_by_role("button", name="Start the tournament").click()
    champion = page.locator(".podium .p1")
    while not champion.is_visible():
        table = page.get_by_role("link", name="Go to your table").first
        if table.is_visible():
            table.click()
            page.wait_for_url("**/t/*")
            play_to_the_end([organiser])
            page.goto("/tournaments/four-at-table")
        page.wait_for_timeout(1000)
    assert page.locator(".podium li").count() >= 3
    page.goto("/tournaments/four-at-table/standings")
    assert page.get_by_role("heading", name="Final standings").is_visible()


def sign_up(person: Person) -> None:
    page = person.page
    page.goto("/accounts/sign-up")
    page.locator('[name="handle"]').fill("marika")
    page.locator('[name="name"]').fill("Marika")
    for password in page.locator('[type="password"]').all():
        password.fill("many fives a day")
    page.locator("main form button:not([type=button])").last.click()
    page.wait_for_load_state()
