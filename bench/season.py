"""A season of people whose strength is known: do the ratings predict it better than others do?

    .venv/bin/python bench/season.py [--players 2000] [--matches 15000] [--seed 1] [--jobs 2]

Everybody's strength is a number from 0 to 2: 0 plays as the easy bot does, 1 as the medium one,
2 as the hard one, and between them each move is one or the other's by chance. Strengths are
bell-shaped, some people play much more than others, and half of all matches are within clubs.
Every match is played to its target through the engine, over 13 weeks and five pools. That is the
slow part (15 minutes on a core), and is kept in VAR_DIR/bench, by seed.

Then the same log is told to our rule, to Elo with K 16, and to openskill and glicko2 with their
defaults. Each says every chance before the match; the second half of the season is judged. Our
rule is told it twice: as a new site has it, and with the RD of an unknown player refitted to the
first half, as `rating_fit` would (ratings.md). The goals are for the refitted one, because people
made of these bots are not as far apart as the width that a new site begins with.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from itertools import accumulate, chain
from multiprocessing import Pool
from pathlib import Path
from random import Random
from statistics import correlation

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)  # not this folder: files in it are called as apps are

from tqdm import tqdm

from bench import peers
from engine.bout import Mind, between, of_level, played
from engine.rules import RuleSet, game_of
from ratings.fold import Entry, Meetings
from ratings.glicko import State, variance_of
from ratings.pools import POOLS, PRIOR_DEVIATION, kind_of, pool_key
from ratings.quality import DEVIATIONS, Forecast, Verdict, elo_forecasts, glicko_forecasts, judged

START = datetime(2026, 1, 5, tzinfo=UTC)
DAYS = 91
MIDDLE = START + timedelta(days=DAYS / 2)
CLUB = 25
MEAN, SPREAD = 0.9, 0.5
"""Of the strengths."""

LEAST, MOST = 0.9, 1.1
AS_NEW = {pool: PRIOR_DEVIATION[pool.partition("-")[0]] for pool in POOLS}
OURS, SHIPPED = "ours, refitted", "ours, as new"
OTHERS: dict[str, peers.Teller] = {
    "Elo, K 16": elo_forecasts,
    "openskill": peers.openskill,
    "glicko2": peers.glicko2,
}

Log = list[tuple[str, Entry]]
"""Matches in their order, each with its pool."""


@dataclass(frozen=True, slots=True)
class Table:
    """A way to play: how often, by which rules, and to which targets."""

    share: float
    preset: str
    seats: int = 2
    partners: bool = False
    targets: tuple[int, ...] = (100,)

    @property
    def pool(self) -> str:
        return pool_key(game_of(self.preset), kind_of(self.seats, self.partners))

    def rules(self, target: int) -> RuleSet:
        given = {"preset": self.preset, "partners": self.partners, "target": target}
        return RuleSet.parse(given, self.seats)


TABLES = (
    Table(0.6, "allfives", targets=(100, 150, 150, 250)),
    Table(0.1, "draw"),
    Table(0.1, "block"),
    Table(0.05, "allfives", seats=3, targets=(150,)),
    Table(0.05, "allfives", seats=4, targets=(150,)),
    Table(0.1, "allfives", seats=4, partners=True, targets=(150,)),
)


def mind(strength: float) -> Mind:
    """Who plays as strongly as that, from 0 to 2."""
    if strength < 1:
        return between(of_level("easy"), of_level("medium"), strength)
    return between(of_level("medium"), of_level("hard"), strength - 1)


@cache
def people(seed: int, count: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Everybody's strength, and how eagerly they play, summed up from the first on."""
    chance = Random(f"{seed}:people")
    strengths = tuple(min(max(chance.gauss(MEAN, SPREAD), 0), 2) for _ in range(count))
    return strengths, tuple(accumulate(chance.lognormvariate(0, 1) for _ in range(count)))


