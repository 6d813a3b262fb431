"""Of each detector the smallest foul play that it sees, and the nearest honest play."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairplay.detectors import accounts, chance, circles, farming, helping, throwing
from fairplay.detectors.rows import Account, Duel, Sitting
from fairplay.detectors.throwing import CappedEntry
from ratings.glicko import State

Meet = Callable[..., list[Duel]]
Make = Callable[..., Account]
NOW = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)


def test_the_chance_of_results_is_the_binomial_one() -> None:
    assert chance.at_least(18, [0.5] * 20) == pytest.approx(
        sum(comb(20, k) for k in (18, 19, 20)) / 2**20
    )
    assert chance.at_most(1, [0.3] * 5) == pytest.approx(0.7**5 + 5 * 0.3 * 0.7**4)


@given(st.lists(st.floats(0, 1), max_size=30), st.integers(0, 30))
def test_as_many_or_more_and_fewer_are_certain_together(chances: list[float], wins: int) -> None:
    both = chance.at_least(wins, chances) + chance.at_most(wins - 1, chances)
    assert both == pytest.approx(1.0)


def test_farming_is_winning_beyond_the_chances_against_one_who_gives_up(
    meet: Meet, account: Make
) -> None:
    old = {1: account(), 2: account()}
    [found] = farming.find(meet(1, 2, "WwWwW" * 3 + "LWWLW"), old)
    assert (found.players, found.facts["wins"], found.facts["count"]) == ((1, 2), 18, 20)
    assert found.facts["signs"] == ["given_up"]
    assert found.facts["gain"] == 8 * 16
    assert len(found.matches) == 20


def test_friends_of_whom_one_is_stronger_are_not_farming(meet: Meet, account: Make) -> None:
    old = {1: account(), 2: account()}
    assert farming.find(meet(1, 2, "W" * 18 + "LL"), old) == []
    assert farming.find(meet(1, 2, "WwWwW" * 3 + "LWWLW", chance=0.8), old) == []


def test_what_is_farmed_is_much_of_all_that_one_plays(meet: Meet, account: Make) -> None:
    old = {1: account(), 2: account()}
    others = [duel for other in range(3, 9) for duel in meet(1, other, "WLWLWL")]
    assert farming.find(meet(1, 2, "WwWwW" * 4) + others, old) == []


def test_who_is_weaker_against_everybody_else_did_not_win_by_skill(
    meet: Meet, account: Make
) -> None:
    old = {1: account(), 2: account()}
    farmed = meet(1, 2, "W" * 19 + "L")
    [found] = farming.find(farmed + meet(1, 3, "L" * 10), old)
    assert found.facts["signs"] == ["weaker"]
    assert farming.find(farmed + meet(1, 3, "LWLLLLLLWL"), old) == []


def test_a_weak_newcomer_is_no_farm_unless_nothing_else_can_be(meet: Meet, account: Make) -> None:
    new = {1: account(), 2: account(6)}
    assert farming.find(meet(1, 2, "W" * 18 + "LL"), new) == []
    [found] = farming.find(meet(1, 2, "W" * 20), new)
    assert found.facts["signs"] == ["fresh"]


def test_a_circle_lifts_one_player_and_plays_nobody_else(meet: Meet, account: Make) -> None:
    new = {1: account(), 2: account(5), 3: account(5), 4: account(5)}
    log = [duel for feeder in (2, 3, 4) for duel in meet(1, feeder, "wwWW")]
    [found] = circles.find(log, new)
    assert (found.players, found.subject, found.facts["feeders"]) == ((1, 2, 3, 4), "1", 3)
    assert found.facts["signs"] == ["given_up"]


def test_beginners_who_all_lose_to_the_strong_one_of_the_club_are_no_circle(
    meet: Meet, account: Make
) -> None:
    new = {1: account(), 2: account(5), 3: account(5), 4: account(5)}
    lost = [duel for feeder in (2, 3, 4) for duel in meet(1, feeder, "wWWW")]
    assert circles.find(lost, new) == []
    log = [duel for feeder in (2, 3, 4) for duel in meet(1, feeder, "wwWW")]
    elsewhere = [duel for feeder in (2, 3, 4) for duel in meet(feeder, 5, "WLW")]
    assert circles.find(log + elsewhere, new) == []


STRONG = State.shown(1620, 50)
CUP = CappedEntry(player=1, event=7, name="Under 1550", limit=1550, rating=1540, at=NOW)


def test_losing_all_before_an_event_with_a_limit_is_a_case(meet: Meet) -> None:
    found = throwing.find(CUP, meet(1, 2, "LlLLlLLLL", chance=0.66, state=STRONG)[::2])
    assert found is not None
    assert (found.players, found.subject) == ((1,), "1-7")
    facts = found.facts
    assert (facts["before"], facts["after"], facts["limit"]) == (1620, 1540, 1550)
    assert (facts["lost"], facts["count"], facts["given_up"]) == (9, 9, 2)
    assert facts["p"] < 0.001


@pytest.mark.parametrize(
    ("results", "state", "entry"),
    [
        ("LLLLLLLW", STRONG, CUP),
        ("LLLLLLLLL", State.shown(1540, 50), CUP),
        ("LLLLLLLLL", State.shown(1620, 110), CUP),
        ("LLLLLLLLL", STRONG, CappedEntry(1, 7, "Cup", 1550, 1560, NOW)),
        ("LLLLLLLLL", STRONG, CappedEntry(1, 7, "Cup", 1550, 1540, NOW + timedelta(days=40))),
    ],
    ids=["a bad week", "below it before", "hardly known", "still above", "long ago"],
)
def test_bad_luck_before_an_event_is_none(
    meet: Meet, results: str, state: State, entry: CappedEntry
) -> None:
    assert throwing.find(entry, meet(1, 2, results, state=state)[::2]) is None


def test_two_accounts_of_one_place_of_which_one_only_loses_to_the_other(
    meet: Meet, account: Make
) -> None:
    own = {1: account(400, "home"), 2: account(20, "home", "phone")}
    elsewhere = meet(1, 3, "WLWLWLWLWL")
    [found] = accounts.find(meet(1, 2, "W" * 8) + elsewhere, own)
    assert (found.players, found.facts["signs"]) == ((1, 2), ["place"])
    apart = {1: account(400, "home"), 2: account(20, "phone")}
    assert accounts.find(meet(1, 2, "W" * 8) + elsewhere, apart) == []


def test_a_household_that_wins_and_loses_is_none(meet: Meet, account: Make) -> None:
    own = {1: account(400, "home"), 2: account(20, "home")}
    assert accounts.find(meet(1, 2, "WWWLWWWWLW"), own) == []
    assert accounts.find(meet(1, 2, "W" * 8) + meet(2, 3, "LWL"), own) == []


def test_two_accounts_made_together_that_only_meet_each_other(meet: Meet, account: Make) -> None:
    made = {1: account(12), 2: account(10)}
    [found] = accounts.find(meet(1, 2, "W" * 10), made)
    assert found.facts["signs"] == ["made_together"]
    assert accounts.find(meet(1, 2, "W" * 10) + meet(1, 3, "WLW"), made) == []
    assert accounts.find(meet(1, 2, "W" * 10), {1: account(30), 2: account(10)}) == []


def table(number: int, ranked: list[int]) -> Sitting:
    """A table of equals, as it ended."""
    return Sitting(
        f"t{number}",
        NOW + timedelta(hours=number),
        dict.fromkeys(ranked, 0.5),
        {player: (3 - place) / 3 for place, player in enumerate(ranked)},
    )


def test_two_who_win_together_beyond_the_chances() -> None:
    together = [
        table(n, [1, 2, n + 10, n + 50] if n % 2 else [1, n + 10, 2, n + 50]) for n in range(20)
    ]
    [found] = helping.find(together)
    assert (found.players, found.facts["surplus"], found.facts["count"]) == ((1, 2), 37, 20)
    luck = [
        table(n, [1, n + 10, 2, n + 50] if n % 2 else [n + 10, 1, 2, n + 50]) for n in range(20)
    ]
    assert helping.find(luck) == []


def test_two_strong_ones_who_win_apart_too_do_not_help_each_other() -> None:
    together = [table(n, [1, n + 100, 2, n + 200]) for n in range(60)]
    assert len(helping.find(together)) == 1
    apart = [table(60 + n, [who, 5, 6, 7]) for n in range(15) for who in (1, 2)]
    assert helping.find(together + apart) == []


def _facts(found: Any) -> list[Any]:
    return [each.facts for each in found]


def test_the_order_of_the_log_does_not_matter(meet: Meet, account: Make) -> None:
    old = {1: account(), 2: account()}
    log = meet(1, 2, "WwWwW" * 4)
    assert _facts(farming.find(log, old)) == _facts(farming.find(log[::-1], old))
