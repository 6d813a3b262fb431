"""Small factories: rule sets, deals, and matches played at random."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.actions import Action, Claim, Play
from engine.events import Event
from engine.match import Match
from engine.round import Deal
from engine.rules import RuleSet
from engine.tiles import COUNT, parse

VECTORS = Path(__file__).parent / "vectors"

# Rule sets that between them use every key of rules.md 2.
VARIANTS: tuple[tuple[int, dict[str, Any]], ...] = (
    (2, {"preset": "allfives"}),
    (3, {"preset": "allfives", "arms": "any", "gate": 10, "redeal_doubles": 5}),
    (4, {"preset": "allfives", "partners": True, "match_end": "round_end", "target": 60}),
    (2, {"preset": "classic", "target": 80, "keep": 2}),
    (4, {"preset": "classic", "count": "called", "partners": True, "target": 60}),
    (3, {"preset": "fivecount", "spinner": False, "target": 70}),
    (2, {"preset": "fivecount", "count": "called", "arms": "any", "target": 70}),
    (2, {"preset": "muggins", "target": 50}),
    (3, {"preset": "muggins", "match_end": "round_end", "gate": 10, "target": 50}),
    (2, {"preset": "draw", "target": 60, "block_lead": "random"}),
    (4, {"preset": "draw", "keep": 2, "settle": "winner_collects_total"}),
    (3, {"preset": "block", "rounding": 5}),
    (4, {"preset": "block", "hand_sizes": 7, "partners": True, "next_lead": "winner"}),
)


def load_vectors() -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for name in ("golden.jsonl", "random.jsonl")
        for line in (VECTORS / name).read_text(encoding="utf-8").splitlines()
    ]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "variant" in metafunc.fixturenames:
        names = ["-".join(map(str, (seats, *rules.values()))) for seats, rules in VARIANTS]
        sets = [RuleSet.parse(rules, seats) for seats, rules in VARIANTS]
        metafunc.parametrize("variant", sets, ids=names)
    if "vector" in metafunc.fixturenames:
        vectors = load_vectors()
        metafunc.parametrize("vector", vectors, ids=[vector["name"] for vector in vectors])


def _rules(preset: str = "allfives", seats: int = 2, **overrides: object) -> RuleSet:
    return RuleSet.parse({"preset": preset, **overrides}, seats)


def _deal(*hands: str) -> Deal:
    """A deal of these hands ("6-6 6-2"), the rest of the set in order as the boneyard."""
    dealt = tuple(tuple(parse(name) for name in hand.split()) for hand in hands)
    used = {tile for hand in dealt for tile in hand}
    return Deal(dealt, tuple(tile for tile in range(COUNT) if tile not in used))


def _shuffled(rules: RuleSet, chance: random.Random) -> Deal:
    while True:
        order = list(range(COUNT))
        chance.shuffle(order)
        size = rules.hand_size
        hands = tuple(tuple(order[s * size : (s + 1) * size]) for s in range(rules.seats))
        deal = Deal(hands, tuple(order[rules.seats * size :]))
        if not deal.void(rules):
            return deal


def _leader(match: Match, chance: random.Random) -> int | None:
    return chance.randrange(match.rules.seats) if match.next_leader() == "random" else None


def _some_action(match: Match, chance: random.Random) -> tuple[int, Action] | None:
    """A legal action, claims and calls among them; None where a claim window should close."""
    rules = match.rules
    claimants = [seat for seat in range(rules.seats) if match.claim_open_for(seat)]
    if claimants and chance.random() < 0.3:
        total = match.line[-1].total
        return chance.choice(claimants), Claim(chance.choice((total, 5, 10)))
    if match.phase == "claims" or match.turn is None:
        return None
    action = chance.choice(match.legal())
    if isinstance(action, Play) and rules.called and chance.random() < 0.8:
        total = match.preview(action)[0]
        action = Play(action.tile, action.end, chance.choice((total, total, 5)))
    return match.turn, action


def _walk(
    rules: RuleSet, seed: int, rounds: int = 8
) -> Iterator[tuple[Match, tuple[Event, ...], Deal | None]]:
    """A match played at random: after each step the match, what happened, and a new deal.

    At most so many rounds: players at random may lose more than they make for ever.
    """
    chance = random.Random(seed)
    match = Match(rules)
    while match.phase != "over":
        if match.phase == "deal":
            if match.number == rounds:
                return
            deal = _shuffled(rules, chance)
            yield match, match.start_round(deal, _leader(match, chance)), deal
            continue
        some = _some_action(match, chance)
        if some is None:
            yield match, match.settle(), None
        else:
            yield match, match.act(*some), None


def _played(match: Match, plays: str) -> Match:
    """`match` after "6-6", then "6-2 left" … by whoever is in turn, drawing as they must."""
    for play in plays.split(", "):
        name, _, end = play.partition(" ")
        while not any(isinstance(action, Play) for action in match.legal()):
            assert match.turn is not None
            match.act(match.turn, match.legal()[0])
        assert match.turn is not None
        match.act(match.turn, Play(parse(name), end or None))  # type: ignore[arg-type]
    return match


@pytest.fixture(scope="session")
def make_rules() -> Callable[..., RuleSet]:
    return _rules


@pytest.fixture(scope="session")
def make_deal() -> Callable[..., Deal]:
    return _deal


@pytest.fixture(scope="session")
def shuffled() -> Callable[[RuleSet, random.Random], Deal]:
    return _shuffled


@pytest.fixture(scope="session")
def walk() -> Callable[..., Iterator[tuple[Match, tuple[Event, ...], Deal | None]]]:
    return _walk


@pytest.fixture(scope="session")
def played() -> Callable[[Match, str], Match]:
    return _played


@pytest.fixture(scope="session")
def table(make_rules: Callable[..., RuleSet]) -> Callable[..., Match]:
    """A match whose first round is dealt by hand; `leader` where the rules draw one."""

    def make(*hands: str, leader: int | None = None, **overrides: object) -> Match:
        preset = str(overrides.pop("preset", "allfives"))
        size = len(hands[0].split())
        if leader is not None:
            overrides["first_lead"] = "random"
        rules = _rules(preset, len(hands), hand_sizes=size, **overrides)
        match = Match(rules)
        match.start_round(_deal(*hands), leader)
        return match

    return make
