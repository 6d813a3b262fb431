"""The detectors tried on people whose skill is known: honest ones, and some who are not.

Everybody has a skill and plays as well as that says; ratings come of it by the fold that real ones
come of. A third of all matches are among two friends, however unequal, and people come anew all
the time: what a detector says of them is a false alarm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import exp, log
from random import Random
from typing import Final

from fairplay.detectors import accounts, circles, farming, helping, throwing
from fairplay.detectors.rows import Account, Duel, Finding, Sitting
from fairplay.detectors.throwing import CappedEntry
from ratings.fold import Entry, Rated, fold
from ratings.glicko import State, scale_of
from ratings.pools import prior_of

POOL: Final = "allfives-1v1"
BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)
BEFORE: Final = timedelta(days=60)
DAYS: Final = 120
TARGET: Final = 150
AMONG_FRIENDS: Final = 1 / 3
GIVES_UP: Final = 0.05
AT_TABLES: Final = 0.2
HELP: Final = 1.5
"""What two who help each other gain by it, on the scale of skill."""


@dataclass(slots=True)
class Trial:
    """A population over `DAYS`, of which the detectors see the second half.

    `cheaters` are by kind the players whom a detector should name first.
    """

    people: int
    rng: Random
    skills: dict[int, float] = field(default_factory=dict)
    accounts: dict[int, Account] = field(default_factory=dict)
    duels: list[Duel] = field(default_factory=list)
    sittings: list[Sitting] = field(default_factory=list)
    ratings: dict[int, State] = field(default_factory=dict)
    cheaters: dict[str, set[int]] = field(default_factory=dict)
    _log: list[tuple[Entry, bool]] = field(default_factory=list)
    _tables: list[Entry] = field(default_factory=list)

    def person(self, skill: float | None = None, day: float | None = None) -> int:
        """Somebody new, of a skill and since a day: of the first, or any."""
        number = len(self.skills) + 1
        spread = prior_of(POOL) ** 0.5
        self.skills[number] = self.rng.gauss(0, spread) if skill is None else skill
        since = day if day is not None else max(0.0, self.rng.uniform(-2 * DAYS, DAYS - 10))
        self.accounts[number] = Account(BEGIN + timedelta(days=since))
        return number

    def meet(self, one: int, two: int, day: float, *, thrown: bool = False) -> None:
        """`one` meets `two`, who tries to win unless it is `thrown`."""
        odds = scale_of(TARGET) * (self.skills[one] - self.skills[two])
        won = thrown or self.rng.random() < 1 / (1 + exp(-odds))
        sides = ((one,), (two,)) if won else ((two,), (one,))
        at = BEGIN + timedelta(days=day, seconds=self.rng.random())
        entry = Entry(f"m{len(self._log)}", at, TARGET, sides, (1, 2))
        self._log.append((entry, self.rng.random() < (0.6 if thrown else GIVES_UP)))

    def sit(self, players: list[int], day: float, helping: tuple[int, ...] = ()) -> None:
        """A table for everyone for themselves; those who are `helping` play for each other."""
        luck = {each: -log(-log(self.rng.random())) for each in players}
        strength = {
            each: luck[each] + scale_of(TARGET) * self.skills[each] + HELP * (each in helping)
            for each in players
        }
        ranked = sorted(players, key=lambda each: -strength[each])
        at = BEGIN + timedelta(days=day, seconds=self.rng.random())
        sides = tuple((each,) for each in ranked)
        places = tuple(range(1, len(ranked) + 1))
        self._tables.append(Entry(f"t{len(self._tables)}", at, TARGET, sides, places))

    def rate(self) -> None:
        """Rates what was played, in its order."""
        self._rate_tables()
        self._log.sort(key=lambda each: each[0].order)
        gave_up = {entry.match_id: given for entry, given in self._log}
        states = {player: State(0.0, prior_of(POOL)) for player in self.skills}
        entries = (entry for entry, _given in self._log)
        for rated in fold(entries, states, prior=prior_of(POOL)):
            if rated.entry.finished_at >= BEGIN + BEFORE:
                self.duels += _both_ways(rated, gave_up[rated.entry.match_id])
        self.ratings = states

    def _rate_tables(self) -> None:
        self._tables.sort(key=lambda each: each.order)
        states = {player: State(0.0, prior_of(POOL)) for player in self.skills}
        for rated in fold(self._tables, states, prior=prior_of(POOL)):
            if rated.entry.finished_at >= BEGIN + BEFORE:
                self.sittings.append(_sitting(rated))

    def findings(self) -> Iterator[Finding]:
        """What the detectors say at the end, when everybody enters an event that they just may."""
        yield from farming.find(self.duels, self.accounts)
        yield from circles.find(self.duels, self.accounts)
        yield from accounts.find(self.duels, self.accounts)
        yield from helping.find(self.sittings)
        now = BEGIN + timedelta(days=DAYS)
        own: dict[int, list[Duel]] = {}
        for duel in self.duels:
            own.setdefault(duel.one, []).append(duel)
        for player, played in own.items():
            rating = round(self.ratings[player].rating)
            entry = CappedEntry(player, 1, "Up to you", rating, rating, now)
            if found := throwing.find(entry, played):
                yield found


@dataclass(slots=True)
class Score:
    """Of a detector: how many cheaters of its kind it named of how many, and false alarms."""

    named: int = 0
    cheaters: int = 0
    false_alarms: int = 0


def scores(trial: Trial) -> dict[str, Score]:
    """How the detectors did, by kind. An accomplice who is named is no false alarm."""
    kinds = (farming, circles, accounts, helping, throwing)
    found = {module.KIND: Score() for module in kinds}
    planted = set(range(trial.people + 1, len(trial.skills) + 1))
    for kind, cheaters in trial.cheaters.items():
        found[kind].cheaters = len(cheaters)
    named = {(each.kind, each.players[0]) for each in trial.findings()}
    for kind, player in named:
        found[kind].named += player in trial.cheaters.get(kind, ())
        found[kind].false_alarms += player not in planted
    return found


def honest(people: int, matches: int, seed: int) -> Trial:
    """People who all play to win; everybody has a friend."""
    trial = Trial(people, Random(seed))  # noqa: S311
    crowd = [trial.person() for _ in range(people)]
    for _ in range(matches):
        day = trial.rng.uniform(0, DAYS)
        now = BEGIN + timedelta(days=day)
        there = [each for each in trial.rng.choices(crowd, k=12) if _is_there(trial, each, now)]
        if not there:
            continue
        if len(set(there)) > 3 and trial.rng.random() < AT_TABLES:
            trial.sit(list(dict.fromkeys(there))[:4], day)
            continue
        one = there[0]
        friend = (one - 1 ^ 1) + 1
        if (
            trial.rng.random() < AMONG_FRIENDS
            and friend <= people
            and _is_there(trial, friend, now)
        ):
            trial.meet(one, friend, day)
        elif others := [each for each in there if each != one]:
            near = min(others, key=lambda each: abs(trial.skills[each] - trial.skills[one]))
            trial.meet(one, near, day)
    return trial


def with_cheaters(trial: Trial, each: int) -> Trial:
    """Adds `each` cheaters of every kind to a population that isn't rated yet."""
    crowd = list(trial.skills)
    for _ in range(each):
        _add_farmer(trial, crowd)
        _add_circle(trial, crowd)
        _add_thrower(trial, crowd)
        _add_second_account(trial, crowd)
        _add_helpers(trial, crowd)
    return trial


