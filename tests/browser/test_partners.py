"""Four browsers play two against two to the end: by keys, in Turkish, over a link that breaks."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute

from .conftest import STEP_MS, Person

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]
Arrive = Callable[..., Person]

# Texts of the bar, the seats and the dock that lie over one another; signs that come and go in
# their own place are left out.
OVERLAPS = """() => {
  const shown = (node) => node.checkVisibility() && !node.closest(".vh, .did, .said, [hidden]");
  const own = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  const nodes = [...document.querySelectorAll(":is(.bar, .seats, .dock) *")].filter((node) => own(node) && shown(node));
  const seen = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect(), box = { left, right, top, bottom };
    for (let up = node.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowX === "visible") continue;
      const clip = up.getBoundingClientRect();
      box.left = Math.max(box.left, clip.left); box.right = Math.min(box.right, clip.right);
      box.top = Math.max(box.top, clip.top); box.bottom = Math.min(box.bottom, clip.bottom);
    }
    return box;
  };
  const boxes = nodes.map((node) => [node, seen(node)]);
  const over = ([p, a], [q, b]) => !p.contains(q) && !q.contains(p) && !p.closest(".sheet .next") && !q.closest(".sheet .next")
    && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  return boxes.flatMap((p, i) => boxes.slice(i + 1).filter((q) => over(p, q)).map((q) => `${p[0].textContent} / ${q[0].textContent}`));
}"""  # noqa: E501


def move_by_keys(person: Person) -> bool:
    """What somebody without a pointer does: a digit picks, Enter lays it; whether anything."""
    page = person.page
    if page.locator(".spot").count():
        page.keyboard.press("Enter")
        return True
    if not page.locator('[data-turn="mine"]').count():
        return False
    for number, tile in enumerate(page.locator(".hand button").all()[:9], start=1):
        if tile.get_attribute("aria-disabled") == "false":
            page.keyboard.press(str(number))
            return True
    page.keyboard.press("End")  # beyond the ninth tile the arrows lead
    page.keyboard.press("Enter")
    return True


def test_four_play_two_against_two_to_the_end(person: Arrive) -> None:
    host, keys, phone, cut = person(), person(), person(390, 844, "tr-TR"), person(844, 390)
    sockets: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    cut.page.route_web_socket("**/ws/table/*", through)
    host.open_table(opponents="people", size="partners", target="30", turn_seconds="120")
    path = host.page.url.removesuffix("/share").split("/t/")[1]
    for someone in (keys, phone, cut):
        someone.page.goto(f"/t/{path}")
        someone.page.locator(".take-seat button").click()
    host.page.goto(f"/t/{path}")
    people = [host, keys, phone, cut]
    for someone in people:
        someone.page.locator(".hand button").first.wait_for()
    keys.page.locator(".hand button[tabindex='0']").focus()
    assert phone.page.locator("html").get_attribute("lang") == "tr"
    assert phone.page.locator(".seat").count() == 4

    deadline, dropped = time.monotonic() + 300, 0
    while not all(each.is_over for each in people):
        assert time.monotonic() < deadline, [each.log[-3:] for each in people]
        moved = [move_by_keys(keys), host.move(), phone.move(), cut.move()]
        if not dropped and len(cut.log) >= 6:
            dropped = len(sockets)
            sockets[-1].close()
        if not any(moved):
            assert [each.page.evaluate(OVERLAPS) for each in people] == [[]] * 4
            host.page.wait_for_timeout(STEP_MS)

    assert len(sockets) > dropped > 0
    tallies = [each.page.locator(".places-table .tally").all_inner_texts() for each in people]
    assert tallies == [tallies[0]] * 4
    assert max(int(score) for score in tallies[0] if score) >= 30
    assert [each.page.evaluate(OVERLAPS) for each in people] == [[]] * 4
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
