"""Whole rounds played at random: the engine against PyPI's `dominoes`, as a ratio in one run.

    pip install dominoes==6.1.0
    python bench/engine.py [--seconds 20]

Both deal 7 tiles to each of four seats and play the block game to its end, choosing among the
legal moves by chance. They take turns in short slices, so that whatever else the machine does
falls on both alike. The other lines are the engine alone, as a share of the same opponent.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine.playout import Sprint
from engine.round import Deal, Round
from engine.rules import RuleSet
from engine.tiles import COUNT

GOAL = 7.0
BLOCK = {"preset": "block", "hand_sizes": 7}
Play = Callable[[int], None]


def peer() -> Play:
    try:
        import dominoes
    except ImportError:
        sys.exit("The peer is missing: pip install dominoes==6.1.0")

    def play(rounds: int) -> None:
        for _ in range(rounds):
            game = dominoes.Game.new()
            while game.result is None:
                game.make_move(*random.choice(game.valid_moves))

    return play


def sprint(rules: dict[str, object], seats: int) -> Play:
    """The fast core, as bots use it."""
    core, chance = Sprint(RuleSet.parse(rules, seats)), random.random

    def play(rounds: int) -> None:
        for _ in range(rounds):
            core.deal(chance)

    return play


def rounds_with_undo(rules: dict[str, object], seats: int) -> Play:
    """The public `Round`, which lists its moves and remembers how to take them back."""
    parsed = RuleSet.parse(rules, seats)
    size = parsed.hand_size

    def play(rounds: int) -> None:
        order = list(range(COUNT))
        for _ in range(rounds):
            random.shuffle(order)
            hands = tuple(tuple(order[s * size : (s + 1) * size]) for s in range(seats))
            round = Round(parsed, Deal(hands, tuple(order[seats * size :])))
            while round.turn is not None:
                moves = round.moves()
                if moves:
                    round.play(*random.choice(moves))
                elif round.drawable:
                    round.draw()
                else:
                    round.skip()

    return play


def rate(play: Play, rounds: int) -> float:
    started = time.perf_counter()
    play(rounds)
    return rounds / (time.perf_counter() - started)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20, help="how long to measure")
    until = time.perf_counter() + parser.parse_args().seconds
    players: dict[str, tuple[Play, int]] = {
        "dominoes 6.1.0, block, 4 seats": (peer(), 100),
        "engine, block, 4 seats": (sprint(BLOCK, 4), 1000),
        "engine, All Fives, 2 seats": (sprint({"preset": "allfives"}, 2), 1000),
        "engine, All Fives, 4 seats": (sprint({"preset": "allfives"}, 4), 1000),
        "engine, Draw, 2 seats": (sprint({"preset": "draw"}, 2), 1000),
        "engine's Round, block, 4 seats": (rounds_with_undo(BLOCK, 4), 200),
    }
    rates: dict[str, list[float]] = {name: [] for name in players}
    while time.perf_counter() < until or not all(rates.values()):
        for name, (play, rounds) in players.items():
            rates[name].append(rate(play, rounds))
    theirs, *_ = rates.values()
    ratios = {
        name: statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
        for name, ours in rates.items()
    }
    print(f"{'rounds/s, best and median slice':36}{'best':>9}{'median':>9}{'ratio':>8}")
    for name, ours in rates.items():
        best, middle = max(ours), statistics.median(ours)
        print(f"{name:36}{best:9,.0f}{middle:9,.0f}{ratios[name]:8.2f}")
    ratio = ratios["engine, block, 4 seats"]
    print(f"goal: ratio >= {GOAL:g} like for like: {'reached' if ratio >= GOAL else 'missed'}")
    return 0 if ratio >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
