"""A round of a Swiss: ours against py4swiss (FIDE Dutch) and against rustworkx's bare matching.

    pip install py4swiss==0.3.1
    python bench/pairing.py [--rounds 3] [--entrants 512]

The same field, the same results of the rounds before. The bare matching gets every pair that has
not met, with a cost that knows points alone, so it is what the library itself takes for a full
graph. Ours alone is measured on larger fields too, and so are tables of three and four. They take
turns round by round. Seconds are of the processor, so that whatever else the machine does counts
little; its load is printed anyway.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import rustworkx

from tournaments.formats import pods, swiss
from tournaments.formats.model import Field, Meeting, Verdict

GOAL, GOAL_SECONDS = 100.0, 0.3
LARGE = (2_000, 10_000)
TABLES, TABLES_SECONDS = (500, 2_000), 2.0


class Event:
    """A Swiss whose results are drawn by chance, the stronger winning more often."""

    def __init__(self, size: int, rounds: int) -> None:
        self.field = Field(size, "bench", {"rounds": rounds})
        self.verdicts: dict[int, Verdict] = {}
        self.chance = Random(size)

    def draw(self) -> tuple[float, tuple[Meeting, ...]]:
        started = time.process_time()
        drawn = swiss.draw(self.field, self.verdicts)
        return time.process_time() - started, drawn

    def play(self, drawn: Sequence[Meeting]) -> None:
        self.field = replace(self.field, drawn=(*self.field.drawn, *drawn))
        for meeting in drawn:
            if not meeting.is_bye:
                one, other = meeting.seeds
                edge = 0.5 + (other - one) / (2 * self.field.size)
                winner = one if self.chance.random() < edge else other
                self.verdicts[meeting.number] = Verdict(winner, (150, 90))

    def points(self) -> dict[int, int]:
        """Wins by seed; a bye is one."""
        found = dict.fromkeys(range(1, self.field.size + 1), 0)
        for meeting in self.field.drawn:
            winner = meeting.seeds[0] if meeting.is_bye else self.verdicts[meeting.number].winner
            found[winner or 0] += 1
        return found


def bare(event: Event) -> float:
    """The library's matching of every pair that has not met, by points alone."""
    points = event.points()
    met = {frozenset(meeting.seeds) for meeting in event.field.drawn}
    started = time.process_time()
    edges = [
        (one - 1, other - 1, -((points[one] - points[other]) ** 2))
        for one, other in combinations(points, 2)
        if frozenset((one, other)) not in met
    ]
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * len(points))
    graph.add_edges_from(edges)
    rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return time.process_time() - started


def report(event: Event, rounds: int) -> str:
    """The field as a tournament report file (TRF), which the peer reads."""
    points = event.points()
    cells: dict[int, list[str]] = {seed: [] for seed in points}
    for meeting in event.field.drawn:
        winner = meeting.seeds[0] if meeting.is_bye else event.verdicts[meeting.number].winner
        if meeting.is_bye:
            cells[meeting.seeds[0]].append("  0000 - U")
            continue
        for seed, other, colour in zip(meeting.seeds, meeting.seeds[::-1], "wb", strict=True):
            cells[seed].append(f"  {other:4d} {colour} {'1' if seed == winner else '0'}")
    order = sorted(points, key=lambda seed: (-points[seed], seed))
    rank = {seed: at for at, seed in enumerate(order, start=1)}
    lines = ["012 bench", f"XXR {rounds}", "XXC white1"]
    lines += [
        f"001 {seed:4d} {'':1}{'':3} {f'Player {seed}':33} {3000 - seed:4d} {'':3} {'':11} {'':10} "
        f"{points[seed]:4.1f} {rank[seed]:4d}{''.join(cells[seed])}"
        for seed in points
    ]
    return "\n".join(lines) + "\n"


