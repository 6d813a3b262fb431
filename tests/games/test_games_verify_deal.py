"""`manage.py verify_deal`: deals checked by what everyone can see."""

from __future__ import annotations

import copy
import io
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import proof, selectors, services
from games.models import Match

pytestmark = pytest.mark.django_db

Make = Callable[..., Match]


@pytest.fixture
def two_rounds(make_match: Make, move: Callable[..., Any]) -> Callable[[str], Match]:
    """A match of a preset in its third round."""

    def make(preset: str) -> Match:
        match = make_match({"preset": preset, "target": 1000})
        while len(selectors.record_of(match.pk)["rounds"]) < 2:  # type: ignore[arg-type]
            match.refresh_from_db()
            if match.turn is None:
                services.wake(match_id=match.pk, now=match.wake_at)
            else:
                move(match)
        return match

    return make


@pytest.mark.parametrize("preset", ["allfives", "classic"])
def test_the_deals_of_finished_rounds_are_as_committed(
    two_rounds: Callable[[str], Match], preset: str
) -> None:
    match, out = two_rounds(preset), io.StringIO()
    call_command("verify_deal", match.pk, stdout=out)
    assert out.getvalue().splitlines() == [
        "round 1: the deal is as committed",
        "round 2: the deal is as committed",
    ]
    out = io.StringIO()
    call_command("verify_deal", match.pk, "2", stdout=out)
    assert out.getvalue() == "round 2: the deal is as committed\n"


def test_each_change_to_what_was_published_is_found(two_rounds: Callable[[str], Match]) -> None:
    match = two_rounds("classic")
    record, events = selectors.record_of(match.pk), selectors.events_since(match.pk, None, 0)
    [first, _second] = [n for n, each in enumerate(events) if each["kind"] == "round_started"][:2]

    def faults(change: Callable[[Any, Any], None]) -> dict[int, list[str]]:
        changed = copy.deepcopy(record), copy.deepcopy(events)
        change(*changed)
        return proof.check_deals(*changed)

    assert faults(lambda record, events: None) == {1: [], 2: []}

    def swap(record: Any, events: Any) -> None:
        one, other = record["rounds"][1]["hands"][0], record["rounds"][1]["boneyard"]
        one[0], other[0] = other[0], one[0]

    assert faults(swap) == {1: [], 2: ["other tiles were played"]}

    def lead(record: Any, events: Any) -> None:
        events[first]["leader"] = 1 - events[first]["leader"]

    assert faults(lead)[1] == ["another seat led"]
    assert faults(lead)[2] == ["it is not tied to the log before it"]

    def commit(record: Any, events: Any) -> None:
        events[first]["deal"]["commit"] = "00" * 32

    assert faults(commit)[1] == ["the seed is not the one committed to"]


def test_a_match_with_nothing_to_check_is_refused(make_match: Make) -> None:
    for given in (("nosuchmatch1",), (make_match().pk,)):
        with pytest.raises(CommandError):
            call_command("verify_deal", *given)