def match(seed: int, count: int, number: int) -> tuple[str, Entry]:
    """The match of that number: who meets, at which table and when, and how it ends."""
    chance = Random(f"{seed}:{count}:{number}")
    strengths, eager = people(seed, count)
    table = chance.choices(TABLES, [each.share for each in TABLES])[0]
    first = chance.choices(range(count), cum_weights=eager)[0]
    near = range(first // CLUB * CLUB, min(count, first // CLUB * CLUB + CLUB))
    seats = [first]
    among = near if chance.random() < 0.5 else range(count)
    weights = [eager[p] - (eager[p - 1] if p else 0) for p in among]
    while len(seats) < table.seats:
        [other] = chance.choices(among, weights)
        if other not in seats:
            seats.append(other)
    chance.shuffle(seats)
    target = chance.choice(table.targets)
    minds = [mind(strengths[player]) for player in seats]
    ended = played(table.rules(target), minds, chance)
    sides = table.seats // 2 if table.partners else table.seats
    entry = Entry(
        match_id=f"m{number:07}",
        finished_at=START + timedelta(seconds=chance.randrange(DAYS * 86400)),
        target=target,
        sides=tuple(tuple(sorted(seats[side::sides])) for side in range(sides)),
        places=ended.places,
    )
    return table.pool, entry


def _match(given: tuple[int, int, int]) -> tuple[str, Entry]:
    return match(*given)


def season(seed: int, count: int, matches: int, jobs: int, kept: Path) -> Log:
    """The season's log, from the file if it is there."""
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        partial = kept.with_suffix(".partial")
        given = [(seed, count, number) for number in range(matches)]
        with Pool(jobs) as workers, partial.open("w") as out:
            for pool, entry in tqdm(workers.imap(_match, given, 20), total=matches, disable=None):
                when = (entry.finished_at - START).total_seconds()
                facts = (pool, entry.match_id, when, entry.target, entry.sides, entry.places)
                print(json.dumps(facts), file=out)
        partial.rename(kept)
    return sorted(map(_read, kept.read_text().splitlines()), key=lambda each: each[1].order)


def _read(line: str) -> tuple[str, Entry]:
    pool, match_id, when, target, sides, places = json.loads(line)
    at = START + timedelta(seconds=when)
    return pool, Entry(match_id, at, target, tuple(map(tuple, sides)), tuple(places))


class Newcomers(dict[int, State]):
    """A pool's states; who is new starts at half the mean of where he or she is best known."""

    def __init__(self, prior: float, pools: Mapping[str, Newcomers]) -> None:
        self.prior, self.pools = prior, pools

    def __missing__(self, player: int) -> State:
        known = [states[player] for states in self.pools.values() if player in states]
        best = min(known, key=lambda state: state.variance, default=None)
        self[player] = State(best.mean / 2 if best else 0.0, self.prior)
        return self[player]


Told = Iterator[tuple[str, Entry, list[Forecast]]]
Widths = Mapping[str, float]
"""RD of an unknown player, by pool."""


def ours(log: Log, widths: Widths, states: dict[str, Newcomers]) -> Told:
    """All pools at once, as newcomers bring what they are known for; `states` are left behind."""
    meetings: dict[str, Meetings] = defaultdict(Meetings)
    for pool, entry in log:
        prior = variance_of(widths[pool])
        known = states.setdefault(pool, Newcomers(prior, states))
        told = glicko_forecasts([entry], known, prior=prior, meetings=meetings[pool])
        yield from ((pool, *each) for each in told)


def refitted(log: Log) -> dict[str, float]:
    """Of the widths that `rating_fit` tries, what would have predicted the first half best."""
    known = [each for each in log if each[1].finished_at < MIDDLE]

    def loss(pool: str, width: float) -> float:
        told = ours(known, {**AS_NEW, pool: width}, {})
        return judged(list(chain(*(each for at, _entry, each in told if at == pool)))).log_loss

    return {pool: min(DEVIATIONS, key=partial(loss, pool)) for pool in {pool for pool, _ in log}}


def pool_by_pool(teller: peers.Teller, log: Log) -> Told:
    for pool in sorted({pool for pool, _entry in log}):
        told = teller(entry for where, entry in log if where == pool)
        yield from ((pool, *each) for each in told)


def second_half(told: Told) -> dict[str, list[Forecast]]:
    """The forecasts to be judged, by pool."""
    found: dict[str, list[Forecast]] = defaultdict(list)
    for pool, entry, forecasts in told:
        if entry.finished_at >= MIDDLE:
            found[pool] += forecasts
    return found


def report(log: Log, strengths: Sequence[float]) -> bool:
    """Prints the tables and what was demanded; whether all of that is reached."""
    states: dict[str, Newcomers] = {}
    widths = refitted(log)
    told = {
        OURS: second_half(ours(log, widths, states)),
        SHIPPED: second_half(ours(log, AS_NEW, {})),
        **{name: second_half(pool_by_pool(tell, log)) for name, tell in OTHERS.items()},
    }
    print(f"{'':18}{'forecasts':>10}{'log-loss':>10}{'Brier':>9}{'slope':>8}")
    for pool in sorted(told[OURS]):
        print(pool)
        for name, found in told.items():
            line(name, judged(found[pool]))
    print("all pools")
    verdicts = {name: judged(list(chain(*found.values()))) for name, found in told.items()}
    for name, verdict in verdicts.items():
        line(name, verdict)
    known = states["allfives-1v1"]
    told_by = correlation([each.mean for each in known.values()], [strengths[p] for p in known])
    print(f"ratings and strengths one against one correlate by {told_by:.2f}")
    print("RD of an unknown player, as new and refitted:")
    for pool, width in sorted(widths.items()):
        print(f"  {pool}: {AS_NEW[pool]:g}, {width:g}")
    mine, _as_new = verdicts.pop(OURS), verdicts.pop(SHIPPED)
    demands = {
        f"a slope from {LEAST} to {MOST}": LEAST <= mine.slope <= MOST,
        **{f"less log-loss than {n}": mine.log_loss < v.log_loss for n, v in verdicts.items()},
    }
    for demand, reached in demands.items():
        print(f"goal: {demand}: {'reached' if reached else 'missed'}")
    return all(demands.values())


def line(name: str, verdict: Verdict) -> None:
    print(
        f"  {name:16}{verdict.count:>10}{verdict.log_loss:>10.4f}{verdict.brier:>9.4f}"
        f"{verdict.slope:>8.2f}  ± {verdict.error:.2f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=2000)
    parser.add_argument("--matches", type=int, default=15_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    name = f"season-{given.seed}-{given.players}-{given.matches}.jsonl"
    kept = Path(os.environ.get("VAR_DIR", ROOT / "var")) / "bench" / name
    log = season(given.seed, given.players, given.matches, given.jobs, kept)
    return 0 if report(log, people(given.seed, given.players)[0]) else 1


if __name__ == "__main__":
    sys.exit(main())