def peer(event: Event, rounds: int) -> float:
    """py4swiss' Dutch engine on the same field; reading the file is not counted."""
    from py4swiss.engines import DutchEngine
    from py4swiss.trf import TrfParser

    with tempfile.NamedTemporaryFile("w", suffix=".trf", encoding="utf-8") as file:
        file.write(report(event, rounds))
        file.flush()
        parsed = TrfParser.parse(Path(file.name))
    started = time.process_time()
    DutchEngine.generate_pairings(parsed)
    return time.process_time() - started


def compare(size: int, rounds: int, with_peer: bool) -> tuple[float, float]:
    """Median ratios of the peer's and of the bare matching's time to ours, a line a round."""
    event, theirs, bares = Event(size, rounds + 1), [], []
    print(f"{size} entrants, seconds{'ours':>12}{'bare':>9}{'py4swiss':>10}")
    for number in range(1, rounds + 1):
        ours, drawn = event.draw()
        alone = bare(event)
        other = peer(event, rounds + 1) if with_peer else float("nan")
        print(f"  round {number:<18}{ours:12.3f}{alone:9.3f}{other:10.2f}", flush=True)
        theirs.append(other / ours)
        bares.append(alone / ours)
        event.play(drawn)
    return statistics.median(theirs), statistics.median(bares)


def alone(size: int, rounds: int) -> float:
    """The median seconds of a round of ours."""
    event, found = Event(size, rounds), []
    for _ in range(rounds):
        seconds, drawn = event.draw()
        found.append(seconds)
        event.play(drawn)
    return statistics.median(found)


def tables(size: int, rounds: int) -> tuple[float, int, int]:
    """Tables of three and four, the places drawn by chance: the slowest round in seconds, how many
    pairs met again, and the squares of the differences in points that sat together, in the last.
    """
    field, chance = Field(size, "bench", {"rounds": rounds}), Random(size)
    verdicts: dict[int, Verdict] = {}
    slowest, again, apart = 0.0, 0, 0
    for _ in range(rounds):
        started = time.process_time()
        drawn = pods.draw(field, verdicts)
        slowest = max(slowest, time.process_time() - started)
        field = replace(field, drawn=(*field.drawn, *drawn))
        points = [list(map(int, each.because.get("points", ()))) for each in drawn]  # type: ignore[call-overload]
        apart = sum((one - other) ** 2 for each in points for one, other in combinations(each, 2))
        for meeting in drawn:
            again += int(str(meeting.because.get("met_before", 0)))
            order = sorted(meeting.seeds, key=lambda seed: seed / size + chance.random())
            places = tuple(order.index(seed) + 1 for seed in meeting.seeds)
            verdicts[meeting.number] = Verdict(order[0], places=places)
    return slowest, again, apart


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--entrants", type=int, default=512)
    given = parser.parse_args()
    try:
        import py4swiss  # noqa: F401

        with_peer = True
    except ImportError:
        with_peer = False
        print("py4swiss is not installed, so it is left out: pip install py4swiss==0.3.1")
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    print(f"load before: {load:.1f} a core")
    ratio, of_bare = compare(given.entrants, given.rounds, with_peer)
    print(f"py4swiss ÷ ours: {ratio:.0f}; bare matching ÷ ours: {of_bare:.2f}")
    seconds = {size: alone(size, 5) for size in LARGE}
    for size, median in seconds.items():
        print(f"{size:6,} entrants: {median:.3f} s a round (median of 5)")
    slowest = 0.0
    for size in TABLES:
        slowest, again, apart = tables(size, 5)
        print(f"tables of {size:,}: {slowest:.2f} s for the slowest of 5 rounds, {again} met again")
        print(f"  squares of the differences at the last round's tables: {apart}")
    reached = (
        slowest <= TABLES_SECONDS
        and seconds[LARGE[0]] <= GOAL_SECONDS
        and (not with_peer or ratio >= GOAL)
    )
    said = "reached" if reached else "missed"
    print(
        f"goal: ratio >= {GOAL:g}, and {LARGE[0]:,} in {GOAL_SECONDS:g} s, "
        f"tables of {TABLES[-1]:,} in {TABLES_SECONDS:g} s: {said}"
    )
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
