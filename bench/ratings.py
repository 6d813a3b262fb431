"""A million two-player matches replayed, as ratios to the bare formula, openskill and glicko2.

    .venv/bin/python bench/ratings.py [--matches 1000000] [--slices 40]

The bare loop is the formula alone, on floats in lists: time, both updates, the roundings, and
nothing kept but the last state. Ours is the fold that every replay runs: it also counts meetings
for the damping, and gives each match's changes with the chances before it. openskill and glicko2
rate a sample of the same log with their defaults, predicting nothing. All take turns in slices, so
that whatever else the machine does falls on all alike.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from math import exp, pi, sqrt
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

# Not this folder: this file is called as an app is.
sys.path[0] = str(Path(__file__).resolve().parent.parent)

from ratings.fold import Entry, Meetings, fold
from ratings.glicko import DRIFT, State, scale_of, variance_of

PEOPLE = 20_000
START = datetime(2020, 1, 1, tzinfo=UTC)
PRIOR = variance_of(130)
MOST_TO_BARE, LEAST_TO_PEERS = 3.0, 1.3
SAMPLE = 20
"""The packages rate one match in so many."""

Rater = Callable[[Sequence[Entry]], None]


def log(count: int, chance: Random) -> Iterator[Entry]:
    """A match every two minutes or so, between any two, to the usual targets."""
    at = START
    for number in range(count):
        one = chance.randrange(PEOPLE)
        two = (one + chance.randrange(1, PEOPLE)) % PEOPLE
        at += timedelta(seconds=chance.randrange(240))
        places = (1, 2) if chance.random() < 0.5 else (2, 1)
        target = chance.choice((100, 150, 250))
        yield Entry(f"m{number:011}", at, target, ((one,), (two,)), places)


def bare() -> Rater:
    """The rule's four steps and no more (ratings.md)."""
    means, variances, days = [0.0] * PEOPLE, [PRIOR] * PEOPLE, [0] * PEOPLE
    three = 3 / pi**2

    def rate(entries: Sequence[Entry]) -> None:
        for entry in entries:
            [one], [two] = entry.sides
            day = entry.finished_at.toordinal()
            scale = scale_of(entry.target)
            score = 1.0 if entry.places[0] < entry.places[1] else 0.0
            mine, theirs = variances[one], variances[two]
            if days[one]:
                mine = min(mine + DRIFT * (day - days[one]), PRIOR)
            if days[two]:
                theirs = min(theirs + DRIFT * (day - days[two]), PRIOR)
            lead = means[one] - means[two]
            slope = scale / sqrt(1 + three * scale * scale * theirs)
            expected = 1 / (1 + exp(-slope * lead))
            mine_after = 1 / (1 / mine + slope * slope * expected * (1 - expected))
            means[one] = round(means[one] + mine_after * slope * (score - expected), 9)
            slope = scale / sqrt(1 + three * scale * scale * mine)
            expected = 1 / (1 + exp(slope * lead))
            theirs_after = 1 / (1 / theirs + slope * slope * expected * (1 - expected))
            means[two] = round(means[two] + theirs_after * slope * (1 - score - expected), 9)
            variances[one], variances[two] = round(mine_after, 9), round(theirs_after, 9)
            days[one] = days[two] = day

    return rate


def ours() -> Rater:
    states = {player: State(0.0, PRIOR) for player in range(PEOPLE)}
    meetings = Meetings()

    def rate(entries: Sequence[Entry]) -> None:
        deque(fold(entries, states, prior=PRIOR, meetings=meetings), maxlen=0)

    return rate


def openskill() -> Rater:
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known: dict[int, Any] = {player: model.rating() for player in range(PEOPLE)}

    def rate(entries: Sequence[Entry]) -> None:
        for entry in entries[::SAMPLE]:
            [one], [two] = entry.sides
            teams = model.rate([[known[one]], [known[two]]], ranks=list(entry.places))
            [known[one]], [known[two]] = teams

    return rate


def glicko2() -> Rater:
    from glicko2 import Player

    known = {player: Player() for player in range(PEOPLE)}

    def rate(entries: Sequence[Entry]) -> None:
        for entry in entries[::SAMPLE]:
            one, two = (known[player] for player in entry.players)
            rating, deviation = one.rating, one.rd
            one.update_player([two.rating], [two.rd], [entry.places[0] < entry.places[1]])
            two.update_player([rating], [deviation], [entry.places[1] < entry.places[0]])

    return rate


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--slices", type=int, default=40)
    given = parser.parse_args()
    raters = {"bare": bare(), "ours": ours(), "openskill": openskill(), "glicko2": glicko2()}
    spent: dict[str, list[float]] = {name: [] for name in raters}
    entries = log(given.matches, Random(1))
    while part := list(islice(entries, given.matches // given.slices)):
        for name, rate in raters.items():
            began = time.process_time()
            rate(part)
            told = len(part) if name in ("bare", "ours") else len(part[::SAMPLE])
            spent[name].append((time.process_time() - began) / told)
    print(f"{'':12}{'µs a match':>12}{'÷ ours':>9}")
    ratios = {
        name: median(a / b for a, b in zip(times, spent["ours"], strict=True))
        for name, times in spent.items()
    }
    for name, times in spent.items():
        print(f"{name:12}{median(times) * 1e6:12.2f}{ratios[name]:9.2f}")
    goals = {
        f"ours ÷ bare {1 / ratios['bare']:.2f}, at most {MOST_TO_BARE:g}": 1 / ratios["bare"]
        <= MOST_TO_BARE,
        **{
            f"{name} ÷ ours {ratios[name]:.2f}, at least {LEAST_TO_PEERS:g}": ratios[name]
            >= LEAST_TO_PEERS
            for name in ("openskill", "glicko2")
        },
    }
    for goal, reached in goals.items():
        print(f"goal: {goal}: {'reached' if reached else 'missed'}")
    return 0 if all(goals.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