def _add_farmer(trial: Trial, crowd: list[int]) -> None:
    """Somebody of middling skill with a friend who loses to them 30 times in two weeks."""
    farmer, mule = trial.person(0.0, 0.0), trial.person(0.0, DAYS - 20.0)
    _plays(trial, farmer, crowd, 30)
    for number in range(30):
        trial.meet(farmer, mule, DAYS - 20 + number / 2.2, thrown=number % 15 != 7)
    trial.cheaters.setdefault(farming.KIND, set()).add(farmer)


def _add_circle(trial: Trial, crowd: list[int]) -> None:
    """Four new accounts that lose to somebody six times each, and play no one else."""
    boss = trial.person(0.0, 0.0)
    _plays(trial, boss, crowd, 15)
    for _ in range(4):
        feeder = trial.person(0.0, DAYS - 15.0)
        for number in range(6):
            trial.meet(boss, feeder, DAYS - 14 + 2 * number, thrown=True)
    trial.cheaters.setdefault(circles.KIND, set()).add(boss)


def _add_thrower(trial: Trial, crowd: list[int]) -> None:
    """A strong player who loses 18 of 20 in the last three weeks."""
    thrower = trial.person(0.55, 0.0)
    _plays(trial, thrower, crowd, 60, until=DAYS - 28.0)
    for number in range(20):
        trial.meet(trial.rng.choice(crowd), thrower, DAYS - 20 + number, thrown=number % 10 != 4)
    trial.cheaters.setdefault(throwing.KIND, set()).add(thrower)


