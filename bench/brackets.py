"""Brackets played to their end, folded after every result, against a plain loop that keeps state.

    python bench/brackets.py [--seconds 10]

The loop moves winners (and losers) along lists, as one would without wanting corrections, proofs or
results in any order: it says what the folding costs. Seconds are of the processor, so that whatever
else the machine does counts little; its load is printed anyway.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tournaments.formats import double_elimination, single_elimination
from tournaments.formats.model import Field, Format, Verdict

SIZES = (16, 128, 1024)
A_FOLD = 0.05
"""Seconds that one fold of 1,024 may take at most, so that no result waits for it."""
FEW = 8
"""Results entered before one looks again what is ready."""


def folded(module: Format, size: int) -> tuple[float, int]:
    """Seconds and results of one event: after each result the plan is computed anew from all."""
    field, verdicts, chance = Field(size, "x"), dict[int, Verdict](), Random(size)
    started = time.process_time()
    plan = module.plan(field, verdicts)
    while not plan.over:
        for pairing in [p for p in plan.pairings.values() if p.is_ready][:FEW]:
            verdicts[pairing.number] = Verdict(chance.choice(pairing.seeds()), (150, 90))
            plan = module.plan(field, verdicts)
    return time.process_time() - started, len(verdicts)


def one_fold(module: Format, size: int) -> float:
    """Seconds of one fold of a bracket half played."""
    field, verdicts, chance = Field(size, "x"), dict[int, Verdict](), Random(size)
    plan = module.plan(field, verdicts)
    while len(verdicts) < size // 2:
        for pairing in [p for p in plan.pairings.values() if p.is_ready]:
            verdicts[pairing.number] = Verdict(chance.choice(pairing.seeds()), (150, 90))
        plan = module.plan(field, verdicts)
    started = time.process_time()
    module.plan(field, verdicts)
    return time.process_time() - started


def single_loop(size: int) -> tuple[float, int]:
    """The same event with queues."""
    chance, results = Random(size), 0
    started = time.process_time()
    left = deque(range(1, size + 1))
    while len(left) > 1:
        left.append(chance.choice((left.popleft(), left.popleft())))
        results += 1
    return time.process_time() - started, results


def double_loop(size: int) -> tuple[float, int]:
    """Double elimination with queues; who meets whom is not the bracket's, the count is."""
    chance, results = Random(size), 0
    started = time.process_time()
    upper, lower = deque(range(1, size + 1)), deque[int]()
    while len(upper) + len(lower) > 1:
        for queue, down in ((upper, True), (lower, False)):
            if len(queue) > 1:
                pair = queue.popleft(), queue.popleft()
                winner = chance.choice(pair)
                queue.append(winner)
                results += 1
                if down:
                    lower.append(sum(pair) - winner)
        if len(upper) == len(lower) == 1:
            results += 1
            lower.clear()
    return time.process_time() - started, results


PLAIN: dict[str, Callable[[int], tuple[float, int]]] = {
    "single_elimination": single_loop,
    "double_elimination": double_loop,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10, help="how long to measure")
    until = time.perf_counter() + parser.parse_args().seconds
    print(f"load before: {os.getloadavg()[0] / (os.cpu_count() or 1):.1f} a core")
    modules: dict[str, Format] = {
        "single_elimination": single_elimination,
        "double_elimination": double_elimination,
    }
    print(f"{'whole event, a fold a result':34}{'folded':>10}{'a fold':>11}{'÷ loop':>9}")
    worst = 0.0
    for name, module in modules.items():
        for size in SIZES:
            ratios: list[float] = []
            folds: list[float] = []
            seconds = 0.0
            while not ratios or (time.perf_counter() < until and size < SIZES[-1]):
                seconds, results = folded(module, size)
                plain, plain_results = PLAIN[name](size)
                ratios.append((seconds / results) / (plain / plain_results))
                folds.append(one_fold(module, size))
                if len(ratios) == 5:
                    break
            fold = statistics.median(folds)
            worst = max(worst, fold)
            ratio = statistics.median(ratios)
            print(f"{name + f', {size:,}':34}{seconds:9.2f}s{fold * 1000:9.2f}ms{ratio:9.0f}")
    reached = worst <= A_FOLD
    print(f"goal: a fold in {A_FOLD * 1000:g} ms at most: {'reached' if reached else 'missed'}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
