"""Pairing those who wait in an arena, as a ratio to the bare matching of the same graph.

    python bench/arena.py [--waiting 1000] [--times 5]

Everybody waits at once, at random points of a long evening: each has a last opponent and earlier
meetings. The bare matching is rustworkx's, of the first graph that is tried, with plain weights.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import rustworkx

from tournaments.formats import arena
from tournaments.formats.arena import Waiting

GOAL_SECONDS = 1.0


def evening(count: int, chance: random.Random) -> list[Waiting]:
    """People who have played a while: met some, and wait since some seconds."""
    return [
        Waiting(
            seed,
            place=seed,
            waited=chance.randrange(30),
            points=24 * chance.randrange(9),
            last=chance.randrange(1, count + 1),
            balance=chance.randrange(-2, 3),
            met={chance.randrange(1, count + 1): 1 for _ in range(6)},
        )
        for seed in range(1, count + 1)
    ]


def bare(count: int) -> float:
    """Seconds of the matching alone."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    near = arena.NEIGHBOURS
    graph.add_edges_from(
        [
            (a, b, 1000 - (b - a) ** 2)
            for a in range(count)
            for b in range(a + 1, min(count, a + near + 1))
        ]
    )
    began = time.perf_counter()
    rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return time.perf_counter() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--waiting", type=int, default=1000)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    ours, theirs = [], []
    for number in range(given.times):
        waiting = evening(given.waiting, random.Random(number))
        began = time.perf_counter()
        drawn = arena.pair(waiting, number=1, round=1, active=len(waiting), randomness=str(number))
        ours.append(time.perf_counter() - began)
        theirs.append(bare(given.waiting))
        assert len(drawn) == given.waiting // 2
    seconds, ratio = statistics.median(ours), statistics.median(ours) / statistics.median(theirs)
    reached = max(ours) < GOAL_SECONDS
    print(f"{given.waiting} waiting: {seconds:.3f} s, worst {max(ours):.3f} s")
    print(f"{ratio:.1f} times the bare matching ({statistics.median(theirs):.3f} s)")
    print(f"goal: below {GOAL_SECONDS:g} s: {'reached' if reached else 'missed'}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