def _add_second_account(trial: Trial, crowd: list[int]) -> None:
    """Somebody who wins fourteen times against an account of their own."""
    owner, other = trial.person(0.0, 0.0), trial.person(0.0, DAYS - 12.0)
    _plays(trial, owner, crowd, 30)
    for number in range(14):
        trial.meet(owner, other, DAYS - 12 + number / 2, thrown=True)
    for account in (owner, other):
        trial.accounts[account] = Account(trial.accounts[account].created_at, frozenset(("home",)))
    trial.cheaters.setdefault(accounts.KIND, set()).add(owner)


def _add_helpers(trial: Trial, crowd: list[int]) -> None:
    """Two who sit down at sixty tables together, and at thirty each without the other."""
    two = (trial.person(0.0, 0.0), trial.person(0.0, 0.0))
    for number in range(60):
        trial.sit([*two, *trial.rng.sample(crowd, 2)], DAYS / 2 + number, helping=two)
        apart = two[number % 2]
        trial.sit([apart, *trial.rng.sample(crowd, 3)], DAYS / 2 + number)
    trial.cheaters.setdefault(helping.KIND, set()).add(two[0])


def _plays(trial: Trial, player: int, crowd: list[int], matches: int, until: float = DAYS) -> None:
    for _ in range(matches):
        trial.meet(player, trial.rng.choice(crowd), trial.rng.uniform(0, until))


def _is_there(trial: Trial, player: int, now: datetime) -> bool:
    return trial.accounts[player].created_at <= now


def _both_ways(rated: Rated, resigned: bool) -> Iterator[Duel]:
    entry = rated.entry
    (first,), (second,) = entry.sides
    for one, two, score in ((first, second, 1.0), (second, first, 0.0)):
        change, other = rated.changes[one], rated.changes[two]
        yield Duel(
            match=entry.match_id,
            pool=POOL,
            at=entry.finished_at,
            one=one,
            two=two,
            score=score,
            chance=change.expected,
            gain=change.after.rating - change.before.rating,
            target=entry.target,
            state=State(change.before.mean, change.variance),
            other=State(other.before.mean, other.variance),
            given_up=resigned,
        )


def _sitting(rated: Rated) -> Sitting:
    others = len(rated.entry.sides) - 1
    return Sitting(
        match=rated.entry.match_id,
        at=rated.entry.finished_at,
        expected={player: change.expected for player, change in rated.changes.items()},
        beaten={
            player: (len(rated.entry.sides) - place) / others
            for (player,), place in zip(rated.entry.sides, rated.entry.places, strict=True)
        },
    )
