"""A match looked at again: what each move could have been paid, and what was left lying.

Only for rounds that are over: a review knows every hand.

>>> from engine.events import Played, RoundStarted
>>> from engine.tiles import parse
>>> rest = tuple(t for t in range(28) if t not in (27, 26, 25, 21))
>>> deal = Deal(hands=((27, 26), (25, 21)), boneyard=rest)
>>> rules = RuleSet.parse({"preset": "allfives", "hand_sizes": 2}, 2)
>>> lead = Played(seat=0, tile=parse("6-6"), end=None, call=None, total=12, score=0)
>>> (only,) = review(rules, {1: deal}, [RoundStarted(1, None), lead])
>>> only.steps[0].best, only.steps[0].missed, only.steps[0].scores
(0, 0, (0, 0))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine import scoring
from engine.actions import End, Play
from engine.events import Claimed, Drew, Event, Passed, Played, Resigned, RoundEnded, RoundStarted
from engine.match import Match
from engine.round import Deal
from engine.rules import RuleSet
from engine.tiles import Tile

Move = Played | Drew | Passed | Claimed | Resigned


@dataclass(frozen=True, slots=True)
class Option:
    """A play that was legal: the total it makes, and what it pays when it is called right."""

    tile: Tile
    end: End | None
    total: int
    pays: int


@dataclass(frozen=True, slots=True)
class Step:
    """One move. `joined` are the pips that a tile was laid against (None: the lead), `drawn` the
    tiles that came from the boneyard; `options` what the seat could have played instead, the best
    paid first, `ends` the pips to match and `scores` what the sides have after it.
    """

    event: Move
    joined: int | None
    drawn: tuple[Tile, ...]
    options: tuple[Option, ...]
    ends: Mapping[End, int]
    scores: tuple[int, ...]

    @property
    def best(self) -> int:
        """The most that any play would have been paid at once."""
        return self.options[0].pays if self.options else 0

    @property
    def missed(self) -> int:
        """What the play left lying of that (the "muggins" view)."""
        return self.best - self.event.score if isinstance(self.event, Played) else 0


@dataclass(frozen=True, slots=True)
class RoundReview:
    """A round from its deal on; `end` is None for one that the match broke off."""

    started: RoundStarted
    deal: Deal = field(repr=False)
    steps: tuple[Step, ...]
    end: RoundEnded | None


def review(
    rules: RuleSet, deals: Mapping[int, Deal], events: Iterable[Event]
) -> tuple[RoundReview, ...]:
    """A match's log, round by round. `deals` by number; a round without one is left out, and so is
    all that comes after it. Raises EngineError when the log can't have been.
    """
    match = Match(rules)
    found: list[RoundReview] = []
    started: RoundStarted | None = None
    steps: list[Step] = []
    end: RoundEnded | None = None

    def close() -> None:
        if started is not None:
            found.append(RoundReview(started, deals[started.number], tuple(steps), end))

    for event in events:
        if isinstance(event, RoundStarted):
            close()
            started, steps, end = None, [], None
            if event.number not in deals:
                return tuple(found)
            match.apply(event, deals[event.number])
            started = event
            continue
        if isinstance(event, RoundEnded):
            end = event
        if isinstance(event, Move) and end is None and started is not None:
            steps.append(_step(match, event))
        else:
            match.apply(event)
    close()
    return tuple(found)


def missed_by_seat(rules: RuleSet, rounds: Iterable[RoundReview]) -> tuple[int, ...]:
    """The points that each seat left lying, in all rounds."""
    missed = [0] * rules.seats
    for each in rounds:
        for step in each.steps:
            missed[step.event.seat] += step.missed
    return tuple(missed)


def _step(match: Match, event: Move) -> Step:
    """Look at the table as it is before the move, and make it."""
    joined: int | None = None
    drawn: tuple[Tile, ...] = ()
    options: tuple[Option, ...] = ()
    round = match.round
    assert round is not None
    if isinstance(event, Played):
        options = _options(match)
        joined = None if event.end is None else round.ends()[event.end]
    elif isinstance(event, Drew):
        drawn = round.boneyard[round.drawn : round.drawn + event.count]
    match.apply(event)
    return Step(event, joined, drawn, options, round.ends(), tuple(match.scores))


def _options(match: Match) -> tuple[Option, ...]:
    """What the seat in turn can play, the best paid first."""
    assert match.turn is not None
    score = match.scores[match.rules.side_of(match.turn)]
    found = []
    for action in match.legal():
        if isinstance(action, Play):
            total, _called = match.preview(action)
            pays = scoring.in_play(match.rules, total, score)
            found.append(Option(action.tile, action.end, total, pays))
    return tuple(sorted(found, key=lambda option: -option.pays))
